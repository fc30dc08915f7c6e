"""One case as a table of variations: the same row, with one cell changed in each copy."""

from collections.abc import Sequence
from itertools import accumulate
from numbers import Real
from typing import Any

import numpy as np

__all__ = ["CaseTable", "Column"]


class Column:
    """What the reference says about a column: what is typical, and what else there is.

    Parameters
    ----------
    name : str
        Name of the column.
    values : sequence
        Its values in the reference; missing ones are left out.
    """

    def __init__(self, name: str, values: Sequence[Any]) -> None:
        known = [value for value in values if value is not None and value == value]
        self.name = name
        self.ordered = all(isinstance(v, Real) and not isinstance(v, bool) for v in known)
        counts: dict[Any, int] = {}
        for value in known:
            counts[value] = counts.get(value, 0) + 1
        if self.ordered:
            counts = dict(sorted(counts.items()))
        else:
            counts = dict(sorted(counts.items(), key=lambda item: -item[1]))
        self.values, self.n = list(counts), max(len(known), 1)
        self._upto = dict(zip(counts, accumulate(counts.values()), strict=True))
        self._counts = counts

    @property
    def typical(self) -> Any:
        """The median, as a value that occurs, or the most frequent value; None if all miss."""
        if not self.values:
            return None
        if not self.ordered:
            return self.values[0]
        return next(v for v in self.values if 2 * self._upto[v] >= self.n)

    def grid(self, n: int) -> list[Any]:
        """Return up to n values that occur: quantiles from the least to the largest, or the
        most frequent.
        """  # noqa: D205
        if len(self.values) <= n:
            return self.values
        if not self.ordered:
            return self.values[:n]
        ranks = np.array([self._upto[v] for v in self.values])
        places = np.searchsorted(ranks, np.linspace(1, self.n, n))
        return [self.values[place] for place in np.unique(places)]

    def distance(self, value: Any, other: Any) -> float:
        """Return how far two values are apart.

        That is the share of the reference between them, or, without an order, the share that
        has not the other value.
        """
        if not self.ordered:
            return 1 - self._counts.get(other, 0) / self.n
        if value is None or value != value:
            return 1.0
        low, high = sorted((value, other))
        return sum(c for v, c in self._counts.items() if low < v <= high) / self.n


class CaseTable:
    """A case beside reference data, in the form in which a classifier takes them.

    Parameters
    ----------
    x : array-like of shape (n_features,), or a data frame of one row
        The case.
    reference : array-like of shape (n_rows, n_features) or data frame
        Typical cases, such as the training data, in the same form.
    names : sequence of str, optional
        Names of the columns, if the reference is an array.
    """

    def __init__(self, x: Any, reference: Any, names: Sequence[str] | None = None) -> None:
        self._frame = reference if hasattr(reference, "columns") else None
        if self._frame is not None:
            self._columns = list(reference.columns)
            if not hasattr(x, "columns") or list(x.columns) != self._columns or len(x) != 1:
                raise ValueError(
                    "The reference is a data frame: give the case as a frame of one row with "
                    f"the same columns, {self._columns}."
                )
            values = [list(reference[name]) for name in self._columns]
            self.row = [next(iter(x[name])) for name in self._columns]
        else:
            array, case = np.asarray(reference), np.asarray(x)
            if array.ndim != 2 or case.size != array.shape[1] or not len(array):
                raise ValueError(
                    f"The case must be one row with the columns of the reference; got shapes "
                    f"{case.shape} and {array.shape}."
                )
            self._dtype = array.dtype
            count = array.shape[1]
            self._columns = [f"column {j}" for j in range(count)] if names is None else list(names)
            values, self.row = array.T.tolist(), case.ravel().tolist()
        self.columns = [
            Column(str(name), found) for name, found in zip(self._columns, values, strict=True)
        ]

    def varied(self, cells: Sequence[tuple[int, Any]]) -> Any:
        """Return a row for each change: the case with another value in one column.

        Parameters
        ----------
        cells : sequence of pairs
            Index of the column, and the value.
        """
        values = [[value] * len(cells) for value in self.row]
        for place, (column, value) in enumerate(cells):
            values[column][place] = value
        if self._frame is None:
            return np.array(values, dtype=self._dtype).T
        table = dict(zip(self._columns, values, strict=True))
        if not hasattr(self._frame, "iloc"):
            return type(self._frame)(table, schema=self._frame.schema)
        import pandas as pd

        types = self._frame.dtypes
        return pd.DataFrame({name: pd.Series(v, dtype=types[name]) for name, v in table.items()})
