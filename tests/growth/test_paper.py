"""Readings of Algorithm 1: levels follow from nodes, one by one, and each reading matters."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from problems import ring

from trisect import STWDSFNNClassifier
from trisect.decisions import BND, NEG, POS, CostMatrix
from trisect.growth import Architecture, PaperGrowth, Progress, Rules, TrainingData
from trisect.growth.universe import Universe
from trisect.network import Network, Part, softmax

# Deferring costs little, so that much is deferred and several levels are needed.
CHEAP = CostMatrix(pp=0, bp=0.02, np=0.9, pn=0.9, bn=0.02, nn=0)


def _data(X, y):
    X, y = np.asarray(X, np.float64), np.asarray(y, np.int32)
    part = Part(X, y, np.ones(len(y), np.float32), 2)
    return TrainingData(part, part)


def _halves(X, level, parents, random_state):
    return X[:, 0] > 0


def _rules(n_levels=4, **options):
    units = np.arange(1.0, n_levels + 1)
    return Rules([CHEAP] * n_levels, units, units, granules=_halves, **options)


def coins(n, seed=0):
    """Labels that no node can learn, so that every level gets many of them wrong."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)), rng.integers(0, 2, size=n)


class Listener(Progress):
    """Notes settings, levels and networks; asks to stop after some levels."""

    def __init__(self, stop_after=99):
        self.heard, self.networks, self._stop_after = [], [], stop_after

    def settled(self, settings):
        self.heard.append(settings)

    def begin(self, task):
        self.heard.append(task)

    def end(self, level=None, network=None):
        self.heard.append(level)
        self.networks.append(network)
        return len(self.networks) == self._stop_after


def _grow(data, rules, seed=0, progress=None, **growth):
    growth = PaperGrowth(**({"max_epochs": 20} | growth))
    rng = np.random.default_rng(seed)
    return growth.grow(data, rules, Architecture(), rng, progress or Listener())


def _node(network, i, b2):
    return Network(network.W1[[i]], network.b1[[i]], network.W2[[i]], b2, network.activation)


def _stack(network, i, b2):
    nodes = slice(i + 1)
    return Network(network.W1[nodes], network.b1[nodes], network.W2[nodes], b2, network.activation)


JUDGES = {"alone": _node, "stacked": _stack}


@pytest.fixture(
    scope="module",
    params=[(p, s, n) for p in (coins, ring) for s in (0, 1) for n in JUDGES],
    ids=lambda param: f"{param[0].__name__}-{param[1]}-{param[2]}",
)
def grown(request):
    problem, seed, node = request.param
    data, rules, listener = _data(*problem(400)), _rules(), Listener()
    found = _grow(data, rules, seed, listener, node=node)
    return data, rules, found, listener.networks, JUDGES[node]


def test_every_level_follows_from_its_node_and_the_boundary_before(grown):
    data, rules, found, networks, judge = grown
    part = data.scaled(found.settings.scaling).train
    universe = Universe(part, rules)
    for i, (level, network) in enumerate(zip(found.levels, networks, strict=True)):
        boundary = universe.rows
        judged = judge(found.network, i, network.b2)
        wrong = judged.logits(part.X[boundary]).argmax(axis=1) != part.y[boundary]
        verdict = universe.sort(wrong, i, np.random.default_rng(0))
        assert (level.n_instances, level.n_misclassified) == (len(boundary), wrong.sum())
        assert [level.n_pos, level.n_bnd, level.n_neg] == [
            (verdict.regions == region).sum() for region in (POS, BND, NEG)
        ]
        assert level.result_cost == pytest.approx(verdict.result_cost)
    assert len(universe) == 0
    assert np.array_equal(universe.settlement.codes, found.settlement.codes)


def test_the_boundary_region_is_handed_on(grown):
    levels = grown[2].levels
    assert len(levels) > 1
    for before, after in pairwise(levels):
        assert after.n_instances == before.n_bnd > 0
    assert levels[-1].n_bnd == 0


def test_nodes_are_stacked_and_the_last_network_is_kept(grown):
    found, networks = grown[2:4]
    assert [network.n_hidden for network in networks] == list(range(1, len(networks) + 1))
    for before, after in pairwise(networks):
        for name in ("W1", "b1", "W2"):
            assert np.array_equal(getattr(after, name)[:-1], getattr(before, name))
        assert not np.array_equal(after.b2, before.b2)
    assert found.network is networks[-1] and found.best_level == len(networks) - 1


def test_scores_and_read_outs_are_those_of_the_stack_at_each_level(grown):
    data, _, found, networks, _ = grown
    validation = data.scaled(found.settings.scaling).validation
    margins = found.read_outs.margins(found.network.hidden(validation.X))
    for level, network, margin in zip(found.levels, networks, margins, strict=True):
        logits = network.logits(validation.X)
        np.testing.assert_allclose(margin, logits[:, 1] - logits[:, 0], atol=1e-4)
        p = softmax(logits.astype(np.float64))[np.arange(400), validation.y]
        assert level.validation_score == pytest.approx(np.log(p).mean(), rel=1e-4)


def test_a_border_that_one_node_draws_needs_one_level():
    X = np.concatenate([np.linspace(-3, -1, 51), np.linspace(1, 3, 50)])[:, None]
    [level] = _grow(_data(X, X[:, 0] > 0), _rules()).levels
    assert (level.n_pos, level.n_neg, level.n_misclassified) == (50, 51, 0)
    assert level.result_cost == level.test_cost == level.delay_cost == 0


def test_pure_granules_end_growth_at_one_node():
    # Of one point 60 instances are positive and 40 are not; a node can only answer one
    # thing, so that it is wrong on the 40, which are alike and all negative.
    [level] = _grow(_data(np.zeros((100, 1)), np.arange(100) < 60), _rules()).levels
    assert (level.n_misclassified, level.n_pos, level.n_neg) == (40, 60, 40)
    assert level.result_cost == 0


def test_a_single_level_decides_two_ways():
    [level] = _grow(_data(*coins(400)), _rules(n_levels=1)).levels
    assert level.n_misclassified > 0 and level.n_bnd == 0


def test_progress_hears_of_settings_and_levels_and_may_end_growth():
    data, rules, progress = _data(*coins(400)), _rules(), Listener(stop_after=2)
    assert len(_grow(data, rules).levels) == 4
    found = _grow(data, rules, progress=progress)
    levels = found.levels
    assert len(levels) == 2 and found.best_level == 1
    assert progress.heard == [found.settings, "level", levels[0], "level", levels[1]]


@pytest.fixture(scope="module")
def model():
    X, y = ring(600)
    return STWDSFNNClassifier(PaperGrowth(max_epochs=20), costs=CHEAP, random_state=0).fit(X, y)


def test_the_last_level_is_kept(model):
    assert model.best_level_ == len(model.levels_) - 1
    assert model.n_hidden_ == len(model.levels_)


def test_what_is_left_open_is_standardised_features_and_tanh(model):
    assert (model.scaling_.kind, model.activation_, model.l2_) == ("standard", "tanh", 0.1)


def test_defaults_are_those_of_the_paper():
    growth = PaperGrowth()
    assert (growth.theta, growth.delta, growth.learning_rate) == (2, "frequency", 0.1)
    assert (growth.l2, growth.batch_size) == (0.1, 512)


def test_delta_is_the_share_of_each_class():
    y, ones = np.repeat([0, 1], [3, 1]), np.ones(4)
    factors = PaperGrowth().class_factors(y, 2, ones)
    assert factors == pytest.approx([1.2, 0.4]) and factors[y].mean() == pytest.approx(1)
    weighted = PaperGrowth().class_factors(y, 2, np.array([1, 1, 1, 3]))
    assert weighted[0] == weighted[1]
    assert PaperGrowth(delta=None).class_factors(y, 2, ones).tolist() == [1, 1]


def _skewed(n=800):
    """A border that noise blurs, and a class that is three times as common as the other."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2))
    return X, (X[:, 0] + rng.normal(size=n) > 1).astype(int)


def test_delta_favours_the_majority():
    X, y = _skewed()
    assert y.mean() < 0.3
    rates = [
        STWDSFNNClassifier(PaperGrowth(delta=delta), max_levels=1, random_state=0)
        .fit(X, y)
        .predict_proba(X)[:, 1]
        .mean()
        for delta in ("frequency", None)
    ]
    assert rates[0] < rates[1]


READINGS = [
    {"delta": None},
    {"l2_per": "instance"},
    {"node": "stacked"},
    {"watch": "boundary"},
    {"watch": None},
]


@pytest.mark.parametrize("reading", READINGS, ids=str)
def test_every_reading_changes_the_network(reading):
    X, y = ring(405)  # one class has an instance more
    default, other = (
        STWDSFNNClassifier(
            PaperGrowth(**({"max_epochs": 30} | options)),
            max_levels=3, costs=CHEAP, n_granules=1, random_state=1,
        ).fit(X, y)
        for options in ({}, reading)
    )  # fmt: skip
    assert len(default.levels_) > 1
    assert not np.array_equal(default.predict_proba(X), other.predict_proba(X))


def test_an_l2_weight_per_instance_shrinks_the_weights_more():
    X, y = _skewed(400)
    sizes = [
        np.square(_grow(_data(X, y), _rules(1), l2_per=per).network.W1).sum()
        for per in ("batch", "instance")
    ]
    assert sizes[1] < 0.5 * sizes[0]


@pytest.mark.parametrize(
    ("watch", "epochs"), [("validation", range(10, 60)), ("boundary", range(10, 60)), (None, [60])]
)
def test_watching_validation_data_ends_the_training_of_a_node(watch, epochs):
    class Epochs(Listener):
        listening = True
        n_epochs = 0

        def epoch(self):
            self.n_epochs += 1
            return False

    progress = Epochs()
    _grow(_data(*coins(400)), _rules(1), progress=progress, watch=watch, max_epochs=60)
    assert progress.n_epochs in epochs


def test_validation_data_that_nobody_misses_are_watched_as_a_whole():
    # Two sides that one node tells apart, and coins between them, which do not validate.
    sides = np.repeat([-3.0, 3.0], 60)
    middle = np.random.default_rng(0).normal(scale=0.3, size=80)
    coins_of_middle = np.arange(80) % 2
    train = _data(np.append(sides, middle)[:, None], np.append(sides > 0, coins_of_middle)).train
    validation = _data(sides[:, None], sides > 0).train
    rules = replace(_rules(), granules="bins", n_granules=1)
    whole, boundary = (
        _grow(TrainingData(train, validation), rules, watch=watch)
        for watch in ("validation", "boundary")
    )
    assert len(whole.levels) > 1
    assert np.array_equal(whole.network.W1, boundary.network.W1)
