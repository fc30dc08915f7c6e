"""Weights of instances and of classes."""

import numpy as np
import pytest

from trisect import STWDSFNNClassifier

QUICK = {"max_levels": 2, "node_updates": 20, "joint_updates": 60, "polish_updates": 40}
QUICK |= {"max_epochs": 4, "random_state": 0}
GROWTHS = ["refined", "paper"]


def _model(growth="refined", **options):
    return STWDSFNNClassifier(growth, **(QUICK | options))


def _data(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, (X[:, 0] + X[:, 1] + rng.normal(size=n) > 0.8).astype(int)


def _equal(a, b, X):
    return np.array_equal(a.predict_proba(X), b.predict_proba(X))


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("n", [300, 2100, 5000])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_weight_zero_is_absence(growth, n, class_weight):
    # 2,100 rows are many and the 2,000 or so with a weight are few.
    X, y = _data(n)
    weight = (np.random.default_rng(1).random(n) > 0.1) * 1.0
    model = _model(growth, class_weight=class_weight)
    weighted = model.fit(X, y, weight).predict_proba(X)
    kept = weight > 0
    assert np.array_equal(weighted, model.fit(X[kept], y[kept]).predict_proba(X))


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("options", [{}, {"class_weight": "balanced"}, {"delta": "inverse"}])
def test_weight_two_is_repetition(growth, options):
    X, y = _data()
    times = np.random.default_rng(1).integers(0, 4, size=300)
    weighted = _model(growth, **options).fit(X, y, times)
    repeated = _model(growth, **options).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert _equal(weighted, repeated, X)


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("n", [300, 3000])
def test_only_ratios_of_weights_matter(growth, n):
    X, y = _data(n)
    weight = np.random.default_rng(1).integers(1, 5, size=n)
    assert _equal(_model(growth).fit(X, y, weight), _model(growth).fit(X, y, 8.0 * weight), X)
    assert _equal(_model(growth).fit(X, y), _model(growth).fit(X, y, np.full(n, 0.25)), X)


@pytest.mark.parametrize("growth", GROWTHS)
def test_the_order_of_few_rows_does_not_matter(growth):
    X, y = _data()
    order = np.random.default_rng(1).permutation(300)
    assert _equal(_model(growth).fit(X, y), _model(growth).fit(X[order], y[order]), X)


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("n", [300, 3000])
def test_class_weights_are_weights_of_the_instances(growth, n):
    X, y = _data(n)
    by_class = _model(growth, class_weight={0: 1, 1: 4}).fit(X, y)
    by_instance = _model(growth).fit(X, y, np.where(y == 1, 4, 1))
    np.testing.assert_allclose(by_class.predict_proba(X), by_instance.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("n", [300, 3000])
def test_balanced_is_the_inverse_frequency(growth, n):
    X, y = _data(n)
    share = y.mean()
    model = _model(growth, class_weight="balanced").fit(X, y)
    given = _model(growth, class_weight={0: 0.5 / (1 - share), 1: 0.5 / share}).fit(X, y)
    others = [given]
    if growth == "refined":  # Where granules steer growth, delta leaves their shares alone.
        others.append(_model(growth, delta="inverse").fit(X, y))
    for other in others:
        np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("n", [300, 3000])
def test_balance_counts_weights_and_repetitions(n):
    X, y = _data(n)
    times = np.where(y == 1, 5, 1) * np.random.default_rng(1).integers(1, 4, size=n)
    share = np.average(y, weights=times)
    given = _model(class_weight={0: 0.5 / (1 - share), 1: 0.5 / share}).fit(X, y, times)
    balanced = _model(class_weight="balanced").fit(X, y, times)
    np.testing.assert_allclose(balanced.predict_proba(X), given.predict_proba(X), atol=1e-6)
    if n == 300:
        X_long, y_long = np.repeat(X, times, axis=0), np.repeat(y, times)
        repeated = _model(class_weight="balanced").fit(X_long, y_long)
        assert _equal(balanced, repeated, X)


def test_balancing_moves_predictions_towards_the_rare_class():
    X, y = _data(2000)
    assert y.mean() < 0.4
    rates = {
        name: _model(joint_updates=300, **options).fit(X, y).predict(X).mean()
        for name, options in {
            "frequency": {"delta": "frequency"},
            "none": {},
            "inverse": {"delta": "inverse"},
        }.items()
    }
    assert rates["frequency"] < rates["none"] < rates["inverse"]


@pytest.mark.parametrize("n", [300, 3000])
def test_a_class_weight_of_zero_leaves_the_others_theirs(n):
    X, y = _data(n)
    y[: n // 5] += 1
    zero = _model(class_weight={0: 0, 1: 1, 2: 5}).fit(X, y)
    tiny = _model(class_weight={0: 1e-9, 1: 1, 2: 5}).fit(X, y)
    np.testing.assert_allclose(zero.predict_proba(X), tiny.predict_proba(X), atol=0.02)


@pytest.mark.parametrize("growth", GROWTHS)
def test_weights_of_two_and_three_are_repetitions_too(growth):
    X, y = _data()
    times = np.random.default_rng(1).integers(2, 4, size=300)
    weighted = _model(growth).fit(X, y, times)
    repeated = _model(growth).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert _equal(weighted, repeated, X)


def test_the_penalty_does_not_grow_where_instances_are_divided():
    # Four points, each many times: all are divided, and l2 has to weigh what it did.
    X = np.repeat([[0.0, 0], [0, 1], [1, 0], [1, 1]], 50, axis=0)
    y = np.concatenate([np.arange(50) < k for k in (10, 20, 30, 40)]).astype(int)
    shares = [
        _model(validation_fraction=fraction, l2=30.0, joint_updates=300, random_state=0)
        .fit(X, y)
        .predict_proba(X)
        for fraction in (0.02, 0.12)
    ]
    np.testing.assert_allclose(*shares, atol=0.01)


def test_a_class_without_weight_keeps_its_column():
    X, y = _data()
    y[:30] = 2
    weight = (y < 2) * 1.0
    for class_weight in (None, "balanced"):
        model = _model(class_weight=class_weight).fit(X, y, weight)
        p = model.predict_proba(X)
        assert p.shape == (300, 3) and np.isfinite(p).all()
