"""One node more: what it learns from, and what becomes of the nodes before it."""

from dataclasses import replace

import numpy as np
import pytest

from trisect.decisions import CostMatrix
from trisect.growth import TrainingData
from trisect.growth.nodes import LESSONS, Judged, NodeTraining
from trisect.network import Network, Part, Training, mean_losses

COSTS = CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])
NODES = NodeTraining("tanh", "uniform", Training(80, 0.02), 0.01, n_candidates=2, node_updates=40)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 2)).astype(np.float32)
PART = Part(X, (np.square(X).sum(axis=1) > 1.4).astype(np.int32), np.ones(300, np.float32), 2)
DATA = TrainingData(PART, PART)
# The probability of class 1 grows with the first column.
SLOPE = Network([[1.0, 0.0]], [0.0], [[0.0, 1.0]], [0.0, 0.0], "relu")


def test_unsure_is_what_lies_between_the_thresholds():
    judged = Judged.by(SLOPE, PART, COSTS)
    p = SLOPE.probabilities(X)[:, 1]
    assert np.array_equal(judged.wrong, (p > 0.5) != PART.y)
    assert np.array_equal(judged.unsure, (p > COSTS.beta) & (p < COSTS.alpha))


def test_of_a_selection_only_its_instances_are_judged():
    rows = np.array([7, 3, 250], dtype=np.int32)
    some, judged = Judged.by(SLOPE, PART.select(rows), COSTS), Judged.by(SLOPE, PART, COSTS)
    assert np.array_equal(some.wrong, judged.wrong[rows])
    assert np.array_equal(some.unsure, judged.unsure[rows])


def test_of_several_classes_the_predicted_one_has_to_be_sure():
    network = Network([[1.0, 0.0]], [0.0], [[0.0, 2.0, -1.0]], np.zeros(3), "relu")
    judged = Judged.by(network, replace(PART, n_classes=3), COSTS)
    p = network.probabilities(X).max(axis=1)
    assert np.array_equal(judged.unsure, (p > COSTS.beta) & (p < COSTS.alpha))


LOGITS = SLOPE.logits(X)


def _lesson(name, undecided, network=SLOPE, seed=0):
    nodes, rng = replace(NODES, lesson=name), np.random.default_rng(seed)
    return nodes.part_to_learn(PART, np.asarray(undecided, np.int32), network, rng)


@pytest.mark.parametrize("name", LESSONS)
def test_the_first_node_learns_from_everything(name):
    assert _lesson(name, range(300), network=None) is PART


def test_later_nodes_learn_from_the_undecided_on_top_of_the_network():
    rows = [3, 5, *range(100, 114)]
    lesson = _lesson("undecided", rows)
    assert lesson.rows.tolist() == rows
    assert np.array_equal(lesson.offset, LOGITS[rows])


def test_they_may_be_taught_the_decided_instead():
    lesson = _lesson("decided", range(16, 300))
    assert lesson.rows.tolist() == list(range(16))
    assert np.array_equal(lesson.offset, LOGITS[:16])


def test_or_as_many_at_random():
    one, same, other = (_lesson("random", range(40), seed=seed) for seed in (0, 0, 1))
    assert len(np.unique(one.rows)) == 40 and np.array_equal(one.offset, LOGITS[one.rows])
    assert np.array_equal(one.rows, same.rows) and not np.array_equal(one.rows, other.rows)


@pytest.mark.parametrize(
    ("name", "undecided"),
    [("undecided", range(15)), ("random", range(15)), ("decided", range(15, 300))],
)
def test_too_few_to_learn_from_leave_everything(name, undecided):
    lesson = _lesson(name, undecided)
    assert lesson.rows is None and len(lesson) == 300
    assert np.array_equal(lesson.offset, LOGITS)


def test_or_everything():
    lesson = _lesson("all", range(200))
    assert lesson.rows is None and np.array_equal(lesson.offset, LOGITS)


def test_without_the_joint_pass_the_nodes_before_stay_as_they_are():
    lesson = _lesson("undecided", np.flatnonzero(Judged.by(SLOPE, PART, COSTS).wrong))
    alone = replace(NODES, activation="relu", joint=False)
    grown = alone.add(SLOPE, DATA.train, lesson, DATA.validation, np.random.default_rng(0))
    assert grown.n_hidden == 2 and np.array_equal(grown.W1[0], SLOPE.W1[0])
    joint = replace(alone, joint=True).add(
        SLOPE, DATA.train, lesson, DATA.validation, np.random.default_rng(0)
    )
    assert joint.n_hidden == 2 and not np.array_equal(joint.W1[0], SLOPE.W1[0])


def test_a_joint_pass_that_overfits_ends_where_new_instances_say_it_was_best():
    rng = np.random.default_rng(1)
    # Twenty rows of noise are learned by heart; nothing can be said about others.
    few, others = (
        Part(
            rng.normal(size=(n, 30)).astype(np.float32),
            rng.integers(0, 2, n).astype(np.int32),
            np.ones(n, np.float32),
            2,
        )
        for n in (20, 2_000)
    )
    training = Training(300, 0.05)
    nodes = replace(NODES, activation="relu", l2=0.0, training=training, node_updates=1)
    watched, by_heart = (
        nodes.add(None, few, few, validation, np.random.default_rng(0))
        for validation in (others, few)
    )
    [loss], [without] = mean_losses([watched], others), mean_losses([by_heart], others)
    assert loss < 0.8 * without
