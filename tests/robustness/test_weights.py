"""Weights of instances and of classes."""

import numpy as np
import pytest
from sklearn.base import clone

from trisect import STWDSFNNClassifier
from trisect.growth import PaperGrowth, RefinedGrowth
from trisect.network import Part, Training, initial_network, mean_losses, train

QUICK = {
    "refined": RefinedGrowth(node_updates=20, joint_updates=60, polish_updates=40),
    "paper": PaperGrowth(delta=None, max_epochs=4),
}
GROWTHS = list(QUICK)


def _model(growth="refined", **options):
    model = STWDSFNNClassifier(clone(QUICK[growth]), max_levels=2, random_state=0)
    return model.set_params(**options)


def _data(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, (X[:, 0] + X[:, 1] + rng.normal(size=n) > 0.8).astype(int)


def _equal(a, b, X):
    return np.array_equal(a.predict_proba(X), b.predict_proba(X))


class TestLoss:
    """In the loss, an instance of weight two is an instance given twice."""

    TIMES = np.random.default_rng(1).integers(1, 5, size=300)

    def _parts(self):
        X, y = _data()
        X, y = X.astype(np.float32), y.astype(np.int32)
        again = np.repeat(np.arange(300), self.TIMES)
        weight = (self.TIMES / self.TIMES.mean()).astype(np.float32)
        ones = np.ones(len(again), np.float32)
        return Part(X, y, weight, 2), Part(X[again], y[again], ones, 2)

    def _network(self):
        return initial_network(3, 4, 2, "tanh", "uniform", np.random.default_rng(0))

    @pytest.mark.parametrize("theta", [0.0, 2.0])
    def test_mean_losses(self, theta):
        weighted, repeated = (mean_losses([self._network()], p, theta) for p in self._parts())
        np.testing.assert_allclose(weighted, repeated, rtol=1e-5)

    @pytest.mark.parametrize("theta", [0.0, 2.0])
    def test_training_on_whole_batches(self, theta):
        training = Training(50, 0.02, theta=theta, batch_size=1000)
        weighted, repeated = (
            train([self._network()], part, training, np.random.default_rng(0))[0][0]
            for part in self._parts()
        )
        for name in ("W1", "b1", "W2", "b2"):
            np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), atol=1e-4)


@pytest.mark.parametrize("growth", GROWTHS)
def test_a_weight_of_four_acts_like_four_copies(growth):
    # Which rows are held back is drawn anew, so that the two agree up to that.
    X, y = _data(1000)
    X_test, _ = _data(1000, seed=1)
    times = np.where(y == 1, 4, 1)
    model = _model(growth, max_levels=1, activation="tanh", scale="standard", growth__l2=0.01)
    longer = {"refined": {"growth__joint_updates": 200}, "paper": {"growth__max_epochs": 50}}
    model.set_params(**longer[growth])
    plain, weighted, repeated = (
        model.fit(*data).predict_proba(X_test)[:, 1]
        for data in (
            (X, y),
            (X, y, times),
            (np.repeat(X, times, axis=0), np.repeat(y, times)),
        )
    )
    assert np.abs(weighted - repeated).mean() < 0.05
    assert (weighted - plain).mean() > 0.1


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_weight_zero_is_absence(growth, class_weight):
    X, y = _data()
    weight = (np.random.default_rng(1).random(300) > 0.1) * 1.0
    model = _model(growth, class_weight=class_weight)
    weighted = model.fit(X, y, weight).predict_proba(X)
    kept = weight > 0
    assert np.array_equal(weighted, model.fit(X[kept], y[kept]).predict_proba(X))


@pytest.mark.parametrize("growth", GROWTHS)
def test_only_ratios_of_weights_matter(growth):
    X, y = _data()
    weight = np.random.default_rng(1).integers(1, 5, size=300)
    model = _model(growth)
    by_eight = clone(model).fit(X, y, 8.0 * weight)
    assert _equal(clone(model).fit(X, y, weight), by_eight, X)
    assert _equal(clone(model).fit(X, y), clone(model).fit(X, y, np.full(300, 0.25)), X)
    assert not _equal(clone(model).fit(X, y), by_eight, X)


@pytest.mark.parametrize("growth", GROWTHS)
def test_class_weights_are_weights_of_the_instances(growth):
    X, y = _data()
    by_class = _model(growth, class_weight={0: 1, 1: 4}).fit(X, y)
    by_instance = _model(growth).fit(X, y, np.where(y == 1, 4, 1))
    np.testing.assert_allclose(by_class.predict_proba(X), by_instance.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("weighted", [False, True])
def test_balanced_is_the_inverse_share_of_a_class(growth, weighted):
    X, y = _data()
    weight = np.where(y == 1, 5, 1) * np.random.default_rng(1).integers(1, 4, size=300)
    weight = weight if weighted else np.ones(300)
    share = np.average(y, weights=weight)
    balanced = _model(growth, class_weight="balanced").fit(X, y, weight)
    given = _model(growth, class_weight={0: 0.5 / (1 - share), 1: 0.5 / share}).fit(X, y, weight)
    np.testing.assert_allclose(balanced.predict_proba(X), given.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("class_weight", [None, {0: 1, 1: 1.5}])
def test_weights_count_in_the_class_shares_of_granules(class_weight):
    X, y = _data()
    weight = np.random.default_rng(1).integers(1, 5, size=300)
    model = _model(n_granules=1, class_weight=class_weight, keep_sets=True)
    sets = model.fit(X, y, weight, X_val=X, y_val=y).levels_[0].sets
    mass = weight * np.where(y == 1, (class_weight or {1: 1})[1], 1)
    assert len(sets.M_N) > 2
    share = np.average(y[sets.M_N], weights=mass[sets.M_N])
    np.testing.assert_allclose(sets.p, share)


def test_a_class_weight_of_zero_leaves_the_others_theirs():
    X, y = _data()
    y[:60] += 1
    # With one level, as granules, in which a weight of zero counts as one, steer the next.
    zero = _model(class_weight={0: 0, 1: 1, 2: 5}, max_levels=1).fit(X, y)
    tiny = _model(class_weight={0: 1e-9, 1: 1, 2: 5}, max_levels=1).fit(X, y)
    np.testing.assert_allclose(zero.predict_proba(X), tiny.predict_proba(X), atol=0.02)


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_a_class_without_weight_keeps_its_column(class_weight):
    X, y = _data()
    y[:30] = 2
    p = _model(class_weight=class_weight).fit(X, y, (y < 2) * 1.0).predict_proba(X)
    assert p.shape == (300, 3) and np.isfinite(p).all()
