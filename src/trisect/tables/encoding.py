"""Apply the learned columns to a table."""

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.tables.cells import Cells, read_texts
from trisect.tables.column import Column
from trisect.tables.frames import columns_of, has_names, names_of
from trisect.tables.report import OddCells, TableWarning

__all__ = ["EncodedTable", "encode_table", "quoted"]


class EncodedTable(NamedTuple):
    """A table as numbers, and what was odd about it."""

    numbers: NDArray[np.float64]
    odd: list[OddCells]
    extra: list[str]
    odd_rows: dict[str, NDArray[np.bool_]]
    """By column, the rows whose cells count as missing because they are not understood."""

    def warn(self, stacklevel: int) -> None:
        """Warn of what was odd."""
        if self.odd:
            cells = ", ".join(map(str, self.odd))
            message = f"These count as missing: {cells}."
            warnings.warn(message, TableWarning, stacklevel=stacklevel + 1)
        if self.extra:
            message = f"Columns that are ignored: {quoted(self.extra)}."
            warnings.warn(message, TableWarning, stacklevel=stacklevel + 1)


def encode_table(columns: Sequence[Column], X: Any) -> EncodedTable:
    """Turn a table into numbers.

    Parameters
    ----------
    columns : sequence of Column
        What to do to each column.
    X : data frame, mapping of str to sequence, or array-like
        A table with these columns, in any order if they have names.

    Returns
    -------
    EncodedTable
        Numbers, and what was odd.

    Examples
    --------
    >>> from trisect.tables import NumberColumn
    >>> table = encode_table([NumberColumn("age", 40.0, False)], {"age": [31, None, "old"]})
    >>> table.numbers.ravel().tolist(), table.odd_rows["age"].tolist()
    ([31.0, 40.0, 40.0], [False, False, True])
    """
    names = names_of(X)
    if not has_names(X) and len(names) != len(columns):
        raise ValueError(
            f"X has {len(names)} features, but {len(columns)} features are expected as input."
        )
    used = [column for column in columns if column.outputs]
    missing = [column.name for column in used if column.name not in names]
    if missing:
        raise ValueError(f"The table lacks columns that the model needs: {quoted(missing)}.")
    cells = columns_of(X, {column.name for column in used})
    parts, odd, odd_rows = [], [], {}
    for column in used:
        encoded = column.encode(cells[column.name])
        parts.append(encoded.numbers)
        if encoded.odd.any():
            odd.append(_odd_cells(column, cells[column.name], encoded.odd))
            odd_rows[column.name] = encoded.odd
    known = {column.name for column in columns}
    extra = [name for name in names if name not in known]
    return EncodedTable(np.hstack(parts), odd, extra, odd_rows)


def _odd_cells(column: Column, cells: Cells, odd: NDArray[np.bool_]) -> OddCells:
    rows = np.flatnonzero(odd)
    texts = read_texts(cells[rows[:1000]])
    examples = [texts.values[code] for code in dict.fromkeys(texts.codes.tolist())]
    return OddCells(column.name, column.oddity, len(rows), examples[:3])


def quoted(names: list[str], most: int = 10) -> str:
    """List names in quotes, but not too many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more
