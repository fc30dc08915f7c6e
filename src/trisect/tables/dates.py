"""Columns of dates and times."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from trisect.tables.cells import ISO, Cells, is_missing, read_times
from trisect.tables.column import Column, Encoded, Learned, Target, stacked
from trisect.tables.missing import gaps_tell
from trisect.tables.numbers import filled_note

__all__ = ["FORMS", "PARTS", "DateColumn"]

_DAYS = (
    "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y",
    "%d %b %Y", "%d-%b-%Y", "%d-%b-%y", "%b %d, %Y",
)  # fmt: skip
_CLOCKS = ("%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p")
FORMS = (
    ISO,
    *(f"{day} {clock}".strip() for day in _DAYS for clock in ("", *_CLOCKS)),
    *_CLOCKS,
)
"""Forms in which dates are recognised; of two that fit, the one that stands first."""
PARTS = ("days", "month", "day", "weekday", "hour")
"""Days since the first date, month from 1, day of the month, weekday from Monday 1, hour."""


@dataclass(frozen=True)
class DateColumn(Column):
    """The days since the first date, and the parts of a date that differ between rows.

    Times with a zone are read as UTC.

    Parameters
    ----------
    name : str
        Name of the column.
    form : str
        How a date is written as text: "iso", or such as "%d.%m.%Y".
    first : str
        The first date, from which days are counted, as "2024-05-31T09:30:00".
    parts : tuple of str
        Which of `PARTS` are in use.
    fill : tuple of float
        The numbers of the parts for missing cells, those of the median date.
    indicator : bool
        Whether a further number is 1 where the cell is missing.
    """

    form: str
    first: str
    parts: tuple[str, ...]
    fill: tuple[float, ...]
    indicator: bool

    kind: ClassVar[str] = "date"
    oddity: ClassVar[str] = "not a date in the form of the training data"

    @classmethod
    def learn(
        cls, name: str, cells: Cells, target: Target, min_frequency: int, form: str = ISO
    ) -> Learned:
        """Find the first date, the parts that differ, and whether gaps tell something."""
        times = read_times(cells, form)
        there = np.sort(times[~np.isnat(times)])
        if not len(there):
            raise ValueError(f"Column {name!r} holds no date of the form {form!r}.")
        first = there[0].astype("M8[s]")
        parts = tuple(part for part in PARTS if len(np.unique(_part(there, part, first))) > 1)
        median = there[len(there) // 2 : len(there) // 2 + 1]
        fill = tuple(float(_part(median, part, first)[0]) for part in parts)
        missing = np.isnat(times)
        p = gaps_tell(missing, target, min_frequency)
        notes = [f"first {_short(first)}", filled_note(missing, _short(median[0]), p)]
        column = cls(name, form, str(first), parts, fill, p is not None)
        return Learned(column, "; ".join(note for note in notes if note))

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Self:
        """Read what `to_dict` has written."""
        rest = {name: tuple(content[name]) for name in ("parts", "fill")}
        return super().from_dict(content | rest)

    @property
    def outputs(self) -> list[str]:
        """A name for each part and, if it tells something, for gaps."""
        names = [f"{self.name} {part}" for part in self.parts]
        return names + [f"{self.name} missing"] * self.indicator

    def encode(self, cells: Cells) -> Encoded:
        """Take dates apart."""
        times = read_times(cells, self.form)
        missing = np.isnat(times)
        first = np.datetime64(self.first, "s")
        known = np.where(missing, first, times)
        parts: list[NDArray[Any]] = [
            np.where(missing, fill, _part(known, part, first))
            for part, fill in zip(self.parts, self.fill, strict=True)
        ]
        parts += [missing] * self.indicator
        return Encoded(stacked(len(times), parts), missing & ~is_missing(cells))


def _part(times: NDArray[np.datetime64], part: str, first: np.datetime64) -> NDArray[Any]:
    """Compute a part of each time."""
    days = times.astype("M8[D]")
    if part == "days":
        return (times - first) / np.timedelta64(1, "D")
    if part == "hour":
        return (times - days) / np.timedelta64(1, "h")
    months = times.astype("M8[M]")
    if part == "month":
        return months.astype(np.int64) % 12 + 1.0
    if part == "day":
        return (days - months.astype("M8[D]")).astype(np.int64) + 1.0
    # The first of January 1970 was a Thursday.
    return (days.astype(np.int64) + 3) % 7 + 1.0


def _short(time: np.datetime64) -> str:
    return np.datetime_as_string(time, unit="s").removesuffix("T00:00:00")
