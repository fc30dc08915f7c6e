"""Labels as they stand in files."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.tables.cells import Cells, Texts, is_missing, read_texts

__all__ = ["labels_of"]


def labels_of(cells: Cells) -> NDArray[Any]:
    """Return the labels in the cells of a column, none of which is missing.

    Whole numbers are integers; everything else is text.

    Examples
    --------
    >>> labels_of(np.array([1.0, 0.0])).tolist(), labels_of(np.array([0.5, 1.0])).tolist()
    ([1, 0], ['0.5', '1'])
    """
    assert not is_missing(cells).any()
    if not isinstance(cells, Texts) and _are_whole(cells):
        return cells.astype(np.int64)
    texts = read_texts(cells)
    return np.array(texts.values, dtype=object)[texts.codes]


def _are_whole(cells: NDArray[Any]) -> bool:
    return cells.dtype.kind == "f" and bool(np.isfinite(cells).all() and (cells % 1 == 0).all())
