"""Initial weights: ranges and variances of both families in both distributions."""

import numpy as np
import pytest

from trisect.network import ACTIVATIONS, DISTRIBUTIONS, initial_network

N_FEATURES, N_HIDDEN, N_CLASSES = 40, 300, 5
RELU_FAMILY = {"relu", "leaky_relu", "selu"}
VARIANCE = {
    # family: variance of W1 and of W2
    True: (2 / N_FEATURES, 2 / N_HIDDEN),
    False: (2 / (N_FEATURES + N_HIDDEN), 2 / (N_HIDDEN + N_CLASSES)),
}


def _network(activation, distribution, seed=0):
    rng = np.random.default_rng(seed)
    return initial_network(N_FEATURES, N_HIDDEN, N_CLASSES, activation, distribution, rng)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_variances(activation, distribution):
    network = _network(activation, distribution)
    of_W1, of_W2 = VARIANCE[activation in RELU_FAMILY]
    # 12,000 and 1,500 draws: five standard errors of a variance.
    assert network.W1.var() == pytest.approx(of_W1, rel=0.07)
    assert network.W2.var() == pytest.approx(of_W2, rel=0.19)
    assert abs(network.W1.mean()) < 5 * np.sqrt(of_W1 / network.W1.size)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_uniform_weights_fill_their_range_and_normal_ones_leave_it(activation):
    fans = (N_FEATURES, N_HIDDEN) if activation in RELU_FAMILY else None
    limits = (
        [np.sqrt(6 / fan) for fan in fans]
        if fans
        else [np.sqrt(6 / (N_FEATURES + N_HIDDEN)), np.sqrt(6 / (N_HIDDEN + N_CLASSES))]
    )
    uniform, normal = _network(activation, "uniform"), _network(activation, "normal")
    for limit, flat, bell in zip(
        limits, (uniform.W1, uniform.W2), (normal.W1, normal.W2), strict=True
    ):
        assert 0.98 * limit < np.abs(flat).max() <= limit * (1 + 1e-6)
        assert np.abs(bell).max() > limit


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_biases_are_small_and_not_negative(distribution):
    network = _network("tanh", distribution)
    biases = np.concatenate([network.b1, network.b2])
    assert biases.min() >= 0 and 0.009 < biases.max() < 0.01
    assert biases.mean() == pytest.approx(0.005, rel=0.2)


def test_shapes_dtype_and_seed():
    network, again = _network("selu", "normal", 7), _network("selu", "normal", 7)
    assert (network.n_features, network.n_hidden, network.n_classes) == (
        N_FEATURES,
        N_HIDDEN,
        N_CLASSES,
    )
    for name in ("W1", "b1", "W2", "b2"):
        assert getattr(network, name).dtype == np.float32
        assert np.array_equal(getattr(network, name), getattr(again, name))
        assert not np.array_equal(getattr(network, name), getattr(_network("selu", "normal"), name))
