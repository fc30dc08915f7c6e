"""Learned thresholds: exact, never worse than the closed form, and within the caps."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from trisect.decisions import CostMatrix, InstanceCosts, learn_thresholds

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
CAP = st.none() | st.floats(0, 1)


@st.composite
def scored_data(draw):
    n = draw(st.integers(1, 25))
    grid = draw(st.sampled_from([3, 10, 10**6]))
    p = [draw(st.integers(0, grid)) / grid for _ in range(n)]
    y = [draw(st.booleans()) for _ in range(n)]
    return np.array(p), np.array(y)


@st.composite
def review_costs(draw):
    amount = st.floats(0.1, 20)
    return CostMatrix.from_review(
        false_accept=draw(amount), false_reject=draw(amount), review=(draw(amount), draw(amount))
    )


def cheapest_by_trial(p, y, costs, max_deferred, max_error, max_accepted, max_rejected):
    """Try every pair of cuts."""
    values = np.unique(p)
    best = np.inf
    for i, k in combinations_with_replacement(range(len(values) + 1), 2):
        ranks = np.searchsorted(values, p)
        regions = np.where(ranks >= k, 1, np.where(ranks < i, -1, 0)).astype(np.int8)
        decided = regions != 0
        wrong = np.count_nonzero(decided & ((regions > 0) != y))
        if max_deferred is not None and np.mean(~decided) > max_deferred + 1e-9:
            continue
        if max_error is not None and wrong > max_error * decided.sum() + 1e-9:
            continue
        accepted, rejected = regions == 1, regions == -1
        if max_accepted is not None and (~y)[accepted].sum() > max_accepted * accepted.sum() + 1e-9:
            continue
        if max_rejected is not None and y[rejected].sum() > max_rejected * rejected.sum() + 1e-9:
            continue
        best = min(best, costs.charge(y, regions).mean())
    return best


def learned_or_none(p, y, costs, **caps):
    try:
        return learn_thresholds(p, y, costs, n_resamples=10, **caps)
    except ValueError:
        return None


@settings(deadline=None)
@given(scored_data(), review_costs(), CAP, CAP, CAP, CAP)
def test_the_sweep_finds_what_trial_finds_and_keeps_the_caps(
    data, costs, max_deferred, max_error, max_accepted, max_rejected
):
    p, y = data
    best = cheapest_by_trial(p, y, costs, max_deferred, max_error, max_accepted, max_rejected)
    errors = {"decided": max_error, "accepted": max_accepted, "rejected": max_rejected}
    learned = learned_or_none(p, y, costs, max_deferred=max_deferred, max_error=errors)
    assert (learned is None) == (best == np.inf)
    assume(learned is not None)
    regions = learned.regions(p)
    assert learned.cost == pytest.approx(best, abs=1e-9)
    assert learned.cost == pytest.approx(costs.charge(y, regions).mean())
    assert learned.deferral_rate == pytest.approx(np.mean(regions == 0))
    assert learned.beta <= learned.alpha
    assert learned.deferral_rate <= (1 if max_deferred is None else max_deferred) + 1e-9
    assert learned.decided_error <= (1 if max_error is None else max_error) + 1e-9


def test_caps_that_cannot_be_kept_are_named():
    p, y = [0.2, 0.8], [True, False]
    with pytest.raises(ValueError, match=r"at most 0 deferred, at most 0 of the decided wrong"):
        learn_thresholds(p, y, COSTS, max_deferred=0, max_error=0)


def test_a_cap_on_the_cost_is_kept_or_refused():
    p, y = [0.1, 0.3, 0.4, 0.6, 0.9], [False, False, True, False, True]
    assert learn_thresholds(p, y, COSTS, max_cost=0.4).cost == 0.4
    with pytest.raises(ValueError, match=r"cost 0.4 on average, which is above max_cost=0.39"):
        learn_thresholds(p, y, COSTS, max_cost=0.39)


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), review_costs(), st.floats(0, 10))
def test_never_worse_than_the_closed_form_to_which_shrinkage_leads(seed, costs, shrinkage):
    rng = np.random.default_rng(seed)
    p = rng.random(100)
    y = rng.random(100) < p**2
    learned = learn_thresholds(p, y, costs, shrinkage=shrinkage, n_resamples=1)
    assert learned.closed_form_cost == pytest.approx(costs.charge(y, costs.decide(p)).mean())
    assert learned.cost <= learned.closed_form_cost + 1e-12
    certain = learn_thresholds(p, y, costs, shrinkage=1e9, n_resamples=1)
    assert certain.cost == pytest.approx(certain.closed_form_cost, rel=1e-6)


def test_the_closed_form_is_kept_where_it_is_as_good():
    learned = learn_thresholds([0.05, 0.5, 0.9], [False, True, True], COSTS, max_deferred=1.0)
    exact = learn_thresholds([0.0, 1.0], [False, True], COSTS)
    assert (exact.alpha, exact.beta) == (COSTS.alpha, COSTS.beta)
    assert learned.cost <= learned.closed_form_cost


def test_uncalibrated_scores_are_put_right():
    rng = np.random.default_rng(0)
    truth = rng.random(20_000)
    y = rng.random(20_000) < truth
    learned = learn_thresholds(truth**3, y, COSTS)
    assert learned.alpha == pytest.approx(COSTS.alpha**3, abs=0.06)
    assert learned.beta == pytest.approx(COSTS.beta**3, abs=0.01)
    assert learned.interval.low < learned.cost < learned.interval.high < learned.closed_form_cost
    assert f"(95 % {learned.interval.low:.4g} to {learned.interval.high:.4g}" in str(learned)


def test_ten_thousand_probabilities_with_both_caps_are_near_their_limits():
    rng = np.random.default_rng(0)
    p = rng.random(10_000)
    y = rng.random(10_000) < p
    learned = learn_thresholds(p, y, COSTS, max_deferred=0.3, max_error=0.25)
    assert 0.29 < learned.deferral_rate <= 0.3
    free = learn_thresholds(p, y, COSTS)
    assert free.deferral_rate > 0.6


def test_weights_count_as_repetitions():
    rng = np.random.default_rng(1)
    p, y, weight = rng.random(60), rng.random(60) < 0.5, rng.integers(0, 4, 60)
    weighted = learn_thresholds(p, y, COSTS, sample_weight=weight, max_deferred=0.4)
    repeated = learn_thresholds(np.repeat(p, weight), np.repeat(y, weight), COSTS, max_deferred=0.4)
    assert weighted.cost == pytest.approx(repeated.cost)


def test_costs_per_instance_share_one_pair():
    rng = np.random.default_rng(2)
    p, size = rng.random(500), rng.uniform(1, 100, 500)
    y = rng.random(500) < p
    costs = InstanceCosts.from_review(false_accept=size, false_reject=20, review=3)
    learned = learn_thresholds(p, y, costs)
    assert learned.cost == pytest.approx(costs.charge(y, learned.regions(p)).mean())
    assert learned.cost <= learned.closed_form_cost


def test_dear_reviews_are_never_learned():
    rng = np.random.default_rng(3)
    p = rng.random(200)
    dear = CostMatrix.from_review(false_accept=5, false_reject=10, review=4)
    learned = learn_thresholds(p, rng.random(200) < p, dear)
    assert learned.alpha == learned.beta
    assert learned.deferral_rate == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"p": [0.5, 1.5, 0.1]}, "Probabilities"),
        ({"p": [0.5]}, "equally long"),
        ({"p": [], "positive": []}, "non-empty"),
        ({"max_deferred": 1.5}, "max_deferred"),
        ({"shrinkage": -1}, "shrinkage"),
        ({"max_error": np.nan}, "max_error"),
        ({"sample_weight": [1, 1]}, "3 finite weights"),
        ({"sample_weight": [0, 0, 0]}, "above 0"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    sound = {"p": [0.1, 0.5, 0.9], "positive": [False, True, True], "costs": COSTS}
    with pytest.raises(ValueError, match=message):
        learn_thresholds(**sound | arguments)
