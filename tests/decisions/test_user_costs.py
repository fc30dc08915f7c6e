"""Costs in the user's own unit: scaled inside, reported as they were given."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trisect.decisions import CostMatrix, expected_losses, nested

SMALL, LARGE = (st.floats(0, top).map(lambda cost: round(cost, 6)) for top in (100, 1e4))
AMOUNT = st.floats(0.01, 1e9)


@st.composite
def user_costs(draw):
    """Any costs that make sense, whether deferring is worth it or not."""
    right, review = [draw(SMALL) for _ in "pn"], [draw(LARGE) for _ in "pn"]
    wrong = [cost + draw(st.floats(0.01, 1e4)) for cost in right]
    review = np.maximum(review, right)
    return [[right[0], review[0], wrong[0]], [wrong[1], review[1], right[1]]]


@given(user_costs())
def test_costs_are_below_one_inside_and_come_back_to_the_last_digit(amounts):
    costs = CostMatrix.from_amounts(amounts)
    np.testing.assert_array_equal(costs.amounts, amounts)
    assert costs.to_array().min() >= 0
    assert 0.5 <= costs.to_array().max() < 1


@given(user_costs(), st.integers(0, 2**32 - 1))
def test_decisions_are_the_cheapest_actions_whatever_the_costs(amounts, seed):
    costs = CostMatrix.from_amounts(amounts)
    p = np.concatenate(
        [np.random.default_rng(seed).random(100), [0, 1, costs.alpha, costs.beta, costs.gamma]]
    )
    regions = costs.decide(p)
    losses = np.column_stack((p, 1 - p)) @ np.array(amounts)
    taken = losses[np.arange(len(p)), 1 - regions.astype(int)]
    np.testing.assert_allclose(taken, losses.min(axis=1), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(expected_losses(p, costs), losses, rtol=1e-9, atol=1e-9)


@given(user_costs())
def test_defers_says_whether_any_probability_is_deferred(amounts):
    costs = CostMatrix.from_amounts(amounts)
    assume(abs(costs.alpha - costs.beta) > 1e-9)
    middle = (costs.alpha + costs.beta) / 2
    losses = np.array([middle, 1 - middle]) @ np.array(amounts)
    assert costs.defers == (losses.argmin() == 1)


@given(AMOUNT, AMOUNT, AMOUNT, st.floats(0.001, 1000))
def test_the_currency_does_not_matter(accept, reject, review, rate):
    here = CostMatrix.from_review(false_accept=accept, false_reject=reject, review=review)
    there = CostMatrix.from_review(
        false_accept=accept * rate, false_reject=reject * rate, review=review * rate
    )
    assume(abs(here.alpha - here.beta) > 1e-9)
    assert here.equivalent(there)


def test_a_free_review_defers_all_that_is_uncertain():
    costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=0)
    assert costs.decide([0.0, 0.001, 0.999, 1.0]).tolist() == [-1, 0, 0, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"false_accept": np.nan}, "finite and not negative"),
        ({"false_reject": np.inf}, "finite and not negative"),
        ({"review": -1}, "finite and not negative"),
        ({"false_accept": 0}, "negative instance PN = 0 must be above NN = 0"),
        ({"false_reject": 0}, "positive instance NP = 0 must be above PP = 0"),
        ({"true_accept": 2}, "Deferring a positive instance .* BP = 1, PP = 2"),
        ({"review": (1, 2, 3)}, "a pair"),
        ({"review": [[1, 2]]}, "InstanceCosts"),
        ({"false_reject": 1e305}, "below 1e300"),
    ],
)
def test_impossible_costs_are_refused(change, message):
    sound = {"false_accept": 5, "false_reject": 10, "review": 1}
    with pytest.raises(ValueError, match=message):
        CostMatrix.from_review(**sound | change)


@pytest.mark.parametrize("scale", [0, -1, np.nan, np.inf])
def test_impossible_scales_are_refused(scale):
    with pytest.raises(ValueError, match="scale"):
        CostMatrix(pp=0, bp=0.2, np=0.8, pn=0.6, bn=0.1, nn=0, scale=scale)


def test_costs_survive_copies_and_their_own_text():
    costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")
    for other in (pickle.loads(pickle.dumps(costs)), copy.deepcopy(costs), eval(repr(costs))):
        assert other == costs
        assert hash(other) == hash(costs)


def test_a_chain_keeps_the_unit():
    costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")
    chain = nested(costs, 4)
    assert {(level.scale, level.unit) for level in chain} == {(16.0, "EUR")}
    np.testing.assert_allclose(chain[-1].amounts[[0, 1], [2, 0]], [10, 5])


def test_two_ways_of_deciding_are_not_equivalent_to_three():
    cheap = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    dear = CostMatrix.from_review(false_accept=5, false_reject=10, review=9)
    assert not cheap.equivalent(dear)
    assert dear.equivalent(CostMatrix.from_review(false_accept=1, false_reject=2, review=7))
