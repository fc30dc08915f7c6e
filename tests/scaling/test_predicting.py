"""Probabilities of unscaled instances: the quick way equals the plain one."""

import numpy as np
import pytest

from trisect import CostMatrix, STWDSFNNClassifier
from trisect.network import ACTIVATIONS, initial_network, reference, softmax
from trisect.network.parameters import side_by_side
from trisect.scaling import SCALES, fit_scaling, scaled_probabilities


def _case(kind="standard", n_features=5, n_classes=2, activation="tanh", n=700):
    rng = np.random.default_rng(n_features + n_classes)
    X = rng.standard_t(2, size=(n, n_features))
    X[:, 1:2] = X[:, 1:2] > 0
    scaling = fit_scaling(X, kind, rng)
    size = scaling.n_outputs
    knots = scaling.positions
    network = initial_network(size, 7, n_classes, activation, "normal", rng, knots)
    return X, network, scaling


def _plainly(X, network, scaling):
    scaled = scaling.transform(X).astype(np.float64)
    parameters = side_by_side([network])
    entering = reference.encoded(parameters, scaled) @ reference.weights(parameters).T
    hidden = ACTIVATIONS[network.activation].value(entering + network.b1)
    return softmax(hidden @ network.W2.astype(np.float64) + network.b2)


@pytest.mark.parametrize("kind", SCALES)
@pytest.mark.parametrize("n_features", [1, 5, 48, 49, 130])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_equals_the_plain_computation(kind, n_features, n_classes):
    X, network, scaling = _case(kind, n_features, n_classes)
    found = scaled_probabilities(network, scaling, X)
    np.testing.assert_allclose(found, _plainly(X, network, scaling), atol=3e-5)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-12)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_every_activation(activation):
    X, network, scaling = _case(activation=activation)
    found = scaled_probabilities(network, scaling, X)
    np.testing.assert_allclose(found, _plainly(X, network, scaling), atol=3e-5)


def test_precision_and_layout_do_not_matter():
    X, network, scaling = _case()
    X = X.astype(np.float32)
    expected = scaled_probabilities(network, scaling, X)
    for same in (X.astype(np.float64), np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2]):
        np.testing.assert_allclose(
            scaled_probabilities(network, scaling, same), expected, atol=1e-6
        )


@pytest.mark.parametrize("kind", SCALES)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [0, 699])
def test_what_is_not_finite_is_noticed_wherever_it_is(kind, value, row):
    X, network, scaling = _case(kind)
    X[row, -1] = value
    assert scaled_probabilities(network, scaling, X) is None


@pytest.mark.parametrize("kind", ["standard", "quantile", "curves"])
def test_huge_values_are_finite(kind):
    X, network, scaling = _case(kind)
    X[:] = 1e300
    assert np.isfinite(scaled_probabilities(network, scaling, X)).all()


def test_no_rows_no_probabilities():
    X, network, scaling = _case()
    assert scaled_probabilities(network, scaling, X[:0]).shape == (0, 2)


def test_a_row_is_decided_alike_alone_among_ten_and_among_a_hundred_thousand():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 12))
    model = STWDSFNNClassifier(max_levels=3, random_state=0).fit(X[:300], X[:300, 0] > 0)
    many = model.predict_proba(X)
    assert np.array_equal(many[:10], model.predict_proba(X[:10]))
    walk, short = model.decide_sequentially(X), model.decide_sequentially(X[:10])
    assert np.array_equal(walk.probabilities[:10], short.probabilities)
    for row in rng.choice(len(X), 40, replace=False):
        alone = X[row : row + 1]
        assert np.array_equal(model.predict_proba(alone)[0], many[row])
        # Deferring costs as much as accepting this very row is expected to.
        costs = CostMatrix.from_review(false_accept=1, false_reject=1, review=many[row].min())
        ten = X[max(row - 5, 0) : max(row - 5, 0) + 10]
        for decide in (model.decide, lambda *a: model.decide_sequentially(*a).regions):
            among_many = decide(X, costs)
            assert decide(alone, costs)[0] == among_many[row]
            assert np.array_equal(
                decide(ten, costs), among_many[max(row - 5, 0) : max(row - 5, 0) + 10]
            )
