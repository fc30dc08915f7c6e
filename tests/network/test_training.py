"""Training: batches, rates, early stopping, and networks side by side."""

from dataclasses import replace

import numpy as np
import pytest

from trisect.network import (
    Part,
    Training,
    focal_losses,
    initial_network,
    mean_losses,
    train,
)
from trisect.network.parameters import pack
from trisect.network.training import batch_starts


def _examples(n=600, n_features=4, n_classes=2, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features)).astype(np.float32)
    score = X[:, 0] - X[:, 1] + noise * rng.normal(size=n)
    edges = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
    y = np.digitize(score, edges).astype(np.int32)
    return Part(X, y, rng.uniform(0.5, 2, size=n).astype(np.float32), n_classes)


def _start(examples, n_hidden=2, activation="tanh", seed=0):
    rng = np.random.default_rng(seed)
    return initial_network(
        examples.X.shape[1], n_hidden, examples.n_classes, activation, "uniform", rng
    )


def _train(networks, examples, training, seed=0, **options):
    return train(networks, examples, training, np.random.default_rng(seed), **options)


def test_rates_without_decay_are_constant():
    assert Training(7, 0.3, decay=False).rates().tolist() == [np.float32(0.3)] * 7


@pytest.mark.parametrize("updates", [20, 1000])
def test_rates_warm_up_and_fall(updates):
    rates = Training(updates, 0.3).rates()
    peak = rates.argmax()
    assert rates.shape == (updates,) and rates.dtype == np.float32
    assert rates.min() > 0 and rates.max() <= np.float32(0.3)
    assert peak <= 0.05 * updates + 1
    assert (np.diff(rates[: peak + 1]) > 0).all() and (np.diff(rates[peak:]) < 0).all()


def test_rates_of_many_updates_are_those_of_a_cosine():
    rates = Training(1000, 0.3).rates()
    assert rates.max() == pytest.approx(0.3, rel=1e-3)
    assert rates[-1] == pytest.approx(0.003, rel=0.01)
    assert rates[525] == pytest.approx(0.5 * (0.3 + 0.003), rel=0.01)


@pytest.mark.parametrize("n_rows", [1, 5, 511, 512, 513, 700, 1024, 1100, 5000])
def test_each_pass_uses_every_batch_once(n_rows):
    batches = -(-n_rows // 512)
    starts = batch_starts(n_rows, Training(3 * batches, 0.1), np.random.default_rng(0))
    passes = np.sort(starts.reshape(3, batches), axis=1)
    assert (passes == passes[0]).all()
    covered = np.zeros(n_rows, dtype=bool)
    for start in passes[0]:
        assert 0 <= start < n_rows
        covered[start : start + 512] = True
    assert covered.all()


@pytest.mark.parametrize("n_rows", [513, 600, 1100])
def test_no_batch_is_tiny(n_rows):
    starts = batch_starts(n_rows, Training(50, 0.1), np.random.default_rng(0))
    assert (np.minimum(starts + 512, n_rows) - starts).min() >= 128


def test_the_order_of_batches_changes_from_pass_to_pass():
    starts = batch_starts(5120, Training(100, 0.1), np.random.default_rng(0)).reshape(10, 10)
    assert len({tuple(row) for row in starts}) > 5


@pytest.mark.parametrize("n_features", [4, 60])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_training_lowers_the_loss(n_features, n_classes):
    examples = _examples(n_features=n_features, n_classes=n_classes)
    start = _start(examples)
    (network,), _ = _train([start], examples, Training(300, 0.05))
    before, after = mean_losses([start, network], examples)
    assert after < 0.5 * before


def test_the_start_is_left_alone():
    examples = _examples()
    start = _start(examples)
    before = pack([start])
    _train([start], examples, Training(20, 0.1))
    assert np.array_equal(pack([start]), before)


@pytest.mark.parametrize("n_features", [4, 60])
def test_one_seed_fixes_every_bit(n_features):
    examples = _examples(n=1500, n_features=n_features)
    runs = [
        pack(_train([_start(examples)], examples, Training(60, 0.05), seed)[0])
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


@pytest.mark.parametrize("activation", ["tanh", "relu", "swish"])
def test_networks_side_by_side_equal_networks_alone(activation):
    examples, validation = _examples(n=900), _examples(n=300, seed=1)
    starts = [_start(examples, 3, activation, seed) for seed in range(4)]
    l2, training = [0.0, 0.1, 1.0, 10.0], Training(80, 0.05)
    together, losses = _train(starts, examples, training, l2=l2, validation=validation)
    for k, start in enumerate(starts):
        (alone,), loss = _train([start], examples, training, l2=l2[k], validation=validation)
        np.testing.assert_allclose(pack([alone]), pack([together[k]]), rtol=1e-4, atol=1e-4)
        assert loss[0] == pytest.approx(losses[k], rel=1e-4)


def test_l2_pulls_parameters_towards_zero():
    examples = _examples()
    start = _start(examples)
    free, bound = _train([start] * 2, examples, Training(300, 0.05), l2=[0.0, 50.0])[0]
    assert np.square(pack([bound])).sum() < 0.5 * np.square(pack([free])).sum()


def _overfitting():
    """Few noisy instances and a large rate: the validation loss soon rises again."""
    return _examples(n=40, noise=3.0), _examples(n=400, noise=3.0, seed=1)


def test_the_best_parameters_are_kept():
    examples, validation = _overfitting()
    start, training = _start(examples, 8), Training(600, 0.1, decay=False, checks=60)
    (kept,), losses = _train([start], examples, training, validation=validation)
    (last,), _ = _train([start], examples, training)
    assert losses[0] == pytest.approx(mean_losses([kept], validation)[0], rel=1e-6)
    assert losses[0] < 0.8 * mean_losses([last], validation)[0]


def test_each_network_keeps_its_own_best():
    examples, validation = _overfitting()
    starts = [_start(examples, 8, seed=seed) for seed in range(3)]
    training = Training(300, 0.1, decay=False, checks=30)
    kept, losses = _train(starts, examples, training, validation=validation)
    np.testing.assert_allclose(losses, mean_losses(kept, validation), rtol=1e-6)


def _looks(examples, validation, training):
    seen = []
    _train(
        [_start(examples, 8)], examples, training, validation=validation,
        monitor=lambda: bool(seen.append(1)),
    )  # fmt: skip
    return len(seen)


def test_patience_ends_training_and_changes_nothing_else():
    examples, validation = _overfitting()
    training = Training(1000, 0.1, decay=False, checks=100)
    impatient = replace(training, patience=3)
    assert _looks(examples, validation, training) == 100
    looks = _looks(examples, validation, impatient)
    assert 4 <= looks < 60
    # Three looks did not improve, so the parameters are those of the look before them.
    short = Training(10 * (looks - 3), 0.1, decay=False, checks=looks - 3)
    start = [_start(examples, 8)]
    found = _train(start, examples, impatient, validation=validation)[0]
    expected = _train(start, examples, short)[0]
    assert np.array_equal(pack(found), pack(expected))


def test_a_monitor_ends_training():
    examples, seen = _examples(), []

    def monitor():
        seen.append(1)
        return len(seen) == 3

    training = Training(100, 0.1, decay=False, checks=10)
    (network,), _ = _train([_start(examples)], examples, training, monitor=monitor)
    (short,), _ = _train([_start(examples)], examples, Training(30, 0.1, decay=False, checks=3))
    assert len(seen) == 3
    assert np.array_equal(pack([network]), pack([short]))


def test_looks_do_not_disturb_training():
    examples = _examples()
    runs = [
        pack(_train([_start(examples)], examples, Training(60, 0.05, checks=checks))[0])
        for checks in (1, 7, 60, 1000)
    ]
    assert all(np.array_equal(run, runs[0]) for run in runs)


def test_the_loss_returned_without_validation_is_the_mean_of_the_updates():
    examples = replace(_examples(n=100), weight=np.ones(100, np.float32))
    training = Training(1, 1e-9, checks=1)
    start = _start(examples)
    _, losses = _train([start], examples, training)
    assert losses[0] == pytest.approx(mean_losses([start], examples)[0], rel=1e-4)


def test_rows_choose_the_instances():
    examples, rows = _examples(), np.arange(0, 600, 3, dtype=np.int32)
    only = Part(
        examples.X[rows].copy(), examples.y[rows], examples.weight[rows], examples.n_classes
    )
    start, training = [_start(examples)], Training(40, 0.05, batch_size=64)
    chosen = _train(start, examples.select(rows), training)[0]
    assert np.array_equal(pack(chosen), pack(_train(start, only, training)[0]))


def test_an_offset_is_the_frozen_part_of_the_network():
    # With the logits of a good network as offset there is little left to learn.
    examples = _examples()
    (base,), _ = _train([_start(examples)], examples, Training(300, 0.05))
    node = [_start(examples, 1, seed=5)]
    _, on_top = _train(
        node,
        replace(examples, offset=base.logits(examples.X)),
        Training(100, 0.02, checks=4),
    )
    _, alone = _train(node, examples, Training(100, 0.02, checks=4))
    assert on_top[0] < alone[0]


def test_theta_is_the_loss_that_is_minimised():
    examples = _examples(noise=1.5)
    finals = {
        theta: _train([_start(examples)], examples, Training(400, 0.05, theta=theta))[0]
        for theta in (0.0, 2.0)
    }
    for theta, other in [(0.0, 2.0), (2.0, 0.0)]:
        own = mean_losses(finals[theta], examples, theta)[0]
        assert own < mean_losses(finals[other], examples, theta)[0]


@pytest.mark.parametrize("theta", [0.0, 2.0])
def test_losses_are_weighted_means(theta):
    examples = _examples(n=301, n_classes=3)
    networks = [_start(examples, 3, seed=seed) for seed in range(3)]
    logits = np.array([network.logits(examples.X) for network in networks], dtype=np.float64)
    expected = focal_losses(logits, examples.y, theta) @ examples.weight / examples.weight.sum()
    np.testing.assert_allclose(mean_losses(networks, examples, theta), expected, rtol=1e-5)


def test_weighted_mean_of_losses():
    examples = _examples()
    doubled = Part(
        np.concatenate([examples.X, examples.X[:100]]),
        np.concatenate([examples.y, examples.y[:100]]),
        np.concatenate([examples.weight, examples.weight[:100]]),
        2,
    )
    weight = examples.weight.copy()
    weight[:100] *= 2
    network = [_start(examples)]
    expected = mean_losses(network, replace(examples, weight=weight))
    np.testing.assert_allclose(mean_losses(network, doubled), expected, rtol=1e-6)


def test_huge_learning_rate_ends_in_numbers():
    examples = _examples()
    for activation in ("relu", "tanh", "swish"):
        networks, losses = _train(
            [_start(examples, 3, activation)], examples, Training(200, 1e3), validation=examples
        )
        assert np.isfinite(pack(networks)).all() and np.isfinite(losses).all()
