"""Refined growth: what its levels record, and that it learns what one node cannot."""

from itertools import pairwise

import numpy as np
import pytest
from problems import bands, ring, xor

from trisect import STWDSFNNClassifier
from trisect.network import softmax

QUICK = {"joint_updates": 150, "polish_updates": 100, "node_updates": 50}


@pytest.fixture(scope="module", params=["two classes", "three classes"])
def model(request):
    X, y = ring(800) if request.param == "two classes" else bands(800)
    return STWDSFNNClassifier(max_levels=5, l2=0.01, scale="standard", random_state=0, **QUICK).fit(
        X, y
    )


def test_each_level_adds_one_node(model):
    assert [level.n_hidden for level in model.levels_] == list(range(1, len(model.levels_) + 1))
    assert 1 < len(model.levels_) <= 5


def test_every_instance_is_in_one_region(model):
    for level in model.levels_:
        assert level.n_pos + level.n_bnd + level.n_neg == level.n_instances
        assert 0 <= level.n_misclassified <= level.n_instances
        assert level.n_instances == model.levels_[0].n_instances


def test_thresholds_nest(model):
    thresholds = [(level.beta, level.gamma, level.alpha) for level in model.levels_]
    for (beta, _, alpha), (next_beta, next_gamma, next_alpha) in pairwise(thresholds):
        assert beta <= next_beta < next_alpha <= alpha
        assert beta < next_gamma < alpha


def test_process_costs_follow_from_the_misclassified(model):
    wrong = np.array([level.n_misclassified for level in model.levels_])
    unit = np.linspace(1, 50, 5)[: len(wrong)]
    assert [level.test_cost for level in model.levels_] == np.cumsum(wrong * unit).tolist()
    assert [level.delay_cost for level in model.levels_] == pytest.approx(
        np.maximum.accumulate(wrong * unit).tolist()
    )
    assert (np.diff([level.test_cost for level in model.levels_]) >= 0).all()


def test_the_last_of_all_levels_defers_nothing(model):
    if len(model.levels_) == 5:
        assert model.levels_[-1].n_bnd == 0


def test_the_first_level_trains_on_everything_and_later_ones_on_what_is_hard(model):
    hard = [level.n_hard for level in model.levels_]
    assert hard[0] == model.levels_[0].n_instances
    assert max(hard[1:]) <= hard[0] and hard[-1] < hard[0]


def test_hard_instances_are_the_wrong_and_the_unsure():
    X, y = ring(900)
    X_val, y_val = ring(200, seed=1)
    model = STWDSFNNClassifier(
        max_levels=3, l2=0.01, scale="standard", random_state=0, selection="last", **QUICK
    ).fit(X, y, X_val=X_val, y_val=y_val)
    for level, following in pairwise(model.levels_):
        p = softmax(level.network.logits(model.scaling_.transform(X)))
        wrong = p.argmax(axis=1) != y
        unsure = (p[:, 1] > level.beta) & (p[:, 1] < level.alpha)
        assert level.n_misclassified == wrong.sum()
        assert following.n_hard == (wrong | unsure).sum()


def test_growth_stops_when_nothing_is_difficult():
    # Two far blobs and thresholds near one half: one node decides all with certainty.
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 150)
    X = rng.normal(size=(300, 2)) + 20.0 * y[:, None]
    costs = [[0, 0.45, 0.9], [0.9, 0.4, 0]]
    model = STWDSFNNClassifier(costs=costs, l2=1e-4, random_state=0, **QUICK).fit(X, y)
    assert len(model.levels_) == 1 and model.score(X, y) == 1
    level = model.levels_[0]
    assert (level.n_misclassified, level.n_bnd) == (0, 0)
    assert level.n_pos == level.n_neg == level.n_instances / 2


def test_the_kept_network_is_that_of_the_best_level(model):
    level = model.levels_[model.best_level_]
    assert level.network is model.network_
    assert model.n_hidden_ == level.n_hidden == model.coefs_[0].shape[1]


def test_xor_needs_at_most_four_nodes():
    X, y = xor()
    X_test, y_test = xor(seed=1)
    for seed in range(3):
        model = STWDSFNNClassifier(max_levels=4, random_state=seed).fit(X, y)
        assert model.n_hidden_ <= 4
        assert model.score(X_test, y_test) >= 0.97


def test_ring_by_several_nodes_and_by_one():
    X, y = ring()
    X_test, y_test = ring(seed=1)
    scores = [
        STWDSFNNClassifier(max_levels=n, scale="standard", random_state=0)
        .fit(X, y)
        .score(X_test, y_test)
        for n in (1, 8)
    ]
    assert scores[1] > 0.95 and scores[1] > scores[0] + 0.2


def test_three_classes():
    X, y = bands()
    X_test, y_test = bands(seed=1)
    model = STWDSFNNClassifier(random_state=0).fit(X, y)
    assert model.score(X_test, y_test) > 0.95
    assert model.predict_proba(X_test).shape == (1500, 3)


@pytest.mark.parametrize("option", [{"joint": False}, {"hard_region": False}, {"n_candidates": 1}])
def test_options_of_growth_change_the_network(option):
    X, y = ring(400)
    common = {"max_levels": 2, "l2": 0.1, "scale": "standard", "random_state": 0, **QUICK}
    default = STWDSFNNClassifier(selection="last", **common).fit(X, y)
    other = STWDSFNNClassifier(selection="last", **common, **option).fit(X, y)
    assert not np.array_equal(default.network_.W1, other.network_.W1)


def test_rivals_do_not_hurt_the_first_node():
    # Of several rivals the one with the lowest training loss joins.
    X, y = xor(1200)
    common = {"max_levels": 1, "l2": 0.01, "scale": "standard", "joint": False}
    common |= {"polish_updates": 0, "node_updates": 100}

    def loss(n_candidates, seed):
        model = STWDSFNNClassifier(**common, n_candidates=n_candidates, random_state=seed)
        return -model.fit(X, y).levels_[0].validation_score

    assert np.mean([loss(8, s) for s in range(8)]) < np.mean([loss(1, s) for s in range(8)])


def test_polishing_never_lowers_the_validation_score():
    X, y = ring(800)
    common = {"max_levels": 4, "l2": 0.1, "scale": "standard", "random_state": 0}
    plain = STWDSFNNClassifier(**common, **(QUICK | {"polish_updates": 0})).fit(X, y)
    polished = STWDSFNNClassifier(**common, **(QUICK | {"polish_updates": 300})).fit(X, y)
    assert plain.best_level_ == polished.best_level_
    scores = [m.levels_[m.best_level_].validation_score for m in (plain, polished)]
    assert scores[1] > scores[0]


@pytest.mark.parametrize("selection", ["best", "last", "one_se"])
def test_selection(selection):
    X, y = ring(600)
    model = STWDSFNNClassifier(
        max_levels=4, l2=0.1, scale="standard", random_state=0, selection=selection,
        **(QUICK | {"polish_updates": 0}),
    ).fit(X, y)  # fmt: skip
    scores = [level.validation_score for level in model.levels_]
    if selection == "last":
        assert model.best_level_ == len(model.levels_) - 1
    elif selection == "best":
        assert model.best_level_ == int(np.argmax(scores))
    else:
        assert model.best_level_ <= int(np.argmax(scores))
