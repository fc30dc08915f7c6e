"""Fixed thresholds: the draw, the rule for few mistakes, and when growth ends."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_moons
from sklearn.model_selection import train_test_split

from trisect import CostMatrix, STWDSFNNClassifier, TWDSFNNClassifier
from trisect.decisions import BND
from trisect.estimators.twd_sfnn import draw_costs
from trisect.growth import Deciding
from trisect.network import Examples

COSTS = CostMatrix(pp=0, bp=0.1, np=0.9, pn=0.9, bn=0.1, nn=0)
QUICK = {"joint_updates": 150, "node_updates": 50, "polish_updates": 0}
MOONS = make_moons(800, noise=0.3, random_state=0)
SPLIT = train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)


def test_thresholds_of_the_drawn_costs_are_the_drawn_ones():
    for seed in range(2000):
        costs = draw_costs(np.random.default_rng(seed))
        drawn = np.sort(np.random.default_rng(seed).uniform(size=3))
        np.testing.assert_allclose([costs.beta, costs.gamma, costs.alpha], drawn, rtol=1e-9)


def test_drawn_costs_are_those_of_the_definition():
    matrices = [draw_costs(np.random.default_rng(seed)).amounts for seed in range(2000)]
    amounts = np.array(matrices)
    accept_negative = amounts[:, 1, 0]
    assert set(accept_negative) == set(range(1, 11))
    assert not amounts[:, 0, 0].any() and not amounts[:, 1, 2].any()
    assert (amounts[:, 0, 1] < amounts[:, 0, 2]).all()
    assert (amounts[:, 1, 1] < accept_negative).all()


@pytest.mark.parametrize("growth", ["refined", "paper"])
def test_all_levels_share_their_thresholds(growth):
    X, y = MOONS
    model = TWDSFNNClassifier(growth, max_levels=4, random_state=1, **QUICK).fit(X, y)
    assert len(model.cost_matrices_) == 4
    assert {level.costs for level in model.levels_} == {model.cost_matrices_[0]}


def test_one_seed_draws_the_thresholds_once():
    X, y = MOONS
    costs = [
        TWDSFNNClassifier(max_levels=1, random_state=s, **QUICK).fit(X, y).cost_matrices_[0]
        for s in (0, 0, 1)
    ]
    assert costs[0] == costs[1] != costs[2]


@pytest.mark.parametrize("costs", [COSTS, COSTS.to_array(), COSTS.to_array().tolist(), [COSTS]])
def test_thresholds_may_be_given(costs):
    X, y = MOONS
    model = TWDSFNNClassifier(costs=costs, max_levels=2, random_state=0, **QUICK).fit(X, y)
    assert model.cost_matrices_ == [COSTS, COSTS]


def test_a_chain_of_costs_is_refused():
    X, y = MOONS
    with pytest.raises(ValueError, match="One cost matrix serves all levels, but 2 were given"):
        TWDSFNNClassifier(costs=[COSTS, COSTS], **QUICK).fit(X, y)


@pytest.mark.parametrize(("n_wrong", "deferred"), [(6, 6), (5, 0), (4, 0)])
def test_gamma_decides_when_no_more_are_wrong_than_there_are_granules(n_wrong, deferred):
    y = np.tile([0, 1], 6).astype(np.int32)
    examples = Examples(np.zeros((12, 1), np.float32), y, np.ones(12, np.float32), 2)
    wrong = np.arange(12) < n_wrong
    rule = Deciding("rows", 5, 2.0, few_two_way=True)
    verdict = rule.verdict(examples, wrong, COSTS, False, np.random.default_rng(0))
    assert verdict.count(BND) == deferred
    three_way = Deciding("rows", 5, 2.0)
    plain = three_way.verdict(examples, wrong, COSTS, False, np.random.default_rng(0))
    assert plain.count(BND) == n_wrong


@pytest.mark.parametrize("growth", ["refined", "paper"])
@pytest.mark.parametrize("seed", range(5))
def test_growth_ends_where_nothing_is_deferred(growth, seed):
    X, y = MOONS
    model = TWDSFNNClassifier(growth, max_levels=5, random_state=seed, **QUICK).fit(X, y)
    deferred = [level.n_bnd for level in model.levels_]
    assert all(deferred[:-1]) and deferred[-1] == 0


def test_wide_thresholds_grow_to_the_last_level_and_narrow_ones_end_sooner():
    X, y = MOONS

    def n_levels(alpha, beta):
        bp, bn = (1 - alpha) / 2, beta / 2
        costs = CostMatrix(pp=0, bp=bp, np=bp + (1 - beta) / 2, pn=bn + alpha / 2, bn=bn, nn=0)
        assert (costs.alpha, costs.beta) == pytest.approx((alpha, beta))
        common = {"max_levels": 6, "l2": 0.1, "scale": "standard", "random_state": 0}
        return len(TWDSFNNClassifier(costs=costs, **common, **QUICK).fit(X, y).levels_)

    assert n_levels(0.999, 0.001) == 6
    assert n_levels(0.5001, 0.4999) < 6


def test_it_differs_from_the_sequence_in_its_decisions_only():
    twd, stwd = TWDSFNNClassifier(), STWDSFNNClassifier()
    assert twd.get_params() == stwd.get_params()
    X, y = MOONS
    common = {"max_levels": 1, "l2": 0.1, "scale": "standard", "costs": COSTS, "random_state": 0}
    networks = [
        estimator(**common, **QUICK).fit(X, y).network_
        for estimator in (TWDSFNNClassifier, STWDSFNNClassifier)
    ]
    np.testing.assert_array_equal(networks[0].W1, networks[1].W1)


def test_warm_start_keeps_the_thresholds():
    X, y = MOONS
    model = TWDSFNNClassifier(
        costs=CostMatrix(pp=0, bp=0.001, np=0.9, pn=0.9, bn=0.001, nn=0),
        max_levels=2,
        warm_start=True,
        random_state=0,
        **QUICK,
    ).fit(X, y)
    before = model.levels_[0].costs
    model.set_params(max_levels=4).fit(X, y)
    assert model.cost_matrices_ == [before] * 4


@pytest.mark.parametrize("seed", range(3))
def test_it_learns(seed):
    X, X_test, y, y_test = SPLIT
    model = TWDSFNNClassifier(random_state=seed).fit(X, y)
    assert model.score(X_test, y_test) > 0.93
    assert 1 <= model.n_hidden_ <= 10 and model.fit_seconds_ > 0
