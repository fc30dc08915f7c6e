"""Allocation against brute force, against a linear program, and against `decide`."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import coo_array

from trisect import ClassCosts, CostMatrix, InstanceCosts
from trisect.desk import Reviewer, allocate

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")
shares = st.floats(0, 1, allow_subnormal=False)
amounts = st.floats(0.1, 100)


def review_cost(reviewer, costs, p):
    """What a review is expected to cost, in words of one case."""
    sensitivity, specificity = reviewer.rates
    (pp, bp, np_), (pn, bn, nn) = costs.amounts
    if reviewer.cost is not None:
        bp, bn = reviewer.cost + pp, reviewer.cost + nn
    positive = bp + (1 - sensitivity) * (np_ - pp)
    negative = bn + (1 - specificity) * (pn - nn)
    return p * positive + (1 - p) * negative


def table(p, costs, team):
    """Expected cost of each case (row) under each option: accept, reject, each reviewer."""
    (pp, _, np_), (pn, _, nn) = costs.amounts
    automatic = [p * pp + (1 - p) * pn, p * np_ + (1 - p) * nn]
    return np.column_stack([*automatic, *(review_cost(each, costs, p) for each in team)])


def brute_force(p, costs, team):
    prices, limits = table(p, costs, team), [each.capacity for each in team]
    best = np.inf
    for choice in product(range(2 + len(team)), repeat=len(p)):
        if all(choice.count(2 + r) <= limit for r, limit in enumerate(limits)):
            best = min(best, prices[np.arange(len(p)), choice].sum())
    return best


def linear_program(p, costs, team):
    prices = table(p, costs, team)
    n, m = prices.shape
    case, option = np.divmod(np.arange(n * m), m)
    limited = np.flatnonzero(option >= 2)
    at_most = coo_array((np.ones(len(limited)), (option[limited] - 2, limited)), (m - 2, n * m))
    once = coo_array((np.ones(n * m), (case, np.arange(n * m))))
    capacity = [min(each.capacity, n) for each in team]
    return linprog(prices.ravel(), at_most, capacity, once, np.ones(n)).fun


def random_team(rng, n, capacity, costs=(0.2, 1.5)):
    return [
        Reviewer(
            f"r{r}",
            cost=rng.uniform(*costs),
            sensitivity=rng.uniform(0.8, 1),
            specificity=rng.uniform(0.8, 1),
            capacity=int(rng.integers(capacity + 1)),
        )
        for r in range(n)
    ]


@pytest.mark.parametrize("seed", range(40))
def test_small_days_equal_brute_force(seed):
    rng = np.random.default_rng(seed)
    p = rng.random(5).round(rng.integers(1, 8))
    team = random_team(rng, 2, 3)
    day = allocate(p, COSTS, team)
    assert day.cost == pytest.approx(brute_force(p, COSTS, team), abs=1e-12)
    assert (day.loads <= [each.capacity for each in team]).all()
    assert day.gap == 0


@pytest.mark.parametrize("seed", range(25))
def test_one_more_review_is_worth_what_it_saves(seed):
    rng = np.random.default_rng(seed)
    # Rounded, so that there are ties; some teams have equals, and some differ in cost alone.
    p = rng.random(12).round(1)
    team = random_team(rng, 3, 4)
    if seed % 2:
        team[1:] = [
            Reviewer(f"r{r}", cost=1 / r, error=0.05, capacity=int(rng.integers(4))) for r in (1, 2)
        ]
    day = allocate(p, COSTS, team)
    for r, each in enumerate(team):
        more = Reviewer(
            each.name,
            each.cost,
            each.error,
            each.sensitivity,
            each.specificity,
            capacity=each.capacity + 1,
        )
        other = allocate(p, COSTS, [*team[:r], more, *team[r + 1 :]])
        assert day.worth[r] == pytest.approx(day.cost - other.cost, abs=1e-9)


@pytest.mark.parametrize("decimals", [2, 12])
@pytest.mark.parametrize("n", [300, 6_000])
def test_larger_days_equal_a_linear_program(n, decimals):
    rng = np.random.default_rng(n)
    p = rng.beta(0.5, 0.5, n).round(decimals)
    team = random_team(rng, 4, n // 10)
    day = allocate(p, COSTS, team)
    assert day.gap == 0
    assert day.cost == pytest.approx(linear_program(p, COSTS, team), rel=1e-9)
    assert day.cost == pytest.approx(day.expected.sum())
    prices = table(p, COSTS, team)
    taken = np.where(day.assigned < 0, np.where(day.decisions == 1, 0, 1), day.assigned + 2)
    np.testing.assert_allclose(day.expected, prices[np.arange(n), taken])


@pytest.mark.parametrize("seed", range(3))
def test_sifting_is_exact_with_costs_per_instance(seed):
    rng = np.random.default_rng(seed)
    n = 30_000
    own = InstanceCosts.from_review(
        false_accept=rng.lognormal(1, 1, n), false_reject=rng.lognormal(2, 1, n), review=1
    )
    day = allocate(rng.random(n), own, random_team(rng, 6, n // 20))
    assert day.gap == 0
    assert day.worth.max() > 0


@given(
    st.lists(shares, min_size=1, max_size=40),
    st.tuples(amounts, amounts, amounts),
    st.tuples(st.floats(0, 0.1), st.floats(0, 0.1)),
)
def test_a_perfect_reviewer_without_limit_decides_as_decide(p, mistakes, right):
    costs = CostMatrix.from_review(
        false_accept=mistakes[0] + right[1],
        false_reject=mistakes[1] + right[0],
        review=mistakes[2] + max(right),
        true_accept=right[0],
        true_reject=right[1],
    )
    p = [*p, costs.alpha, costs.beta, costs.gamma]
    np.testing.assert_array_equal(allocate(p, costs, Reviewer("team")).decisions, costs.decide(p))


@given(st.lists(shares, min_size=3, max_size=3), st.tuples(amounts, amounts, amounts))
def test_so_it_does_with_costs_per_instance(p, mistakes):
    costs = InstanceCosts.from_review(
        false_accept=[mistakes[0], 3, 10], false_reject=mistakes[1], review=mistakes[2]
    )
    decisions = allocate(p, costs, Reviewer("team")).decisions
    np.testing.assert_array_equal(decisions, costs.decide(p))


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.01, 3))
def test_so_it_does_with_several_classes(seed, defer):
    probabilities = np.random.default_rng(seed).dirichlet([0.5, 1, 1], 30)
    costs = ClassCosts([[0, 4, 2], [1, 0, 1], [4, 3, 0]], defer=defer)
    decisions = allocate(probabilities, costs, Reviewer("team")).decisions
    np.testing.assert_array_equal(decisions, costs.decide(probabilities))


def test_several_classes_with_mistakes_and_capacity():
    probabilities = np.random.default_rng(0).dirichlet([0.5, 1, 1], 6)
    costs = ClassCosts([[0, 4, 2], [1, 0, 1], [4, 3, 0]], defer=0.4)
    team = [Reviewer("Ana", cost=0.1, error=0.1, capacity=1), Reviewer("Ben", capacity=1)]
    wrong = np.array([3, 1, 3.5])
    prices = np.column_stack(
        [probabilities @ costs.confusion, 0.1 + 0.1 * probabilities @ wrong, np.full(6, 0.4)]
    )
    best = min(
        sum(prices[i, c] for i, c in enumerate(choice))
        for choice in product(range(5), repeat=6)
        if choice.count(3) <= 1 and choice.count(4) <= 1
    )
    day = allocate(probabilities, costs, team)
    assert day.cost == pytest.approx(best)
    assert np.array_equal(day.decisions == -1, day.assigned >= 0)


def test_who_is_worse_than_the_model_gets_nothing():
    p = np.linspace(0, 1, 200)
    coin = Reviewer("coin", cost=0.01, error=0.5, capacity=50)
    day = allocate(p, COSTS, [coin, Reviewer("Ana", cost=1, capacity=30)])
    assert day.loads.tolist() == [0, 30]
    assert day.worth[0] == 0
    alone = allocate(p, COSTS, coin)
    assert alone.saving == 0
    assert (alone.decisions != 0).all()


def test_nobody_and_nothing_are_fine():
    assert (allocate([0.1, 0.9], COSTS, []).decisions == [-1, 1]).all()
    assert allocate([], COSTS, Reviewer("Ana", capacity=0)).cost == 0
    closed = allocate([0.3, 0.5], COSTS, Reviewer("Ana", capacity=0))
    assert (closed.decisions == [-1, 1]).all()
    assert closed.worth == pytest.approx(2)


def test_dear_reviews_go_to_the_dear_cases():
    p = np.full(6, 0.3)
    costs = InstanceCosts.from_review(
        false_accept=5, false_reject=[10, 100, 20, 200, 5, 50], review=1
    )
    day = allocate(p, costs, Reviewer("Ana", capacity=3))
    savings = day.automatic - 1
    np.testing.assert_array_equal(day.cases("Ana"), np.argsort(-savings)[:3])


def test_equals_are_filled_and_the_cheapest_first():
    p = np.full(10, 1 / 3)
    team = [
        Reviewer("dear", cost=1.2, capacity=9),
        Reviewer("cheap", cost=0.4, capacity=3),
        Reviewer("middle", cost=0.8, capacity=4),
    ]
    day = allocate(p, COSTS, team)
    assert day.loads.tolist() == [3, 3, 4]
    np.testing.assert_allclose(day.worth, [0, 0.8, 0.4])


@pytest.mark.parametrize(("n", "loads"), [(9, [2, 1, 6]), (30, [4, 2, 12]), (1, [0, 0, 1])])
def test_equals_share_in_proportion_to_their_capacity(n, loads):
    """Equals who could do 4, 2 and 12; a dearer one takes what they cannot."""
    team = [Reviewer(name, cost=0.5, capacity=c) for name, c in (("a", 4), ("b", 2), ("c", 12))]
    day = allocate(np.full(n, 1 / 3), COSTS, [*team, Reviewer("d", cost=0.9, capacity=50)])
    assert day.loads.tolist() == [*loads, max(n - 18, 0)]
    endless = allocate(np.full(10, 1 / 3), COSTS, [Reviewer("a"), Reviewer("b")])
    assert endless.loads.tolist() == [5, 5]
    assert abs(np.diff(np.flatnonzero(endless.assigned == 0))).max() == 2


def test_the_result_reads_well():
    day = allocate([0.05, 0.3, 0.5, 0.9], COSTS, Reviewer("Ana", cost=1, capacity=1))
    frame = day.to_frame()
    assert frame["reviewer"].tolist() == ["", "Ana", "", ""]
    assert frame["expected_cost"].sum() == pytest.approx(day.cost)
    assert "one more saves [EUR]" in str(day)
    assert "2.00 less than without reviews" in str(day)
    with pytest.raises(ValueError, match="no reviewer 'Ben', only Ana"):
        day.cases("Ben")


@pytest.mark.parametrize(
    ("p", "costs", "message"),
    [
        ([0.1, 1.2], COSTS, "Probabilities"),
        ([[0.2, 0.8]], COSTS, "one probability for each case"),
        ([0.2], InstanceCosts.from_review(false_accept=[1, 2], false_reject=1, review=1), "1 inst"),
        ([[0.5, 0.5]], ClassCosts.uniform(3, mistake=1, defer=0.1), "as many columns"),
        ([0.5], "cheap", "costs must be"),
    ],
)
def test_bad_input_is_refused(p, costs, message):
    with pytest.raises(ValueError, match=message):
        allocate(p, costs, Reviewer("Ana"))


def test_sensitivity_is_for_two_classes():
    costs = ClassCosts.uniform(3, mistake=1, defer=0.1)
    expert = Reviewer("Ana", sensitivity=0.9, specificity=0.9)
    with pytest.raises(ValueError, match="an error instead"):
        allocate([[0.5, 0.2, 0.3]], costs, expert)


@pytest.mark.slow
@pytest.mark.parametrize("capacity", [100, 5_000, 50_000])
def test_a_million_cases_and_ten_reviewers_are_solved_exactly(capacity):
    rng = np.random.default_rng(0)
    p = rng.beta(0.5, 0.5, 1_000_000)
    team = [
        Reviewer(
            f"r{r}",
            cost=rng.uniform(0.3, 0.8),
            sensitivity=rng.uniform(0.85, 1),
            specificity=rng.uniform(0.85, 1),
            capacity=capacity,
        )
        for r in range(10)
    ]
    day = allocate(p, COSTS, team)
    assert day.gap == 0
    assert (day.loads <= capacity).all()


def test_costs_in_words_keep_their_unit():
    words = {"false_accept": 5, "false_reject": 10, "review": 1, "unit": "EUR"}
    assert allocate([0.4], words, Reviewer("Ana")).unit == "EUR"
