"""Scorers in scikit-learn's searches, alone and with routed costs."""

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from trisect import ClassCosts, CostMatrix, SequentialThreeWayClassifier, ThreeWayClassifier
from trisect.metrics import (
    ThreeWayScorer,
    coverage,
    coverage_scorer,
    decided_accuracy,
    decided_accuracy_scorer,
    three_way_cost,
    three_way_cost_scorer,
    total_cost_scorer,
)

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)


@pytest.fixture
def model(cancer):
    return ThreeWayClassifier(LogisticRegression(), COSTS).fit(*cancer)


def test_scores_are_those_of_the_metrics(cancer, model):
    X, y = cancer
    regions = model.decide(X)
    cost = three_way_cost(y, regions, COSTS, normalize=True)
    assert three_way_cost_scorer(model, X, y) == pytest.approx(-cost)
    assert coverage_scorer(model, X, y) == coverage(regions)
    assert decided_accuracy_scorer(model, X, y) == decided_accuracy(y, regions)


def test_pipelines_and_searches_are_looked_into(cancer):
    X, y = cancer
    pipeline = make_pipeline(StandardScaler(), ThreeWayClassifier(LogisticRegression(), COSTS))
    grid = {"threewayclassifier__estimator__C": [0.01, 1.0]}
    search = GridSearchCV(pipeline, grid, scoring=three_way_cost_scorer, cv=3).fit(X, y)
    assert search.best_score_ == search.cv_results_["mean_test_score"].max()
    inside = search.best_estimator_
    assert three_way_cost_scorer(search, X, y) == three_way_cost_scorer(inside, X, y)


def test_any_classifier_with_probabilities_can_be_scored(cancer, model):
    plain = LogisticRegression().fit(*cancer)
    scorer = ThreeWayScorer("cost", COSTS)
    assert scorer(plain, *cancer) == pytest.approx(three_way_cost_scorer(model, *cancer))
    with pytest.raises(ValueError, match="Pass costs to the scorer"):
        three_way_cost_scorer(plain, *cancer)
    with pytest.raises(TypeError, match="calibration"):
        scorer(LinearSVC().fit(*cancer), *cancer)


def test_several_classes():
    X, y = load_iris(return_X_y=True)
    costs = ClassCosts.uniform(3, mistake=5, defer=1)
    model = ThreeWayClassifier(LogisticRegression(max_iter=500), costs).fit(X, y)
    chosen = costs.decide(model.predict_proba(X))
    assert three_way_cost_scorer(model, X, y) == pytest.approx(-costs.charge(y, chosen).mean())
    assert 0.95 < decided_accuracy_scorer(model, X, y) <= 1


def test_a_cascade_is_scored_with_its_tests(cancer):
    stages = [("cheap", LogisticRegression(), [0, 1]), ("dear", LogisticRegression())]
    cascade = SequentialThreeWayClassifier(stages, COSTS, unit_test_costs=[0.1, 2]).fit(*cancer)
    walk = cascade.decide_sequentially(cancer[0])
    tests = walk.test_cost / len(cancer[1])
    both = total_cost_scorer(cascade, *cancer)
    assert both == pytest.approx(three_way_cost_scorer(cascade, *cancer) - tests)
    with pytest.raises(TypeError, match="no levels"):
        total_cost_scorer(ThreeWayClassifier(LogisticRegression()).fit(*cancer), *cancer)


def test_costs_per_instance_are_routed_to_fit_and_score(cancer):
    X, y = cancer
    amounts = np.tile(COSTS.amounts, (len(y), 1, 1)) * np.linspace(1, 3, len(y))[:, None, None]
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = ThreeWayScorer().set_score_request(costs=True)
        model = ThreeWayClassifier(LogisticRegression(), COSTS, thresholds="learned", cv=2)
        model.set_fit_request(costs=True)
        routed = cross_validate(model, X, y, scoring=scorer, cv=3, params={"costs": amounts})
        # Doubling the costs doubles what is measured and changes no decision.
        doubled = cross_validate(model, X, y, scoring=scorer, cv=3, params={"costs": amounts * 2})
    np.testing.assert_allclose(doubled["test_score"], 2 * routed["test_score"])


def test_unknown_requests_and_scores_are_refused():
    with pytest.raises(TypeError, match="not 'groups'"):
        ThreeWayScorer().set_score_request(groups=True)
    with pytest.raises(ValueError, match="score must be"):
        ThreeWayScorer("profit")
    assert "cost" in repr(three_way_cost_scorer)
