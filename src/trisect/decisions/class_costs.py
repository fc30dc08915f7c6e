"""Costs for more than two classes: what each confusion costs, and what deferring costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions.costs import CostMatrix

Floats: TypeAlias = NDArray[np.float64]

DEFERRED = -1
"""Takes the place of a class index where an instance is deferred."""


@dataclass(frozen=True, eq=False, repr=False)
class ClassCosts:
    """The cost of each confusion between classes, and of deferring.

    For each instance the class with the least expected cost is accepted, unless
    deferring is cheaper still. If all mistakes cost the same this is Chow's rule: defer
    unless the largest probability is at least ``1 - defer / mistake``. Decisions are
    indices of classes here; those of an estimator are labels.

    Parameters
    ----------
    confusion : array-like of shape (n_classes, n_classes)
        Cost of accepting the class of the column when the row's class is the true one,
        in the user's unit; the right class must be the cheapest of its row. A gain is a
        negative cost.
    defer : float
        Cost of a review. The right class follows, so that deferring costs the review and
        the right class.
    unit : str, default=""
        Name of the unit.
    classes : sequence of labels, default=None
        The class of each row and column. By default they are in the order of an
        estimator's ``classes_``, which is sorted.

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
    classes: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        matrix = np.asarray(self.confusion, dtype=np.float64)
        defer = float(self.defer)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
            raise ValueError(
                "confusion must have a row and a column for each of at least two classes, "
                f"got shape {matrix.shape}."
            )
        if not (np.isfinite(matrix).all() and np.isfinite(defer)):
            raise ValueError("Costs must be finite: no NaN, no infinity.")
        if defer < 0:
            raise ValueError(f"A review must not cost less than nothing, got defer={defer:g}.")
        others = matrix + np.diag(np.full(len(matrix), np.inf))
        if not (np.diag(matrix) < others.min(axis=1)).all():
            row = int((np.diag(matrix) >= others.min(axis=1)).argmax())
            raise ValueError(
                f"The right class must be the cheapest of its row, which it is not in row {row}: "
                f"{matrix[row].tolist()}."
            )
        object.__setattr__(self, "confusion", matrix)
        object.__setattr__(self, "defer", defer)
        if self.classes is not None:
            names = np.asarray(self.classes).tolist()
            if len(set(names)) != len(matrix):
                raise ValueError(f"classes must name {len(matrix)} different classes, got {names}.")
            object.__setattr__(self, "classes", names)

    @classmethod
    def uniform(
        cls, n_classes: int, *, mistake: float, defer: float, unit: str = ""
    ) -> "ClassCosts":
        """Build costs in which every mistake costs the same."""
        return cls(mistake * (1 - np.eye(n_classes)), defer, unit)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.confusion)

    def for_classes(self, classes: ArrayLike) -> "ClassCosts":
        """Return these costs with rows and columns in the order of an estimator's classes.

        Parameters
        ----------
        classes : array-like of shape (n_classes,)
            Labels, in the order wanted.

        Examples
        --------
        >>> from trisect.decisions import ClassCosts
        >>> costs = ClassCosts([[0, 9], [1, 0]], defer=0.5, classes=["sick", "healthy"])
        >>> costs.for_classes(["healthy", "sick"]).confusion.tolist()
        [[0.0, 1.0], [9.0, 0.0]]
        """
        wanted = np.asarray(classes).tolist()
        if self.n_classes != len(wanted):
            raise ValueError(f"Costs of {self.n_classes} classes were given for {len(wanted)}.")
        if self.classes is None:
            return self
        names = list(self.classes)
        if set(names) != set(wanted):
            raise ValueError(f"The costs name the classes {names}, but there are {wanted}.")
        order = [names.index(label) for label in wanted]
        return ClassCosts(self.confusion[np.ix_(order, order)], self.defer, self.unit, wanted)

    def of_two(self, positive: int) -> CostMatrix:
        """Return costs of two classes as a cost matrix, given the index of the positive one."""
        other = 1 - positive
        cost = self.confusion
        return CostMatrix.from_review(
            true_accept=cost[positive, positive],
            false_reject=cost[positive, other],
            false_accept=cost[other, positive],
            true_reject=cost[other, other],
            review=self.defer,
            unit=self.unit,
        )

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
        return np.column_stack((p @ self.confusion, self.defer + p @ np.diag(self.confusion)))

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
        deferred = self.defer + np.diag(self.confusion)[truth]
        return np.where(chosen == DEFERRED, deferred, self.confusion[truth, chosen])

    def __repr__(self) -> str:
        named = "" if self.classes is None else f", classes={self.classes!r}"
        unit = f", unit={self.unit!r}" if self.unit else ""
        return f"ClassCosts({self.confusion.tolist()!r}, defer={self.defer!r}{unit}{named})"

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        names = range(self.n_classes) if self.classes is None else self.classes
        margin = max(len(str(name)) for name in names)
        rows = "\n".join(
            f"{name!s:{margin}}" + "".join(f"{cost:10.6g}" for cost in row)
            for name, row in zip(names, self.confusion, strict=True)
        )
        return f"{rows}\ndefer {self.defer:g}{unit}"
