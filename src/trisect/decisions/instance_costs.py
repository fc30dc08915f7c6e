"""Costs that differ from instance to instance, such as the sum of each loan."""

from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions.costs import CostMatrix

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class InstanceCosts:
    """A cost matrix for each instance, all in one unit.

    The same rule applies to each instance with its own thresholds, which are arrays
    here. Where deferring an instance is never worth it, it is decided by its gamma.

    Parameters
    ----------
    amounts : array-like of shape (n_instances, 2, 3)
        For each instance ``[[PP, BP, NP], [PN, BN, NN]]`` in the user's unit.
    unit : str, default=""
        Name of the unit.

    Examples
    --------
    >>> from trisect.decisions import InstanceCosts
    >>> loans = InstanceCosts.from_review(false_accept=[50, 5000], false_reject=100, review=20)
    >>> loans.alpha.round(2).tolist(), loans.defers.tolist()
    ([0.6, 1.0], [True, True])
    """

    amounts: Floats
    unit: str = ""

    def __post_init__(self) -> None:
        values = np.asarray(self.amounts, dtype=np.float64)
        if values.ndim != 3 or values.shape[1:] != (2, 3):
            raise ValueError(
                "Costs per instance have the shape (n_instances, 2, 3): two rows (positive, "
                f"negative) and three columns (accept, defer, reject), got {values.shape}."
            )
        _refuse(~np.isfinite(values) | (values < 0), "costs must be finite and not negative")
        _refuse(values[:, 0, 2] <= values[:, 0, 0], "rejecting a positive must cost the most")
        _refuse(values[:, 1, 0] <= values[:, 1, 2], "accepting a negative must cost the most")
        _refuse(values[:, 0, 1] < values[:, 0, 0], "deferring must cost at least the right action")
        _refuse(values[:, 1, 1] < values[:, 1, 2], "deferring must cost at least the right action")
        object.__setattr__(self, "amounts", values)

    @classmethod
    def from_review(
        cls,
        *,
        false_accept: ArrayLike,
        false_reject: ArrayLike,
        review: ArrayLike | tuple[ArrayLike, ArrayLike],
        true_accept: ArrayLike = 0.0,
        true_reject: ArrayLike = 0.0,
        unit: str = "",
    ) -> Self:
        """Build from arrays with a cost per instance; numbers hold for all instances.

        Parameters
        ----------
        false_accept, false_reject : array-like of shape (n_instances,) or float
            Cost of accepting a negative and of rejecting a positive instance.
        review : array-like, float, or a tuple of two of these
            Cost of deferring; a tuple gives it for positive and negative instances.
        true_accept, true_reject : array-like or float, default=0.0
            Cost of the right decision.
        unit : str, default=""
            Name of the unit.

        Returns
        -------
        InstanceCosts
        """
        pair = review if isinstance(review, tuple) else (review, review)
        if len(pair) != 2:
            raise ValueError(f"review as a tuple has two items, got {len(pair)}.")
        six = (true_accept, pair[0], false_reject, false_accept, pair[1], true_reject)
        columns = [np.asarray(column, dtype=np.float64) for column in six]
        lengths = {column.shape for column in columns if column.ndim}
        if any(column.ndim > 1 for column in columns) or len(lengths) != 1:
            raise ValueError(
                "Give at least one cost as an array, and all arrays with one cost per "
                f"instance; got shapes {[column.shape for column in columns]}."
            )
        (shape,) = lengths
        return cls(
            np.stack([np.broadcast_to(c, shape) for c in columns], axis=1).reshape(-1, 2, 3), unit
        )

    @classmethod
    def from_frame(cls, frame: Any, unit: str = "") -> Self:
        """Build from a data frame with columns named as the arguments of `from_review`.

        Parameters
        ----------
        frame : data frame of pandas, polars or the like
            Columns ``false_accept``, ``false_reject`` and ``review``, the last perhaps as
            ``review_positive`` and ``review_negative``; ``true_accept`` and
            ``true_reject`` are optional.
        unit : str, default=""
            Name of the unit.

        Returns
        -------
        InstanceCosts
        """
        names = set(frame.columns)
        pair = {"review_positive", "review_negative"}
        review = pair if pair <= names else {"review"}
        missing = ({"false_accept", "false_reject"} | review) - names
        if missing:
            raise ValueError(f"The frame of costs lacks the columns {sorted(missing)}.")

        def column(name: str) -> Floats:
            return np.asarray(frame[name], dtype=np.float64)

        given = {name: column(name) for name in ("true_accept", "true_reject") if name in names}
        return cls.from_review(
            false_accept=column("false_accept"),
            false_reject=column("false_reject"),
            review=(column("review_positive"), column("review_negative"))
            if review == pair
            else column("review"),
            unit=unit,
            **given,
        )

    def __len__(self) -> int:
        return len(self.amounts)

    def __getitem__(self, rows: Any) -> "InstanceCosts | CostMatrix":
        """Return the costs of one instance, or of those in a slice, a mask or indices."""
        if isinstance(rows, int | np.integer):
            return CostMatrix.from_amounts(self.amounts[rows], self.unit)
        return InstanceCosts(self.amounts[rows], self.unit)

    @property
    def alpha(self) -> Floats:
        """Probability from which accepting is no dearer than deferring."""
        gain = self.amounts[:, 1, 0] - self.amounts[:, 1, 1]
        price = self.amounts[:, 0, 1] - self.amounts[:, 0, 0]
        return np.divide(gain, gain + price, out=np.zeros(len(self)), where=gain > 0)

    @property
    def beta(self) -> Floats:
        """Probability up to which rejecting is no dearer than deferring."""
        gain = self.amounts[:, 0, 2] - self.amounts[:, 0, 1]
        price = self.amounts[:, 1, 1] - self.amounts[:, 1, 2]
        return np.divide(price, gain + price, out=np.ones(len(self)), where=gain > 0)

    @property
    def gamma(self) -> Floats:
        """Probability from which accepting is cheaper than rejecting."""
        accept = self.amounts[:, 1, 0] - self.amounts[:, 1, 2]
        reject = self.amounts[:, 0, 2] - self.amounts[:, 0, 0]
        return accept / (accept + reject)

    @property
    def defers(self) -> NDArray[np.bool_]:
        """Whether deferring an instance is the cheapest action for any probability."""
        return self.beta < self.alpha

    def mean(self) -> CostMatrix:
        """Return the average costs, as one matrix."""
        return CostMatrix.from_amounts(self.amounts.mean(axis=0), self.unit)


def as_costs(costs: Any, n_instances: int | None = None) -> CostMatrix | InstanceCosts:
    """Understand costs as users write them.

    Parameters
    ----------
    costs : CostMatrix, InstanceCosts, array-like or data frame
        An array of shape (2, 3) is one matrix in any unit; an array of shape
        (n_instances, 2, 3), a list of matrices or a data frame (see
        `InstanceCosts.from_frame`) holds costs per instance.
    n_instances : int, optional
        The number of instances that costs per instance must be for.

    Returns
    -------
    CostMatrix or InstanceCosts

    Examples
    --------
    >>> from trisect.decisions import as_costs
    >>> as_costs([[0, 1, 10], [5, 1, 0]]).alpha
    0.8
    """
    if isinstance(costs, CostMatrix):
        return costs
    if not isinstance(costs, InstanceCosts):
        if isinstance(costs, list) and costs and isinstance(costs[0], CostMatrix):
            costs = InstanceCosts(np.stack([cost.amounts() for cost in costs]), costs[0].unit)
        elif hasattr(costs, "columns"):
            costs = InstanceCosts.from_frame(costs)
        elif costs is None or isinstance(costs, str | dict) or np.ndim(costs) not in (2, 3):
            raise ValueError(
                "costs must be a CostMatrix, InstanceCosts, an array of shape (2, 3) or "
                f"(n_instances, 2, 3), or a data frame, got {costs!r}."
            )
        elif np.ndim(costs) == 2:
            return CostMatrix.from_amounts(costs)
        else:
            costs = InstanceCosts(np.asarray(costs, dtype=np.float64))
    if n_instances is not None and len(costs) != n_instances:
        raise ValueError(f"Costs of {len(costs)} instances were given for {n_instances} instances.")
    return costs


def _refuse(wrong: Any, rule: str) -> None:
    rows = wrong.reshape(len(wrong), -1).any(axis=1)
    if rows.any():
        raise ValueError(
            f"Impossible costs: {rule}, broken by {np.count_nonzero(rows)} of {len(rows)} "
            f"instances, the first at row {int(rows.argmax())}."
        )
