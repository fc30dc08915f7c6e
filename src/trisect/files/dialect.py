"""How a csv file is written: encoding, delimiter and decimal sign, found out from its beginning."""

import codecs
import csv
import io
from contextlib import suppress
from itertools import zip_longest
from typing import NamedTuple

from trisect.tables.amounts import COMMA, POINT, decimal_sign, decimal_votes

__all__ = ["DELIMITERS", "Dialect", "find_dialect"]

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
"""Delimiters that are looked for, and what they are called."""

_BOMS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


class Dialect(NamedTuple):
    """How a csv file is written.

    Parameters
    ----------
    encoding : str
        Encoding of the text, as Python names it.
    delimiter : str
        What stands between cells.
    decimal : str
        The decimal sign of numbers, "." or ",".
    signs : tuple of str or None
        The decimal sign of each column, None where nothing in the file tells it; without any,
        all have that of the file.
    """

    encoding: str
    delimiter: str
    decimal: str
    signs: tuple[str | None, ...] = ()

    def sign_of(self, place: int) -> str | None:
        """Return the decimal sign of a column by its place, or None if nothing tells it."""
        if not self.signs:
            return self.decimal
        return self.signs[place] if place < len(self.signs) else None

    def __str__(self) -> str:
        between = DELIMITERS.get(self.delimiter, f"delimiter {self.delimiter!r}")
        sign = "comma" if self.decimal == COMMA else "point"
        return f"csv, {between}, decimal {sign}, {self.encoding.removesuffix('-sig')}"


def find_dialect(
    head: bytes,
    complete: bool,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
) -> Dialect:
    r"""Find out how a csv file is written.

    The encoding is what a byte order mark says, UTF-8 if the bytes are, and otherwise Windows
    1252, of which Latin 1 is a part. The delimiter is the one that splits the most rows into as
    many cells as the first has. The decimal sign is a comma if more cells are numbers with a
    comma than with a point. A column has a sign of its own if its numbers tell it; if nothing
    in the file tells it, "1,234" and "1.234" can be either.

    Parameters
    ----------
    head : bytes
        The beginning of the file.
    complete : bool
        Whether that is all of it.
    encoding, delimiter, decimal : str, optional
        What is known already.

    Examples
    --------
    >>> print(find_dialect(b"age;rate\n31;0,5\n44;1,25\n", complete=True))
    csv, semicolons, decimal comma, utf-8
    """
    used = encoding or _encoding(head, complete)
    try:
        text = codecs.getincrementaldecoder(used)("replace").decode(head, complete)
    except LookupError:
        raise ValueError(f"There is no encoding {used!r}; try 'utf-8' or 'cp1252'.") from None
    lines = text.splitlines(keepends=True)
    if not complete and len(lines) > 1:
        lines.pop()
    text = "".join(lines)
    delimiter = delimiter or max(DELIMITERS, key=lambda sign: _fit(text, sign))
    if decimal is not None:
        if decimal not in (POINT, COMMA):
            raise ValueError(f"The decimal sign is '.' or ',', not {decimal!r}.")
        return Dialect(used, delimiter, decimal)
    return Dialect(used, delimiter, *_decimal(text, delimiter))


def _encoding(head: bytes, complete: bool) -> str:
    for mark, name in _BOMS.items():
        if head.startswith(mark):
            return name
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(head, complete)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _fit(text: str, delimiter: str) -> tuple[float, int]:
    """How well a delimiter splits: the share of rows like the first, and cells of that one."""
    widths = [len(row) for row in _rows(text, delimiter)]
    if not widths or widths[0] == 1:
        return (0.0, 0)
    return (sum(width == widths[0] for width in widths) / len(widths), widths[0])


def _decimal(text: str, delimiter: str) -> tuple[str, tuple[str | None, ...]]:
    """Find the decimal sign of the file, and that of each column."""
    rows = zip_longest(*_rows(text, delimiter)[1:], fillvalue="")
    columns = [[cell.strip() for cell in column] for column in rows]
    votes = sum(decimal_votes(column) for column in columns)
    sign = COMMA if votes > 0 else POINT if votes < 0 else None
    return sign or POINT, tuple(decimal_sign(column) or sign for column in columns)


def _rows(text: str, delimiter: str) -> list[list[str]]:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    found: list[list[str]] = []
    with suppress(csv.Error):  # a quote that is never closed: the rows before it must do
        found.extend(row for row in rows if row)
    return found
