"""Thinning: what goes does not matter, and what stays is as it was."""

from dataclasses import replace

import numpy as np
import pytest
from problems import ring

from trisect import STWDSFNNClassifier
from trisect.growth import RefinedGrowth, TrainingData, thinning
from trisect.growth.selection import notable
from trisect.growth.thinning import thinned
from trisect.network import Gates, Network, Part, exact, fast, mean_losses
from trisect.scaling import fit_scaling
from trisect.scaling.positions import MOST_INTERVALS


def _part(X, y):
    return Part(X, y.astype(np.int32), np.ones(len(y), np.float32), 2)


def _data(X, y, n_train):
    return TrainingData(_part(X[:n_train], y[:n_train]), _part(X[n_train:], y[n_train:]))


def _bent(X, n_hidden=4, bends=0.3, seed=1):
    """A scaling, and a network of random curves behind random gates."""
    rng = np.random.default_rng(seed)
    scaling = fit_scaling(X, "curves", rng)
    n_inputs, n_intervals = scaling.n_outputs, len(scaling.positions.line)
    gates = Gates(
        scaling.positions,
        rng.uniform(0.5, 1.5, (n_hidden, n_inputs)),
        rng.uniform(0.5, 1.5, n_inputs),
        bends * rng.normal(size=(n_hidden, n_intervals)),
    )
    W1, b1, W2, b2 = (
        rng.normal(size=s) for s in [(n_hidden, n_inputs), n_hidden, (n_hidden, 2), 2]
    )
    return Network(W1, b1, W2, b2, "relu", gates), scaling


def _straight(network, scaling, slope):
    """The same network with curves that are straight lines of the columns."""
    knots = scaling.positions
    own = scaling.knots[scaling.n_outputs - knots.n_positions :]
    widths = np.concatenate(
        [np.diff(row[: n + 1]) for row, n in zip(own, np.diff(knots.first), strict=True)]
    )
    position = np.repeat(np.arange(knots.n_positions), np.diff(knots.first))
    line = network.W1[:, -knots.n_positions :][:, position] * knots.line
    bends = slope * np.sign(line) * widths - line
    return replace(network, gates=replace(network.gates, bends=bends))


def _logits(network, scaling, X):
    return network.logits(scaling.transform(X))


def _problem(n=1500, n_columns=5):
    X = np.random.default_rng(0).normal(size=(n, n_columns))
    X[:, 1] = X[:, 1] > 0.5
    return X


def _labels(network, scaling, X):
    """Classes drawn with the probabilities that a network gives them."""
    p = network.probabilities(scaling.transform(X))[:, 1]
    return np.random.default_rng(2).random(len(X)) < p


def _scaled(network, scaling, X):
    """The first thousand rows to train on, the others to validate, with such classes."""
    return _data(X, _labels(network, scaling, X), 1000).scaled(scaling)


def test_curves_keep_their_values_at_the_knots_that_stay(monkeypatch):
    X = _problem()
    network, scaling = _bent(X)
    monkeypatch.setattr(thinning, "TOLERANCE", 5.0)
    thin, front = thinned(network, scaling, _scaled(network, scaling, X))
    assert front.columns.tolist() == scaling.columns.tolist()
    assert front.counts.sum() < 0.8 * scaling.counts.sum()
    rng = np.random.default_rng(3)
    rows = np.empty((500, X.shape[1]))
    for column, knots, count in zip(front.columns, front.knots, front.counts, strict=True):
        rows[:, column] = rng.choice(knots[:count], len(rows))
    np.testing.assert_allclose(
        _logits(thin, front, rows), _logits(network, scaling, rows), rtol=1e-5, atol=2e-5
    )


@pytest.mark.parametrize("seed", range(8))
def test_removals_are_tried_by_a_network_that_does_the_same_on_all_inputs(seed):
    X = _problem()
    network, scaling = _bent(X, seed=seed)
    ranked = thinning._removals(network, scaling)
    removals = ranked[: np.random.default_rng(seed).integers(len(ranked) + 1)]
    thin, front = thinning._without(network, scaling, removals)
    tried = thinning._straightened(network, scaling, removals)
    rows = np.concatenate([X, 3 * X[:100]])
    np.testing.assert_allclose(
        _logits(tried, scaling, rows), _logits(thin, front, rows), rtol=1e-4, atol=1e-4
    )


def test_straight_curves_need_no_knots_between_their_ends():
    X = _problem()
    network, scaling = _bent(X)
    network = _straight(network, scaling, slope=0.7)
    thin, front = thinned(network, scaling, _scaled(network, scaling, X))
    assert front.columns.tolist() == scaling.columns.tolist()
    assert front.counts.tolist() == [2] * X.shape[1]
    far = np.vstack([X, 100 * X])
    np.testing.assert_allclose(
        _logits(thin, front, far), _logits(network, scaling, far), rtol=1e-5, atol=1e-5
    )


def test_inputs_that_no_node_reads_go():
    X = _problem()
    network, scaling = _bent(X)
    silent = network.gates.of_all.copy()
    silent[[0, 3]] = 0.0  # The column of two values comes first, the others follow in order.
    network = replace(network, gates=replace(network.gates, of_all=silent))
    thin, front = thinned(network, scaling, _scaled(network, scaling, X))
    assert front.columns.tolist() == [0, 2, 4] and thin.n_features == 3
    assert front.positions.n_positions == 3


def test_one_input_stays_though_none_matters():
    X = _problem()
    network, scaling = _bent(X)
    network = replace(network, W2=np.zeros_like(network.W2))
    thin, front = thinned(network, scaling, _data(X, np.arange(1500) % 2, 1000).scaled(scaling))
    assert front.n_outputs == thin.n_features == 1
    assert np.isfinite(_logits(thin, front, X)).all()


def test_columns_of_two_values_alone():
    rng = np.random.default_rng(0)
    X = (rng.random((1500, 6)) < 0.4).astype(float)
    network, scaling = _bent(X)
    network = replace(network, W1=network.W1 * [1, 1, 1e-6, 1, 1, 1e-6])
    thin, front = thinned(network, scaling, _scaled(network, scaling, X))
    assert set(front.columns.tolist()) == {0, 1, 3, 4}
    np.testing.assert_allclose(_logits(thin, front, X), _logits(network, scaling, X), atol=1e-4)


def test_a_scaling_without_knots_is_left_alone():
    X = _problem()
    scaling = fit_scaling(X, "standard", np.random.default_rng(0))
    network = Network(np.ones((1, 5)), np.zeros(1), np.ones((1, 2)), np.zeros(2), "relu")
    data = _data(X, X[:, 0] > 0, 1000).scaled(scaling)
    assert thinned(network, scaling, data) == (network, scaling)


@pytest.fixture(scope="module")
def fits():
    """Fits with and without thinning of a ring among twenty columns of noise."""
    rng = np.random.default_rng(1)
    X, y = ring(3000)
    X = np.column_stack([X, rng.normal(size=(len(X), 20))])
    y = np.where(rng.random(len(y)) < 0.1, 1 - y, y)
    thick, thin = (
        STWDSFNNClassifier(RefinedGrowth(thin=thin), random_state=0).fit(X, y)
        for thin in (False, True)
    )
    return X, y, thick, thin


def test_columns_of_noise_keep_next_to_no_knots(fits):
    _, _, thick, thin = fits
    between = []
    for model in (thick, thin):
        counts = dict(zip(model.scaling_.columns, model.scaling_.counts - 2, strict=True))
        between.append([counts.get(column, 0) for column in range(22)])
    assert between[0] == [MOST_INTERVALS - 1] * 22
    assert sum(between[1][2:]) < 0.1 * sum(between[0][2:])
    assert min(between[1][:2]) > 3


def test_growth_and_training_are_those_without_thinning(fits):
    _, _, thick, thin = fits
    assert thin.network_.n_hidden == thick.network_.n_hidden
    assert np.array_equal(thin.network_.W2, thick.network_.W2)
    assert [level.validation_score for level in thin.levels_] == [
        level.validation_score for level in thick.levels_
    ]
    assert thin.network_.gates.bends.size < 0.5 * thick.network_.gates.bends.size


def test_the_loss_of_both_parts_stays_within_the_tolerance(fits):
    X, y, thick, _ = fits
    data = _data(X, y, 2500)
    network, scaling = thinned(thick.network_, thick.scaling_, data.scaled(thick.scaling_))
    allowed = 1.0 + thinning.TOLERANCE * (1.0 - notable(500))
    before, after = data.scaled(thick.scaling_), data.scaled(scaling)
    for name in ("train", "validation"):
        [was] = mean_losses([thick.network_], getattr(before, name))
        [now] = mean_losses([network], getattr(after, name))
        assert now <= allowed * was
    assert len(scaling.positions.line) < len(thick.scaling_.positions.line)


def test_compiled_code_and_numpy_agree_about_thin_networks(fits):
    X, _, _, thin = fits
    network, scaling = thin.network_, thin.scaling_
    found = []
    for engine in (exact, fast):
        out = np.empty((len(X), 2))
        assert engine.probabilities(X, scaling.inputs, network.nodes, (network.W2, network.b2), out)
        found.append(out)
    assert np.array_equal(*found)
    np.testing.assert_allclose(
        network.probabilities(scaling.transform(X)), found[0], rtol=0, atol=1e-5
    )


def test_a_warm_start_goes_on_from_what_is_left(fits):
    X, y, _, thin = fits
    model = STWDSFNNClassifier(warm_start=True, max_levels=3, random_state=0).fit(X, y)
    kept = set(model.scaling_.columns)
    model.set_params(max_levels=8).fit(X, y)
    assert set(model.scaling_.columns) <= kept
    assert model.score(X, y) > thin.score(X, y) - 0.02


def test_tails_of_any_length_are_no_trouble():
    rng = np.random.default_rng(0)
    X = np.sinh(rng.uniform(-600, 600, size=(1500, 3)))
    network, scaling = _bent(X)
    thin, front = thinned(network, scaling, _scaled(network, scaling, X))
    assert np.isfinite(_logits(thin, front, X)).all()
    assert len(front.positions.line) < len(scaling.positions.line)
