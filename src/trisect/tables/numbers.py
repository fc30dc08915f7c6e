"""Columns of numbers."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from trisect.tables.cells import Cells, is_missing, read_numbers
from trisect.tables.column import Column, Encoded, Learned, Target, stacked
from trisect.tables.missing import gaps_tell

__all__ = ["NumberColumn"]


@dataclass(frozen=True)
class NumberColumn(Column):
    """A number as it is, the median where it is missing.

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

    kind: ClassVar[str] = "number"
    oddity: ClassVar[str] = "not a finite number"

    @classmethod
    def learn(cls, name: str, cells: Cells, target: Target, min_frequency: int) -> Learned:
        """Find the median, and whether gaps tell something."""
        numbers = read_numbers(cells)
        missing = np.isnan(numbers)
        fill = 0.0 if missing.all() else float(np.median(numbers[~missing]))
        p = gaps_tell(missing, target, min_frequency)
        return Learned(cls(name, fill, p is not None), filled_note(missing, f"{fill:g}", p))

    @property
    def outputs(self) -> list[str]:
        """The number and, if it tells something, whether it is missing."""
        return [self.name, f"{self.name} missing"][: 1 + self.indicator]

    def encode(self, cells: Cells) -> Encoded:
        """Fill the gaps."""
        numbers = read_numbers(cells)
        missing = np.isnan(numbers)
        parts = [np.where(missing, self.fill, numbers), missing][: 1 + self.indicator]
        return Encoded(stacked(len(numbers), parts), missing & ~is_missing(cells))


def filled_note(missing: np.ndarray, fill: str, p: float | None) -> str:
    """Say what is done about gaps, and whether they tell something."""
    if not missing.any():
        return ""
    tells = "" if p is None else f" and told (p = {p:.1g})"
    return f"gaps filled with {fill}{tells}"
