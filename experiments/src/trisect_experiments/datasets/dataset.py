"""What a dataset is: a numeric table, a label 0 or 1 per row, and what a reader should know."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table of features with one label per row.

    Labels are 0 and 1 wherever the rows came from, and 1 is the positive class: the one that an
    estimator accepts and whose probability it predicts. Sources with labels 1 and 2 (the
    development copies of the paper's data) have 2 as the positive class.

    Parameters
    ----------
    name : str
        The name it was loaded by.
    X : ndarray of shape (n_rows, n_features), float64
        Features; NaN marks a missing cell.
    y : ndarray of shape (n_rows,), int64
        Labels, 0 and 1.
    feature_names : tuple of str
        One name per column.
    title : str
        The full name.
    source : str
        Where the rows came from.
    notes : str
        What a reader of a result has to know, such as a column that gives the label away.
    subset_of : str
        Name of the dataset whose rows these are a selection of, if any.

    Examples
    --------
    >>> data = Dataset("tiny", np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 1]), ("a",))
    >>> data.label_counts, round(data.majority_rate, 3)
    ((1, 2), 0.667)
    """

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.int64]
    feature_names: tuple[str, ...]
    title: str = ""
    source: str = ""
    notes: str = ""
    subset_of: str = ""

    def __post_init__(self) -> None:
        if self.X.ndim != 2 or self.y.shape != (self.X.shape[0],):
            raise ValueError(
                f"Dataset {self.name!r}: X of shape {self.X.shape} and y of shape {self.y.shape} "
                "do not describe the same rows."
            )
        if len(self.feature_names) != self.X.shape[1]:
            raise ValueError(
                f"Dataset {self.name!r}: {len(self.feature_names)} feature names for "
                f"{self.X.shape[1]} columns."
            )
        if not np.isin(self.y, (0, 1)).all():
            raise ValueError(f"Dataset {self.name!r}: labels must be 0 and 1.")

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    @property
    def label_counts(self) -> tuple[int, int]:
        """How many rows have label 0, and how many label 1."""
        positive = int(self.y.sum())
        return self.n_rows - positive, positive

    @property
    def majority_rate(self) -> float:
        """Accuracy of always answering the commoner label."""
        return max(self.label_counts) / self.n_rows

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that change whenever a cell or a label does."""
        digest = hashlib.sha256(repr(self.X.shape).encode())
        digest.update(np.ascontiguousarray(self.X, dtype="<f8").data)
        digest.update(np.ascontiguousarray(self.y, dtype="<i8").data)
        return digest.hexdigest()[:16]
