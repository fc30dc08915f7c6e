"""Three-way decisions for any classifier."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from trisect import ClassCosts, CostMatrix, InstanceCosts, ThreeWayClassifier, decide
from trisect.decisions import as_costs, learn_thresholds
from trisect.metrics import deferral_rate, three_way_cost

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)


@pytest.fixture(scope="module")
def model(cancer):
    return ThreeWayClassifier(LogisticRegression(), COSTS).fit(*cancer)


def test_decisions_are_the_cheapest_for_the_probabilities(cancer, model):
    X, _ = cancer
    p = model.predict_proba(X)
    losses = p[:, ::-1] @ COSTS.amounts
    regions = model.decide(X)
    assert regions.dtype == np.int8
    assert type(regions) is np.ndarray
    np.testing.assert_array_equal(regions, 1 - losses.argmin(axis=1))
    assert set(regions) == {-1, 0, 1}


def test_labels_and_probabilities_stay_those_of_the_classifier(cancer, model):
    X, y = cancer
    plain = LogisticRegression().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), plain.predict(X))
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


def test_costs_can_be_changed_at_the_time_of_deciding(cancer, model):
    X, _ = cancer
    dear = [[0, 4, 10], [5, 4, 0]]
    assert deferral_rate(model.decide(X)) > 0
    assert deferral_rate(model.decide(X, dear)) == 0
    expected = as_costs(dear).decide(model.predict_proba(X)[:, 1])
    np.testing.assert_array_equal(model.decide(X, dear), expected)


def test_costs_per_instance(cancer, model):
    X, y = cancer
    frame = pytest.importorskip("pandas").DataFrame(
        {"false_accept": np.linspace(2, 50, len(y)), "false_reject": 10.0, "review": 1.0}
    )
    costs = InstanceCosts.from_frame(frame)
    expected = costs.decide(model.predict_proba(X)[:, 1])
    for form in (frame, costs, costs.amounts):
        np.testing.assert_array_equal(model.decide(X, form), expected)
    with pytest.raises(ValueError, match="Costs of 569 instances were given for 10 instances"):
        model.decide(X[:10], costs)
    with pytest.raises(ValueError, match="569 instances were given for 100"):
        ThreeWayClassifier(LogisticRegression(), thresholds="learned").fit(
            X[:100], y[:100], costs=costs
        )
    with pytest.raises(ValueError, match="set thresholds='learned', or give them to decide"):
        ThreeWayClassifier(LogisticRegression()).fit(X, y, costs=costs)


@pytest.mark.parametrize("labels", [("approve", "decline"), (0, 1)])
def test_a_guess_of_the_positive_class_is_said_among_texts(cancer, labels):
    X, names = cancer[0], np.array(labels)[cancer[1]]
    text = isinstance(labels[0], str)
    expected = [UserWarning] if text else []

    def said(call):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            call()
        return [each.category for each in heard][:1]

    with_costs = ThreeWayClassifier(LogisticRegression(), COSTS)
    without = ThreeWayClassifier(LogisticRegression())
    assert said(lambda: with_costs.fit(X, names)) == expected
    assert said(lambda: with_costs.decide(X)) == []
    assert said(lambda: without.fit(X, names)) == []
    assert said(lambda: without.decide(X, COSTS)) == expected
    named = replace(COSTS, accept=labels[0])
    assert said(lambda: without.decide(X, named)) == []
    assert said(lambda: ThreeWayClassifier(LogisticRegression(), named).fit(X, names)) == []
    assert said(lambda: decide(LogisticRegression().fit(X, names), X, COSTS)) == expected
    learns = ThreeWayClassifier(LogisticRegression(), max_deferred=0.1)
    assert said(lambda: learns.fit(X, names)) == expected


@pytest.mark.parametrize("labels", [("benign", "malignant"), (False, True), (-1, 1)])
def test_the_positive_class_can_be_named(cancer, labels):
    X, y = cancer
    names = np.array(labels)[y]
    first = ThreeWayClassifier(LogisticRegression(), COSTS, pos_label=labels[0]).fit(X, names)
    second = replace(COSTS, accept=labels[1])
    default = ThreeWayClassifier(LogisticRegression(), second).fit(X, names)
    p = default.predict_proba(X)
    np.testing.assert_array_equal(first.decide(X), COSTS.decide(p[:, 0]))
    np.testing.assert_array_equal(default.decide(X), COSTS.decide(p[:, 1]))
    np.testing.assert_array_equal(default.decide(X, COSTS, pos_label=labels[0]), first.decide(X))
    np.testing.assert_array_equal(
        default.decide(X, replace(COSTS, reject=labels[1])), first.decide(X)
    )
    chosen = first.decide_classes(X)
    np.testing.assert_array_equal(np.equal(chosen, None), first.decide(X) == 0)
    np.testing.assert_array_equal(chosen == labels[0], first.decide(X) == 1)
    np.testing.assert_array_equal(chosen == labels[1], first.decide(X) == -1)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
@pytest.mark.parametrize("estimator", [LinearSVC(random_state=0), LogisticRegression()])
def test_calibration(cancer, method, estimator):
    model = ThreeWayClassifier(estimator, COSTS, calibration=method, cv=3).fit(*cancer)
    p = model.predict_proba(cancer[0])
    np.testing.assert_allclose(p.sum(axis=1), 1)
    cost = three_way_cost(cancer[1], model.decide(cancer[0]), COSTS)
    assert cost < min(np.bincount(cancer[1])) * 5


def test_a_classifier_that_is_fitted_already(cancer):
    X, y = cancer
    frozen = FrozenEstimator(LogisticRegression().fit(X[:300], y[:300]))
    model = ThreeWayClassifier(frozen, COSTS, calibration="sigmoid").fit(X[300:], y[300:])
    assert model.decide(X).shape == y.shape


class TestLearnedThresholds:
    def test_they_are_used_and_reported(self, cancer):
        X, y = cancer
        model = ThreeWayClassifier(LogisticRegression(), COSTS, thresholds="learned").fit(X, y)
        learned = model.thresholds_
        assert learned.cost <= learned.closed_form_cost
        assert learned.interval.low <= learned.cost <= learned.interval.high
        np.testing.assert_array_equal(
            model.decide(X), learned.regions(model.predict_proba(X)[:, 1])
        )
        closed = COSTS.decide(model.predict_proba(X)[:, 1])
        np.testing.assert_array_equal(model.decide(X, COSTS), closed)

    @pytest.mark.parametrize(
        ("cap", "value", "measured"),
        [("max_deferred", 0.02, "deferral_rate"), ("max_error", 0.005, "decided_error")],
    )
    def test_they_keep_the_caps(self, cancer, cap, value, measured):
        for thresholds in ("auto", "learned"):
            options = {"thresholds": thresholds, cap: value}
            model = ThreeWayClassifier(LogisticRegression(), COSTS, **options).fit(*cancer)
            assert getattr(model.thresholds_, measured) <= value + 1e-12

    @pytest.mark.parametrize("cap", [{"max_deferred": 0.05}, {"max_error": 0.1}, {"max_cost": 1}])
    def test_a_cap_is_never_ignored(self, cancer, cap):
        model = ThreeWayClassifier(LogisticRegression(), COSTS, **cap).fit(*cancer)
        assert model.thresholds_ is not None
        with pytest.raises(ValueError, match="needs learned thresholds"):
            ThreeWayClassifier(LogisticRegression(), COSTS, thresholds="closed_form", **cap).fit(
                *cancer
            )
        with pytest.raises(ValueError, match="learned thresholds"):
            ThreeWayClassifier(LogisticRegression(max_iter=500), **cap).fit(
                *load_iris(return_X_y=True)
            )

    def test_weights_reach_the_classifier_and_the_cost(self, cancer):
        X, y = cancer
        weight = np.where(y == 1, 3.0, 1.0)
        model = ThreeWayClassifier(LogisticRegression(), COSTS, thresholds="learned")
        weighted = model.fit(X, y, sample_weight=weight).thresholds_
        assert weighted != model.fit(X, y).thresholds_

    def test_costs_per_instance(self, cancer):
        X, y = cancer
        costs = InstanceCosts.from_review(
            false_accept=np.linspace(1, 50, len(y)), false_reject=10, review=1
        )
        model = ThreeWayClassifier(LogisticRegression(), COSTS, thresholds="learned", cv=3)
        learned = model.fit(X, y, costs=costs.amounts).thresholds_
        assert learned.cost <= learned.closed_form_cost
        assert model.fit(X, y, costs=costs).thresholds_ == learned
        search = GridSearchCV(model, {"estimator__C": [1.0]}, cv=2).fit(X, y, costs=costs)
        assert search.best_estimator_.thresholds_ == learned

    def test_one_pair_for_one_positive_class(self, cancer):
        model = ThreeWayClassifier(LogisticRegression(), COSTS, thresholds="learned").fit(*cancer)
        with pytest.raises(ValueError, match="learned for"):
            model.decide(cancer[0], pos_label=0)


class TestPromises:
    OPTIONS = {"max_error": 0.05, "confidence": 0.9}  # noqa: RUF012

    def test_they_rest_on_rows_that_the_classifier_has_not_seen(self, cancer):
        X, y = cancer
        model = ThreeWayClassifier(LogisticRegression(), COSTS, cv=2, **self.OPTIONS).fit(X, y)
        [(seen, kept)] = ShuffleSplit(1, test_size=1 / 2, random_state=0).split(X)
        expected = LogisticRegression().fit(X[seen], y[seen])
        np.testing.assert_array_equal(model.estimator_.coef_, expected.coef_)
        kept.sort()
        p = expected.predict_proba(X[kept])[:, 1]
        assert model.thresholds_ == learn_thresholds(p, y[kept] == 1, COSTS, **self.OPTIONS)

    def test_a_fitted_classifier_leaves_all_rows_to_them(self, cancer):
        X, y = cancer
        fitted = LogisticRegression().fit(X[:200], y[:200])
        model = ThreeWayClassifier(FrozenEstimator(fitted), COSTS, **self.OPTIONS)
        model.fit(X[200:], y[200:])
        p = fitted.predict_proba(X[200:])[:, 1]
        assert model.thresholds_ == learn_thresholds(p, y[200:] == 1, COSTS, **self.OPTIONS)
        np.testing.assert_array_equal(
            model.decide(X), model.thresholds_.regions(fitted.predict_proba(X)[:, 1])
        )

    def test_the_first_split_of_a_splitter_is_used(self, cancer):
        X, y = cancer
        halves = [(np.arange(300), np.arange(300, 569)), (np.arange(300, 569), np.arange(300))]
        model = ThreeWayClassifier(LogisticRegression(), COSTS, cv=halves, **self.OPTIONS)
        expected = LogisticRegression().fit(X[:300], y[:300])
        np.testing.assert_array_equal(model.fit(X, y).estimator_.coef_, expected.coef_)

    def test_too_few_rows_are_counted_and_nothing_is_left_behind(self, cancer):
        model = ThreeWayClassifier(LogisticRegression(), COSTS, max_error=0.001, confidence=0.99)
        with pytest.raises(ValueError, match=r"on 114 calibration rows. About [\d,]+ would do"):
            model.fit(*cancer)
        with pytest.raises(NotFittedError):
            model.decide(cancer[0])


class TestSeveralClasses:
    def test_the_cheapest_class_or_deferring(self):
        X, y = load_iris(return_X_y=True)
        costs = ClassCosts([[0, 4, 4], [1, 0, 1], [4, 4, 0]], defer=0.3)
        model = ThreeWayClassifier(LogisticRegression(max_iter=500), costs).fit(X, y)
        indices = costs.decide(model.predict_proba(X))
        names = np.array(["setosa", "versicolor", "virginica"])
        named = ThreeWayClassifier(LogisticRegression(max_iter=500), costs).fit(X, names[y])
        for fitted, labels in ((model, model.classes_), (named, names)):
            expected = [None if index == -1 else labels[index] for index in indices]
            assert fitted.decide_classes(X).tolist() == expected
        np.testing.assert_array_equal(model.decide(X), (indices >= 0).astype(int))
        assert -1 in indices
        swapped = ClassCosts(
            costs.confusion[::-1, ::-1], 0.3, classes=["virginica", "versicolor", "setosa"]
        )
        np.testing.assert_array_equal(named.decide(X, swapped), named.decide(X))

    def test_costs_of_confusions_between_two_classes_accept_and_reject(self, cancer):
        X, y = cancer
        confusions = ClassCosts([[0, 5], [10, 0]], defer=1)
        model = ThreeWayClassifier(LogisticRegression(), confusions).fit(X, y)
        same = ThreeWayClassifier(LogisticRegression(), COSTS).fit(X, y)
        np.testing.assert_array_equal(model.decide(X), same.decide(X))
        assert model.decide_classes(X).tolist() == same.decide_classes(X).tolist()

    def test_default_costs_are_chows_rule(self):
        X, y = load_iris(return_X_y=True)
        model = ThreeWayClassifier(LogisticRegression(max_iter=500)).fit(X, y)
        sure = model.predict_proba(X).max(axis=1) >= 0.8
        np.testing.assert_array_equal(model.decide(X), sure.astype(int))

    def test_costs_that_do_not_fit_are_refused(self):
        X, y = load_iris(return_X_y=True)
        forest = RandomForestClassifier(n_estimators=5, random_state=0)
        with pytest.raises(ValueError, match="use ClassCosts"):
            ThreeWayClassifier(forest, COSTS).fit(X, y)
        with pytest.raises(ValueError, match="4 classes were given for 3"):
            ThreeWayClassifier(forest, ClassCosts.uniform(4, mistake=1, defer=0.1)).fit(X, y)
        with pytest.raises(ValueError, match="learned"):
            ThreeWayClassifier(forest, thresholds="learned").fit(X, y)
        with pytest.raises(ValueError, match="two classes"):
            ThreeWayClassifier(forest).fit(X, y).decide(X, COSTS)
        model = ThreeWayClassifier(forest).fit(X, y)
        with pytest.raises(ValueError, match="4 classes were given for 3"):
            model.decide(X, ClassCosts.uniform(4, mistake=1, defer=0.1))


class TestBadInput:
    def test_a_decision_function_needs_calibration(self, cancer):
        with pytest.raises(ValueError, match=r"LinearSVC .* no probabilities: set calibration"):
            ThreeWayClassifier(LinearSVC(), COSTS).fit(*cancer)
        with pytest.raises(ValueError, match="Perceptron"):
            ThreeWayClassifier(Perceptron(), COSTS).fit(*cancer)

    @pytest.mark.parametrize("value", [1.5, -0.5, np.nan])
    def test_scores_that_are_no_probabilities(self, cancer, value):
        class Boastful(ClassifierMixin, BaseEstimator):
            def fit(self, X, y):
                self.classes_ = np.unique(y)
                return self

            def predict_proba(self, X):
                return np.full((len(X), 2), value)

        model = ThreeWayClassifier(Boastful(), COSTS).fit(*cancer)
        with pytest.raises(ValueError, match=r"Boastful.*outside \[0, 1\]"):
            model.decide(cancer[0])

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"costs": [[0, 1, np.nan], [5, 1, 0]]}, "finite"),
            ({"costs": [[0, 1, 10], [-5, 1, 0]]}, "must cost more than rejecting it"),
            ({"costs": [[0, 1], [5, 1]]}, "shape"),
            ({"costs": np.ones((3, 2, 3))}, "Impossible costs"),
            ({"costs": {"false_accept": 1}}, "lacks"),
            ({"confidence": 0.9}, "needs something to promise"),
            ({"thresholds": "closed_form", "max_error": 0.1}, "needs learned thresholds"),
            ({"costs": np.tile(COSTS.amounts, (3, 1, 1))}, "fit and decide"),
            ({"pos_label": 7}, "not one of"),
            ({"estimator": StandardScaler()}, "'estimator' parameter"),
            ({"max_deferred": 2.0}, "max_deferred"),
            ({"calibration": "platt"}, "calibration"),
        ],
    )
    def test_parameters(self, cancer, parameters, message):
        with pytest.raises(ValueError, match=message):
            ThreeWayClassifier(**{"estimator": LogisticRegression()} | parameters).fit(*cancer)


class TestCompany:
    @pytest.mark.parametrize("calibration", [None, "sigmoid"])
    @pytest.mark.parametrize("thresholds", ["closed_form", "learned"])
    def test_weights_are_routed(self, cancer, calibration, thresholds):
        X, y = cancer[0][:200, :8], cancer[1][:200]
        weight = np.where(y == 1, 5.0, 1.0)
        parameters = {"calibration": calibration, "thresholds": thresholds, "cv": 3}
        plain = ThreeWayClassifier(LogisticRegression(), COSTS, **parameters)
        expected = plain.fit(X, y, sample_weight=weight).predict_proba(X)
        with sklearn.config_context(enable_metadata_routing=True):
            inner = LogisticRegression().set_fit_request(sample_weight=True)
            routed = ThreeWayClassifier(inner, COSTS, **parameters)
            found = routed.fit(X, y, sample_weight=weight).predict_proba(X)
        np.testing.assert_allclose(found, expected)

    def test_frames_keep_their_names(self):
        X, y = load_breast_cancer(return_X_y=True, as_frame=True)
        forest = RandomForestClassifier(n_estimators=5, random_state=0)
        model = ThreeWayClassifier(forest, COSTS, thresholds="learned", cv=3).fit(X, y)
        assert model.feature_names_in_.tolist() == X.columns.tolist()
        assert model.decide(X).shape == y.shape
