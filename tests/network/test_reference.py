"""The equations of the reference engine, against finite differences and definitions."""

import numpy as np
import pytest

from trisect.network import ACTIVATIONS, adam_from_rest
from trisect.network.contract import Networks
from trisect.network.reference import adam, backward, forward, loss, loss_gradient

STEP = 1e-6


def _problem(activation, n_classes, seed=0, n=7, n_features=3, n_nodes=2):
    rng = np.random.default_rng(seed)
    network = Networks(
        ACTIVATIONS[activation].code,
        rng.normal(size=(n_nodes, n_features)),
        rng.normal(size=n_nodes),
        rng.normal(size=(n_nodes, n_classes)),
        rng.normal(size=n_classes),
    )
    X, y = rng.normal(size=(n, n_features)), rng.integers(n_classes, size=n)
    return network, X, y, rng.uniform(0.2, 3.0, size=n), rng.normal(size=(n, n_classes))


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("theta", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_gradient_against_finite_differences(activation, theta, n_classes):
    network, X, y, weight, offset = _problem(activation, n_classes)

    def total():
        return loss(forward(network, X)[2] + offset, y, weight, theta)

    Z, A, scores = forward(network, X)
    G = loss_gradient(scores + offset, y, weight, theta)
    slope, _ = backward(network, X, Z, A, G)
    for part, found in zip(network[1:], slope[1:], strict=True):
        for index in np.ndindex(part.shape):
            kept = part[index]
            part[index] = kept + STEP
            above = total()
            part[index] = kept - STEP
            below = total()
            part[index] = kept
            assert found[index] == pytest.approx((above - below) / (2 * STEP), rel=1e-5, abs=1e-6)


def test_gradient_by_the_inputs_against_finite_differences():
    network, X, y, weight, _ = _problem("tanh", 2)
    Z, A, scores = forward(network, X)
    _, by_nodes = backward(network, X, Z, A, loss_gradient(scores, y, weight, 0.0))
    by_inputs = by_nodes @ network.W1
    for index in np.ndindex(X.shape):
        nudge = np.zeros(X.shape)
        nudge[index] = STEP
        above, below = (
            loss(forward(network, moved)[2], y, weight, 0.0) for moved in (X + nudge, X - nudge)
        )
        assert by_inputs[index] == pytest.approx((above - below) / (2 * STEP), rel=1e-5, abs=1e-6)


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


def _resting(parameters, l2=0.0):
    flat = np.array(parameters, dtype=np.float32)
    return adam_from_rest(flat, [(0, len(flat))], [l2])


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


def test_each_part_has_its_own_penalty():
    flat = np.array([2.0, 2.0], dtype=np.float32)
    optimiser = adam_from_rest(flat, [(0, 1), (1, 2)], [0.0, 3.0])
    adam(optimiser, 1, 0.1, 1)
    assert flat[0] == 2.0 and flat[1] == pytest.approx(1.9)
