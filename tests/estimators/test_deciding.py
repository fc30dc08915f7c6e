"""Decisions with whatever is fitted: classifiers, pipelines and searches."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from trisect import ClassCosts, STWDSFNNClassifier, ThreeWayClassifier, decide
from trisect.decisions import as_costs
from trisect.growth import RefinedGrowth

COSTS = {"false_accept": 5, "false_reject": 10, "review": 1}
FAST = RefinedGrowth(joint_updates=40, node_updates=20, polish_updates=40)


@pytest.fixture(scope="module")
def network(cancer):
    return STWDSFNNClassifier(FAST, max_levels=2, random_state=0).fit(*cancer)


def test_a_pipeline_decides_as_the_classifier_at_its_end(cancer):
    X, y = cancer
    scaler = StandardScaler().fit(X[:, :5])
    end = STWDSFNNClassifier(FAST, max_levels=2, costs=COSTS, random_state=0)
    pipeline = make_pipeline(StandardScaler(), end).fit(X[:, :5], y)
    expected = pipeline[-1].decide(scaler.transform(X[:, :5]))
    np.testing.assert_array_equal(decide(pipeline, X[:, :5]), expected)
    nested = make_pipeline("passthrough", pipeline).fit(X[:, :5], y)
    np.testing.assert_array_equal(decide(nested, X[:, :5]), expected)


def test_learned_thresholds_inside_a_search_are_used(cancer):
    X, y = cancer
    inner = ThreeWayClassifier(LogisticRegression(), COSTS, max_deferred=0.02)
    grid = {"threewayclassifier__estimator__C": [0.1, 1.0]}
    search = GridSearchCV(make_pipeline(StandardScaler(), inner), grid, cv=2).fit(X, y)
    last = search.best_estimator_[-1]
    expected = last.thresholds_.regions(search.predict_proba(X)[:, 1])
    np.testing.assert_array_equal(decide(search, X), expected)


@pytest.mark.parametrize("wrap", [lambda model: model, lambda model: make_pipeline(model)])
def test_any_classifier_with_probabilities_decides_under_costs(cancer, wrap):
    X, y = cancer
    model = wrap(LogisticRegression()).fit(X, y)
    expected = as_costs(COSTS).decide(model.predict_proba(X)[:, 1])
    np.testing.assert_array_equal(decide(model, X, COSTS), expected)
    mirrored = as_costs(COSTS).decide(model.predict_proba(X)[:, 0])
    np.testing.assert_array_equal(decide(model, X, COSTS, pos_label=0), mirrored)


def test_several_classes():
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=500).fit(X, y)
    costs = ClassCosts.uniform(3, mistake=5, defer=1)
    sure = model.predict_proba(X).max(axis=1) >= 0.8
    np.testing.assert_array_equal(decide(model, X, costs), sure.astype(int))


def test_what_cannot_decide_is_named(cancer, network):
    X, y = cancer
    with pytest.raises(ValueError, match="LogisticRegression has no costs of its own"):
        decide(make_pipeline(LogisticRegression()).fit(X, y), X)
    with pytest.raises(TypeError, match="LinearSVC neither decides nor has probabilities"):
        decide(LinearSVC().fit(X, y), X, COSTS)
    with pytest.raises(NotFittedError, match="LogisticRegression instance is not fitted"):
        decide(LogisticRegression(), X, COSTS)
    search = GridSearchCV(LogisticRegression(), {"C": [0.1]}, refit=False, cv=2).fit(X, y)
    with pytest.raises(TypeError, match="GridSearchCV was fitted with refit=False"):
        decide(search, X, COSTS)
    np.testing.assert_array_equal(decide(network, X), network.decide(X))
