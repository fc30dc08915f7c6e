"""The cells of a column: numbers, times or texts, whatever library they came from.

There are three forms, and every kind of column reads each of them, so that a model that was
fitted on a data frame takes the same columns from a csv file, where all is text:

- numbers are float64, NaN where a cell is missing;
- times are datetime64[us] in UTC, NaT where a cell is missing;
- texts are `Texts`: a code for each cell, -1 where it is missing.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.tables.amounts import POINT, number_in

__all__ = [
    "FALSE",
    "ISO",
    "MISSING_WORDS",
    "MONTHS",
    "TRUE",
    "Cells",
    "Texts",
    "float_of",
    "is_missing",
    "is_nothing",
    "moment_of",
    "pattern_of",
    "read_flags",
    "read_numbers",
    "read_texts",
    "read_times",
    "text_of",
]

MISSING_WORDS = frozenset({"", "-", "--", "?", "#n/a", "<na>", "n/a", "na", "nan", "nat", "null"})
"""Texts, in small letters, that say that a cell is missing."""
TRUE = frozenset({"1", "on", "t", "true", "y", "yes"})
FALSE = frozenset({"0", "f", "false", "n", "no", "off"})
"""Texts, in small letters, that say yes and no."""
ISO = "iso"
"""The format of dates such as 2024-05-31 and times such as 2024-05-31T09:30:00+02:00."""

_ISO = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?", re.ASCII
)
_DIRECTIVES = {
    "Y": r"(?P<year>\d{4})",
    "y": r"(?P<short_year>\d\d)",
    "m": r"(?P<month>\d{1,2})",
    "b": r"(?P<month_name>[A-Za-z]{3,9})",
    "d": r"(?P<day>\d{1,2})",
    "H": r"(?P<hour>\d{1,2})",
    "I": r"(?P<half_hour>\d{1,2})",
    "p": r"(?P<half>[AaPp][Mm])",
    "M": r"(?P<minute>\d\d)",
    "S": r"(?P<second>\d\d)(?:\.\d+)?",
}
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
"""Names of the months, of which the first three letters are enough."""
_NAT = np.datetime64("NaT", "us")


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts, each different one written once.

    Parameters
    ----------
    codes : ndarray of int32
        For each cell the index of its text in `values`, or -1 if the cell is missing.
    values : list of str
        The different texts, without spaces around them.
    decimal : {".", ","}, optional
        The decimal sign of numbers among them, if it is known.
    """

    codes: NDArray[np.int32]
    values: list[str]
    decimal: str | None = None

    @classmethod
    def of(cls, cells: Iterable[Any], n: int, decimal: str | None = None) -> "Texts":
        """Make texts of `n` cells, whatever they are; words such as "NA" are missing cells."""
        index: dict[Any, int] = {}
        raw = np.fromiter((index.setdefault(cell, len(index)) for cell in cells), np.int32, n)
        values: dict[str, int] = {}
        codes = np.empty(len(index), dtype=np.int32)
        for i, cell in enumerate(index):
            text = "" if is_nothing(cell) else text_of(cell)
            missing = text.lower() in MISSING_WORDS
            codes[i] = -1 if missing else values.setdefault(text, len(values))
        return cls(codes[raw], list(values), decimal)

    @classmethod
    def joined(cls, parts: Sequence["Texts"]) -> "Texts":
        """Put texts one after another."""
        index: dict[str, int] = {}
        codes = []
        for part in parts:
            places = [index.setdefault(value, len(index)) for value in part.values]
            codes.append(part.spread(np.array(places, dtype=np.int32), np.int32(-1)))
        decimal = next((part.decimal for part in parts if part.decimal is not None), None)
        return cls(np.concatenate(codes) if codes else np.empty(0, np.int32), list(index), decimal)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> "Texts":
        return Texts(self.codes[rows], self.values, self.decimal)

    def counts(self) -> NDArray[np.intp]:
        """How many cells hold each of the values."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.values))

    def spread(self, numbers: Sequence[Any] | NDArray[Any], missing: Any) -> NDArray[Any]:
        """Give each cell the number of its value, or the one for missing cells."""
        return np.append(np.asarray(numbers), missing)[self.codes]


Cells = NDArray[Any] | Texts
"""The cells of a column in one of the three forms."""


def is_nothing(cell: Any) -> bool:
    """Whether a Python object stands for a missing cell: None, NaN, NaT, pandas.NA."""
    if cell is None or type(cell).__name__ == "NAType":
        return True
    return not isinstance(cell, str) and bool(cell != cell)


def is_missing(cells: Cells) -> NDArray[np.bool_]:
    """Say which cells are missing."""
    if isinstance(cells, Texts):
        return cells.codes < 0
    return np.isnat(cells) if cells.dtype.kind == "M" else np.isnan(cells)


def text_of(value: Any) -> str:
    """Write a cell as text, the same text whatever type the value has.

    Examples
    --------
    >>> text_of(" yes "), text_of(3.0), text_of(3), text_of(0.5), text_of(True)
    ('yes', '3', '3', '0.5', 'true')
    >>> text_of(datetime(2024, 5, 31)), text_of(np.datetime64("2024-05-31T10:30"))
    ('2024-05-31', '2024-05-31T10:30:00')
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, Real | Decimal):
        return _number_text(float_of(value))
    if isinstance(value, timedelta | np.timedelta64):
        return _number_text(np.timedelta64(value, "us") / np.timedelta64(1, "D"))
    if isinstance(value, date | time | np.datetime64):
        moment = np.datetime64(moment_of(value), "us")
        text = np.datetime_as_string(moment, unit="us").removesuffix(".000000")
        return text.removesuffix("T00:00:00")
    return str(value).strip()


def _number_text(number: float) -> str:
    number = float(number)
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def float_of(number: Any) -> float:
    """Turn a number of any type into a float, infinite if it is too large for one."""
    try:
        return float(number)
    except OverflowError:
        return math.inf


def moment_of(value: Any) -> Any:
    """Turn a date or time into a moment without a zone, in UTC; a time is one of 1970-01-01."""
    if isinstance(value, time):
        value = datetime.combine(date(1970, 1, 1), value)
    if getattr(value, "tzinfo", None) is not None:
        return value.astimezone(UTC).replace(tzinfo=None)
    return value


def read_texts(cells: Cells) -> Texts:
    """Read cells as texts."""
    if isinstance(cells, Texts):
        return cells
    values, codes = np.unique(cells, return_inverse=True)
    return Texts.of(values, len(values))[codes.astype(np.int32)]


def read_numbers(cells: Cells, decimal: str = POINT) -> NDArray[np.float64]:
    """Read cells as numbers: NaN where a cell is missing, infinite or no number.

    Parameters
    ----------
    cells : Cells
        The cells.
    decimal : {".", ","}
        The decimal sign of numbers that are written as text, unless the cells know theirs.
    """
    if isinstance(cells, Texts):
        read = [number_in(text, cells.decimal or decimal) for text in cells.values]
        numbers = cells.spread(np.array(read, dtype=np.float64), np.nan)
    elif cells.dtype.kind == "M":
        return np.full(len(cells), np.nan)
    else:
        numbers = cells
    finite = np.isfinite(numbers)
    return numbers if finite.all() else np.where(finite, numbers, np.nan)


def read_flags(cells: Cells) -> NDArray[np.float64]:
    """Read cells as 1 for yes and 0 for no: NaN where a cell is neither."""
    texts = read_texts(cells)
    read = [
        1.0 if v in TRUE else 0.0 if v in FALSE else np.nan for v in map(str.lower, texts.values)
    ]
    return texts.spread(np.array(read, dtype=np.float64), np.nan)


def read_times(cells: Cells, form: str = ISO) -> NDArray[np.datetime64]:
    """Read cells as times: NaT where a cell is missing or does not have the form.

    Parameters
    ----------
    cells : Cells
        The cells.
    form : str
        ``"iso"``, or a form such as ``"%d.%m.%Y %H:%M"`` made of ``%Y`` or ``%y``, ``%m`` or
        ``%b`` (an English name), ``%d``, ``%H`` or ``%I`` and ``%p``, ``%M`` and ``%S``. Cells
        that are times have no need of it.
    """
    if isinstance(cells, Texts):
        read = [_NAT if t is None else np.datetime64(t, "us") for t in _times(cells.values, form)]
        return cells.spread(np.array(read, dtype="M8[us]"), _NAT)
    return cells if cells.dtype.kind == "M" else np.full(len(cells), _NAT)


def _times(texts: Iterable[str], form: str) -> Iterable[datetime | None]:
    if form == ISO:
        return (_iso_time(text) if _ISO.fullmatch(text) else None for text in texts)
    pattern = pattern_of(form)
    matches = (pattern.fullmatch(text) for text in texts)
    return (_time(match.groupdict()) if match else None for match in matches)


def _iso_time(text: str) -> datetime | None:
    try:
        return moment_of(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        return None


def _time(parts: dict[str, str]) -> datetime | None:
    number = {name: int(text) for name, text in parts.items() if text.isdigit()}
    if "month_name" in parts:
        number["month"] = _month_named(parts["month_name"].lower())
    if "short_year" in number:
        # As POSIX has it: 69 is 1969, and 68 is 2068.
        number["year"] = number["short_year"] + (1900 if number["short_year"] > 68 else 2000)
    if "half_hour" in number:
        if not 1 <= number["half_hour"] <= 12:
            return None
        afternoon = parts.get("half", "am").lower() == "pm"
        number["hour"] = number["half_hour"] % 12 + 12 * afternoon
    try:
        return datetime(
            number.get("year", 1970),
            number.get("month", 1),
            number.get("day", 1),
            number.get("hour", 0),
            number.get("minute", 0),
            number.get("second", 0),
        )
    except ValueError:
        return None


def _month_named(name: str) -> int:
    """Return the number of a month from its name or the first letters of it, or else 0."""
    known = (i for i, month in enumerate(MONTHS, start=1) if name in (month, month[:3]))
    return next(known, 0)


@lru_cache(maxsize=64)
def pattern_of(form: str) -> re.Pattern[str]:
    """Make the pattern of a form of dates, or raise if it has directives of other kinds."""
    pattern, rest = "", form
    while rest:
        head, sign, rest = rest.partition("%")
        pattern += re.escape(head)
        if sign:
            directive, rest = rest[:1], rest[1:]
            if directive not in _DIRECTIVES or f"%{directive}" in rest:
                raise ValueError(
                    f"{form!r} is no form of dates: use %Y or %y, %m or %b, %d, %H or %I with %p, "
                    "%M and %S, each once at most, such as '%d.%m.%Y %H:%M'."
                )
            pattern += _DIRECTIVES[directive]
    return re.compile(pattern, re.ASCII)
