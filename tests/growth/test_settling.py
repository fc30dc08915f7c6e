"""What the data decide before growth: the scaling and the l2 weight."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from trisect import STWDSFNNClassifier
from trisect.growth import L2_GRID
from trisect.growth.instances import Instances
from trisect.growth.settling import settle
from trisect.network import Examples, Network

QUICK = {"max_levels": 3, "polish_updates": 0}


def _heavy_tails(seed=0, n=1500):
    """The class depends on the ranks of two columns whose values span many decades."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, 4))
    y = (Z[:, 0] + Z[:, 1] > 0).astype(int)
    return np.exp(4.0 * Z), y


def test_heavy_tails_get_the_scaling_by_ranks():
    X, y = _heavy_tails()
    model = STWDSFNNClassifier(random_state=0, **QUICK).fit(X, y)
    assert model.scaling_.kind == "evidence"
    X_test, y_test = _heavy_tails(1)
    standard = STWDSFNNClassifier(scale="standard", random_state=0, **QUICK).fit(X, y)
    assert model.score(X_test, y_test) > standard.score(X_test, y_test) + 0.05


def _waves(seed=0, n=3000, n_columns=4):
    """The class depends on two columns that wind to and fro, and on how they go together."""
    X = np.random.default_rng(seed).uniform(-3, 3, size=(n, n_columns))
    return X, (np.sin(4 * X[:, 0]) * np.sin(4 * X[:, 1]) > 0).astype(int)


def test_winding_columns_get_learned_curves():
    X, y = _waves()
    model = STWDSFNNClassifier(random_state=0, **QUICK).fit(X, y)
    assert model.scaling_.kind == "learned"
    X_test, y_test = _waves(1)
    evidence = STWDSFNNClassifier(scale="evidence", random_state=0, **QUICK).fit(X, y)
    assert model.score(X_test, y_test) > evidence.score(X_test, y_test) + 0.2


@pytest.mark.parametrize(("n_columns", "offered"), [(16, True), (17, False)])
def test_up_to_sixteen_columns_are_offered_learned_curves(monkeypatch, n_columns, offered):
    X, y = _waves(n=400, n_columns=n_columns)
    called, learn = [], Instances.learn_curves
    monkeypatch.setattr(Instances, "learn_curves", lambda *a: called.append(1) or learn(*a))
    STWDSFNNClassifier(random_state=0, **QUICK).fit(X, y)
    assert bool(called) == offered


def test_learned_curves_that_are_not_chosen_leave_no_trace(monkeypatch):
    X, y = _heavy_tails()
    called, learn = [], Instances.learn_curves
    monkeypatch.setattr(Instances, "learn_curves", lambda *a: called.append(1) or learn(*a))
    offered = STWDSFNNClassifier(random_state=0, **QUICK).fit(X, y)
    assert called and offered.scaling_.kind == "evidence"
    monkeypatch.setattr("trisect.estimators.stwd_sfnn.FEW_COLUMNS", 0)
    not_offered = STWDSFNNClassifier(random_state=0, **QUICK).fit(X, y)
    assert len(called) == 1
    assert np.array_equal(offered.predict_proba(X), not_offered.predict_proba(X))


@dataclass(frozen=True)
class _FirstInput:
    """Growth that ends in the same network always: it adds input 0 to the logit of class 1."""

    activation: str = "tanh"
    l2: float = 0.3

    def probe(self, examples, validation, rng):
        return Network(np.ones((1, 1)), np.zeros(1), np.array([[0.0, 1.0]]), np.zeros(2), "relu")


@pytest.mark.parametrize(("right", "wrong"), [(20, 2), (20, 12), (500, 300), (500, 270)])
def test_learned_curves_have_to_gain_more_than_a_standard_error(right, wrong):
    """A logit of one is right for some instances, wrong for others; the rest stay at nought."""
    y = np.repeat(np.array([1, 0, 0], dtype=np.int32), [right, wrong, 1000 - right - wrong])
    logit = np.repeat([1.0, 1.0, 0.0], [right, wrong, 1000 - right - wrong])
    flat = Examples(np.zeros((1000, 1), np.float32), y, np.ones(1000, np.float32), 2)
    bent = replace(flat, X=logit[:, None].astype(np.float32))
    gains = np.log(2) - np.log1p(np.exp(np.where(y == 1, -logit, logit)))
    clear = gains.mean() > gains.std() / np.sqrt(1000)
    options = {"standard": (flat, flat), "evidence": (flat, flat)}
    arguments = (_FirstInput(), options, ("tanh",), (0.3,), np.random.default_rng(0))
    assert settle(*arguments, lambda: (bent, bent)).scale == ("learned" if clear else "standard")
    assert settle(*arguments).scale == "standard"


def test_a_straight_border_between_skewed_columns_gets_the_standard_scaling():
    # A scaling by ranks would bend the border.
    rng = np.random.default_rng(0)
    X = rng.exponential(size=(3000, 2))
    y = (X[:, 0] - 2 * X[:, 1] > 0.3).astype(int)
    models = [STWDSFNNClassifier(random_state=seed, **QUICK).fit(X, y) for seed in range(4)]
    assert models[0].scaling_.kind == "standard"
    assert all(model.scaling_.kind != "learned" for model in models)


def test_what_is_given_is_not_chosen():
    X, y = _heavy_tails(n=300)
    model = STWDSFNNClassifier(scale="robust", l2=0.7, random_state=0, **QUICK).fit(X, y)
    assert model.scaling_.kind == "robust" and model.l2_ == 0.7


def test_the_l2_weight_is_chosen_from_the_grid():
    X, y = _heavy_tails(n=300)
    model = STWDSFNNClassifier(scale="standard", random_state=0, **QUICK).fit(X, y)
    assert model.l2_ in L2_GRID


def test_noise_gets_a_larger_l2_weight_than_a_clear_rule():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    clear = (X[:, 0] > 0).astype(int)
    noise = rng.integers(0, 2, size=300)
    chosen = [
        np.mean([STWDSFNNClassifier(random_state=s, **QUICK).fit(X, y).l2_ for s in range(3)])
        for y in (clear, noise)
    ]
    assert chosen[0] < chosen[1]


def test_more_than_two_classes_get_the_quantile_scaling_for_heavy_tails():
    X, _ = _heavy_tails()
    thirds = np.digitize(np.log(X[:, 0] * X[:, 1]), [-3, 3])
    model = STWDSFNNClassifier(random_state=0, **QUICK).fit(X, thirds)
    assert model.scaling_.kind == "quantile"


def test_two_values_a_column_leave_nothing_to_choose():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(300, 5)).astype(float)
    model = STWDSFNNClassifier(random_state=0, **QUICK).fit(X, X[:, 0].astype(int))
    assert model.scaling_.kind == "standard"


@pytest.mark.parametrize("scale", ["evidence", "learned"])
def test_scalings_by_the_log_odds_of_three_classes_are_refused(scale):
    X, _ = _heavy_tails(n=90)
    with pytest.raises(ValueError, match="two classes"):
        STWDSFNNClassifier(scale=scale).fit(X, np.arange(90) % 3)
