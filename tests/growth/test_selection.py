"""Which level is kept, on levels whose validation losses are constructed."""

import numpy as np
import pytest

from trisect.decisions import CostMatrix
from trisect.growth import Level
from trisect.growth.selection import SELECTIONS, select_level, standard_error
from trisect.network import Network, Part, mean_losses

COSTS = CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])


def _level(loss_of_instance):
    """A level whose network has exactly the losses given, read from X by a hat function.

    Instance i is the number i; node k is a step at i that moves the second logit.
    """
    losses = np.asarray(loss_of_instance, dtype=np.float64)
    # The true class is 1: loss = log(1 + exp(-margin)).
    margins = -np.log(np.expm1(losses))
    steps = np.diff(margins, prepend=0.0)
    n = len(losses)
    network = Network(
        np.full((n, 1), 1e4),
        -1e4 * (np.arange(n) - 0.5),
        np.column_stack([np.zeros(n), steps]),
        np.zeros(2),
        "sigmoid",
    )
    counts = {"n_instances": n, "n_hard": n, "n_misclassified": 0, "n_pos": n, "n_bnd": 0}
    return Level(
        COSTS, **counts, n_neg=0,
        result_cost=0.0, test_cost=0.0, delay_cost=0.0, validation_score=0.0, network=network,
    )  # fmt: skip


def _validation(n, weight=None):
    weight = np.ones(n) if weight is None else np.asarray(weight)
    X = np.arange(n, dtype=np.float32)[:, None]
    return Part(X, np.ones(n, np.int32), weight.astype(np.float32), 2)


def _select(losses, rule, weight=None):
    levels = [_level(row) for row in losses]
    return select_level(levels, _validation(len(losses[0]), weight), rule)


def test_the_constructed_losses_are_the_losses():
    losses = [0.1, 2.0, 0.5, 0.7]
    level, validation = _level(losses), _validation(4)
    assert mean_losses([level.network], validation)[0] == pytest.approx(np.mean(losses), rel=1e-4)


RISING_AND_FALLING = [[1.0, 1.2, 1.1, 0.9], [0.5, 0.5, 0.6, 0.4], [0.7, 0.6, 0.7, 0.8]]


def test_best_and_last():
    assert _select(RISING_AND_FALLING, "best") == 1
    assert _select(RISING_AND_FALLING, "last") == 2


def test_one_standard_error_keeps_a_smaller_level_when_the_gain_is_noise():
    # The gain of the second level is 0.1 on average, and +-1 on single instances.
    small = np.full(8, 2.0)
    large = small - 0.1 + np.tile([1.0, -1.0], 4)
    assert _select([small, large], "one_se") == 0
    assert _select([small, large], "best") == 1


def test_one_standard_error_takes_a_small_gain_that_every_instance_shows():
    # Both levels vary widely between instances, but their difference hardly does.
    small = np.linspace(0.5, 5.0, 8)
    large = small - 0.1 + np.tile([0.01, -0.01], 4)
    assert _select([small, large], "one_se") == 1


@pytest.mark.parametrize(("spread", "kept"), [(0.95, 1), (1.05, 0)])
def test_the_border_is_one_standard_error(spread, kept):
    # Differences 0.2 +- d over n instances have the standard error d / sqrt(n).
    n, gain = 16, 0.2
    small = np.full(n, 3.0)
    large = small - gain + spread * gain * np.sqrt(n) * np.tile([1.0, -1.0], n // 2)
    assert _select([small, large], "one_se") == kept


def test_the_smallest_of_several_within_reach_is_kept():
    noise = np.tile([0.5, -0.5], 4)
    base = np.full(8, 2.0)
    losses = [base + 2.0, base + 0.05 + noise, base + 0.02 - noise, base]
    assert _select(losses, "one_se") == 1


@pytest.mark.parametrize("rule", SELECTIONS)
def test_one_level_is_kept_by_every_rule(rule):
    assert _select([[0.5, 0.6]], rule) == 0


def test_weights_decide_which_level_is_best():
    losses = [[0.1, 0.1, 2.0, 2.0], [2.0, 2.0, 0.1, 0.1]]
    assert _select(losses, "best", [10, 10, 1, 1]) == 0
    assert _select(losses, "best", [1, 1, 10, 10]) == 1


def test_the_standard_error_of_equal_weights_is_that_of_a_mean():
    values = np.random.default_rng(0).normal(size=50)
    expected = values.std() / np.sqrt(50)
    for weight in (np.ones(50), np.full(50, 7.0)):
        assert standard_error(values, weight) == pytest.approx(expected)


def test_what_weighs_nothing_has_no_part_in_the_standard_error():
    values = np.array([1.0, 2.0, 4.0, 99.0])
    assert standard_error(values, np.array([1, 1, 1, 0])) == pytest.approx(
        standard_error(values[:3], np.ones(3))
    )
