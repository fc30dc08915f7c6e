"""Growth to the letter of the paper: its levels follow from its nodes, one by one."""

from itertools import pairwise

import numpy as np
import pytest
from problems import ring

from trisect import STWDSFNNClassifier
from trisect.decisions import BND, NEG, POS, CostMatrix
from trisect.growth import Architecture, PaperGrowth, Progress, Rules, TrainingData
from trisect.network import Network, Part

# Deferring costs little, so that much is deferred and several levels are needed.
CHEAP = CostMatrix(pp=0, bp=0.02, np=0.9, pn=0.9, bn=0.02, nn=0)


def _data(X, y):
    X, y = np.asarray(X, np.float64), np.asarray(y, np.int32)
    part = Part(X, y, np.ones(len(y), np.float32), 2)
    return TrainingData(part, part)


def _rules(n_levels=4):
    units = np.arange(1.0, n_levels + 1)
    return Rules([CHEAP] * n_levels, units, units, granules=lambda X, rng: X[:, 0] > 0)


def coins(n, seed=0):
    """Labels that no node can learn, so that every level gets many of them wrong."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)), rng.integers(0, 2, size=n)


def _grow(data, rules, seed=0, **options):
    growth = PaperGrowth(max_epochs=20)
    return growth.grow(data, rules, Architecture(), np.random.default_rng(seed), **options)


def _node(network, i, b2):
    return Network(network.W1[[i]], network.b1[[i]], network.W2[[i]], b2, network.activation)


@pytest.fixture(scope="module", params=[(coins, 0), (coins, 1), (ring, 0), (ring, 1)])
def grown(request):
    problem, seed = request.param
    data, rules = _data(*problem(400)), _rules()
    return data, rules, _grow(data, rules, seed)


def test_every_level_follows_from_its_node_and_the_boundary_before(grown):
    data, rules, (levels, _, (scaling, _, _)) = grown
    X, y = scaling.transform(data.train.X), data.train.y
    boundary = np.arange(len(y))
    for i, level in enumerate(levels):
        node = _node(levels[-1].network, i, level.network.b2)
        wrong = node.logits(X[boundary]).argmax(axis=1) != y[boundary]
        undecided = Part(X[boundary], y[boundary], np.ones(len(boundary), np.float32), 2)
        verdict = rules.decide(undecided, wrong, i, np.random.default_rng(0))
        assert (level.n_instances, level.n_misclassified) == (len(boundary), wrong.sum())
        assert level.n_hard == len(boundary)
        assert [level.n_pos, level.n_bnd, level.n_neg] == [
            (verdict.regions == region).sum() for region in (POS, BND, NEG)
        ]
        assert level.result_cost == pytest.approx(verdict.result_cost)
        boundary = boundary[verdict.regions == BND]
    assert len(boundary) == 0


def test_the_boundary_region_is_handed_on(grown):
    levels = grown[2].levels
    assert len(levels) > 1
    for before, after in pairwise(levels):
        assert after.n_instances == before.n_bnd > 0
    assert levels[-1].n_bnd == 0


def test_nodes_are_stacked_under_the_output_bias_of_the_last(grown):
    levels = grown[2].levels
    assert [level.n_hidden for level in levels] == list(range(1, len(levels) + 1))
    for before, after in pairwise(level.network for level in levels):
        for name in ("W1", "b1", "W2"):
            assert np.array_equal(getattr(after, name)[:-1], getattr(before, name))
        assert not np.array_equal(after.b2, before.b2)


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
    class Stop(Progress):
        def __init__(self):
            self.heard = []

        def settled(self, settings):
            self.heard.append(settings)

        def begin(self, task):
            self.heard.append(task)

        def end(self, level=None):
            self.heard.append(level)
            return level.n_hidden == 2

    data, rules, progress = _data(*coins(400)), _rules(), Stop()
    assert len(_grow(data, rules).levels) == 4
    levels, best, settings = _grow(data, rules, progress=progress)
    assert len(levels) == 2 and best == 1
    assert progress.heard == [settings, "level", levels[0], "level", levels[1]]


@pytest.fixture(scope="module")
def model():
    X, y = ring(600)
    return STWDSFNNClassifier(PaperGrowth(max_epochs=20), costs=CHEAP, random_state=0).fit(X, y)


def test_the_last_level_is_kept(model):
    assert model.best_level_ == len(model.levels_) - 1
    assert model.network_ is model.levels_[-1].network
    assert model.n_hidden_ == len(model.levels_)


def test_what_is_left_open_is_standardised_features_and_tanh(model):
    assert (model.scaling_.kind, model.activation_, model.l2_) == ("standard", "tanh", 0.1)


def test_defaults_are_those_of_the_paper():
    growth = PaperGrowth()
    assert (growth.theta, growth.delta, growth.learning_rate) == (2, None, 0.1)


def test_delta_is_the_share_of_each_class():
    y, ones = np.repeat([0, 1], [3, 1]), np.ones(4)
    factors = PaperGrowth(delta="frequency").class_factors(y, 2, ones)
    assert factors == pytest.approx([1.2, 0.4]) and factors[y].mean() == pytest.approx(1)
    weighted = PaperGrowth(delta="frequency").class_factors(y, 2, np.array([1, 1, 1, 3]))
    assert weighted[0] == weighted[1]
    assert PaperGrowth().class_factors(y, 2, ones).tolist() == [1, 1]


def test_delta_favours_the_majority():
    X = np.random.default_rng(0).normal(size=(800, 1))
    y = (X[:, 0] + np.random.default_rng(1).normal(size=800) > 1.2).astype(int)
    assert y.mean() < 0.3
    rates = [
        STWDSFNNClassifier(PaperGrowth(delta=delta), max_levels=1, random_state=0)
        .fit(X, y)
        .predict_proba(X)[:, 1]
        .mean()
        for delta in ("frequency", None)
    ]
    assert rates[0] < rates[1]
