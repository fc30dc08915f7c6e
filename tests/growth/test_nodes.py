"""One node more: what it learns from, and what becomes of the nodes before it."""

from dataclasses import replace

import numpy as np
import pytest

from trisect.decisions import CostMatrix
from trisect.growth import TrainingData
from trisect.growth.nodes import Hard, NodeTraining
from trisect.network import Network, Part, Training, mean_losses

COSTS = CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])
NODES = NodeTraining("tanh", "uniform", Training(80, 0.02), 0.01, n_candidates=2, node_updates=40)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 2)).astype(np.float32)
PART = Part(X, (np.square(X).sum(axis=1) > 1.4).astype(np.int32), np.ones(300, np.float32), 2)
DATA = TrainingData(PART, PART)
# The probability of class 1 grows with the first column.
SLOPE = Network([[1.0, 0.0]], [0.0], [[0.0, 1.0]], [0.0, 0.0], "relu")


def test_hard_is_what_is_wrong_or_between_the_thresholds():
    hard = Hard.of(SLOPE, PART, COSTS)
    p = SLOPE.probabilities(X)[:, 1]
    assert np.array_equal(hard.logits, SLOPE.logits(X))
    assert np.array_equal(hard.wrong, (p > 0.5) != PART.y)
    assert np.array_equal(hard.unsure, (p > COSTS.beta) & (p < COSTS.alpha))
    assert hard.rows.tolist() == np.flatnonzero(hard.wrong | hard.unsure).tolist()


def test_of_several_classes_the_predicted_one_has_to_be_sure():
    network = Network([[1.0, 0.0]], [0.0], [[0.0, 2.0, -1.0]], np.zeros(3), "relu")
    hard = Hard.of(network, replace(PART, n_classes=3), COSTS)
    p = network.probabilities(X).max(axis=1)
    assert np.array_equal(hard.unsure, (p > COSTS.beta) & (p < COSTS.alpha))


def _hard(n):
    wrong = np.arange(300) < n
    return Hard(SLOPE.logits(X), wrong, np.zeros(300, bool))


def test_the_first_node_learns_from_everything():
    assert NODES.lesson(PART, None) is PART


def test_later_nodes_learn_from_the_hard_on_top_of_the_network():
    lesson = NODES.lesson(PART, _hard(16))
    assert lesson.rows.tolist() == list(range(16))
    assert np.array_equal(lesson.offset, SLOPE.logits(X)[:16])


@pytest.mark.parametrize(("hard_region", "n"), [(True, 15), (False, 200)])
def test_few_hard_instances_or_no_hard_region_leave_everything(hard_region, n):
    lesson = replace(NODES, hard_region=hard_region).lesson(PART, _hard(n))
    assert lesson.rows is None and len(lesson) == 300
    assert np.array_equal(lesson.offset, SLOPE.logits(X))


def test_without_the_joint_pass_the_nodes_before_stay_as_they_are():
    lesson = NODES.lesson(PART, Hard.of(SLOPE, PART, COSTS))
    alone = replace(NODES, activation="relu", joint=False)
    grown = alone.add(SLOPE, DATA, lesson, np.random.default_rng(0))
    assert grown.n_hidden == 2 and np.array_equal(grown.W1[0], SLOPE.W1[0])
    joint = replace(alone, joint=True).add(SLOPE, DATA, lesson, np.random.default_rng(0))
    assert joint.n_hidden == 2 and not np.array_equal(joint.W1[0], SLOPE.W1[0])


def test_polishing_keeps_the_network_that_nothing_betters():
    good = NODES.add(None, DATA, PART, np.random.default_rng(0))
    longer = NODES.polished(good, DATA, 400, np.random.default_rng(0))
    assert mean_losses([longer], PART)[0] < mean_losses([good], PART)[0]
    wild = replace(NODES, training=Training(80, learning_rate=1e3))
    assert wild.polished(longer, DATA, 5, np.random.default_rng(0)) is longer
