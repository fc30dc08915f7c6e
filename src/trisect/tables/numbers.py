"""Columns of numbers."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from trisect.tables.amounts import POINT
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
    decimal : {".", ","}
        The decimal sign of numbers that are written as text.
    """

    fill: float
    indicator: bool
    decimal: str = POINT

    kind: ClassVar[str] = "number"
    oddity: ClassVar[str] = "not a finite number"

    @classmethod
    def learn(
        cls, name: str, cells: Cells, target: Target, min_frequency: int, form: str = POINT
    ) -> Learned:
        """Find the median, and whether gaps tell something."""
        numbers = read_numbers(cells, form)
        missing = np.isnan(numbers)
        fill = 0.0 if missing.all() else float(np.median(numbers[~missing]))
        p = gaps_tell(missing, target, min_frequency)
        column = cls(name, fill, p is not None, form)
        return Learned(column, filled_note(missing, f"{fill:g}", p))

    @property
    def outputs(self) -> list[str]:
        """The number and, if it tells something, whether it is missing."""
        return [self.name, f"{self.name} missing"][: 1 + self.indicator]

    def encode(self, cells: Cells) -> Encoded:
        """Fill the gaps."""
        numbers = read_numbers(cells, self.decimal)
        missing = np.isnan(numbers)
        parts = [np.where(missing, self.fill, numbers), missing][: 1 + self.indicator]
        return Encoded(stacked(len(numbers), parts), missing & ~is_missing(cells))

    def to_dict(self) -> dict[str, Any]:
        """Write the column as texts and numbers; the decimal sign only if it is a comma."""
        content = super().to_dict()
        if self.decimal == POINT:
            del content["decimal"]
        return content


def filled_note(missing: np.ndarray, fill: str, p: float | None) -> str:
    """Say what is done about gaps, and whether they tell something."""
    if not missing.any():
        return ""
    tells = "" if p is None else f" and told (p = {p:.1g})"
    return f"gaps filled with {fill}{tells}"
