"""Columns that say nothing."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from trisect.tables.cells import Cells
from trisect.tables.column import Column, Encoded

__all__ = ["LeftOut"]


@dataclass(frozen=True)
class LeftOut(Column):
    """A column that becomes no number, and need not be there when a model is used.

    Parameters
    ----------
    name : str
        Name of the column.
    reason : str
        Why it is left out.
    """

    reason: str

    kind: ClassVar[str] = "left out"

    @property
    def outputs(self) -> list[str]:
        """No names."""
        return []

    def encode(self, cells: Cells) -> Encoded:
        """Return no numbers."""
        return Encoded(np.empty((len(cells), 0)), np.zeros(len(cells), dtype=bool))
