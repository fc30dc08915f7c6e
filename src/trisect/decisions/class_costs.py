"""Costs for more than two classes: what each confusion costs, and what deferring costs."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]

DEFERRED = -1
"""Takes the place of a class index where an instance is deferred."""


@dataclass(frozen=True, eq=False)
class ClassCosts:
    """The cost of each confusion between classes, and of deferring.

    For each instance the class with the least expected cost is accepted, unless
    deferring is cheaper still. If all mistakes cost the same this is Chow's rule: defer
    unless the largest probability is at least ``1 - defer / mistake``. Decisions are
    indices of classes here, where those of `CostMatrix` are regions.

    Parameters
    ----------
    confusion : array-like of shape (n_classes, n_classes)
        Cost of accepting the class of the column when the row's class is the true one,
        in the user's unit; the right class must be the cheapest of its row.
    defer : float
        Cost of deferring an instance.
    unit : str, default=""
        Name of the unit.

    Examples
    --------
    >>> from trisect.decisions import ClassCosts
    >>> costs = ClassCosts([[0, 4, 4], [1, 0, 1], [4, 4, 0]], defer=0.5)
    >>> costs.decide([[0.5, 0.4, 0.1], [0.9, 0.05, 0.05], [0.1, 0.9, 0.0]])
    array([-1,  0,  1])
    """

    confusion: Floats
    defer: float
    unit: str = ""

    def __post_init__(self) -> None:
        matrix = np.asarray(self.confusion, dtype=np.float64)
        defer = float(self.defer)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
            raise ValueError(
                "confusion must have a row and a column for each of at least two classes, "
                f"got shape {matrix.shape}."
            )
        if not (np.isfinite(matrix).all() and (matrix >= 0).all() and 0 <= defer < np.inf):
            raise ValueError("Costs must be finite and not negative: no NaN, no infinity.")
        others = matrix + np.diag(np.full(len(matrix), np.inf))
        if not (np.diag(matrix) < others.min(axis=1)).all():
            row = int((np.diag(matrix) >= others.min(axis=1)).argmax())
            raise ValueError(
                f"The right class must be the cheapest of its row, which it is not in row {row}: "
                f"{matrix[row].tolist()}."
            )
        object.__setattr__(self, "confusion", matrix)
        object.__setattr__(self, "defer", defer)

    @classmethod
    def uniform(cls, n_classes: int, *, mistake: float, defer: float) -> "ClassCosts":
        """Build costs in which every mistake costs the same."""
        return cls(mistake * (1 - np.eye(n_classes)), defer)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.confusion)

    def expected(self, probabilities: ArrayLike) -> Floats:
        """Compute the expected cost of accepting each class, and last of deferring.

        Parameters
        ----------
        probabilities : array-like of shape (n_instances, n_classes)
            Probability of each class.

        Returns
        -------
        ndarray of shape (n_instances, n_classes + 1)
        """
        p = np.asarray(probabilities, dtype=np.float64)
        if p.ndim != 2 or p.shape[1] != self.n_classes:
            raise ValueError(
                f"Costs of {self.n_classes} classes need as many columns of probabilities, "
                f"got shape {p.shape}."
            )
        if not np.all((p >= 0) & (p <= 1 + 1e-6)):
            raise ValueError("Probabilities must lie in [0, 1] and not be NaN.")
        return np.column_stack((p @ self.confusion, np.full(len(p), self.defer)))

    def decide(self, probabilities: ArrayLike) -> NDArray[np.intp]:
        """Accept the class with the least expected cost, or defer.

        Parameters
        ----------
        probabilities : array-like of shape (n_instances, n_classes)
            Probability of each class.

        Returns
        -------
        ndarray of int
            Index of the accepted class, or -1 (`DEFERRED`).
        """
        chosen = self.expected(probabilities).argmin(axis=1)
        return np.where(chosen == self.n_classes, DEFERRED, chosen)

    def charge(self, truth: ArrayLike, decisions: ArrayLike) -> Floats:
        """Compute what the decision about each instance cost, in the user's unit.

        Parameters
        ----------
        truth : array-like of int of shape (n_instances,)
            Index of the true class.
        decisions : array-like of int of shape (n_instances,)
            Index of the accepted class, or -1 (`DEFERRED`).

        Returns
        -------
        ndarray of shape (n_instances,)
        """
        truth, chosen = np.asarray(truth), np.asarray(decisions)
        if truth.ndim != 1 or truth.shape != chosen.shape:
            raise ValueError(f"Truth and decisions differ in shape: {truth.shape}, {chosen.shape}.")
        valid = (truth >= 0) & (truth < self.n_classes)
        if not (valid & (chosen >= DEFERRED) & (chosen < self.n_classes)).all():
            raise ValueError("Classes are numbered from 0, and -1 stands for deferred.")
        return np.where(chosen == DEFERRED, self.defer, self.confusion[truth, chosen])

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        rows = "\n".join("  ".join(f"{cost:8.6g}" for cost in row) for row in self.confusion)
        return f"{rows}\ndefer {self.defer:g}{unit}"
