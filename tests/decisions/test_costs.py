"""Cost matrices in the user's own unit: what they imply, what is kept, what is refused."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trisect.decisions import CostMatrix, expected_losses, leading_to, nested

VALID = {"pp": 0.0, "bp": 0.2, "np": 0.8, "pn": 0.6, "bn": 0.1, "nn": 0.0}
REVIEW = {"false_accept": 5, "false_reject": 10, "review": 1}
AMOUNT = st.floats(0.01, 1e9)


@st.composite
def user_costs(draw):
    """Any costs that make sense, gains among them, whether deferring is worth it or not."""
    right = [round(draw(st.floats(-100, 100)), 6) for _ in "pn"]
    review = [cost + round(draw(st.floats(0, 1e4)), 6) for cost in right]
    wrong = [cost + draw(st.floats(0.01, 1e4)) for cost in right]
    return [[right[0], review[0], wrong[0]], [wrong[1], review[1], right[1]]]


@given(user_costs())
def test_costs_are_kept_to_the_last_digit(amounts):
    costs = CostMatrix.from_array(amounts, unit="EUR")
    np.testing.assert_array_equal(costs.amounts, amounts)
    assert costs == CostMatrix.from_array(costs.amounts, unit="EUR")
    assert eval(repr(costs)) == costs


@given(user_costs(), st.integers(0, 2**32 - 1))
def test_decisions_are_the_cheapest_actions_whatever_the_costs(amounts, seed):
    costs = CostMatrix.from_array(amounts)
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
    costs = CostMatrix.from_array(amounts)
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
    assert here.thresholds == pytest.approx(there.thresholds)


@given(user_costs(), st.floats(-50, 50), st.floats(-50, 50), st.integers(0, 2**32 - 1))
def test_what_both_actions_gain_changes_no_decision(amounts, of_positive, of_negative, seed):
    gained = np.array(amounts) - [[of_positive], [of_negative]]
    p = np.random.default_rng(seed).random(100)
    costs, others = CostMatrix.from_array(amounts), CostMatrix.from_array(gained)
    near = [abs(p - t) < 1e-6 for c in (costs, others) for t in (c.alpha, c.beta, c.gamma)]
    assume(costs.defers == others.defers)
    clear = ~np.any(near, axis=0)
    np.testing.assert_array_equal(costs.decide(p)[clear], others.decide(p)[clear])


def test_a_review_is_followed_by_the_right_decision():
    costs = CostMatrix.from_review(
        false_accept=500, false_reject=0, review=(20, 5), true_accept=-80, true_reject=2
    )
    np.testing.assert_array_equal(costs.amounts, [[-80, -60, 0], [500, 7, 2]])


def test_a_free_review_defers_all_that_is_uncertain():
    costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=0)
    assert costs.decide([0.0, 0.001, 0.999, 1.0]).tolist() == [-1, 0, 0, 1]


def test_deferring_on_the_edge_of_use_is_never_worthwhile():
    # (BN - NN)(BP - PP) equals (PN - BN)(NP - BP) exactly: alpha equals beta.
    assert not CostMatrix(pp=0, bp=0.25, np=0.5, pn=0.5, bn=0.25, nn=0).defers


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bn": np.nan}, "finite and below 1e\\+300, got BN = nan"),
        ({"np": np.inf}, "finite and below 1e\\+300, got NP = inf"),
        ({"pn": 1e305}, "below 1e\\+300"),
        ({"np": 0}, r"rejecting a truly positive instance \(NP = 0\) must cost more.* two rows"),
        ({"pn": -1}, r"accepting a truly negative instance \(PN = -1\) must cost more"),
        ({"bp": -0.1}, r"deferring a truly positive instance \(BP = -0.1\) costs less than acc"),
        ({"nn": 0.3}, r"deferring a truly negative instance \(BN = 0.1\) costs less than rej"),
        ({"accept": "a", "reject": "a"}, "both are 'a'"),
    ],
)
def test_each_broken_condition_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        CostMatrix(**VALID | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"review": -1}, "less than nothing"),
        ({"review": (1, -2)}, "less than nothing"),
        ({"review": (1, 2, 3)}, "a pair"),
        ({"review": [[1, 2]]}, "InstanceCosts"),
        ({"false_accept": 0}, "must cost more"),
        ({"false_accept": np.nan}, "finite"),
    ],
)
def test_impossible_reviews_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        CostMatrix.from_review(**REVIEW | change)


@pytest.mark.parametrize("shape", [(6,), (3, 2), (1, 2, 3)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match="two rows"):
        CostMatrix.from_array(np.zeros(shape))


def test_numbers_of_any_type_become_floats():
    costs = CostMatrix(**{name: np.float32(value) for name, value in VALID.items()})
    assert {type(getattr(costs, name)) for name in VALID} == {float}


def test_text_shows_costs_and_thresholds_in_the_unit_that_was_given():
    costs = CostMatrix.from_review(**REVIEW, unit="EUR", reject="fraud")
    assert str(costs).splitlines() == [
        "                  accept   defer  reject  [EUR]",
        "positive               0       1      10",
        "negative (fraud)       5       1       0",
        "alpha 0.8000, beta 0.1000, gamma 0.3333",
    ]
    assert repr(costs) == (
        "CostMatrix(pp=0, bp=1, np=10, pn=5, bn=1, nn=0, unit='EUR', reject='fraud')"
    )


def test_costs_survive_copies():
    costs = CostMatrix.from_review(**REVIEW, unit="EUR", accept="b")
    for other in (pickle.loads(pickle.dumps(costs)), copy.deepcopy(costs)):
        assert other == costs
        assert hash(other) == hash(costs)


@pytest.mark.parametrize("chain", [nested, leading_to])
def test_a_chain_keeps_the_unit_and_the_names(chain):
    costs = CostMatrix.from_review(**REVIEW, unit="EUR", accept="b")
    levels = chain(costs, 4)
    assert {(level.unit, level.accept) for level in levels} == {("EUR", "b")}
    np.testing.assert_array_equal(levels[0].amounts[[0, 1], [2, 0]], [10, 5])
