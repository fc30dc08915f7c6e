"""Columns of yes and no."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from trisect.tables.cells import Cells, is_missing, read_flags
from trisect.tables.column import Column, Encoded, Learned, Target, stacked
from trisect.tables.missing import gaps_tell
from trisect.tables.numbers import filled_note

__all__ = ["FlagColumn"]


@dataclass(frozen=True)
class FlagColumn(Column):
    """Yes is 1 and no is 0, the more frequent of them where it is missing.

    Booleans, the numbers 1 and 0, and the words in `trisect.tables.cells.TRUE` and ``FALSE``
    say yes and no, in capitals or not.

    Parameters
    ----------
    name : str
        Name of the column.
    fill : float
        The number for missing cells.
    indicator : bool
        Whether a second number is 1 where the cell is missing.
    """

    fill: float
    indicator: bool

    kind: ClassVar[str] = "flag"
    oddity: ClassVar[str] = "neither yes nor no"

    @classmethod
    def learn(cls, name: str, cells: Cells, target: Target, min_frequency: int) -> Learned:
        """Find the more frequent answer, and whether gaps tell something."""
        flags = read_flags(cells)
        missing = np.isnan(flags)
        fill = 0.0 if missing.all() else float(np.mean(flags[~missing]) > 0.5)
        p = gaps_tell(missing, target, min_frequency)
        return Learned(
            cls(name, fill, p is not None), filled_note(missing, "yes" if fill else "no", p)
        )

    @property
    def outputs(self) -> list[str]:
        """The flag and, if it tells something, whether it is missing."""
        return [self.name, f"{self.name} missing"][: 1 + self.indicator]

    def encode(self, cells: Cells) -> Encoded:
        """Turn yes into 1 and no into 0."""
        flags = read_flags(cells)
        missing = np.isnan(flags)
        parts = [np.where(missing, self.fill, flags), missing][: 1 + self.indicator]
        return Encoded(stacked(len(flags), parts), missing & ~is_missing(cells))
