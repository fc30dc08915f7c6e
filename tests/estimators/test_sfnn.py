"""Networks of a fixed size: the rules of thumb, training, and what a fit reports."""

import math
import time

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_classification, make_moons
from sklearn.model_selection import train_test_split

from trisect import SFNNClassifier
from trisect.estimators.sizes import hidden_nodes
from trisect.network import Network

SPLIT = train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_rules_are_the_formulas_for_any_size(n_classes):
    for d in range(1, 1100):
        assert hidden_nodes("m1", d, n_classes) == math.ceil(math.sqrt(d + n_classes + 2))
        assert hidden_nodes("m2", d, n_classes) == max(math.ceil(math.log2(d)), 1)
        assert hidden_nodes("m3", d, n_classes) == math.ceil(math.sqrt(d * n_classes))


@pytest.mark.parametrize(("n_hidden", "expected"), [("m1", 6), ("m2", 5), ("m3", 8), (3, 3)])
def test_the_network_has_the_size_that_was_asked_for(n_hidden, expected):
    X, X_test, y, y_test = SPLIT
    model = SFNNClassifier(n_hidden, random_state=0).fit(X, y)
    assert model.n_hidden_ == expected == model.network_.n_hidden
    assert [c.shape for c in model.coefs_] == [(30, expected), (expected, 2)]
    assert model.score(X_test, y_test) > 0.95


def test_it_learns_what_one_node_cannot():
    X, y = make_moons(1500, noise=0.1, random_state=0)
    X_test, y_test = make_moons(1500, noise=0.1, random_state=1)
    one, eight = (SFNNClassifier(k, l2=0.01, random_state=0).fit(X, y) for k in (1, 8))
    assert one.score(X_test, y_test) < 0.93
    assert eight.score(X_test, y_test) > 0.99


@pytest.mark.parametrize("scale", ["standard", "robust", "quantile", "none"])
def test_several_classes_under_every_scaling(scale):
    X, y = make_classification(
        900, n_features=6, n_informative=4, n_classes=3, class_sep=2.0, random_state=0
    )
    model = SFNNClassifier("m3", scale=scale, random_state=0).fit(X[:600], y[:600])
    assert model.score(X[600:], y[600:]) > 0.85
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_one_seed_fixes_the_fit():
    X, _, y, _ = SPLIT
    first, again, other = (
        SFNNClassifier(max_updates=100, random_state=s).fit(X, y).network_ for s in (0, 0, 1)
    )
    for name in ("W1", "b1", "W2", "b2"):
        np.testing.assert_array_equal(getattr(first, name), getattr(again, name))
    assert not np.array_equal(first.W1, other.W1)


def log_likelihood(model, X, y):
    return np.log(model.predict_proba(X)[np.arange(len(y)), y]).mean()


def test_validation_data_are_used_and_not_trained_on():
    X, X_val, y, y_val = SPLIT
    model, upside_down = (
        SFNNClassifier(max_updates=400, random_state=0).fit(X, y, X_val=X_val, y_val=labels)
        for labels in (y_val, 1 - y_val)
    )
    assert model.score(X_val, y_val) > 0.95 and upside_down.score(X_val, y_val) > 0.5
    # Against such data the first look is the best one, so less is learned.
    assert log_likelihood(upside_down, X, y) < log_likelihood(model, X, y)


def test_the_parameters_kept_are_the_best_on_validation_data():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 40)), rng.integers(2, size=200)
    X_val, y_val = rng.normal(size=(400, 40)), rng.integers(2, size=400)
    kept = SFNNClassifier(12, l2=0.0, random_state=0).fit(X, y, X_val=X_val, y_val=y_val)
    memorised = SFNNClassifier(12, l2=0.0, random_state=0).fit(X, y, X_val=X, y_val=y)
    # Noise can only be memorised, and the longer the worse for other data.
    assert log_likelihood(memorised, X, y) > -0.01
    assert log_likelihood(kept, X_val, y_val) > log_likelihood(memorised, X_val, y_val) + 1


def test_a_fit_reports_how_long_it_took():
    X, _, y, _ = SPLIT
    start = time.perf_counter()
    model = SFNNClassifier(max_updates=100, random_state=0).fit(X, y)
    assert 0 < model.fit_seconds_ <= time.perf_counter() - start


def test_weights_move_the_decision():
    X, _, y, _ = SPLIT
    plain = SFNNClassifier(2, l2=5.0, random_state=0).fit(X, y)
    weighted = SFNNClassifier(2, l2=5.0, class_weight={0: 20.0, 1: 1.0}, random_state=0).fit(X, y)
    assert (weighted.predict(X) == 0).sum() > (plain.predict(X) == 0).sum()


class Stopping:
    """A callback that notes what it is told, and asks to stop at a task."""

    def __init__(self, task="", after=1):
        self.task, self.after, self.seen, self.fitted = task, after, [], []

    def setup(self, estimator, context): ...

    def teardown(self, estimator, context): ...

    def on_fit_task_begin(self, estimator, context): ...

    def on_fit_task_end(self, estimator, context, *, X, fitted_estimator):
        self.seen.append(context.task_name)
        if fitted_estimator is not None:
            self.fitted.append(fitted_estimator.predict(X))
        return context.task_name == self.task and self.seen.count(self.task) >= self.after


def test_callbacks_hear_of_the_network_and_its_epochs_and_may_stop():
    X, _, y, _ = SPLIT
    listener = Stopping()
    model = SFNNClassifier(random_state=0).set_callbacks(listener).fit(X, y)
    assert listener.seen[-2:] == ["network", "fit"] and listener.seen.count("epoch") > 5
    np.testing.assert_array_equal(listener.fitted[0], model.predict(X))
    impatient = Stopping("epoch", after=3)
    SFNNClassifier(random_state=0).set_callbacks(impatient).fit(X, y)
    assert impatient.seen == ["epoch"] * 3 + ["network", "fit"]


@pytest.mark.parametrize(
    "parameters",
    [{"n_hidden": 0}, {"n_hidden": "m4"}, {"n_hidden": None}, {"l2": -1}, {"scale": "auto"}],
)
def test_bad_parameters_are_named(parameters):
    X, _, y, _ = SPLIT
    with pytest.raises(ValueError, match=f"'{next(iter(parameters))}' parameter"):
        SFNNClassifier(**parameters).fit(X, y)


def test_the_fitted_network_is_plain_data():
    X, _, y, _ = SPLIT
    model = SFNNClassifier(random_state=0).fit(X, y)
    assert isinstance(model.network_, Network)
    logits = model.network_.logits(model.scaling_.transform(X))
    np.testing.assert_array_equal(model.classes_[logits.argmax(axis=1)], model.predict(X))
