"""Focal losses in closed form, and the weights of the classes."""

import numpy as np
import pytest

from trisect.network import class_balance, focal_losses, softmax


@pytest.mark.parametrize("theta", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("n_classes", [2, 5])
def test_focal_losses_in_closed_form(theta, n_classes):
    rng = np.random.default_rng(0)
    logits, y = 3 * rng.normal(size=(200, n_classes)), rng.integers(n_classes, size=200)
    p = softmax(logits)[np.arange(200), y]
    np.testing.assert_allclose(focal_losses(logits, y, theta), -((1 - p) ** theta) * np.log(p))


def test_equal_logits():
    logits, y = np.zeros((1, 4)), np.array([2])
    assert focal_losses(logits, y)[0] == pytest.approx(np.log(4))
    assert focal_losses(logits, y, 2.0)[0] == pytest.approx(0.75**2 * np.log(4))


def test_certainty_costs_nothing_and_certain_error_its_margin():
    logits = np.array([[1e4, 0.0], [1e4, 0.0]])
    for theta in (0.0, 0.5, 2.0):
        right, wrong = focal_losses(logits, np.array([0, 1]), theta)
        assert right == 0.0 and wrong == 1e4


def test_a_larger_theta_never_raises_a_loss():
    rng = np.random.default_rng(1)
    logits, y = rng.normal(size=(100, 3)), rng.integers(3, size=100)
    losses = [focal_losses(logits, y, theta) for theta in (0.0, 0.5, 1.0, 2.0, 4.0)]
    assert (np.diff(losses, axis=0) <= 0).all()


def test_several_networks_at_once():
    rng = np.random.default_rng(2)
    logits, y = rng.normal(size=(4, 30, 3)), rng.integers(3, size=30)
    found = focal_losses(logits, y, 2.0)
    assert found.shape == (4, 30)
    for k in range(4):
        assert np.array_equal(found[k], focal_losses(logits[k], y, 2.0))


def test_no_delta_treats_classes_alike():
    assert class_balance(np.array([0, 0, 1]), 2, None).tolist() == [1, 1]


def test_given_deltas_are_taken_as_they_are():
    assert class_balance(np.array([0, 0, 1]), 2, [0.25, 3]).tolist() == [0.25, 3]


@pytest.mark.parametrize("delta", ["frequency", "inverse"])
def test_the_mean_weight_of_an_instance_is_one(delta):
    y = np.repeat([0, 1, 2], [70, 20, 10])
    factors = class_balance(y, 3, delta)
    assert factors[y].mean() == pytest.approx(1)
    shares = np.array([0.7, 0.2, 0.1])
    expected = shares if delta == "frequency" else 1 / shares
    np.testing.assert_allclose(factors / factors[0], expected / expected[0])


def test_inverse_frequency_gives_classes_the_same_total():
    y = np.repeat([0, 1, 2], [70, 20, 10])
    factors = class_balance(y, 3, "inverse")
    np.testing.assert_allclose(np.bincount(y, weights=factors[y]), 100 / 3)


@pytest.mark.parametrize("delta", ["frequency", "inverse"])
def test_weights_of_instances_count_as_repetitions(delta):
    y, weight = np.array([0, 0, 1]), np.array([1.0, 2.0, 4.0])
    repeated = np.repeat(y, weight.astype(int))
    np.testing.assert_allclose(
        class_balance(y, 2, delta, weight), class_balance(repeated, 2, delta)
    )


def test_a_class_without_instances_has_no_infinite_weight():
    assert class_balance(np.array([0, 0, 2]), 3, "inverse").tolist() == [0.75, 0, 1.5]


def test_softmax_rows_sum_to_one_for_any_logits():
    logits = np.array([[1e30, 0, -1e30], [1e4, 1e4, 0], [0, 0, 0]])
    p = softmax(logits)
    np.testing.assert_allclose(p, [[1, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]])
