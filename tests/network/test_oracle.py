"""The oracle's own gradient and optimiser, so that it may judge the kernels."""

import numpy as np
import oracle
import pytest

from trisect.network import ACTIVATIONS


def _problem(n_classes, seed=0, n=7, n_features=3, n_nodes=2):
    rng = np.random.default_rng(seed)
    parameters = oracle.Parameters(
        rng.normal(size=(n_nodes, n_features)),
        rng.normal(size=n_nodes),
        rng.normal(size=(n_nodes, n_classes)),
        rng.normal(size=n_classes),
    )
    X, y = rng.normal(size=(n, n_features)), rng.integers(n_classes, size=n)
    return parameters, X, y, rng.uniform(0.2, 3.0, size=n), rng.normal(size=(n, n_classes))


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("theta", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_gradient_against_finite_differences(activation, theta, n_classes):
    parameters, X, y, weight, offset = _problem(n_classes)
    arguments = (X, y, weight, activation, theta, 0.7, offset)
    slope = oracle.gradient(parameters, *arguments)
    step = 1e-6
    for part, found in zip(parameters.parts(), slope.parts(), strict=True):
        for index in np.ndindex(part.shape):
            kept = part[index]
            part[index] = kept + step
            above = oracle.loss(parameters, *arguments)[0]
            part[index] = kept - step
            below = oracle.loss(parameters, *arguments)[0]
            part[index] = kept
            assert found[index] == pytest.approx((above - below) / (2 * step), rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_slope_of_an_activation_against_finite_differences(activation):
    function = ACTIVATIONS[activation]
    z = np.concatenate([np.linspace(-9.0, -0.01, 400), np.linspace(0.01, 9.0, 400)])
    step = 1e-6
    difference = (function.value(z + step) - function.value(z - step)) / (2 * step)
    np.testing.assert_allclose(function.slope(z), difference, rtol=1e-6, atol=1e-8)


def test_the_first_step_of_adam_has_the_length_of_the_rate():
    parameters, X, y, weight, _ = _problem(2)
    before = [part.copy() for part in parameters.parts()]
    slope = oracle.gradient(parameters, X, y, weight, "tanh")
    oracle.Adam(parameters).update(parameters, slope, 0.25)
    for old, new, g in zip(before, parameters.parts(), slope.parts(), strict=True):
        np.testing.assert_allclose(new, old - 0.25 * np.sign(g), rtol=1e-5, atol=1e-5)


def test_adam_against_its_definition_over_three_steps():
    slopes, rate = np.array([0.3, -0.2, 0.05]), 0.1
    first = sum(0.1 * 0.9 ** (2 - t) * slopes[t] for t in range(3)) / (1 - 0.9**3)
    second = sum(0.001 * 0.999 ** (2 - t) * slopes[t] ** 2 for t in range(3)) / (1 - 0.999**3)
    one = oracle.Parameters(*(np.zeros(shape) for shape in [(1, 1), 1, (1, 1), 1]))
    adam = oracle.Adam(one)
    for value in slopes:
        before = one.b1[0]
        same = [np.full_like(part, value) for part in one.parts()]
        adam.update(one, oracle.Parameters(*same), rate)
    assert one.b1[0] == pytest.approx(before - rate * first / (np.sqrt(second) + 1e-8), rel=1e-12)
