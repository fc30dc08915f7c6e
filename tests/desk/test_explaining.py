"""Explanations are the classifier's own answers, and the smallest changes there are."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from trisect import (
    ClassCosts,
    CostMatrix,
    InstanceCosts,
    STWDSFNNClassifier,
    TableClassifier,
    ThreeWayClassifier,
)
from trisect.desk import bootstrap_committee, explain
from trisect.growth import RefinedGrowth

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")


def log_odds(p):
    return np.log(p / (1 - p))


def a_deferred_case(model, X, costs=COSTS):
    p = model.predict_proba(X)[:, 1]
    return X[np.flatnonzero(costs.decide(p) == 0)[0]]


@pytest.fixture(scope="module")
def network(cancer):
    growth = RefinedGrowth(selection="last", joint_updates=40, polish_updates=40)
    model = STWDSFNNClassifier(growth, max_levels=3, costs=COSTS, random_state=0)
    return model.fit(*cancer)


@pytest.mark.parametrize("kind", ["linear", "forest", "network"])
def test_figures_are_what_the_classifier_says(kind, cancer, network):
    X, y = cancer
    models = {
        "linear": LogisticRegression(),
        "forest": RandomForestClassifier(30, random_state=0),
        "network": network,
    }
    model = models[kind] if kind == "network" else models[kind].fit(X, y)
    x = a_deferred_case(model, X)
    found = explain(model, x, X, COSTS, n_columns=30)
    p = model.predict_proba([x])[0, 1]
    assert found.decision == "defer"
    assert found.p == pytest.approx(p)
    assert found.thresholds == (COSTS.alpha, COSTS.beta)
    for push in found.pushes:
        j = int(push.column.split()[1])
        assert push.typical == np.sort(X[:, j])[(len(X) - 1) // 2]
        typical = x.copy()
        typical[j] = push.typical
        q = model.predict_proba([typical])[0, 1].clip(1e-6, 1 - 1e-6)
        assert push.change == pytest.approx(log_odds(p) - log_odds(q), abs=1e-9)
    for change in found.changes:
        other = x.copy()
        other[int(change.column.split()[1])] = change.to
        q = model.predict_proba([other])[0, 1]
        assert change.p == pytest.approx(q)
        assert change.decision == {1: "accept", -1: "reject"}[COSTS.decide([q])[0]]


def test_pushes_of_a_linear_model_are_its_weights(cancer):
    X, y = cancer
    model = LogisticRegression().fit(X, y)
    x = a_deferred_case(model, X)
    found = explain(model, x, X, COSTS, n_columns=2)
    median = np.sort(X, axis=0)[(len(X) - 1) // 2]
    effects = model.coef_[0] * (x - median)
    up, down = np.sort(effects)[::-1][:2], np.sort(effects)[:2]
    changes = [push.change for push in found.pushes]
    np.testing.assert_allclose(sorted(changes), sorted([*up, *down]))
    assert changes == sorted(changes, key=lambda change: -abs(change))


def test_the_nearest_change_is_named():
    """With one column that matters, the nearest value on either side of the thresholds."""
    X = np.column_stack([np.arange(30.0), np.zeros(30)])
    model = LogisticRegression().fit(X, np.arange(30) >= 15)
    found = explain(model, [15, 0], X, COSTS)
    decisions = COSTS.decide(model.predict_proba(X)[:, 1])
    nearest = {"accept": np.argmax(decisions == 1), "reject": np.flatnonzero(decisions == -1)[-1]}
    assert {change.decision: change.to for change in found.changes} == nearest
    stubborn = explain(model, [15, 0], X[14:16], COSTS)
    assert stubborn.changes == ()
    assert "No value of a single column" in str(stubborn)


@pytest.fixture(scope="module")
def loans():
    rng = np.random.default_rng(0)
    n = 400
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 70, n),
            "purpose": rng.choice(["car", "house", "travel"], n, p=[0.5, 0.3, 0.2]),
            "income": rng.lognormal(8, 0.5, n),
        }
    )
    logit = (frame["age"] - 45) / 10 + 2 * (frame["purpose"] == "house")
    paid = np.where(rng.random(n) < 1 / (1 + np.exp(-logit)), "pays", "defaults")
    prepare = make_column_transformer(
        (OneHotEncoder(), ["purpose"]), (StandardScaler(), ["age", "income"])
    )
    model = make_pipeline(
        prepare, ThreeWayClassifier(LogisticRegression(), COSTS, pos_label="pays")
    )
    return frame, paid, model.fit(frame, paid)


def test_frames_with_categories(loans):
    frame, _, model = loans
    p = model.predict_proba(frame)[:, 1]
    place = int(np.flatnonzero((COSTS.decide(p) == 0) & (frame["purpose"] == "travel"))[0])
    found = explain(model, frame.iloc[[place]], frame)
    assert found.label == "pays"
    assert found.p == pytest.approx(p[place])
    typical = {push.column: push.typical for push in found.pushes}
    assert typical["purpose"] == "car"
    assert f"{100 * found.p:.1f} %" in str(found)
    assert json.loads(json.dumps(found.to_dict()))["decision"] == "defer"
    with pytest.raises(ValueError, match="a frame of one row"):
        explain(model, frame.iloc[[0, 1]], frame)
    with pytest.raises(ValueError, match="a frame of one row"):
        explain(model, frame.iloc[0], frame)


def test_frames_of_polars(cancer):
    X, y = cancer
    frame = pl.DataFrame(X[:, :4], schema=["a", "b", "c", "d"])
    model = LogisticRegression().fit(frame, y)
    found = explain(model, frame[3:4], frame, COSTS)
    array = explain(LogisticRegression().fit(X[:, :4], y), X[3, :4], X[:, :4], COSTS)
    assert found.p == pytest.approx(array.p)
    np.testing.assert_allclose(*([p.change for p in one.pushes] for one in (found, array)))
    assert {push.column for push in found.pushes} <= {"a", "b", "c", "d"}


def test_missing_cells_are_no_values(cancer):
    X, y = cancer
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)[:, :5]
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(max_iter=10).fit(X, y)
    x = X[np.isnan(X).any(axis=1)][0]
    found = explain(model, x, X, COSTS)
    assert all(push.typical == push.typical for push in found.pushes)
    assert all(change.to == change.to for change in found.changes)


def test_several_classes():
    X, y = load_iris(return_X_y=True)
    costs = ClassCosts([[0, 4, 4], [1, 0, 1], [4, 4, 0]], defer=0.3)
    model = ThreeWayClassifier(LogisticRegression(max_iter=500), costs).fit(X, y)
    chosen = costs.decide(model.predict_proba(X))
    x = X[np.flatnonzero(chosen == -1)[0]]
    found = explain(model, x, X)
    p = model.predict_proba([x])[0]
    assert (found.decision, found.label, found.p) == (
        "defer",
        int(p.argmax()),
        pytest.approx(p.max()),
    )
    assert found.thresholds is None
    assert {change.decision for change in found.changes} <= {"accept 0", "accept 1", "accept 2"}
    assert found.changes
    with pytest.raises(ValueError, match="use ClassCosts"):
        explain(model, x, X, COSTS)
    with pytest.raises(ValueError, match="Costs of 4 classes"):
        explain(model, x, X, ClassCosts.uniform(4, mistake=1, defer=0.1))


def test_a_committee_gives_an_interval(loans):
    frame, paid, model = loans
    members = bootstrap_committee(model, frame, paid, n_members=15)
    found = explain(model, frame.iloc[[7]], frame, committee=members)
    own = [member.predict_proba(frame.iloc[[7]])[0, 1] for member in members]
    assert [found.low, found.high] == pytest.approx(np.quantile(own, [0.05, 0.95]))
    assert found.low < found.high
    assert f"{100 * found.low:.1f} to {100 * found.high:.1f} %" in str(found)
    again = bootstrap_committee(model, frame, paid, n_members=15)
    assert again[3].predict_proba(frame.iloc[[7]])[0, 1] == own[3]
    with pytest.raises(ValueError, match="at least two members"):
        bootstrap_committee(model, frame, paid, n_members=1)


def test_costs_of_one_instance_and_learned_thresholds(cancer):
    X, y = cancer
    model = ThreeWayClassifier(LogisticRegression(), COSTS, thresholds="learned", cv=3).fit(X, y)
    learned = model.thresholds_
    assert explain(model, X[0], X).thresholds == (learned.alpha, learned.beta)
    own = InstanceCosts.from_review(false_accept=[50.0], false_reject=10, review=1)
    assert explain(model, X[0], X, own).thresholds == (own.alpha[0], own.beta[0])
    two = InstanceCosts.from_review(false_accept=[50.0, 5], false_reject=10, review=1)
    with pytest.raises(ValueError, match="Expected one cost matrix"):
        explain(model, X[0], X, two)


def test_bad_cases_are_refused(cancer):
    X, y = cancer
    model = LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match=r"one row with the columns of the reference"):
        explain(model, X[0, :3], X, COSTS)
    with pytest.raises(ValueError, match="has no costs of its own"):
        explain(model, X[0], X)


def test_the_class_that_the_costs_name_is_explained(cancer):
    X, y = cancer
    words = np.array(["benign", "sick"])[1 - y]
    model = LogisticRegression().fit(X, words)
    for name, column in (("benign", 0), ("sick", 1)):
        costs = replace(COSTS, accept=name)
        chances = model.predict_proba(X[:40])
        for x, p in zip(X[:40], chances, strict=True):
            found = explain(model, x, X, costs)
            assert (found.label, found.p) == (name, pytest.approx(p[column]))
            expected = {1: "accept", 0: "defer", -1: "reject"}[int(costs.decide([p[column]])[0])]
            assert found.decision == expected


def test_named_confusions_come_in_the_order_of_the_classes():
    X, y = load_iris(return_X_y=True)
    X = X[:, :2]
    names = np.array(["setosa", "versicolor", "virginica"])
    costs = ClassCosts(
        [[0, 9, 9], [1, 0, 1], [4, 1, 0]], 0.3, classes=["virginica", "setosa", "versicolor"]
    )
    model = ThreeWayClassifier(LogisticRegression(max_iter=500)).fit(X, names[y])
    expected = model.decide_classes(X, costs)
    for k in range(0, 150, 7):
        found = explain(model, X[k], X, costs).decision
        assert found == ("defer" if expected[k] is None else f"accept {expected[k]}")


def test_learned_thresholds_inside_a_table_are_used(cancer):
    X, y = cancer
    inner = ThreeWayClassifier(LogisticRegression(), COSTS, max_deferred=0.02)
    model = TableClassifier(inner).fit(X, y)
    learned = model.thresholds_
    assert explain(model, X[0], X).thresholds == (learned.alpha, learned.beta)
    assert explain(model, X[0], X, COSTS).thresholds == COSTS.thresholds
