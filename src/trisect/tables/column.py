"""What all kinds of columns have in common: cells in, numbers out, a few constants between."""

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from trisect.tables.cells import Cells

__all__ = ["Column", "Encoded", "Learned", "Target"]


class Encoded(NamedTuple):
    """The numbers of a column, and the cells that could not be understood."""

    numbers: NDArray[np.float64]
    odd: NDArray[np.bool_]


@dataclass(frozen=True)
class Target:
    """The classes that a table is to tell, for columns that look at them.

    Parameters
    ----------
    classes : list of str
        Names of the classes.
    codes : ndarray of int
        Index of the class of each row.
    weight : ndarray of float
        Weight of each row.
    folds : ndarray of int
        A fold from 0 for each row, by which evidence is cross-fitted.
    """

    classes: list[str]
    codes: NDArray[np.intp]
    weight: NDArray[np.float64]
    folds: NDArray[np.intp]


class Learned(NamedTuple):
    """A column as it was learned, and what a person should know about it."""

    column: "Column"
    note: str


@dataclass(frozen=True)
class Column(ABC):
    """How the cells of one column become numbers.

    A column is a plain record of texts and numbers: `to_dict` writes it as JSON can carry it,
    and what `encode` does is a few comparisons that any language can repeat.

    Parameters
    ----------
    name : str
        Name of the column.
    """

    name: str

    kind: ClassVar[str]
    """What the column is called in reports and documents."""
    oddity: ClassVar[str] = ""
    """What is wrong with cells that are there but cannot be understood."""

    @property
    @abstractmethod
    def outputs(self) -> list[str]:
        """Names of the numbers that the column becomes."""

    @abstractmethod
    def encode(self, cells: Cells) -> Encoded:
        """Turn cells into numbers, one row each; odd cells count as missing."""

    def training_numbers(self, cells: Cells, target: Target) -> NDArray[np.float64]:
        """Turn the cells that the column was learned from into numbers to learn from."""
        return self.encode(cells).numbers

    def to_dict(self) -> dict[str, Any]:
        """Write the column as texts, numbers, lists and dictionaries."""
        return {"kind": self.kind, **asdict(self)}

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Self:
        """Read what `to_dict` has written."""
        return cls(**{name: value for name, value in content.items() if name != "kind"})


def stacked(n_rows: int, columns: list[NDArray[Any]]) -> NDArray[np.float64]:
    """Put numbers side by side; none at all is an array without columns."""
    if not columns:
        return np.empty((n_rows, 0))
    return np.column_stack(columns).astype(np.float64, copy=False)
