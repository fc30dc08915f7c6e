"""Metrics by group against the metrics of each group alone."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.stats import binom

from trisect.decisions import ClassCosts, CostMatrix, InstanceCosts
from trisect.metrics import (
    by_group,
    coverage,
    decided_accuracy,
    decided_error,
    decision_metric,
    deferral_rate,
    exact_interval,
    risk_coverage_area,
    risk_coverage_curve,
    three_way_confusion,
    three_way_cost,
)

# Which class is accepted is tested elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore:To accept means")

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")
RNG = np.random.default_rng(0)
GROUPS = RNG.choice(["north", "south", "west"], 600, p=[0.6, 0.3, 0.1])
P = RNG.beta(1, 1.5, 600)
Y = np.where(RNG.random(600) < P, "yes", "no")
REGIONS = COSTS.decide(P)
ALL = {
    "cost": partial(three_way_cost, normalize=True),
    "coverage": coverage,
    "accuracy": decided_accuracy,
    "error": decided_error,
    "deferred": deferral_rate,
}


def test_exact_intervals_cover():
    """Every share is inside with a probability of at least 95 %, summed over all outcomes."""
    n = 25
    low, high = exact_interval(np.arange(n + 1), n, 0.05)
    assert low[0] == 0 and high[-1] == 1
    for share in np.linspace(0.01, 0.99, 40):
        inside = (low <= share) & (share <= high)
        assert binom.pmf(np.arange(n + 1), n, share)[inside].sum() >= 0.95


def test_values_are_those_of_the_groups_alone():
    found = by_group(ALL, Y, REGIONS, GROUPS, pos_label="yes", costs=COSTS, n_resamples=50)
    assert found.groups == ["north", "south", "west", "all"]
    for k, group in enumerate(found.groups):
        mine = slice(None) if group == "all" else group == GROUPS
        y, regions = Y[mine], REGIONS[mine]
        assert found.n[k] == len(y)
        assert found.values["coverage"][k] == coverage(regions)
        assert found.values["deferred"][k] == deferral_rate(regions)
        assert found.values["accuracy"][k] == decided_accuracy(y, regions, pos_label="yes")
        assert found.values["error"][k] == decided_error(y, regions, pos_label="yes")
        cost = three_way_cost(y, regions, COSTS, pos_label="yes", normalize=True)
        assert found.values["cost"][k] == pytest.approx(cost)
        for name in ALL:
            assert found.low[name][k] <= found.values[name][k] <= found.high[name][k]


def test_shares_have_exact_intervals_and_others_a_bootstrap():
    found = by_group(ALL, Y, REGIONS, GROUPS, pos_label="yes", costs=COSTS)
    south = GROUPS == "south"
    deferred, n = np.count_nonzero(REGIONS[south] == 0), np.count_nonzero(south)
    low, high = exact_interval(deferred, n, 0.05)
    assert [found.low["deferred"][1], found.high["deferred"][1]] == pytest.approx(
        np.array([low, high])
    )
    decided = south & (REGIONS != 0)
    wrong = np.count_nonzero(((REGIONS == 1) != (Y == "yes"))[decided])
    low, high = exact_interval(wrong, np.count_nonzero(decided), 0.05)
    assert [found.low["error"][1], found.high["error"][1]] == pytest.approx(np.array([low, high]))
    charges = COSTS.charge(Y == "yes", REGIONS)[south]
    error = charges.std() / np.sqrt(n)
    assert found.low["cost"][1] == pytest.approx(charges.mean() - 1.96 * error, rel=0.1)
    assert found.high["cost"][1] == pytest.approx(charges.mean() + 1.96 * error, rel=0.1)


def test_a_group_without_mistakes_has_room_for_some():
    found = by_group(decided_error, [0, 1, 1, 0, 0], [-1, 1, 1, -1, 0], [1, 1, 2, 2, 3])
    assert found.groups == [1, 2, 3, "all"]
    assert found.values["decided_error"][:2].tolist() == [0, 0]
    assert found.high["decided_error"][0] == pytest.approx(1 - 0.025**0.5)
    assert np.isnan([found.values["decided_error"][2], found.high["decided_error"][2]]).all()
    assert "-" in str(found)


def test_options_with_an_entry_per_case_are_divided():
    weight = RNG.random(600)
    own = InstanceCosts.from_review(false_accept=5 * weight + 1, false_reject=10, review=1)
    found = by_group(
        {"cost": three_way_cost, "deferred": deferral_rate},
        Y,
        REGIONS,
        GROUPS,
        costs=own,
        sample_weight=weight,
        pos_label="yes",
        n_resamples=30,
    )
    west = np.flatnonzero(GROUPS == "west")
    cost = three_way_cost(
        Y[west], REGIONS[west], own.take(west), sample_weight=weight[west], pos_label="yes"
    )
    assert found.values["cost"][2] == pytest.approx(cost)
    assert found.values["deferred"][2] == pytest.approx(
        np.average(REGIONS[west] == 0, weights=weight[west])
    )


def test_tables_and_probabilities_by_group():
    found = by_group(three_way_confusion, Y, REGIONS, GROUPS, pos_label="yes", n_resamples=20)
    table = found.values["three_way_confusion"]
    assert table.shape == (4, 2, 3)
    np.testing.assert_array_equal(table[:3].sum(axis=0), table[3])

    def area(y, p):
        return risk_coverage_area(risk_coverage_curve(y, p, pos_label="yes"))

    areas = by_group({"area": area}, Y, P, GROUPS, n_resamples=20)
    north = GROUPS == "north"
    assert areas.values["area"][0] == area(Y[north], P[north])
    assert areas.to_frame().loc["north", "area"] == area(Y[north], P[north])
    assert found.to_frame().loc["all", "three_way_confusion"].shape == (2, 3)


def test_several_classes():
    y, chosen = np.arange(60) % 3, np.arange(60) % 4 - 1
    groups = np.arange(60) % 2
    costs = ClassCosts.uniform(3, mistake=4, defer=1)
    named = np.array([None if c < 0 else c for c in chosen], dtype=object)
    found = by_group({"cost": three_way_cost}, y, named, groups, costs=costs, n_resamples=20)
    even = groups == 0
    assert found.values["cost"][0] == costs.charge(y[even], chosen[even]).sum()
    decided = (chosen >= 0).astype(np.int8)
    error = by_group(decided_error, y, decided, groups, y_pred=chosen)
    assert error.values["decided_error"][2] == pytest.approx(np.mean((chosen != y)[chosen >= 0]))


def test_a_group_of_one_class_knows_the_positive_one():
    found = by_group(decided_error, [2, 2, 7], [-1, -1, 1], ["a", "a", "b"])
    assert found.values["decided_error"].tolist() == [0, 0, 0]


def test_fairlearn_takes_the_same_metrics():
    metric_frame = pytest.importorskip("fairlearn.metrics").MetricFrame
    options = {"costs": COSTS, "normalize": True, "pos_label": "yes"}
    frame = metric_frame(
        metrics={
            "cost": decision_metric(three_way_cost, **options),
            "coverage": decision_metric(coverage),
            "accuracy": decision_metric(decided_accuracy, pos_label="yes"),
            "error": decision_metric(decided_error, pos_label="yes"),
            "deferred": decision_metric(deferral_rate),
        },
        y_true=Y,
        y_pred=REGIONS,
        sensitive_features=GROUPS,
    )
    own = by_group(ALL, Y, REGIONS, GROUPS, pos_label="yes", costs=COSTS, n_resamples=2)
    for name in ALL:
        np.testing.assert_allclose(frame.by_group[name], own.values[name][:3])
        assert frame.overall[name] == pytest.approx(own.values[name][3])
    weight = RNG.random(600)
    weighted = metric_frame(
        metrics=decision_metric(deferral_rate),
        y_true=Y,
        y_pred=REGIONS,
        sensitive_features=GROUPS,
        sample_params={"sample_weight": weight},
    )
    assert weighted.overall == pytest.approx(deferral_rate(REGIONS, sample_weight=weight))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 0], [1, 0], ["a"]), "one entry for each case"),
        (([1, 0], [1], ["a", "b"]), "one entry for each case"),
        (([], [], []), "one entry for each case"),
        (([1, 0], [1, -1], ["a", None]), "Case 1 has no group"),
        (([1, 0], [1, -1], [1.0, np.nan]), "Case 1 has no group"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        by_group(decided_error, *arguments)


def test_options_that_nobody_takes_are_refused():
    with pytest.raises(TypeError, match="None of the metrics takes prices"):
        by_group(decided_error, [1, 0], [1, -1], ["a", "b"], prices=3)
    with pytest.raises(ValueError, match="confidence"):
        by_group(decided_error, [1, 0], [1, -1], ["a", "b"], confidence=1.5)


def test_the_class_that_costs_name_is_positive_for_all_metrics():
    metrics = {"cost": three_way_cost, "error": decided_error}
    for name in ("yes", "no"):
        costs, told = replace(COSTS, accept=name), {"costs": COSTS, "pos_label": name}
        named, expected = (
            by_group(metrics, Y, REGIONS, GROUPS, n_resamples=2, **options)
            for options in ({"costs": costs}, told)
        )
        for metric in metrics:
            np.testing.assert_array_equal(named.values[metric], expected.values[metric])


def test_classes_that_were_accepted_are_compared_by_all_metrics():
    kinds = RNG.choice(["a", "b", "c"], 600)
    chosen = np.where(RNG.random(600) < 0.3, None, RNG.choice(["a", "b", "c"], 600))
    costs = ClassCosts.uniform(3, mistake=5, defer=1)
    found = by_group(ALL, kinds, chosen, GROUPS, costs=costs, n_resamples=2)
    regions = np.where(np.equal(chosen, None), 0, 1).astype(np.int8)
    for k, group in enumerate(found.groups[:3]):
        mine = group == GROUPS
        error = decided_error(kinds[mine], regions[mine], y_pred=chosen[mine])
        assert found.values["error"][k] == error
        assert found.values["deferred"][k] == deferral_rate(regions[mine])
        n = np.count_nonzero(regions[mine])
        low, high = exact_interval(round(error * n), n, 0.05)
        assert found.low["error"][k] == pytest.approx(float(low))
        assert found.high["error"][k] == pytest.approx(float(high))


def test_what_is_no_number_is_refused():
    with pytest.raises(TypeError, match="risk_coverage_curve returns no number"):
        by_group(risk_coverage_curve, Y, P, GROUPS, pos_label="yes")
