"""Growth to the letter of the paper, with nodes that are told what to get wrong."""

from itertools import pairwise

import numpy as np
import pytest
from problems import ring

from trisect import STWDSFNNClassifier
from trisect.decisions import CostMatrix, nested
from trisect.growth import Deciding, PaperGrowth, Progress
from trisect.network import Examples, Network

COSTS = CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])
CHAIN = nested(COSTS, 4)
ONE_GRANULE = Deciding(lambda X, random_state: np.zeros(len(X), int), 1, 2.0)


def _examples(y):
    y = np.asarray(y, np.int32)
    X = np.arange(len(y), dtype=np.float32)[:, None]
    return Examples(X, y, np.ones(len(y), np.float32), 2)


def _constant(label):
    """A node that always answers the same."""
    b2 = np.array([0.0, 1.0 if label else -1.0])
    return Network(np.zeros((1, 1)), np.zeros(1), np.zeros((1, 2)), b2, "tanh")


def _bump(low, high):
    """Two nodes that answer 1 between low and high, and 0 elsewhere."""
    W1, b1 = np.full((2, 1), 50.0), -50.0 * np.array([low, high])
    return Network(W1, b1, np.array([[0.0, 9.0], [0.0, -9.0]]), np.array([0.0, -4.5]), "sigmoid")


def _contrary(y):
    """A node that is wrong on every instance, where zeros come first and then ones."""
    b1 = np.array([0.5 - np.count_nonzero(y == 0)])
    return Network(np.ones((1, 1)), b1, np.array([[50.0, -50.0]]), np.zeros(2), "tanh")


def _grow(examples, nodes, deciding=ONE_GRANULE, chain=CHAIN, progress=None):
    trained_on, nodes = [], list(nodes)

    def train_node(rows):
        trained_on.append(rows.tolist())
        return nodes[len(trained_on) - 1]

    unit = np.arange(1.0, len(chain) + 1)
    growth = PaperGrowth(chain, unit, unit, deciding)
    arguments = () if progress is None else (progress,)
    levels = growth.levels(examples, examples, train_node, np.random.default_rng(0), *arguments)
    return levels, trained_on


def test_the_boundary_region_is_handed_on():
    # The first node errs everywhere but on the first two instances; the others form one
    # granule with p = 4/6, which lies between the thresholds.
    examples = _examples([0, 0, 0, 0, 1, 1, 1, 1])
    assert CHAIN[0].beta < 4 / 6 < CHAIN[0].alpha
    levels, trained_on = _grow(examples, [_bump(1.5, 3.5), _constant(1)])
    assert trained_on == [list(range(8)), [2, 3, 4, 5, 6, 7]]
    # The second node errs on two zeros, one granule with p = 0: rejected, and growth ends.
    assert [(level.n_pos, level.n_bnd, level.n_neg) for level in levels] == [(0, 6, 2), (4, 0, 2)]
    assert [level.n_misclassified for level in levels] == [6, 2]


def test_growth_stops_when_the_boundary_is_empty():
    levels, trained_on = _grow(_examples([1, 1, 1]), [_constant(1)])
    assert len(levels) == len(trained_on) == 1
    assert levels[0].n_pos == 3 and levels[0].result_cost == 0


def test_pure_granules_end_growth_at_one_node():
    levels, _ = _grow(_examples([0, 0, 1]), [_constant(1)])
    assert len(levels) == 1
    assert (levels[0].n_pos, levels[0].n_neg) == (1, 2)


def test_the_last_level_decides_two_ways():
    y = np.repeat([0, 1], 4)
    node = _contrary(y)
    examples = _examples(y)
    assert (node.logits(examples.X).argmax(axis=1) != y).all()
    levels, trained_on = _grow(examples, [node] * 4)
    assert len(levels) == len(CHAIN) == len(trained_on)
    # p = .5 is deferred until the last level accepts it, as gamma is below .5.
    assert CHAIN[-1].gamma < 0.5
    assert [level.n_bnd for level in levels] == [8, 8, 8, 0]
    assert levels[-1].n_pos == 8
    assert [level.n_hidden for level in levels] == [1, 2, 3, 4]
    assert levels[-1].test_cost == 8 * (1 + 2 + 3 + 4) and levels[-1].delay_cost == 8 * 4


def test_a_single_level_decides_two_ways():
    y = np.repeat([0, 1], 4)
    levels, _ = _grow(_examples(y), [_contrary(y)], chain=[COSTS])
    assert levels[0].n_bnd == 0


def test_progress_may_end_growth():
    class Stop(Progress):
        def end_level(self, level):
            return level.n_hidden == 2

    y = np.repeat([0, 1], 4)
    levels, _ = _grow(_examples(y), [_contrary(y)] * 4, progress=Stop())
    assert len(levels) == 2


@pytest.fixture(scope="module")
def model():
    X, y = ring(600)
    costs = [[0, 0.02, 0.9], [0.9, 0.02, 0]]
    return STWDSFNNClassifier(
        "paper", costs=costs, max_levels=4, max_epochs=20, random_state=0
    ).fit(X, y)


def test_levels_of_a_fit(model):
    levels = model.levels_
    assert len(levels) > 1
    for before, after in pairwise(levels):
        assert after.n_instances == after.n_hard == before.n_bnd <= before.n_misclassified
        assert after.n_hidden == before.n_hidden + 1
    for level in levels:
        assert level.n_pos + level.n_bnd + level.n_neg == level.n_instances
    assert levels[-1].n_bnd == 0 or len(levels) == 4


def test_the_last_level_is_kept(model):
    assert model.best_level_ == len(model.levels_) - 1
    assert model.network_ is model.levels_[-1].network
    assert model.n_hidden_ == len(model.levels_)


def test_settings_of_the_paper(model):
    assert model.l2_ == 0.1 and model.scaling_.kind == "standard"
    assert model._training(1).theta == 2 and model._training(1).learning_rate == 0.1
