"""Costs that differ from instance to instance."""

import numpy as np
import pytest

from trisect.decisions import CostMatrix, InstanceCosts

LOANS = InstanceCosts.from_review(
    false_accept=[50, 5000, 10], false_reject=100, review=([20, 20, 90], 15), unit="EUR"
)


def test_rows_can_be_chosen():
    assert len(LOANS[[0, 2]]) == 2
    assert LOANS[[True, False, False]].unit == "EUR"
    one = LOANS[1]
    assert isinstance(one, CostMatrix)
    np.testing.assert_array_equal(one.amounts, LOANS.amounts[1])


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_of_a_frame(library):
    frames = pytest.importorskip(library)
    columns = {"false_accept": [50.0, 60.0], "false_reject": [100.0, 90.0], "other": [1, 2]}
    one = InstanceCosts.from_frame(frames.DataFrame(columns | {"review": [1.0, 2.0]}))
    np.testing.assert_array_equal(one.amounts[1], [[0, 2, 90], [60, 2, 0]])
    pair = {"review_positive": [1.0, 2.0], "review_negative": [3.0, 4.0], "true_reject": [0.5, 0.5]}
    two = InstanceCosts.from_frame(frames.DataFrame(columns | pair))
    np.testing.assert_array_equal(two.amounts[1], [[0, 2, 90], [60, 4.5, 0.5]])
    with pytest.raises(ValueError, match="review"):
        InstanceCosts.from_frame(frames.DataFrame(columns))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"false_accept": [1, np.nan, 1]}, r"finite.*1 of 3 instances, the first at row 1"),
        ({"false_accept": [1, 1, -1]}, "first at row 2"),
        ({"false_accept": [0, 1, 1]}, "accepting a negative"),
        ({"false_reject": [0, 1, 1]}, "rejecting a positive"),
        ({"review": [1, 1, -1]}, "a review must not cost less than nothing.* row 2"),
        ({"false_reject": [5, 5]}, "one cost per instance"),
        ({"review": (1, 2, 3)}, "two items"),
        ({"false_accept": 5}, "at least one cost as an array"),
    ],
)
def test_impossible_costs_are_refused(change, message):
    sound = {"false_accept": [5, 5, 5], "false_reject": 10, "review": 1}
    with pytest.raises(ValueError, match=message):
        InstanceCosts.from_review(**sound | change)


def test_deferring_costs_no_less_than_the_right_action():
    for row, column in ((0, 0), (1, 2)):
        amounts = LOANS.amounts.copy()
        amounts[1, row, column] = 25
        with pytest.raises(ValueError, match=r"deferring must cost at least.* row 1"):
            InstanceCosts(amounts)


def test_gains_and_names():
    costs = InstanceCosts.from_review(
        false_accept=[50, 60], false_reject=0, review=2, true_accept=[-8, -9], accept="pays"
    )
    np.testing.assert_array_equal(costs.amounts[1], [[-9, -7, 0], [60, 2, 0]])
    assert costs[0].accept == costs.take([1]).accept == costs.mean().accept == "pays"
    assert repr(costs) == "InstanceCosts(<2 matrices>, accept='pays')"


def test_other_shapes_are_refused():
    with pytest.raises(ValueError, match=r"shape \(n_instances, 2, 3\)"):
        InstanceCosts(np.ones((4, 3, 2)))
