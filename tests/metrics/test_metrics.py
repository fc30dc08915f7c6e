"""Metrics of three-way decisions against calculations by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trisect.decisions import ClassCosts, CostMatrix, InstanceCosts
from trisect.metrics import (
    coverage,
    decided_accuracy,
    deferral_rate,
    risk_coverage_area,
    risk_coverage_curve,
    three_way_confusion,
    three_way_cost,
)

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")
Y = ["no", "yes", "yes", "yes", "no", "no"]
REGIONS = [1, 1, 0, -1, -1, 0]


def test_the_cost_equals_a_calculation_by_hand():
    assert three_way_cost(Y, REGIONS, COSTS) == 5 + 0 + 1 + 10 + 0 + 1
    assert three_way_cost(Y, REGIONS, COSTS, normalize=True) == pytest.approx(17 / 6)
    assert three_way_cost(Y, REGIONS, COSTS, pos_label="no") == 0 + 5 + 1 + 0 + 10 + 1
    assert three_way_cost(Y, REGIONS, COSTS, sample_weight=[2, 1, 1, 1, 1, 0]) == 10 + 1 + 10


def test_costs_per_instance_are_charged_to_each():
    costs = InstanceCosts.from_review(
        false_accept=[7, 1, 1, 1, 1, 1], false_reject=[1, 1, 1, 9, 1, 1], review=0.5
    )
    assert three_way_cost(Y, REGIONS, costs) == 7 + 0 + 0.5 + 9 + 0 + 0.5


def test_costs_of_several_classes():
    costs = ClassCosts([[0, 4, 5], [1, 0, 2], [7, 8, 0]], defer=0.5)
    assert three_way_cost(["a", "b", "c", "c"], [1, -1, 2, 0], costs) == 4 + 0.5 + 0 + 7
    assert three_way_cost(["c"], [0], costs, labels=["a", "b", "c"]) == 7
    with pytest.raises(ValueError, match="not among"):
        three_way_cost(["z"], [0], costs, labels=["a", "b", "c"])


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([-1, 0, 1])), min_size=1))
def test_confusion_times_costs_is_the_cost(pairs):
    y, regions = zip(*pairs, strict=True)
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


def test_accuracy_of_several_classes():
    assert decided_accuracy(["a", "b", "c"], [1, 0, 1], y_pred=["a", "c", "b"]) == 0.5


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
        (lambda: three_way_cost([0, 1, 2], [0, 0, 0], COSTS), "3 classes"),
        (lambda: three_way_cost([2, 2], [0, 0], COSTS), "one class only"),
        (lambda: three_way_cost([0, 1], [0], COSTS), "equally long"),
        (lambda: three_way_cost([], [], COSTS), "non-empty"),
        (lambda: coverage([0, 3]), "regions must be"),
        (lambda: coverage([]), "non-empty"),
        (lambda: coverage([0, 1], sample_weight=[1]), "2 finite weights"),
        (lambda: coverage([0, 1], sample_weight=[0, 0]), "above 0"),
        (lambda: decided_accuracy([0, 1], [1, 1], y_pred=[0]), "1 predicted"),
        (lambda: three_way_confusion([0, 1], [1, 1, 1]), "3 regions"),
        (lambda: risk_coverage_curve([0, 1], [0.5]), "1 probabilities"),
        (lambda: risk_coverage_curve([0, 1], [0.5, 1.5]), "Probabilities"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
