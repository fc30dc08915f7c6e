"""Metrics of three-way decisions against calculations by hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trisect.decisions import BND, NEG, POS, ClassCosts, CostMatrix, InstanceCosts
from trisect.metrics import (
    coverage,
    decided_accuracy,
    decided_error,
    deferral_rate,
    risk_coverage_area,
    risk_coverage_curve,
    three_way_confusion,
    three_way_cost,
)

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")
YES = replace(COSTS, accept="yes")
Y = ["no", "yes", "yes", "yes", "no", "no"]
REGIONS = [1, 1, 0, -1, -1, 0]


def test_the_cost_equals_a_calculation_by_hand():
    assert three_way_cost(Y, REGIONS, YES) == 5 + 0 + 1 + 10 + 0 + 1
    assert three_way_cost(Y, REGIONS, YES, normalize=True) == pytest.approx(17 / 6)
    assert three_way_cost(Y, REGIONS, COSTS, pos_label="no") == 0 + 5 + 1 + 0 + 10 + 1
    assert three_way_cost(Y, REGIONS, YES, sample_weight=[2, 1, 1, 1, 1, 0]) == 10 + 1 + 10
    words = {"false_accept": 5, "false_reject": 10, "review": 1, "accept": "yes"}
    assert three_way_cost(Y, REGIONS, words) == 17


def test_the_accepted_class_is_the_one_that_is_named():
    other = 0 + 5 + 1 + 0 + 10 + 1
    assert three_way_cost(Y, REGIONS, replace(COSTS, accept="no")) == other
    assert three_way_cost(Y, REGIONS, replace(COSTS, reject="yes")) == other
    assert three_way_cost(["yes"], [NEG], replace(COSTS, reject="no")) == 10
    assert three_way_cost(["yes"], [NEG], replace(COSTS, reject="yes")) == 0
    with pytest.warns(UserWarning, match="To accept means 'yes' here"):
        assert three_way_cost(Y, REGIONS, COSTS) == 17
    with pytest.warns(UserWarning, match="To accept means 'yes' here"):
        three_way_confusion(Y, REGIONS)
    with pytest.raises(ValueError, match="'yse' is not one of"):
        three_way_cost(Y, REGIONS, COSTS, pos_label="yse")


@pytest.mark.parametrize("dtype", [int, np.int8, bool, float])
@pytest.mark.parametrize("low", [0, -1])
def test_labels_are_not_taken_for_regions(dtype, low):
    truth = np.where([True, False, True], 1, low)
    predicted = np.array([1, low, 1]).astype(dtype)
    labels = truth.astype(dtype)
    for metric in (three_way_confusion, decided_accuracy):
        with pytest.raises(ValueError, match=r"as decide returns them|may be labels"):
            metric(labels, predicted)
    with pytest.raises(ValueError, match=r"as decide returns them|may be labels"):
        three_way_cost(labels, predicted, COSTS)


def test_regions_of_the_type_that_decide_returns_are_always_taken():
    regions = np.array([1, 0, 1], dtype=np.int8)
    assert three_way_cost([1, 0, 0], regions, COSTS) == 0 + 1 + 5
    assert three_way_cost([-1, 1, 1], regions, COSTS) == 5 + 1 + 0
    assert coverage(regions) == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="may be labels"):
        coverage([1, 0, 1])


def test_costs_per_instance_are_charged_to_each():
    costs = InstanceCosts.from_review(
        false_accept=[7, 1, 1, 1, 1, 1], false_reject=[1, 1, 1, 9, 1, 1], review=0.5, accept="yes"
    )
    assert three_way_cost(Y, REGIONS, costs) == 7 + 0 + 0.5 + 9 + 0 + 0.5


def test_costs_of_several_classes():
    costs = ClassCosts([[0, 4, 5], [1, 0, 2], [7, 8, 0]], defer=0.5)
    assert three_way_cost(["a", "b", "c", "c"], ["b", None, "c", "a"], costs) == 4 + 0.5 + 0 + 7
    assert three_way_cost([7, 8, 9], [8, None, 7], costs) == 4 + 0.5 + 7
    assert three_way_cost(["c"], ["a"], costs, labels=["a", "b", "c"]) == 7
    named = ClassCosts(costs.confusion, 0.5, classes=["c", "a", "b"])
    assert three_way_cost(["c", "a"], ["b", "a"], named) == 5
    with pytest.raises(ValueError, match="y_true holds 'z', which is not among"):
        three_way_cost(["z"], ["a"], costs, labels=["a", "b", "c"])
    with pytest.raises(ValueError, match="decisions holds 1, which is not among"):
        three_way_cost(["a", "b", "c"], [1, 0, 2], costs)
    with pytest.raises(ValueError, match="3 classes were given for 1 labels"):
        three_way_cost(["a"], ["a"], costs)
    with pytest.raises(ValueError, match="pass what decide_classes returns"):
        three_way_cost([0, 1, 2], np.ones(3, dtype=np.int8), costs)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([-1, 0, 1])), min_size=1))
def test_confusion_times_costs_is_the_cost(pairs):
    y, regions = (np.array(part) for part in zip(*pairs, strict=True))
    regions = regions.astype(np.int8)
    table = three_way_confusion(y, regions)
    assert table.sum() == len(y)
    assert (table * COSTS.amounts).sum() == pytest.approx(three_way_cost(y, regions, COSTS))
    assert table[:, 1].sum() / len(y) == pytest.approx(deferral_rate(regions))
    decided = table[:, [0, 2]].sum()
    right = (table[0, 0] + table[1, 2]) / decided if decided else np.nan
    assert decided_accuracy(y, regions) == pytest.approx(right, nan_ok=True)


def test_coverage_and_deferral_share_the_whole():
    assert coverage(REGIONS) == pytest.approx(4 / 6)
    assert coverage(REGIONS, sample_weight=[1, 1, 2, 1, 1, 0]) == pytest.approx(4 / 6)
    assert deferral_rate(REGIONS) == pytest.approx(2 / 6)


def test_accepted_classes_are_decisions_as_well():
    chosen = np.array(["a", None, "b", "c", None], dtype=object)
    assert (coverage(chosen), deferral_rate(chosen)) == (pytest.approx(0.6), pytest.approx(0.4))
    assert decided_accuracy(["a", "a", "b", "a", "c"], chosen) == pytest.approx(2 / 3)
    assert decided_error(["a", "a", "b", "a", "c"], chosen) == pytest.approx(1 / 3)
    assert np.isnan(decided_accuracy(["a", "b"], [None, None]))
    with pytest.raises(ValueError, match="2 true and 5 predicted labels"):
        decided_accuracy(["a", "b"], chosen)
    with pytest.raises(ValueError, match="regions must be POS"):
        coverage(np.array([1, 0, -1], dtype=object))


def test_accuracy_of_several_classes():
    assert decided_accuracy(["a", "b", "c"], [POS, BND, POS], y_pred=["a", "c", "b"]) == 0.5


def test_risk_coverage_against_counting():
    rng = np.random.default_rng(0)
    p = rng.random(500).round(2)
    y = rng.random(500) < p
    curve = risk_coverage_curve(y, p)
    for share, risk, confidence in zip(*curve, strict=True):
        decided = np.maximum(p, 1 - p) >= confidence
        assert share == pytest.approx(decided.mean())
        assert risk == pytest.approx(((p >= 0.5) != y)[decided].mean())
    assert curve.coverage[-1] == 1
    assert 0 < risk_coverage_area(curve) < curve.risk[-1]


def test_risk_coverage_of_all_classes_agrees_with_two():
    rng = np.random.default_rng(1)
    p = rng.random(100)
    y = rng.integers(2, size=100)
    both = risk_coverage_curve(y, np.column_stack((1 - p, p)))
    one = risk_coverage_curve(y, p)
    assert risk_coverage_area(both) == pytest.approx(risk_coverage_area(one))
    with pytest.raises(ValueError, match="for the classes"):
        risk_coverage_curve(y, np.full((100, 3), 1 / 3))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: three_way_cost([0, 1, 2], [BND] * 3, COSTS), "3 classes"),
        (lambda: three_way_cost([2, 2], [BND] * 2, COSTS), "one class only"),
        (lambda: three_way_cost([0, 1], [BND], COSTS), "1 regions were given for 2"),
        (lambda: three_way_cost([], [], COSTS), "non-empty"),
        (lambda: coverage([0, 3]), "regions must be"),
        (lambda: coverage([]), "non-empty"),
        (lambda: coverage([BND, POS], sample_weight=[1]), "2 finite weights"),
        (lambda: coverage([BND, POS], sample_weight=[0, 0]), "above 0"),
        (lambda: decided_accuracy([0, 1], [POS, POS], y_pred=[0]), "1 predicted"),
        (lambda: three_way_confusion([0, 1], [POS] * 3), "3 regions"),
        (lambda: risk_coverage_curve([0, 1], [0.5]), "1 probabilities"),
        (lambda: risk_coverage_curve([0, 1], [0.5, 1.5]), "Probabilities"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
