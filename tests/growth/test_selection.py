"""Which level is kept, of networks whose validation losses or costs are constructed."""

import numpy as np
import pytest

from trisect.decisions import CostMatrix
from trisect.growth.selection import SELECTIONS, select_level, standard_error, validated_costs
from trisect.network import Network, Part, mean_losses


def _network(loss_of_instance):
    """A network with exactly the losses given, read from X by a hat function.

    Instance i is the number i; node k is a step at i that moves the second logit.
    """
    losses = np.asarray(loss_of_instance, dtype=np.float64)
    # The true class is 1: loss = log(1 + exp(-margin)).
    margins = -np.log(np.expm1(losses))
    steps = np.diff(margins, prepend=0.0)
    n = len(losses)
    return Network(
        np.full((n, 1), 1e4),
        -1e4 * (np.arange(n) - 0.5),
        np.column_stack([np.zeros(n), steps]),
        np.zeros(2),
        "sigmoid",
    )


def _validation(n, weight=None):
    weight = np.ones(n) if weight is None else np.asarray(weight)
    X = np.arange(n, dtype=np.float32)[:, None]
    return Part(X, np.ones(n, np.int32), weight.astype(np.float32), 2)


def _select(losses, rule, weight=None):
    networks = [_network(row) for row in losses]
    return select_level(networks, _validation(len(losses[0]), weight), rule)


def test_the_constructed_losses_are_the_losses():
    losses = [0.1, 2.0, 0.5, 0.7]
    network, validation = _network(losses), _validation(4)
    assert mean_losses([network], validation)[0] == pytest.approx(np.mean(losses), rel=1e-4)


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


COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)


def _made_up(n_networks=6, n=80, seed=0):
    """Networks of random margins, with validation data of both classes and of any weight."""
    rng = np.random.default_rng(seed)
    networks = [_network(rng.exponential(size=n) + 1e-3) for _ in range(n_networks)]
    X = np.arange(n, dtype=np.float32)[:, None]
    weight = rng.uniform(0.1, 3.0, size=n).astype(np.float32)
    return networks, Part(X, rng.integers(0, 2, size=n).astype(np.int32), weight, 2)


def _brute_force_costs(network, validation):
    """Weighted mean of what each decision costs, instance by instance."""
    spent = []
    for p, label in zip(network.probabilities(validation.X)[:, 1], validation.y, strict=True):
        expected = {1: 5 * (1 - p), 0: 1, -1: 10 * p}
        action = min(expected, key=expected.get)
        spent.append({1: 5 * (1 - label), 0: 1, -1: 10 * label}[action])
    return np.average(spent, weights=validation.weight)


@pytest.mark.parametrize("seed", range(10))
def test_under_costs_the_least_validated_cost_is_kept(seed):
    networks, validation = _made_up(seed=seed)
    expected = [_brute_force_costs(network, validation) for network in networks]
    logits = [network.logits(validation.X) for network in networks]
    assert validated_costs(logits, validation, COSTS) == pytest.approx(expected)
    for rule in ("best", "one_se"):
        assert select_level(networks, validation, rule, COSTS) == np.argmin(expected)
    assert select_level(networks, validation, "last", COSTS) == len(networks) - 1


@pytest.mark.parametrize("seed", range(10))
def test_what_evaluating_a_level_costs_counts_in_the_same_unit(seed):
    networks, validation = _made_up(seed=seed)
    expected = np.array([_brute_force_costs(network, validation) for network in networks])
    kept = []
    for price in (0.0, 0.01, 0.1, 1.0, 20.0):
        prices = price * np.arange(1, len(networks) + 1)
        kept.append(select_level(networks, validation, "best", COSTS, prices))
        assert kept[-1] == np.argmin(expected + prices)
    assert kept == sorted(kept, reverse=True) and kept[-1] == 0


def test_the_least_cost_is_not_always_the_least_loss():
    # Sure of a false acceptance now and then, or in doubt about everything: the first has
    # the higher loss; the second pays a review each time.
    networks = [_network([0.01] * 9 + [8.0]), _network([0.65] * 10)]
    validation = _validation(10)
    assert select_level(networks, validation, "best") == 1
    dear_review = CostMatrix.from_review(false_accept=5, false_reject=5, review=2)
    assert select_level(networks, validation, "best", dear_review) == 0
