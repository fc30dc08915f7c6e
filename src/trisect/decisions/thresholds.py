"""Thresholds learned from validation data: the pair with the least measured cost."""

from __future__ import annotations  # NumPy loads numpy.random when it is named

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions._sweep import cheapest_cuts
from trisect.decisions.charges import CostInterval, bootstrap_interval
from trisect.decisions.checks import as_probabilities, as_weights
from trisect.decisions.costs import CostMatrix
from trisect.decisions.costs_base import Costs
from trisect.decisions.given_costs import as_costs
from trisect.decisions.regions import BND, NEG, POS, threshold_regions

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class LearnedThresholds:
    """A pair of thresholds, with its measured cost on the data it was learned from.

    Parameters
    ----------
    alpha, beta : float
        Accept from alpha upwards, reject from beta downwards. Equal thresholds defer
        nothing; a threshold outside [0, 1] leaves its region empty.
    cost : float
        Mean cost of an instance, in the user's unit.
    interval : CostInterval
        Bootstrap interval of that mean, with the thresholds held fixed.
    closed_form_cost : float
        Mean cost with the thresholds computed from the costs alone.
    deferral_rate : float
        Share of the instances that are deferred.
    decided_error : float
        Share of mistakes among the decided instances; 0 if nothing is decided.
    """

    alpha: float
    beta: float
    cost: float
    interval: CostInterval
    closed_form_cost: float
    deferral_rate: float
    decided_error: float

    def regions(self, p: ArrayLike) -> NDArray[np.int8]:
        """Decide with this pair: POS (1), BND (0) or NEG (-1) for each probability."""
        return threshold_regions(p, self.alpha, self.beta)

    def __str__(self) -> str:
        return (
            f"accept from {self.alpha:.4f}, reject up to {self.beta:.4f}: mean cost "
            f"{self.cost:.4g} (95 % {self.interval.low:.4g} to {self.interval.high:.4g}; closed "
            f"form {self.closed_form_cost:.4g}), {self.deferral_rate:.1%} deferred, "
            f"{self.decided_error:.2%} of the decided wrong"
        )


def learn_thresholds(
    p: ArrayLike,
    positive: ArrayLike,
    costs: Any,
    *,
    max_deferred: float | None = None,
    max_error: float | None = None,
    shrinkage: float = 0.0,
    sample_weight: ArrayLike | None = None,
    n_resamples: int = 2000,
    random_state: Any = 0,
) -> LearnedThresholds:
    """Find the thresholds with the least measured cost on validation data.

    One sweep over the sorted probabilities compares all pairs. Without caps the result
    costs no more on these data than the closed form, which is preferred in a tie. The
    probabilities need not be calibrated: only their order matters.

    Parameters
    ----------
    p : array-like of shape (n_instances,)
        Predicted probability of the positive class, for data not trained on.
    positive : array-like of bool of shape (n_instances,)
        Whether each instance is truly positive.
    costs : CostMatrix, InstanceCosts, array-like or data frame
        Costs, for all instances alike or for each, see `as_costs`. There is one pair of
        thresholds in either case.
    max_deferred : float, optional
        Cap on the share of instances deferred, between 0 and 1.
    max_error : float, optional
        Cap on the share of mistakes among the decided, between 0 and 1.
    shrinkage : float, default=0.0
        Weight of the cost that the probabilities predict, relative to the measured
        cost. It draws the pair towards the closed form, which is safer if instances are
        few and probabilities reliable; the measured cost still never exceeds that of
        the closed form.
    sample_weight : array-like of shape (n_instances,), optional
        Weights of the instances, both in the cost and in the caps.
    n_resamples : int, default=2000
        Number of bootstrap samples for the interval.
    random_state : None, int or numpy.random.Generator, default=0
        Seed of the resampling.

    Raises
    ------
    ValueError
        If no pair satisfies both caps.

    Examples
    --------
    >>> from trisect.decisions import CostMatrix, learn_thresholds
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    >>> p, y = [0.1, 0.3, 0.4, 0.6, 0.9], [False, False, True, False, True]
    >>> learned = learn_thresholds(p, y, costs)
    >>> learned.regions(p).tolist(), learned.cost, learned.closed_form_cost
    ([-1, -1, 0, 0, 1], 0.4, 0.6)
    >>> learn_thresholds(p, y, costs, max_deferred=0.2).regions(p).tolist()
    [-1, -1, 1, 1, 1]
    """
    p, truth = as_probabilities(p), np.asarray(positive, dtype=bool)
    if p.ndim != 1 or not len(p) or p.shape != truth.shape:
        raise ValueError(
            "p and positive must be non-empty, one-dimensional and equally long, "
            f"got shapes {p.shape} and {truth.shape}."
        )
    for name, cap in (("max_deferred", max_deferred), ("max_error", max_error)):
        if cap is not None and not 0 <= cap <= 1:
            raise ValueError(f"{name} must lie between 0 and 1, got {cap!r}.")
    if not 0 <= shrinkage < np.inf:
        raise ValueError(f"shrinkage must be a finite number of at least 0, got {shrinkage!r}.")
    costs = as_costs(costs, len(p))
    weight = as_weights(sample_weight, len(p))
    steps = _steps(p, truth, costs, weight, shrinkage)
    common = costs.mean()
    start = _closed_form_cuts(steps.values, common)
    reject_below, accept_from = cheapest_cuts(
        steps.charges, steps.weight, steps.positive, max_deferred, max_error, prefer=start
    )
    alpha, beta = _thresholds(steps.values, reject_below, accept_from, common)
    regions = threshold_regions(p, alpha, beta)
    charges = costs.charge(truth, regions)
    closed_form = costs.charge(truth, common.decide(p))
    decided = weight * (regions != BND)
    wrong = decided * ((regions == POS) != truth)
    return LearnedThresholds(
        alpha=alpha,
        beta=beta,
        cost=float(np.average(charges, weights=weight)),
        interval=bootstrap_interval(
            charges * weight / weight.mean(), n_resamples=n_resamples, random_state=random_state
        ),
        closed_form_cost=float(np.average(closed_form, weights=weight)),
        deferral_rate=float(1 - decided.sum() / weight.sum()),
        decided_error=float(wrong.sum() / decided.sum()) if decided.any() else 0.0,
    )


class _Steps(NamedTuple):
    """Sums over the instances at each distinct probability, in increasing order."""

    values: Floats
    charges: Floats
    weight: Floats
    positive: Floats


def _steps(
    p: Floats,
    truth: NDArray[np.bool_],
    costs: Costs,
    weight: Floats,
    shrinkage: float,
) -> _Steps:
    values, step = np.unique(p, return_inverse=True)

    def charges_of(region: np.int8) -> Floats:
        regions = np.full(len(p), region)
        measured = costs.charge(truth, regions)
        if not shrinkage:
            return measured
        if_positive, if_negative = (
            costs.charge(np.full(len(p), state), regions) for state in (True, False)
        )
        return measured + shrinkage * (p * if_positive + (1 - p) * if_negative)

    charges = np.column_stack(
        [np.bincount(step, weight * charges_of(region)) * 1.0 for region in (POS, BND, NEG)]
    )
    sums = [np.bincount(step, part).astype(np.float64) for part in (weight, weight * truth)]
    return _Steps(values, charges, *sums)


def _closed_form_cuts(values: Floats, costs: CostMatrix) -> tuple[int, int]:
    regions = costs.decide(values)
    return int(np.count_nonzero(regions == NEG)), int(np.count_nonzero(regions != POS))


def _thresholds(
    values: Floats, reject_below: int, accept_from: int, costs: CostMatrix
) -> tuple[float, float]:
    """Put each threshold at its closed form if that makes the same cut, else midway."""
    if (reject_below, accept_from) == _closed_form_cuts(values, costs):
        return costs.thresholds
    low, high = _gap(values, accept_from)
    wanted = costs.gamma if reject_below == accept_from else costs.alpha
    middle = (low + high) / 2
    alpha = wanted if low < wanted <= high else middle if low < middle else high
    if reject_below == accept_from:
        return alpha, alpha
    low, high = _gap(values, reject_below)
    middle = (low + high) / 2
    return alpha, costs.beta if low <= costs.beta < high else middle if middle < high else low


def _gap(values: Floats, cut: int) -> tuple[float, float]:
    """Return the values on both sides of a cut, or a bound of [0, 1] or a value beyond it."""
    low = values[cut - 1] if cut else 0.0 if values[0] > 0 else -1.0
    high = values[cut] if cut < len(values) else 1.0 if values[-1] < 1 else 2.0
    return float(low), float(high)
