"""The texts of a csv column as cells: numbers if all of them are, and otherwise texts."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trisect.tables.amounts import COMMA, NUMBER, POINT, taken_apart
from trisect.tables.cells import MISSING_WORDS, Texts

__all__ = ["as_numbers", "as_texts", "with_points"]

_CODE = re.compile(r"^[+-]?0\d", re.ASCII | re.MULTILINE)


def as_numbers(cells: Sequence[str]) -> NDArray[np.float64] | None:
    """Read texts as numbers, or return None if some are neither numbers nor missing.

    Numbers with zeros in front are codes, and no numbers.

    Examples
    --------
    >>> as_numbers(["1.5", "", "-2e3", "NA"])
    array([ 1.5e+00,      nan, -2.0e+03,      nan])
    >>> as_numbers(["01234"]) is None
    True
    """
    try:
        # Half the time of a loop that looks for empty cells as well.
        numbers = np.array([*map(float, cells)])
    except ValueError:
        try:
            numbers = np.array([float(cell) if cell else np.nan for cell in cells])
        except ValueError:
            return _slowly(cells)
    joined = "\n".join(cells)
    if _CODE.search(joined):
        return None
    # Python reads "1_0", "nan", "inf" and digits of other scripts as numbers too.
    plain = joined.isascii() and "_" not in joined and not re.search(r"[ A-DF-Za-df-z]", joined)
    return numbers if plain and not np.isinf(numbers).any() else _slowly(cells)


def _slowly(cells: Sequence[str]) -> NDArray[np.float64] | None:
    """Do the same for texts with spaces around them and words for missing cells."""
    read: dict[str, float] = {}
    for cell in set(cells):
        text = cell.strip()
        if text.lower() in MISSING_WORDS:
            read[cell] = np.nan
        elif NUMBER.fullmatch(text) and not _CODE.match(text) and np.isfinite(float(text)):
            read[cell] = float(text)
        else:
            return None
    return np.fromiter((read[cell] for cell in cells), np.float64, len(cells))


def as_texts(cells: Sequence[str]) -> Texts:
    """Read texts as they are, with ends of lines inside them as Python writes these."""
    if any("\r" in cell for cell in cells):
        cells = [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in cells]
    return Texts.of(cells, len(cells))


def with_points(cells: Sequence[str]) -> Sequence[str]:
    """Write numbers with decimal commas as programs do, and leave currencies where they are.

    Examples
    --------
    >>> with_points(["1,5", "a,b", "-0,25", "1.234,50 €", "1.234"])
    ['1.5', 'a,b', '-0.25', '1234.50 €', '1234']
    """
    if not any(COMMA in cell or POINT in cell for cell in cells):
        return cells
    return [_with_point(cell) if COMMA in cell or POINT in cell else cell for cell in cells]


def _with_point(cell: str) -> str:
    found = taken_apart(cell.strip(), COMMA)
    if found is None:
        return cell
    return " ".join(part for part in (found.before, found.number, found.behind) if part)
