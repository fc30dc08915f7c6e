"""Costs that differ from instance to instance, such as the size of each loan."""

from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions.costs import CostMatrix
from trisect.decisions.costs_base import Costs

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class InstanceCosts(Costs):
    """A cost matrix for each instance, all in one unit.

    Each instance is decided by its own thresholds, so these are arrays here. An instance
    that is never worth deferring is decided by its gamma.

    Parameters
    ----------
    amounts : array-like of shape (n_instances, 2, 3)
        For each instance ``[[PP, BP, NP], [PN, BN, NN]]`` in the user's unit; a gain is a
        negative cost.
    unit : str, default=""
        Name of the unit.
    accept, reject : label, default=None
        The class that it is right to accept, and the one that it is right to reject; see
        `CostMatrix`.

    Examples
    --------
    >>> from trisect.decisions import InstanceCosts
    >>> loans = InstanceCosts.from_review(false_accept=[50, 5000], false_reject=100, review=20)
    >>> loans.alpha.round(2).tolist(), loans.defers.tolist()
    ([0.6, 1.0], [True, True])
    """

    amounts: Floats
    unit: str = ""
    accept: Any = None
    reject: Any = None

    def __post_init__(self) -> None:
        values = np.asarray(self.amounts, dtype=np.float64)
        if values.ndim != 3 or values.shape[1:] != (2, 3):
            raise ValueError(
                "Costs per instance have the shape (n_instances, 2, 3): two rows (positive, "
                f"negative) and three columns (accept, defer, reject), got {values.shape}."
            )
        (pp, bp, np_), (pn, bn, nn) = np.moveaxis(values, 0, -1)
        _refuse(~np.isfinite(values), "costs must be finite")
        _refuse(np_ <= pp, "rejecting a positive must cost more than accepting it")
        _refuse(pn <= nn, "accepting a negative must cost more than rejecting it")
        _refuse((bp < pp) | (bn < nn), "deferring must cost at least as much as the right action")
        object.__setattr__(self, "amounts", values)
        self._check_names()

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
        accept: Any = None,
        reject: Any = None,
    ) -> Self:
        """Build from arrays with a cost per instance; a single number holds for all.

        Parameters
        ----------
        false_accept, false_reject : array-like of shape (n_instances,) or float
            Cost of accepting a negative and of rejecting a positive instance.
        review : array-like, float, or a tuple of two of these
            Cost of a review, which the right decision follows; a tuple gives it for
            positive and negative instances.
        true_accept, true_reject : array-like or float, default=0.0
            Cost of the right decision; a gain is a negative cost.
        unit : str, default=""
            Name of the unit.
        accept, reject : label, default=None
            The class that it is right to accept, and the one that it is right to reject.
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
        amounts = np.stack([np.broadcast_to(c, shape) for c in columns], axis=1).reshape(-1, 2, 3)
        _refuse(amounts[:, :, 1] < 0, "a review must not cost less than nothing")
        amounts[:, 0, 1] += amounts[:, 0, 0]
        amounts[:, 1, 1] += amounts[:, 1, 2]
        return cls(amounts, unit, accept, reject)

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
        """
        names = set(frame.columns)
        pair = ("review_positive", "review_negative")
        review = pair if names.issuperset(pair) else ("review", "review")
        missing = {"false_accept", "false_reject", *review} - names
        if missing:
            raise ValueError(f"The frame of costs lacks the columns {sorted(missing)}.")
        decisions = ("false_accept", "false_reject", "true_accept", "true_reject")
        given = {name: np.asarray(frame[name]) for name in decisions if name in names}
        positive, negative = (np.asarray(frame[name]) for name in review)
        return cls.from_review(review=(positive, negative), unit=unit, **given)

    def __len__(self) -> int:
        return len(self.amounts)

    def __getitem__(self, rows: Any) -> "InstanceCosts | CostMatrix":
        """Return the costs of one instance as a matrix, or those of several as `take` does."""
        if isinstance(rows, int | np.integer):
            return self._one(self.amounts[rows])
        return self.take(rows)

    @property
    def alpha(self) -> Floats:
        """Probability from which accepting costs no more than deferring."""
        gain = self.amounts[:, 1, 0] - self.amounts[:, 1, 1]
        price = self.amounts[:, 0, 1] - self.amounts[:, 0, 0]
        return np.divide(gain, gain + price, out=np.zeros(len(self)), where=gain > 0)

    @property
    def beta(self) -> Floats:
        """Probability up to which rejecting costs no more than deferring."""
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

    @property
    def thresholds(self) -> tuple[Floats, Floats]:
        """Alpha and beta, or gamma twice where deferring is never worthwhile."""
        defers, gamma = self.defers, self.gamma
        return np.where(defers, self.alpha, gamma), np.where(defers, self.beta, gamma)

    def take(self, rows: Any) -> Self:
        """Return the costs of the instances in a slice, a mask or an array of indices."""
        return replace(self, amounts=self.amounts[rows])

    def mean(self) -> CostMatrix:
        """Return the average costs, as one matrix."""
        return self._one(self.amounts.mean(axis=0))

    def _one(self, amounts: Floats) -> CostMatrix:
        one = CostMatrix.from_array(amounts, self.unit)
        return replace(one, accept=self.accept, reject=self.reject)

    def __repr__(self) -> str:
        names = ("unit", "accept", "reject")
        given = [(name, getattr(self, name)) for name in names]
        shown = "".join(f", {name}={value!r}" for name, value in given if value not in (None, ""))
        return f"InstanceCosts(<{len(self)} matrices>{shown})"

    def __str__(self) -> str:
        return f"{len(self)} matrices, on average\n{self.mean()}"


def _refuse(wrong: Any, rule: str) -> None:
    rows = wrong.reshape(len(wrong), -1).any(axis=1)
    if rows.any():
        raise ValueError(
            f"Impossible costs: {rule}, violated by {np.count_nonzero(rows)} of {len(rows)} "
            f"instances, the first at row {int(rows.argmax())}."
        )
