"""A cascade from cheap to expensive classifiers."""

from dataclasses import replace

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from trisect import (
    CostMatrix,
    InstanceCosts,
    SequentialThreeWayClassifier,
    ThreeWayClassifier,
)
from trisect.decisions import two_way_regions

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
STAGES = [
    ("look", LogisticRegression(), [0, 1]),
    ("scan", LogisticRegression(), slice(0, 10)),
    ("lab", RandomForestClassifier(n_estimators=5, random_state=0)),
]


@pytest.fixture(scope="module")
def cascade(cancer):
    model = SequentialThreeWayClassifier(
        STAGES, COSTS, unit_test_costs=[0.1, 1, 10], unit_delay_costs=[1, 2, 3]
    )
    return model.fit(*cancer)


def by_hand(cascade, X, final):
    """Walk one instance after the other."""
    regions, levels = [], []
    for row in X:
        for i, columns in enumerate(([0, 1], slice(0, 10), slice(30))):
            p = cascade.stages_[i].predict_proba(row[None, columns])[0, 1]
            if i == 2 and final == "decide":
                region = two_way_regions([p], COSTS.gamma)[0]
            else:
                region = COSTS.decide([p])[0]
            if region != 0:
                break
        regions.append(region)
        levels.append(i + 1 if region else 0)
    return np.array(regions), np.array(levels)


@pytest.mark.parametrize("final", ["decide", "defer"])
def test_the_walk_is_that_of_each_instance_alone(cancer, cascade, final):
    X = cancer[0][:150]
    walk = cascade.set_params(final=final).decide_sequentially(X)
    regions, levels = by_hand(cascade, X, final)
    cascade.set_params(final="defer")
    np.testing.assert_array_equal(walk.regions, regions)
    np.testing.assert_array_equal(walk.levels, levels)
    assert (0 in regions) == (final == "defer")


def test_costs_of_the_walk_equal_a_calculation_by_hand(cancer, cascade):
    walk = cascade.decide_sequentially(cancer[0])
    seen = [(walk.last_levels >= level).sum() for level in (1, 2, 3)]
    assert walk.n_seen.tolist() == seen
    assert walk.test_cost == pytest.approx(0.1 * seen[0] + 1 * seen[1] + 10 * seen[2])
    assert walk.delay_cost == max(seen[0] * 1, seen[1] * 2, seen[2] * 3)
    assert walk.test_cost < 11.1 * len(walk.levels)


def test_what_is_decided_early_needs_no_later_columns(cancer, cascade):
    X = cancer[0].copy()
    early = cascade.decide_sequentially(X).levels == 1
    X[early, 2:] = np.nan
    model = SequentialThreeWayClassifier([*STAGES[:2], (*STAGES[2], slice(0, 30))], COSTS)
    walk = model.fit(*cancer).decide_sequentially(X)
    np.testing.assert_array_equal(walk.levels[early], 1)


def test_probabilities_come_from_the_last_stage_that_looked(cancer, cascade):
    X = cancer[0]
    walk = cascade.decide_sequentially(X)
    p = cascade.predict_proba(X)
    np.testing.assert_array_equal(p[:, 1], walk.probabilities)
    last = cascade.stages_[2].predict_proba(X)
    np.testing.assert_array_equal(p[walk.levels == 3], last[walk.levels == 3])
    np.testing.assert_array_equal(cascade.predict(X), p.argmax(axis=1))


def test_costs_for_each_stage(cancer):
    wide = CostMatrix.from_review(false_accept=50, false_reject=100, review=1)
    model = SequentialThreeWayClassifier(STAGES, [wide, COSTS, COSTS]).fit(*cancer)
    same = SequentialThreeWayClassifier(STAGES, COSTS).fit(*cancer)
    strict, plain = (each.decide_sequentially(cancer[0]) for each in (model, same))
    assert strict.n_pos[0] < plain.n_pos[0]
    again = same.decide_sequentially(cancer[0], [wide, COSTS, COSTS])
    np.testing.assert_array_equal(model.decide(cancer[0]), again.regions)


def test_named_columns_and_positive_class():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    names = y.map({0: "malignant", 1: "benign"})
    stages = [("look", LogisticRegression(max_iter=5000), ["mean radius", "mean texture"])]
    model = SequentialThreeWayClassifier(
        stages, COSTS, pos_label="malignant", final="defer", calibration="sigmoid", cv=3
    ).fit(X, names)
    regions = model.decide(X)
    assert (names[regions == 1] == "malignant").mean() > 0.8
    chosen = model.decide_classes(X)
    assert (chosen[regions == 1] == "malignant").all()
    assert (chosen[regions == -1] == "benign").all()
    assert np.equal(chosen[regions == 0], None).all()
    mirrored = CostMatrix.from_review(false_accept=10, false_reject=5, review=1)
    np.testing.assert_array_equal(model.decide(X, mirrored, pos_label="benign"), -regions)
    named = replace(mirrored, accept="benign")
    np.testing.assert_array_equal(model.decide(X, named), -regions)
    assert model.decide_classes(X, named).tolist() == chosen.tolist()


def test_uncertain_cases_are_deferred_in_the_end_unless_asked_otherwise(cancer):
    X, y = cancer
    one = SequentialThreeWayClassifier([("all", LogisticRegression())], COSTS).fit(X, y)
    same = ThreeWayClassifier(LogisticRegression(), COSTS).fit(X, y)
    np.testing.assert_array_equal(one.decide(X), same.decide(X))
    assert 0 in one.decide(X)
    assert 0 not in one.set_params(final="decide").decide(X)


def test_unit_costs_that_nobody_gave_cost_nothing(cancer):
    walk = SequentialThreeWayClassifier(STAGES, COSTS).fit(*cancer).decide_sequentially(cancer[0])
    assert walk.test_cost == walk.delay_cost == 0
    assert "test cost" not in str(walk)


@pytest.mark.parametrize("final", ["defer", "decide"])
def test_costs_per_instance_are_honoured_at_every_stage(cancer, final):
    X, y = cancer
    stakes = np.linspace(1, 50, len(y))
    costs = InstanceCosts.from_review(false_accept=stakes, false_reject=10, review=1)
    model = SequentialThreeWayClassifier(STAGES, COSTS, final=final).fit(X, y)
    regions = model.decide(X, costs)
    for row in range(0, len(y), 40):
        assert model.decide(X[[row]], costs[row])[0] == regions[row]
    with pytest.raises(ValueError, match="569 instances were given for 3 instances"):
        model.decide(X[:3], costs)
    with pytest.raises(ValueError, match="Expected one cost matrix"):
        SequentialThreeWayClassifier(STAGES, costs).fit(X, y)


def test_stages_can_be_searched(cancer):
    model = SequentialThreeWayClassifier(STAGES, COSTS)
    search = GridSearchCV(model, {"look__C": [0.1, 1.0], "final": ["defer"]}, cv=2).fit(*cancer)
    assert search.best_score_ > 0.9
    assert model.get_params()["scan__C"] == 1.0
    assert model.set_params(look=LogisticRegression(C=3)).stages[0][1].C == 3
    assert model.stages[0][2] == [0, 1]
    assert cross_val_score(make_pipeline(StandardScaler(), model), *cancer, cv=2).mean() > 0.9


def test_weights_are_routed_to_the_stages_that_ask(cancer):
    X, y = cancer
    weight = np.where(y == 1, 9.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        stages = [
            ("one", LogisticRegression().set_fit_request(sample_weight=True)),
            ("two", LogisticRegression().set_fit_request(sample_weight=False)),
        ]
        model = SequentialThreeWayClassifier(stages, COSTS).fit(X, y, sample_weight=weight)
    expected = LogisticRegression().fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(model.stages_[0].estimator_.coef_, expected.coef_)
    plain = LogisticRegression().fit(X, y)
    np.testing.assert_allclose(model.stages_[1].estimator_.coef_, plain.coef_)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"stages": []}, "empty"),
        ({"stages": [LogisticRegression()]}, "Each stage"),
        ({"stages": [("a", LogisticRegression()), ("a", LogisticRegression())]}, "not unique"),
        ({"stages": [("a", LinearSVC())]}, "no probabilities"),
        ({"costs": [COSTS, COSTS]}, "2 cost matrices were given for 3 levels"),
        ({"unit_test_costs": [1, 2]}, "unit_test_costs must hold 3"),
        ({"unit_test_costs": [1, 2, np.nan]}, "unit_test_costs must hold 3"),
        ({"unit_delay_costs": [1, 2, -1]}, "unit_delay_costs must hold 3"),
        ({"pos_label": "x"}, "not one of"),
    ],
)
def test_bad_parameters_are_refused(cancer, parameters, message):
    with pytest.raises(ValueError, match=message):
        SequentialThreeWayClassifier(**{"stages": STAGES} | parameters).fit(*cancer)


@pytest.mark.parametrize("n_classes", [1, 3])
def test_other_numbers_of_classes_are_refused(cancer, n_classes):
    with pytest.raises(ValueError, match="Only binary"):
        SequentialThreeWayClassifier(STAGES).fit(cancer[0], np.arange(len(cancer[0])) % n_classes)
