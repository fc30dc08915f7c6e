"""Refined growth: what its levels record, and that it learns what one node cannot."""

from itertools import pairwise

import numpy as np
import pytest
from problems import bands, ring, xor

from trisect import STWDSFNNClassifier
from trisect.growth import RefinedGrowth

QUICK = {"joint_updates": 150, "polish_updates": 100, "node_updates": 50, "l2": 0.01}


def _model(max_levels=5, costs="random", random_state=0, **growth):
    return STWDSFNNClassifier(
        RefinedGrowth(**(QUICK | growth)), max_levels=max_levels, costs=costs,
        scale="standard", activation="tanh", random_state=random_state,
    )  # fmt: skip


@pytest.fixture(scope="module", params=[ring, bands], ids=["two classes", "three classes"])
def model(request):
    return _model().fit(*request.param(800))


def test_each_level_adds_one_node(model):
    assert [level.n_hidden for level in model.levels_] == list(range(1, len(model.levels_) + 1))
    assert 1 < len(model.levels_) <= 5


def test_every_instance_of_the_universe_is_in_one_region(model):
    for level in model.levels_:
        assert level.n_pos + level.n_bnd + level.n_neg == level.n_instances
        assert 0 <= level.n_misclassified <= level.n_instances


def test_the_universe_shrinks_to_what_was_deferred(model):
    assert model.levels_[0].n_instances == (model.settlement_.levels > 0).sum()
    for before, after in pairwise(model.levels_):
        assert before.n_instances >= before.n_bnd == after.n_instances > 0
    assert model.levels_[-1].n_bnd == 0


def test_thresholds_nest(model):
    thresholds = [(level.beta, level.gamma, level.alpha) for level in model.levels_]
    for (beta, _, alpha), (next_beta, next_gamma, next_alpha) in pairwise(thresholds):
        assert beta <= next_beta < next_alpha <= alpha
        assert beta < next_gamma < alpha


def test_process_costs_follow_from_the_misclassified(model):
    wrong = np.array([level.n_misclassified for level in model.levels_])
    costs = wrong * np.linspace(1, 50, 5)[: len(wrong)]
    assert [level.test_cost for level in model.levels_] == np.cumsum(costs).tolist()
    assert [level.delay_cost for level in model.levels_] == pytest.approx(
        np.maximum.accumulate(costs).tolist()
    )


def test_the_kept_network_is_that_of_the_best_level(model):
    level = model.levels_[model.best_level_]
    assert model.n_hidden_ == level.n_hidden == model.coefs_[0].shape[1]


def test_the_last_of_all_levels_defers_nothing():
    X, _ = ring(300)
    labels = np.random.default_rng(1).integers(0, 2, size=300)
    levels = _model(3).fit(X, labels).levels_
    assert [level.n_bnd > 0 for level in levels] == [True, True, False]


def test_growth_ends_when_nothing_is_deferred():
    # Two far blobs and thresholds near one half: one node decides all with certainty.
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 150)
    X = rng.normal(size=(300, 2)) + 20.0 * y[:, None]
    model = _model(costs=[[0, 0.45, 0.9], [0.9, 0.4, 0]], l2=1e-4).fit(X, y)
    [level] = model.levels_
    assert model.score(X, y) == 1
    assert (level.n_misclassified, level.n_bnd) == (0, 0)
    assert level.n_pos == level.n_neg == level.n_instances / 2


@pytest.mark.parametrize("seed", range(2))
def test_xor_needs_at_most_four_nodes(seed):
    model = STWDSFNNClassifier(max_levels=4, random_state=seed).fit(*xor())
    assert model.n_hidden_ <= 4
    assert model.score(*xor(seed=1)) >= 0.97


def test_ring_by_several_nodes_and_by_one():
    one, several = (
        _model(n, joint_updates=400).fit(*ring(1000)).score(*ring(1000, seed=1)) for n in (1, 8)
    )
    assert several > 0.95 and several > one + 0.2


def test_three_classes():
    model = STWDSFNNClassifier(max_levels=4, random_state=0).fit(*bands(800))
    X_test, y_test = bands(seed=1)
    assert model.score(X_test, y_test) > 0.95
    assert model.predict_proba(X_test).shape == (1500, 3)


@pytest.mark.parametrize(
    "option",
    [
        {"lesson": "all"},
        {"lesson": "random"},
        {"lesson": "decided"},
        {"joint": False},
        {"n_candidates": 1},
    ],
    ids=str,
)
def test_parameters_of_growth_change_the_network(option):
    X, y = ring(2000)
    default, other = (_model(2, selection="last", **extra).fit(X, y) for extra in ({}, option))
    assert not np.array_equal(default.network_.W1, other.network_.W1)


def test_rivals_do_not_hurt_the_first_node():
    # Of several rivals the one with the lowest training loss joins.
    X, y = xor(1200)
    options = {"joint": False, "polish_updates": 0, "node_updates": 100}

    def loss(n_candidates, seed):
        model = _model(1, n_candidates=n_candidates, random_state=seed, **options)
        return -model.fit(X, y).levels_[0].validation_score

    assert np.mean([loss(8, s) for s in range(8)]) < np.mean([loss(1, s) for s in range(8)])


def test_polishing_never_lowers_the_validation_score():
    X, y = ring(800)
    plain, polished = (_model(4, polish_updates=n, l2=0.1).fit(X, y) for n in (0, 300))
    assert plain.best_level_ == polished.best_level_
    scores = [m.levels_[m.best_level_].validation_score for m in (plain, polished)]
    assert scores[1] > scores[0]


def test_selection_decides_which_level_is_kept():
    X, y = ring(600)
    best, last, one_se = (
        _model(4, selection=rule, polish_updates=0).fit(X, y) for rule in ("best", "last", "one_se")
    )
    scores = [level.validation_score for level in best.levels_]
    assert best.best_level_ == np.argmax(scores)
    assert last.best_level_ == len(scores) - 1
    assert one_se.best_level_ <= best.best_level_


def test_tasks_are_the_levels_and_the_polish():
    assert RefinedGrowth().n_tasks(10) == 11
    assert RefinedGrowth(polish_updates=0).n_tasks(10) == 10


@pytest.mark.parametrize("seed", range(2))
def test_growth_does_not_end_before_anything_is_learned(seed):
    """The sign of a product of three: no node alone is better than chance."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(8000, 3))
    y = (np.prod(X, axis=1) > 0).astype(int)
    model = STWDSFNNClassifier(random_state=seed).fit(X[:6000], y[:6000])
    chance = np.log(2)
    learned = [-level.validation_score < 0.99 * chance for level in model.levels_]
    for level, knows in zip(model.levels_, np.maximum.accumulate(learned), strict=True):
        assert knows or level.n_bnd == level.n_instances
    assert model.score(X[6000:], y[6000:]) > 0.95
