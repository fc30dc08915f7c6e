"""The last training: under which penalty, of how many nodes, and on which rows."""

import threading
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from trisect.growth import TrainingData
from trisect.growth.polish import (
    LEAST_BRIEFLY,
    LEAST_UPDATES,
    UPDATES_IF_BENT,
    Polish,
)
from trisect.growth.progress import Progress
from trisect.network import Part, Training, initial_network, mean_losses, train
from trisect.network.threads import using_threads
from trisect.scaling import fit_scaling
from trisect.scaling.positions import MANY

TRAINING = Training(400, 0.02)


def _part(X, y, knots=None):
    return Part(X, y.astype(np.int32), np.ones(len(y), np.float32), 2, knots=knots)


def _data(label, n_columns, n_train=600, n_validation=300, seed=0):
    """Scaled draws of a problem, and a large part to test on."""
    X = np.random.default_rng(seed).normal(size=(n_train + n_validation + 5000, n_columns))
    y = label(X)
    scaling = fit_scaling(X[:n_train], "curves", np.random.default_rng(0))
    part = _part(scaling.transform(X), y, scaling.positions)
    ends = np.cumsum([0, n_train, n_validation, 5000])
    train, validation, test = (
        replace(part, X=part.X[i:j], y=part.y[i:j], weight=part.weight[i:j])
        for i, j in pairwise(ends)
    )
    return TrainingData(train, validation), test


def _network(part, n_hidden, seed=0):
    rng = np.random.default_rng(seed)
    return initial_network(part.n_features, n_hidden, 2, "relu", "uniform", rng, part.knots)


def _polished(networks, data, l2=None, training=TRAINING, value=None):
    return Polish(training, l2)(networks, data, np.random.default_rng(0), value)


def _few_of_many(X):
    return X[:, 0] * X[:, 1] + 0.3 * X[:, 2] > 0


def test_the_penalty_that_is_found_beats_one_that_is_far_too_weak_or_too_strong():
    data, test = _data(_few_of_many, n_columns=30)
    network = _network(data.train, 8)
    found, weak, strong = (
        mean_losses([_polished([network], data, l2).network], test)[0] for l2 in (None, 1e-3, 300)
    )
    assert found < 0.9 * min(weak, strong)


def test_columns_that_say_nothing_are_silenced():
    data, _ = _data(_few_of_many, n_columns=30)
    network = _polished([_network(data.train, 8)], data).network
    share = np.abs(network.gates.of_all) / np.abs(network.gates.of_all).max()
    assert share[:3].min() > 10 * np.median(share[3:])


def test_a_smaller_network_is_kept_if_it_is_as_good():
    data, _ = _data(lambda X: X.sum(axis=1) > 0, n_columns=4)
    small = _network(data.train, 1)
    useless = replace(_network(data.train, 1, seed=1), W2=np.zeros((1, 2)))
    both = [small, small.with_node(useless)]
    assert _polished(both, data, value=lambda network, _: network.n_hidden).which == 0
    assert _polished(both, data, value=lambda network, _: -network.n_hidden).which == 1


def test_a_larger_network_is_kept_if_the_problem_needs_it():
    data, test = _data(lambda X: X[:, 0] * X[:, 1] > 0, n_columns=2)
    candidates = [_network(data.train, 1), _network(data.train, 8)]
    kept = _polished(candidates, data)
    assert kept.which == 1 and kept.network.n_hidden == 8
    assert mean_losses([kept.network], test)[0] < 0.3


def test_a_rate_that_leads_astray_leaves_the_network_as_it_was():
    data, _ = _data(lambda X: X.sum(axis=1) > 0, n_columns=4)
    network = _polished([_network(data.train, 2)], data).network
    kept = _polished([network], data, training=replace(TRAINING, learning_rate=1e3))
    assert kept.network is network
    assert kept.loss == pytest.approx(mean_losses([network], data.validation)[0])


def test_what_was_held_back_is_learned_from_in_the_end():
    data, _ = _data(lambda X: X[:, 0] > 0, n_columns=2, n_train=60, n_validation=600)
    network = _network(data.train, 4)
    kept = _polished([network], data, l2=0.01)
    short = _polished([network], replace(data, validation=data.train), l2=0.01)
    assert mean_losses([kept.network], data.validation)[0] < 0.8 * mean_losses(
        [short.network], data.validation
    )


def test_opened_gates_change_nothing_that_a_network_says():
    data, _ = _data(_few_of_many, n_columns=5)
    network = _polished([_network(data.train, 4)], data, l2=0.05).network
    opened = network.with_open_gates()
    assert np.all(opened.gates.of_nodes == 1) and np.all(opened.gates.of_all == 1)
    assert not np.all(network.gates.of_all == 1)
    np.testing.assert_allclose(
        opened.logits(data.train.X), network.logits(data.train.X), rtol=1e-4, atol=1e-4
    )


class _Ending(Progress):
    """Ends the third training at its second epoch, and notes who reported."""

    listening = True

    def __init__(self):
        self.threads = []

    def epoch(self):
        self.threads.append(threading.get_ident())
        return len(self.threads) == 42


@pytest.mark.parametrize("n_threads", [2, 3])
def test_threads_make_the_same_trainings_to_the_same_network(n_threads, monkeypatch):
    data, _ = _data(_few_of_many, n_columns=30)
    networks = [_network(data.train, 3), _network(data.train, 8)]
    made = []

    def count(networks, part, training, *args, l2, **kwargs):
        made.append((networks[0].n_hidden, training.gates, training.bends, l2, training.updates))
        return train(networks, part, training, *args, l2=l2, **kwargs)

    monkeypatch.setattr("trisect.growth.polish.train", count)
    one = _polished(networks, data)
    alone = sorted(made)
    made.clear()
    with using_threads(n_threads):
        several = _polished(networks, data)
    assert sorted(made) == alone
    assert several.which == one.which and several.loss == one.loss
    assert np.array_equal(several.network.W1, one.network.W1)


def test_who_listens_hears_the_same_epochs_whatever_the_threads_and_may_end_one():
    data, _ = _data(_few_of_many, n_columns=30)
    networks = [_network(data.train, 3), _network(data.train, 8)]
    heard, kept = [], []
    for n_threads in (1, 2):
        progress = _Ending()
        with using_threads(n_threads):
            polish = Polish(TRAINING)
            kept.append(polish(networks, data, np.random.default_rng(0), progress=progress))
        heard.append(progress.threads)
    assert len(heard[0]) == len(heard[1]) > 42
    assert set(heard[1]) == {threading.get_ident()}
    assert np.array_equal(kept[0].network.W1, kept[1].network.W1)


@pytest.mark.parametrize(
    ("n_columns", "compared"), [(MANY, LEAST_BRIEFLY), (MANY + 1, UPDATES_IF_BENT)]
)
def test_many_curves_are_compared_after_all_of_a_short_training(n_columns, compared, monkeypatch):
    data, _ = _data(_few_of_many, n_columns)
    updates = []

    def note(networks, part, training, *args, **kwargs):
        updates.append(training.updates)
        return networks, None

    monkeypatch.setattr("trisect.growth.polish.train", note)
    _polished([_network(data.train, 2)], data, training=Training(5_000, 0.02))
    assert updates[0] == compared
    # Nothing was learned, so that in the end as many are made as pay for so few rows.
    assert updates[-1] == LEAST_UPDATES
