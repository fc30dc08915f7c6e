"""What a fitted classifier decides with, whatever wraps it."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect import (
    ClassCosts,
    CostMatrix,
    SequentialThreeWayClassifier,
    STWDSFNNClassifier,
    TableClassifier,
    ThreeWayClassifier,
    decide,
    decide_classes,
)
from trisect.estimators.decision_rule import class_probabilities, decision_rule

COSTS = CostMatrix.from_review(false_accept=20, false_reject=5, review=1)
APPROVE = replace(COSTS, accept="approve")
WORDS = np.array(["decline", "approve"])
LINEAR = LogisticRegression(C=0.1)
CONFUSIONS = ClassCosts([[0, 5], [20, 0]], defer=1, classes=["approve", "decline"])
DECIDERS = {
    "wrapper": ThreeWayClassifier(LINEAR, APPROVE),
    "wrapped pipeline": ThreeWayClassifier(make_pipeline(StandardScaler(), LINEAR), APPROVE),
    "cascade": SequentialThreeWayClassifier([("only", LINEAR)], APPROVE),
    "table": TableClassifier(LINEAR, APPROVE),
    "table of a wrapper": TableClassifier(ThreeWayClassifier(LINEAR, APPROVE)),
    "confusions": ThreeWayClassifier(LINEAR, CONFUSIONS, pos_label="approve"),
    "caps": ThreeWayClassifier(LINEAR, APPROVE, max_deferred=0.1),
}


@pytest.fixture(scope="module")
def loans(cancer):
    X, y = cancer
    return X[:, :10], WORDS[y]


@pytest.mark.parametrize("name", DECIDERS)
def test_it_is_what_decide_does(name, loans):
    X, y = loans
    model = DECIDERS[name].fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for costs in (None, COSTS, APPROVE, replace(COSTS, accept="decline")):
            rule, p = decision_rule(model, costs), class_probabilities(model, X)
            np.testing.assert_array_equal(rule.regions(p), model.decide(X, costs))
            np.testing.assert_array_equal(rule.labels(p), model.decide_classes(X, costs))
            expected = "decline" if getattr(costs, "accept", None) == "decline" else "approve"
            assert rule.pos_label == expected


@pytest.mark.parametrize("name", sorted(set(DECIDERS) - {"cascade", "caps"}))
def test_costs_of_confusions_between_two_classes_are_a_matrix(name, loans):
    X, y = loans
    model = DECIDERS[name].fit(X, y)
    np.testing.assert_array_equal(model.decide(X, CONFUSIONS), model.decide(X, APPROVE))
    assert decision_rule(model, CONFUSIONS).costs == COSTS


def test_a_foreign_classifier_guesses_aloud_unless_the_costs_say(loans):
    X, y = loans
    model = LINEAR.fit(X, y)
    assert decision_rule(model, APPROVE).pos_label == "approve"
    with pytest.warns(UserWarning, match="To accept means 'decline' here"):
        assert decision_rule(model, COSTS).pos_label == "decline"


def test_costs_of_confusions_can_be_capped_too(loans):
    X, y = loans
    options = {"max_deferred": 0.1, "pos_label": "approve"}
    confusions, matrix = (
        ThreeWayClassifier(LINEAR, costs, **options).fit(X, y) for costs in (CONFUSIONS, COSTS)
    )
    assert confusions.thresholds_ == matrix.thresholds_


def test_costs_inside_a_wrapper_without_any_are_not_forgotten(loans):
    X, y = loans
    inside = ThreeWayClassifier(LINEAR, APPROVE)
    for wrapper in (
        ThreeWayClassifier(inside, max_error=0.1),
        ThreeWayClassifier(make_pipeline(StandardScaler(), inside)),
        ThreeWayClassifier(FrozenEstimator(inside.fit(X, y))),
        ThreeWayClassifier(STWDSFNNClassifier(costs=APPROVE)),
        SequentialThreeWayClassifier([("first", LINEAR), ("second", inside)]),
    ):
        with pytest.raises(ValueError, match="has costs of its own, but what wraps it has none"):
            wrapper.fit(X, y)
    both = SequentialThreeWayClassifier([("only", inside)], APPROVE).fit(X, y)
    np.testing.assert_array_equal(both.decide(X), inside.decide(X))


def test_a_wrapper_accepts_what_the_classifier_inside_accepts(loans):
    X, y = loans
    inside = ThreeWayClassifier(LINEAR, pos_label="approve").fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for wrapper in (
            ThreeWayClassifier(inside, COSTS),
            ThreeWayClassifier(inside),
            ThreeWayClassifier(make_pipeline("passthrough", inside)),
            ThreeWayClassifier(FrozenEstimator(inside)),
        ):
            assert wrapper.fit(X, y).pos_label_ == "approve"
            expected = inside.decide(X, wrapper.costs)
            np.testing.assert_array_equal(wrapper.decide(X), expected)


def test_of_more_than_two_classes_none_is_positive():
    X, y = load_iris(return_X_y=True)
    model = ThreeWayClassifier(LogisticRegression(max_iter=500)).fit(X, y)
    rule = decision_rule(model)
    assert (rule.positive, rule.pos_label, rule.thresholds) == (None, None, None)
    message = "pos_label=1 is for two classes, but there are 3"
    for call in (
        lambda: model.decide(X, pos_label=1),
        lambda: model.decide_classes(X, pos_label=1),
        lambda: ThreeWayClassifier(model.estimator, pos_label=1).fit(X, y),
        lambda: TableClassifier(model.estimator, pos_label=1).fit(X, y),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_pipelines_accept_classes_too():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])
    plain = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, names[y])
    costs = ClassCosts.uniform(3, mistake=5, defer=1)
    p = plain.predict_proba(X)
    expected = np.where(p.max(axis=1) >= 0.8, names[p.argmax(axis=1)], None)
    np.testing.assert_array_equal(decide_classes(plain, X, costs), expected)
    own = make_pipeline(StandardScaler(), ThreeWayClassifier(LogisticRegression(), costs))
    np.testing.assert_array_equal(decide_classes(own.fit(X, names[y]), X), expected)
    np.testing.assert_array_equal(decide(own, X) == 1, expected != None)  # noqa: E711
