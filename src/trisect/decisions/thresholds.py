"""Thresholds learned from data: the cheapest pair, within caps, and with a guarantee on request."""

from __future__ import annotations  # NumPy loads numpy.random when it is named

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions._sweep import cheapest_cuts
from trisect.decisions.caps import Caps
from trisect.decisions.charges import CostInterval, bootstrap_interval
from trisect.decisions.checks import as_probabilities, as_truth, as_weights
from trisect.decisions.costs import CostMatrix
from trisect.decisions.costs_base import Costs
from trisect.decisions.given_costs import as_costs
from trisect.decisions.guarantees import promised_pair
from trisect.decisions.regions import BND, NEG, POS, threshold_regions

Floats: TypeAlias = NDArray[np.float64]

_NO_CAPS = Caps()


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
    caps : Caps, optional
        The caps that the pair keeps.
    confidence : float or None, default=None
        The confidence with which it keeps them on new data; None if it keeps them on the
        data that it was learned from.
    """

    alpha: float
    beta: float
    cost: float
    interval: CostInterval
    closed_form_cost: float
    deferral_rate: float
    decided_error: float
    caps: Caps = _NO_CAPS
    confidence: float | None = None

    def regions(self, p: ArrayLike) -> NDArray[np.int8]:
        """Decide with this pair: POS (1), BND (0) or NEG (-1) for each probability."""
        return threshold_regions(p, self.alpha, self.beta)

    def __str__(self) -> str:
        text = (
            f"accept from {self.alpha:.4f}, reject up to {self.beta:.4f}: mean cost "
            f"{self.cost:.4g} (95 % {self.interval.low:.4g} to {self.interval.high:.4g}; closed "
            f"form {self.closed_form_cost:.4g}), {self.deferral_rate:.1%} deferred, "
            f"{self.decided_error:.2%} of the decided wrong"
        )
        if not self.caps:
            return text
        if self.confidence is None:
            return f"{text}; {self.caps} on these data, with no promise for new ones"
        return f"{text}; {self.caps} on new data, with a confidence of {self.confidence:g}"


def learn_thresholds(
    p: ArrayLike,
    positive: ArrayLike,
    costs: Any,
    *,
    max_deferred: float | None = None,
    max_error: float | Mapping[str, float] | None = None,
    max_cost: float | None = None,
    confidence: float | None = None,
    shrinkage: float = 0.0,
    sample_weight: ArrayLike | None = None,
    n_resamples: int = 2000,
    random_state: Any = 0,
) -> LearnedThresholds:
    """Find the thresholds with the least measured cost on validation data.

    One sweep over the sorted probabilities compares all pairs. Without caps the result
    costs no more on these data than the closed form, which is preferred in a tie. The
    probabilities need not be calibrated: only their order matters.

    Caps hold on these data, and may be exceeded on new ones. With `confidence` they hold on
    new data: the probability, over the draw of these data, that a pair is returned which breaks
    a cap in the population that the data come from is at most ``1 - confidence``. That is a
    theorem and needs no assumption about the probabilities or the classifier, but two about
    the data: the rows are independent draws from what will be decided later, and the
    classifier was fitted without them. Draws that allow no promise raise an error and break
    nothing; it is therefore no good idea to draw again until one does.

    Parameters
    ----------
    p : array-like of shape (n_instances,)
        Predicted probability of the positive class, for data not trained on.
    positive : array-like of bool of shape (n_instances,)
        Whether each instance is truly positive: ``y == "approve"``, say, and not labels.
    costs : CostMatrix, InstanceCosts, array-like, dict or data frame
        Costs, for all instances alike or for each, see `as_costs`. There is one pair of
        thresholds in either case.
    max_deferred : float, optional
        Cap on the share of instances deferred, between 0 and 1.
    max_error : float or dict, optional
        Cap on the share of mistakes among the decided, between 0 and 1, or a dict with
        caps among the "decided", the "accepted" and the "rejected".
    max_cost : float, optional
        Cap on the mean cost of an instance, in the unit of the costs.
    confidence : float, optional
        Probability, between 0 and 1, with which the caps hold on new data. A random
        fifth of the rows then proposes pairs of thresholds, and the others test them.
    shrinkage : float, default=0.0
        Weight of the cost that the probabilities predict, relative to the measured
        cost. It draws the pair towards the closed form, which is safer if instances are
        few and probabilities reliable; the measured cost still never exceeds that of
        the closed form, if there are no caps. Not used with `confidence`.
    sample_weight : array-like of shape (n_instances,), optional
        Weights of the instances, both in the cost and in the caps; not with `confidence`.
    n_resamples : int, default=2000
        Number of bootstrap samples for the interval.
    random_state : None, int or numpy.random.Generator, default=0
        Seed of the resampling, and of the split that `confidence` asks for.

    Raises
    ------
    ValueError
        If no pair satisfies the caps. With `confidence` the message says how many
        calibration rows would probably do.

    Notes
    -----
    The guarantee is split fixed-sequence testing [1]_, along the pairs that [2]_ calls the
    Pareto front, with the binomial tail as p-value for shares, which is exact [3]_, and the
    bounds of Hoeffding and Bentkus for the mean cost [1]_. `trisect.decisions.guarantees`
    has the argument in short, ``docs/results/guarantees.md`` 2,000 draws of it.

    References
    ----------
    .. [1] A. N. Angelopoulos, S. Bates, E. J. Candès, M. I. Jordan and L. Lei, "Learn then
       test: calibrating predictive algorithms to achieve risk control", 2021,
       arXiv:2110.01052.
    .. [2] B. Laufer-Goldenberg, A. Fisch, R. Barzilay and T. Jaakkola, "Efficiently
       controlling multiple risks with Pareto testing", ICLR 2023, arXiv:2210.07913.
    .. [3] C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits
       illustrated in the case of the binomial", Biometrika 26, 1934.

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

    With 95 % confidence at most 2 % of what is decided will be wrong:

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> p = rng.beta(0.3, 0.3, size=2000)
    >>> y = rng.random(2000) < p
    >>> promised = learn_thresholds(p, y, costs, max_error=0.02, confidence=0.95)
    >>> promised.decided_error < 0.02
    True
    """
    p, truth = as_probabilities(p), as_truth(positive)
    if p.ndim != 1 or not len(p) or p.shape != truth.shape:
        raise ValueError(
            "p and positive must be non-empty, one-dimensional and equally long, "
            f"got shapes {p.shape} and {truth.shape}."
        )
    caps = Caps.given(max_deferred, max_error, max_cost)
    if not 0 <= shrinkage < np.inf:
        raise ValueError(f"shrinkage must be a finite number of at least 0, got {shrinkage!r}.")
    costs = as_costs(costs, len(p))
    weight = as_weights(sample_weight, len(p))
    if confidence is None:
        alpha, beta = _cheapest_pair(p, truth, costs, weight, shrinkage, caps)
    else:
        _check_promise(confidence, caps, sample_weight)
        alpha, beta = promised_pair(p, truth, costs, caps, confidence, random_state)
    regions = threshold_regions(p, alpha, beta)
    charges = costs.charge(truth, regions)
    cost = float(np.average(charges, weights=weight))
    if confidence is None and max_cost is not None and cost > max_cost:
        raise ValueError(
            f"The cheapest thresholds within the caps cost {cost:.6g} on average, which is above "
            f"max_cost={max_cost!r}."
        )
    closed_form = costs.charge(truth, costs.mean().decide(p))
    decided = weight * (regions != BND)
    wrong = decided * ((regions == POS) != truth)
    return LearnedThresholds(
        alpha=alpha,
        beta=beta,
        cost=cost,
        interval=bootstrap_interval(
            charges * weight / weight.mean(), n_resamples=n_resamples, random_state=random_state
        ),
        closed_form_cost=float(np.average(closed_form, weights=weight)),
        deferral_rate=float(1 - decided.sum() / weight.sum()),
        decided_error=float(wrong.sum() / decided.sum()) if decided.any() else 0.0,
        caps=caps,
        confidence=confidence,
    )


def _check_promise(confidence: float, caps: Caps, sample_weight: ArrayLike | None) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence!r}.")
    if not caps:
        raise ValueError(
            "confidence needs something to promise: max_deferred, max_error or max_cost."
        )
    if sample_weight is not None:
        raise ValueError(
            "A promise rests on rows that were drawn independently and count alike, so it cannot "
            "be made with sample_weight."
        )


def _cheapest_pair(
    p: Floats,
    truth: NDArray[np.bool_],
    costs: Costs,
    weight: Floats,
    shrinkage: float,
    caps: Caps,
) -> tuple[float, float]:
    """Return the pair with the least measured cost within the caps."""
    steps = _steps(p, truth, costs, weight, shrinkage)
    common = costs.mean()
    cuts = cheapest_cuts(
        steps.charges,
        steps.weight,
        steps.positive,
        caps,
        prefer=_closed_form_cuts(steps.values, common),
    )
    return _thresholds(steps.values, *cuts, common)


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
