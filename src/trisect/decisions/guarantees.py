"""Thresholds whose caps hold on new data, with a confidence that the user chooses.

Learn then test: a random part of the calibration data, the pilot, proposes pairs of
thresholds and the order to test them in; the other part tests them. A test asks how likely
data as good as these would be if the pair broke a cap, and is passed if that is at most
1 - confidence. Mistakes among n decided instances are binomial, and so is the number of
deferred ones, so that these tests are exact; a mean cost is tested with the inequalities of
Hoeffding and Bentkus. A pair has to pass the test of every cap.

Pairs are tested in a fixed order, from safe to cheap, up to the first failure. For any pair
that breaks a cap to be taken, the first such pair in the order has to pass its test, and the
probability of that is at most 1 - confidence.
"""

from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from trisect.decisions.caps import Caps
from trisect.decisions.costs_base import Costs

Floats: TypeAlias = NDArray[np.float64]

# With 0.15 to 0.35 of the rows about as much is decided, and so it is with more rows than these.
_PILOT, _LARGEST_PILOT = 0.2, 10_000
# How much more a mistake, or deferring, seems to cost, relative to the spread of the costs:
# from nothing to so much that nothing else counts.
_EXTRA = np.concatenate(([0.0], 2.0 ** np.arange(-5, 20.5, 0.5)))
# Weight of recalibrated probabilities beside the labels of the pilot, among which mistakes are
# rare: 1 and 3 decide less, and only probabilities decide less where the recalibration is off.
_SHRINKAGE = 10.0
# Rows that the probabilities as they are count for when they are recalibrated.
_PRIOR = 1.0
_MOST_ROWS = 10**9
# Costs of as many cuts are compared at a time: about 30 MB.
_CELLS = 1_000_000


class _Pairs(NamedTuple):
    """Thresholds of several pairs; one outside [0, 1] leaves its region empty."""

    alpha: Floats
    beta: Floats


class _Counts(NamedTuple):
    """What each of several pairs does with some data."""

    n: float
    accepted: Floats
    wrongly_accepted: Floats
    rejected: Floats
    wrongly_rejected: Floats
    mean_cost: Floats


def promised_pair(
    p: Floats,
    truth: NDArray[np.bool_],
    costs: Costs,
    caps: Caps,
    confidence: float,
    random_state: Any = 0,
) -> tuple[float, float]:
    """Find a cheap pair of thresholds that keeps its caps on new data.

    Parameters
    ----------
    p : ndarray of shape (n_instances,)
        Probabilities, from a classifier that has not seen these instances.
    truth : ndarray of bool of shape (n_instances,)
        Whether each instance is truly positive.
    costs : Costs
        Costs, by which pairs are compared.
    caps : Caps
        What is promised.
    confidence : float
        Probability, over the draw of these data, that the promise holds.
    random_state : None, int or numpy.random.Generator, default=0
        Source of the split into pilot and test.

    Returns
    -------
    alpha, beta : float

    Raises
    ------
    ValueError
        If no pair passes, with the number of rows that would probably do.
    """
    if caps.cost is not None and costs.amounts.ndim == 3:
        raise ValueError(
            "A mean cost can be promised only if the costs are bounded, which costs per instance "
            "are not: give one cost matrix, or no max_cost."
        )
    order = np.random.default_rng(random_state).permutation(len(p))
    n_pilot = min(max(round(_PILOT * len(p)), 1), _LARGEST_PILOT)
    pilot, rest = order[:n_pilot], order[n_pilot:]
    likely = _recalibrated(p[pilot], truth[pilot])
    soft = (truth[pilot] + _SHRINKAGE * likely) / (1 + _SHRINKAGE)
    pairs = _proposed(p[pilot], soft, costs.take(pilot), caps)
    seen = _count(pairs, p[pilot], soft, costs.take(pilot))
    pairs = _from_safe_to_cheap(pairs, seen, caps, costs, len(rest))
    tested = _count(pairs, p[rest], truth[rest], costs.take(rest))
    passed = _p_values(pairs, tested, caps, costs) <= 1 - confidence
    n_passed = len(passed) if passed.all() else int(passed.argmin())
    if not n_passed:
        counts = _count(pairs, p, truth, costs)
        needed = _rows_needed(pairs, counts, caps, costs, confidence)
        raise ValueError(_refusal(len(p), caps, confidence, needed))
    return float(pairs.alpha[n_passed - 1]), float(pairs.beta[n_passed - 1])


def _proposed(p: Floats, soft: Floats, costs: Costs, caps: Caps) -> _Pairs:
    """Return the pairs that cost least on the pilot if mistakes or deferring cost ever more."""
    values, step = np.unique(p, return_inverse=True)
    amounts = np.broadcast_to(costs.amounts, (len(p), 2, 3))
    charges = soft[:, None] * amounts[:, 0] + (1 - soft[:, None]) * amounts[:, 1]
    columns = (*charges.T, 1 - soft, np.ones(len(p)), soft)
    accept, defer, reject, negative, weight, positive = (
        np.bincount(step, column, len(values)) for column in columns
    )
    extra = float(np.ptp(costs.amounts)) * np.array(sorted(_extra_costs(caps)))
    low, high = _cheapest(
        (_sums(reject - defer), _sums((accept - defer)[::-1])[::-1]),
        (_sums(positive), _sums(negative[::-1])[::-1], _sums(weight)),
        extra,
    )
    between = np.concatenate(([-1.0], (values[1:] + values[:-1]) / 2, [2.0]))
    alpha = np.where(high == 0, 0.0, between[high])
    return _Pairs(alpha, np.minimum(np.where(low == len(values), 1.0, between[low]), alpha))


def _recalibrated(p: Floats, truth: NDArray[np.bool_]) -> Floats:
    """Fit a beta calibration of p to the labels, and return the probabilities.

    The log-odds are a + b log p - c log(1 - p), with b and c not negative, so that the order
    stays. A prior worth a few rows holds them at what p says.
    """
    from scipy.optimize import minimize

    inside = np.clip(p, 1e-9, 1 - 1e-9)
    features = np.column_stack((np.ones(len(p)), np.log(inside), -np.log1p(-inside)))
    prior = np.array([0.0, 1.0, 1.0])

    def loss(fitted: Floats) -> tuple[float, Floats]:
        odds, away = features @ fitted, fitted - prior
        gradient = features.T @ (_logistic(odds) - truth) + _PRIOR * away
        likelihood = (truth * odds - np.logaddexp(0, odds)).sum()
        return float(_PRIOR / 2 * away @ away - likelihood), gradient

    bounds = [(None, None), (0, None), (0, None)]
    return _logistic(features @ minimize(loss, prior, jac=True, bounds=bounds).x)


def _logistic(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(x, -40, 40)))


def _extra_costs(caps: Caps) -> set[tuple[float, float, float]]:
    """Combine what wrong acceptance, wrong rejection and deferring seem to cost on top.

    Dearer mistakes make pairs stricter; dearer deferring makes them decide more, of which
    there may be too little to test.
    """
    fine, none = _EXTRA.tolist(), [0.0]
    several = (caps.decided, caps.accepted, caps.rejected, caps.deferred).count(None) < 3
    steps = fine[::3] if several else fine
    of_accepted = steps if caps.accepted is not None else none
    of_rejected = steps if caps.rejected is not None else none
    mistakes = set(product(of_accepted, of_rejected))
    if caps.decided is not None:
        mistakes |= {(extra, extra) for extra in steps}
    together = product(mistakes, steps if caps.deferred is not None else none)
    return {(*wrong, deferred) for wrong, deferred in together} | {(0.0, 0.0, x) for x in fine}


def _cheapest(
    sides: tuple[Floats, Floats], counts: tuple[Floats, Floats, Floats], extra: Floats
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each set of extra costs, how many values to reject, and from which one on to accept.

    The sides are what rejecting the first values, and accepting those from each one on, costs
    more than deferring them; the counts are the positive ones among the first, the negative
    ones among the last, and how many the first are.
    """
    (below, above), (missed, let_in, passed) = sides, counts
    cuts: set[tuple[int, int]] = set()
    size = max(_CELLS // len(below), 1)
    for start in range(0, len(extra), size):
        if_accepted, if_rejected, if_deferred = extra[start : start + size, :, None].swapaxes(0, 1)
        rejecting = below + if_rejected * missed - if_deferred * passed
        accepting = above + if_accepted * let_in - if_deferred * (passed[-1] - passed)
        k = (np.minimum.accumulate(rejecting, axis=1) + accepting).argmin(axis=1)
        allowed = np.arange(len(below)) <= k[:, None]
        i = np.where(allowed, rejecting, np.inf).argmin(axis=1)
        cuts |= set(zip(i.tolist(), k.tolist(), strict=True))
    low, high = np.array(sorted(cuts), dtype=np.intp).T
    return low, high


def _sums(values: NDArray[Any]) -> Floats:
    return np.concatenate(([0.0], np.cumsum(values)))


def _count(pairs: _Pairs, p: Floats, positive: NDArray[Any], costs: Costs) -> _Counts:
    """Count what pairs do with data; instances may be positive in part."""
    order = np.argsort(p, kind="stable")
    accept = np.searchsorted(p[order], pairs.alpha, side="left")
    reject = np.minimum(np.searchsorted(p[order], pairs.beta, side="right"), accept)
    share = positive[order, None].astype(np.float64)
    amounts = np.broadcast_to(costs.amounts, (len(p), 2, 3))[order]
    charges = share * amounts[:, 0] + (1 - share) * amounts[:, 1]
    sums = np.zeros((len(p) + 1, 4))
    np.cumsum(np.column_stack((share, charges)), axis=0, out=sums[1:])
    below, above = sums[reject].T, (sums[-1] - sums[accept]).T
    deferred = sums[accept, 2] - sums[reject, 2]
    n_accepted = (len(p) - accept).astype(np.float64)
    return _Counts(
        n=float(len(p)),
        accepted=n_accepted,
        wrongly_accepted=n_accepted - above[0],
        rejected=reject.astype(np.float64),
        wrongly_rejected=below[0],
        mean_cost=(above[1] + deferred + below[3]) / max(len(p), 1),
    )


def _from_safe_to_cheap(
    pairs: _Pairs, seen: _Counts, caps: Caps, costs: Costs, n_tested: int
) -> _Pairs:
    """Order pairs by how surely they should pass, and drop those that only cost more."""
    expected = _p_values(pairs, _scaled(seen, n_tested), caps, costs)
    order = np.lexsort((seen.mean_cost, expected))
    cost = seen.mean_cost[order]
    cheaper = np.concatenate(([True], cost[1:] < np.minimum.accumulate(cost)[:-1]))
    return _Pairs(*(thresholds[order[cheaper]] for thresholds in pairs))


def _scaled(counts: _Counts, n: float) -> _Counts:
    """Return the counts if as large shares of n instances behaved alike."""
    accepted, wrongly_accepted, rejected, wrongly_rejected = (
        part * n / counts.n for part in counts[1:5]
    )
    return _Counts(n, accepted, wrongly_accepted, rejected, wrongly_rejected, counts.mean_cost)


def _p_values(pairs: _Pairs, counts: _Counts, caps: Caps, costs: Costs) -> Floats:
    """Return how likely data as good as these are at most, if a pair breaks one of its caps."""
    decided = counts.accepted + counts.rejected
    wrong = counts.wrongly_accepted + counts.wrongly_rejected
    everything = np.full(len(decided), counts.n)
    # Pairs that decide nothing, or defer nothing, do so whatever the data.
    idle = (pairs.alpha > 1) & (pairs.beta < 0)
    tests = [
        (caps.deferred, counts.n - decided, everything, pairs.alpha <= pairs.beta),
        (caps.decided, wrong, decided, np.zeros(len(idle), dtype=bool)),
        (caps.accepted, counts.wrongly_accepted, counts.accepted, pairs.alpha > 1),
        (caps.rejected, counts.wrongly_rejected, counts.rejected, pairs.beta < 0),
    ]
    worst = idle.astype(np.float64)
    for cap, events, trials, certain in tests:
        if cap is not None:
            worst = np.maximum(worst, np.where(certain, 0.0, _binomial(events, trials, cap)))
    if caps.cost is not None:
        low, high = float(costs.amounts.min()), float(costs.amounts.max())
        mean = (counts.mean_cost - low) / (high - low)
        limit = (caps.cost - low) / (high - low)
        worst = np.maximum(worst, _bounded_mean(mean, counts.n, limit))
    return worst


def _binomial(events: Floats, trials: Floats, cap: float) -> Floats:
    """Return the probability of no more events than these, if each has probability `cap`.

    Expected numbers need not be whole.
    """
    from scipy.special import betainc

    events = np.maximum(events, 0.0)
    rest = trials - events
    return np.where(rest > 1e-9, betainc(np.maximum(rest, 1e-9), events + 1, 1 - cap), 1.0)


def _bounded_mean(mean: Floats, n: float, cap: float) -> Floats:
    """Bound the probability of so small a mean of n numbers in [0, 1] that are `cap` on average.

    The smaller of the bounds of Hoeffding and of Bentkus.
    """
    if not 0 < cap < 1:
        return np.full(len(mean), float(cap <= 0))
    low = np.clip(mean, 0, cap)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = np.where(low > 0, low * np.log(low / cap), 0.0)
    hoeffding = np.exp(-n * (gain + (1 - low) * np.log((1 - low) / (1 - cap))))
    events = np.minimum(np.ceil(n * low - 1e-9), n)
    bentkus = np.e * _binomial(events, np.full(len(mean), n), cap)
    return np.where(mean < cap, np.minimum(np.minimum(hoeffding, bentkus), 1.0), 1.0)


def _rows_needed(
    pairs: _Pairs, counts: _Counts, caps: Caps, costs: Costs, confidence: float
) -> int | None:
    """Estimate how many rows any of the pairs would need, if it goes on as in these data."""

    def enough(rows: int) -> bool:
        tested = _scaled(counts, rows - min(_PILOT * rows, _LARGEST_PILOT))
        return bool((_p_values(pairs, tested, caps, costs) <= 1 - confidence).any())

    if not enough(_MOST_ROWS):
        return None
    low, high = 1, _MOST_ROWS
    while high - low > max(1, low // 100):
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _refusal(n_rows: int, caps: Caps, confidence: float, needed: int | None) -> str:
    what = f"No pair of thresholds can promise {caps} with a confidence of {confidence:g}"
    if needed is None:
        return (
            f"{what}: the pairs that come closest break it on these {n_rows:,} rows already, "
            "and more rows would not help. Raise the cap, or improve the classifier."
        )
    digits = max(len(str(needed)) - 2, 0)
    about = -(-needed // 10**digits) * 10**digits
    return (
        f"{what} on {n_rows:,} calibration rows. About {about:,} would do, if they are like "
        "these; or raise the cap, or ask for less confidence."
    )
