"""What each option for a case is expected to cost: the best automatic decision, or a review."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import (
    DEFERRED,
    NEG,
    POS,
    ClassCosts,
    CostMatrix,
    InstanceCosts,
    as_costs,
    as_probabilities,
)
from trisect.desk.reviewer import Reviewer

__all__ = ["Options", "options", "review_charges"]

Floats = NDArray[np.float64]
# Charges that differ by less than this share of their size are equal.
ROUNDING = 1e-14


class Options(NamedTuple):
    """Expected costs of n cases, decided by the model or by one of the reviewers.

    Reviewers whose reviews differ by the same amount for all cases are of one kind.

    Parameters
    ----------
    decisions : ndarray of int of shape (n,)
        The cheapest automatic decision: a region, or the index of a class.
    deferred : int
        What stands in `decisions` for a case that is reviewed.
    automatic : ndarray of shape (n,)
        Expected cost of the automatic decision.
    savings : ndarray of shape (n_kinds, n)
        By how much a review by the cheapest of each kind is expected to be cheaper.
    kinds : ndarray of int of shape (n_reviewers,)
        Kind of each reviewer.
    extra : ndarray of shape (n_reviewers,)
        By how much a review costs more than that of the cheapest of its kind.
    worthwhile : ndarray of bool of shape (n_reviewers, n)
        Whether a review is cheaper, by the thresholds that `decide` uses.
    """

    decisions: NDArray[Any]
    deferred: int
    automatic: Floats
    savings: Floats
    kinds: NDArray[np.intp]
    extra: Floats
    worthwhile: NDArray[np.bool_]

    def saved_by(self, reviewer: int) -> Floats:
        """Return what reviews of all cases by one reviewer would save."""
        return self.savings[self.kinds[reviewer]] - self.extra[reviewer]


def options(p: ArrayLike, costs: Any, team: list[Reviewer]) -> Options:
    """Compute what deciding and reviewing each case is expected to cost.

    Parameters
    ----------
    p : array-like of shape (n,) or (n, n_classes)
        Probability of the positive class; with `ClassCosts` that of each class.
    costs : CostMatrix, InstanceCosts, ClassCosts or what `as_costs` accepts
        What decisions cost.
    team : list of Reviewer
        The reviewers.
    """
    several = isinstance(costs, ClassCosts)
    chances, decisions, automatic = _by_class(p, costs) if several else _two_ways(p, costs)
    costs = costs if several else as_costs(costs, len(automatic))
    charges = [review_charges(each, costs) for each in team]
    kinds, extra = _kinds(charges)
    savings = np.empty((kinds.max(initial=-1) + 1, len(automatic)))
    for kind in range(len(savings)):
        cheapest = int(np.flatnonzero((kinds == kind) & (extra == 0))[0])
        savings[kind] = automatic - _expected(chances, charges[cheapest])
    worthwhile = np.empty((len(team), len(automatic)), dtype=bool)
    for mask, each, charge in zip(worthwhile, team, charges, strict=True):
        if several and each.cost is None and each.rates == (1, 1):
            np.equal(costs.decide(p), DEFERRED, out=mask)
        elif several:
            np.less(_expected(chances, charge), automatic, out=mask)
        else:
            alpha, beta = _thresholds(costs, charge)
            np.logical_and(chances[0] < alpha, chances[0] > beta, out=mask)
    deferred = DEFERRED if several else 0
    return Options(decisions, deferred, automatic, savings, kinds, extra, worthwhile)


def review_charges(reviewer: Reviewer, costs: CostMatrix | InstanceCosts | ClassCosts) -> Floats:
    """Compute what a review is expected to cost for each true class, mistakes included.

    Parameters
    ----------
    reviewer : Reviewer
        Who reviews.
    costs : CostMatrix, InstanceCosts or ClassCosts
        What decisions cost.

    Returns
    -------
    ndarray of shape (n_classes,) or (n_instances, n_classes)
        For two classes first the positive one.
    """
    if isinstance(costs, ClassCosts):
        if reviewer.sensitivity is not None:
            raise ValueError(
                f"Sensitivity and specificity are for two classes, but the costs are for "
                f"{costs.n_classes}: give reviewer {reviewer.name!r} an error instead."
            )
        right = np.diag(costs.confusion)
        wrong = (costs.confusion.sum(axis=1) - right) / (costs.n_classes - 1)
        base = costs.charge(np.arange(costs.n_classes), np.full(costs.n_classes, DEFERRED))
        misses = np.full(costs.n_classes, 1 - reviewer.rates[0])
    else:
        amounts = costs.amounts
        right = np.stack([amounts[..., 0, 0], amounts[..., 1, 2]], axis=-1)
        wrong = np.stack([amounts[..., 0, 2], amounts[..., 1, 0]], axis=-1)
        base = amounts[..., 1]
        misses = 1 - np.array(reviewer.rates)
    if reviewer.cost is not None:
        base = reviewer.cost + right
    return base + misses * (wrong - right)


def _two_ways(p: ArrayLike, costs: Any) -> tuple[list[Floats], NDArray[np.int8], Floats]:
    """Return the chances of both states, the better of accepting and rejecting, and its cost."""
    values = as_probabilities(p)
    if values.ndim != 1:
        raise ValueError(
            f"Give one probability for each case, that of the positive class; got an array of "
            f"shape {values.shape}. Several classes need ClassCosts."
        )
    checked = as_costs(costs, len(values))
    chances = [values, 1 - values]
    accept, reject = (_expected(chances, checked.amounts[..., action]) for action in (0, 2))
    decisions = np.where(values >= checked.gamma, POS, NEG)
    return chances, decisions, np.minimum(accept, reject)


def _by_class(p: ArrayLike, costs: ClassCosts) -> tuple[list[Floats], NDArray[np.intp], Floats]:
    """Return the chances of the classes, the cheapest class to accept, and its cost."""
    accept = costs.expected(p)[:, :-1]
    chances = list(np.asarray(p, dtype=np.float64).T)
    return chances, accept.argmin(axis=1), accept.min(axis=1)


def _expected(chances: list[Floats], charge: Floats) -> Floats:
    """Return the expected cost of each case, from one for each class."""
    return sum(chance * charge[..., k] for k, chance in enumerate(chances))  # type: ignore[return-value]


def _kinds(charges: list[Floats]) -> tuple[NDArray[np.intp], Floats]:
    """Group reviewers whose charges differ by a constant; return the groups and constants."""
    kinds, extra = np.empty(len(charges), dtype=np.intp), np.zeros(len(charges))
    leaders: list[Floats] = []
    for r, charge in enumerate(charges):
        for kind, leader in enumerate(leaders):
            difference = charge - leader
            if np.ptp(difference) <= ROUNDING * np.abs(leader).max():
                kinds[r], extra[r] = kind, difference.mean()
                break
        else:
            kinds[r] = len(leaders)
            leaders.append(charge)
    for kind in range(len(leaders)):
        extra[kinds == kind] -= extra[kinds == kind].min()
    return kinds, extra


def _thresholds(costs: CostMatrix | InstanceCosts, charge: Floats) -> tuple[Any, Any]:
    """Return the thresholds of deferring if every review cost this for each class."""
    amounts = np.array(costs.amounts)
    amounts[..., 1] = charge
    return as_costs(amounts).thresholds
