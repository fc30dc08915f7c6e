"""The texts of a csv column as cells: numbers if all of them are, and otherwise texts."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trisect.tables.amounts import COMMA, NUMBER, POINT, number_in
from trisect.tables.cells import MISSING_WORDS, Texts

__all__ = ["as_numbers", "as_texts"]

_CODE = re.compile(r"^[+-]?0\d", re.ASCII | re.MULTILINE)
_COMMA = re.compile(r"[+-]?[\d.]*,?\d*(?:[eE][+-]?\d+)?", re.ASCII)


def as_numbers(cells: Sequence[str], decimal: str | None = POINT) -> NDArray[np.float64] | None:
    """Read texts as numbers, or return None if some are neither numbers nor missing.

    Numbers with zeros in front are codes, and no numbers. If the decimal sign is not known,
    nor are numbers that have one.

    Examples
    --------
    >>> as_numbers(["1.5", "", "-2e3", "NA"])
    array([ 1.5e+00,      nan, -2.0e+03,      nan])
    >>> as_numbers(["01234"]) is None
    True
    >>> as_numbers(["1.234,5", "7"], ",")
    array([1234.5,    7. ])
    """
    if decimal is None and any(POINT in cell or COMMA in cell for cell in cells):
        return None
    if decimal == COMMA:
        return _slowly(cells, decimal)
    try:
        # Half the time of a loop that looks for empty cells as well.
        numbers = np.array([*map(float, cells)])
    except ValueError:
        try:
            numbers = np.array([float(cell) if cell else np.nan for cell in cells])
        except ValueError:
            return _slowly(cells, POINT)
    joined = "\n".join(cells)
    if _CODE.search(joined):
        return None
    # Python reads "1_0", "nan", "inf" and digits of other scripts as numbers too.
    plain = joined.isascii() and "_" not in joined and not re.search(r"[ A-DF-Za-df-z]", joined)
    return numbers if plain and not np.isinf(numbers).any() else _slowly(cells, POINT)


def _slowly(cells: Sequence[str], decimal: str) -> NDArray[np.float64] | None:
    """Do the same for decimal commas, spaces around texts and words for missing cells."""
    read: dict[str, float] = {}
    for cell in set(cells):
        text = cell.strip()
        if text.lower() in MISSING_WORDS:
            read[cell] = np.nan
        else:
            number = None if _CODE.match(text) else _plain(text, decimal)
            if number is None or not np.isfinite(number):
                return None
            read[cell] = number
    return np.fromiter((read[cell] for cell in cells), np.float64, len(cells))


def _plain(text: str, decimal: str) -> float | None:
    """Read a number without marks; those with marks are left to the column, which says so."""
    if decimal == COMMA:
        return number_in(text, COMMA) if _COMMA.fullmatch(text) else None
    return float(text) if NUMBER.fullmatch(text) else None


def as_texts(cells: Sequence[str], decimal: str | None = None) -> Texts:
    """Read texts as they are, with ends of lines inside them as Python writes these."""
    if any("\r" in cell for cell in cells):
        cells = [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in cells]
    return Texts.of(cells, len(cells), decimal)
