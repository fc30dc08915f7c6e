"""The equations of the reference engine, against finite differences and definitions."""

import numpy as np
import pytest

from trisect.network import ACTIVATIONS
from trisect.network.contract import Networks, Optimiser
from trisect.network.parameters import PARTS, evaluated_nodes
from trisect.network.reference import (
    adam,
    backward,
    encoded,
    forward,
    loss,
    loss_gradient,
    weights,
)

STEP = 1e-6
NO_KNOTS = (np.zeros(1, np.int64), np.empty(0), np.empty(0))


def _problem(activation, n_classes, gated, seed=0, n=7, n_straight=2, n_nodes=2):
    """Make a network and instances; if gated, with positions among four and three knots."""
    rng = np.random.default_rng(seed)
    counts = [3, 2] if gated else []
    n_features, n_intervals = n_straight + len(counts), sum(counts)
    of_gates = (n_nodes, n_features) if gated else (0, 0)
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    network = Networks(
        ACTIVATIONS[activation].code,
        rng.normal(size=(n_nodes, n_features)),
        rng.normal(size=n_nodes),
        rng.normal(size=(n_nodes, n_classes)),
        rng.normal(size=n_classes),
        rng.normal(size=of_gates),
        rng.normal(size=(1, n_features) if gated else (0, 0)),
        rng.normal(size=(n_nodes, n_intervals) if gated else (0, 0)),
        *((first, rng.random(n_intervals), rng.random(n_intervals)) if gated else NO_KNOTS),
    )
    positions = [rng.uniform(0, count, size=n) for count in counts]
    X = np.column_stack([rng.normal(size=(n, n_straight)), *positions])
    y = rng.integers(n_classes, size=n)
    return network, X, y, rng.uniform(0.2, 3.0, size=n), rng.normal(size=(n, n_classes))


@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("theta", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_gradient_against_finite_differences(activation, theta, n_classes, gated):
    network, X, y, weight, offset = _problem(activation, n_classes, gated)
    inputs = encoded(network, X)

    def total():
        return loss(forward(network, inputs)[2] + offset, y, weight, theta)

    Z, A, scores = forward(network, inputs)
    G = loss_gradient(scores + offset, y, weight, theta)
    slope = backward(network, inputs, Z, A, G)
    for name in PARTS:
        part, found = getattr(network, name), np.reshape(getattr(slope, name), -1)
        for k, index in enumerate(np.ndindex(part.shape)):
            kept = part[index]
            part[index] = kept + STEP
            above = total()
            part[index] = kept - STEP
            below = total()
            part[index] = kept
            assert found[k] == pytest.approx((above - below) / (2 * STEP), rel=1e-5, abs=1e-6)


def test_a_node_adds_up_curves_that_are_zero_on_average():
    network, X, *_ = _problem("tanh", 2, gated=True)
    nodes = evaluated_nodes(network._replace(b2=network.b2[None]))
    first, n_straight = network.first, nodes.W1.shape[1]
    Z = X[:, :n_straight] @ nodes.W1.T + network.b1
    for j, position in enumerate(X[:, n_straight:].T):
        own = slice(first[j], first[j + 1])
        for m in range(len(Z.T)):
            ends = nodes.starts[m, own] + nodes.rises[m, own]
            values = np.append(nodes.starts[m, own], ends[-1])
            # A curve has no jumps.
            np.testing.assert_allclose(values[1:-1], ends[:-1], rtol=1e-5, atol=1e-6)
            Z[:, m] += np.interp(position, np.arange(len(values)), values)
            mean = values[0] + (nodes.rises[m, own] * network.center[own]).sum()
            assert mean == pytest.approx(0, abs=1e-5)
    np.testing.assert_allclose(forward(network, encoded(network, X))[0], Z, rtol=1e-4, atol=1e-5)


def test_without_gates_weights_are_weights():
    network, X, *_ = _problem("tanh", 2, gated=False)
    assert weights(network) is network.W1
    np.testing.assert_array_equal(encoded(network, X), X)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_slope_of_an_activation_against_finite_differences(activation):
    function = ACTIVATIONS[activation]
    z = np.concatenate([np.linspace(-9.0, -0.01, 400), np.linspace(0.01, 9.0, 400)])
    difference = (function.value(z + STEP) - function.value(z - STEP)) / (2 * STEP)
    np.testing.assert_allclose(function.slope(z), difference, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("theta", [0.0, 0.5, 2.0])
def test_a_certain_output_has_a_finite_gradient(theta):
    scores, weight = np.array([[1e4, 0.0], [0.0, 1e4]]), np.ones(2)
    for y in (np.array([0, 1]), np.array([1, 0])):
        assert np.isfinite(loss_gradient(scores, y, weight, theta)).all()


def _resting(parameters, parts=None, l2=(0.0,), paces=(1.0,)):
    flat = np.array(parameters, dtype=np.float32)
    parts = np.array([(0, len(flat))] if parts is None else parts)
    rest = (np.zeros_like(flat) for _ in range(3))
    return Optimiser(flat, *rest, parts, np.float32(l2), np.float32(paces))


def test_the_first_step_of_adam_has_the_length_of_the_rate():
    optimiser = _resting([1.0, -2.0, 3.0])
    optimiser.gradient[:] = [0.3, -5.0, 2e-4]
    adam(optimiser, 1, 0.25, 1)
    np.testing.assert_allclose(optimiser.parameters, [0.75, -1.75, 2.75], rtol=1e-4)
    assert not optimiser.gradient.any()


def test_adam_against_its_definition_over_three_steps():
    slopes, rate = np.array([0.3, -0.2, 0.05]), 0.1
    first = sum(0.1 * 0.9 ** (2 - t) * slopes[t] for t in range(3)) / (1 - 0.9**3)
    second = sum(0.001 * 0.999 ** (2 - t) * slopes[t] ** 2 for t in range(3)) / (1 - 0.999**3)
    optimiser = _resting([0.0])
    for step, value in enumerate(slopes, start=1):
        before = optimiser.parameters.item()
        optimiser.gradient[:] = 8 * value
        adam(optimiser, step, rate, 8)
    expected = before - rate * first / (np.sqrt(second) + 1e-8)
    assert optimiser.parameters.item() == pytest.approx(expected, rel=1e-5)


def test_each_part_has_its_own_penalty_and_pace():
    optimiser = _resting([2.0, 2.0, 2.0], [(0, 1), (1, 2), (2, 3)], [0, 3, 3], [1, 1, 0.5])
    adam(optimiser, 1, 0.1, 1)
    np.testing.assert_allclose(optimiser.parameters, [2.0, 1.9, 1.95], rtol=1e-6)
