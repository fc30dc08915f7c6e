"""The decisions of a level against brute force, and its record against the definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.decisions import BND, NEG, POS, CostMatrix, sample_cost_matrices
from trisect.growth import Rules, levels_table
from trisect.growth.rules import Verdict
from trisect.network import Network, Part

COSTS = CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])
FIRST, LAST = 0, 1


def _rules(costs=COSTS, granules="rows", n_levels=2, **options):
    units = np.arange(1.0, n_levels + 1)
    return Rules([costs] * n_levels, units, units, granules, **options)


def _part(X, y, **options):
    X, y = np.asarray(X, np.float32), np.asarray(y, np.int32)
    return Part(X, y, np.ones(len(y), np.float32), max(y.max() + 1, 2), **options)


def _brute_force(X, y, wrong, costs, level, penalty):
    """Regions and risk of two classes, instance by instance, from the definitions."""
    regions, risk = [], 0.0
    for i in range(len(y)):
        if not wrong[i]:
            regions.append(1 if y[i] == 1 else -1)
            continue
        peers = [k for k in range(len(y)) if wrong[k] and (X[k] == X[i]).all()]
        p = sum(y[k] == 1 for k in peers) / len(peers)
        accept = costs.pp * p + costs.pn * (1 - p)
        defer = penalty * (costs.bp * p + costs.bn * (1 - p))
        reject = costs.np * p + costs.nn * (1 - p)
        if level == LAST:
            regions.append(1 if p >= costs.gamma else -1)
        elif p >= costs.alpha:
            regions.append(1)
        else:
            regions.append(-1 if p <= costs.beta else 0)
        risk += {1: accept, 0: defer, -1: reject}[regions[-1]]
    return regions, risk


@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 40),
    level=st.sampled_from([FIRST, LAST]),
    penalty=st.floats(1.0, 5.0),
)
def test_decisions_equal_brute_force(seed, n, level, penalty):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(n, 1)).astype(np.float32)
    y, wrong = rng.integers(0, 2, size=n).astype(np.int32), rng.random(n) < 0.6
    costs = sample_cost_matrices(1, rng)[0]
    rules = _rules(costs, boundary_penalty=penalty)
    verdict = rules.decide(_part(X, y), wrong, level, rng)
    regions, risk = _brute_force(X, y, wrong, costs, level, penalty)
    assert verdict.regions.tolist() == regions
    assert verdict.result_cost == pytest.approx(risk)
    assert verdict.n_misclassified == wrong.sum()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("granules", ["rows", "bins"])
@pytest.mark.parametrize("level", [FIRST, LAST])
@pytest.mark.parametrize("seed", range(3))
def test_mass_is_decided_like_repetition(n_classes, granules, level, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2)).round(1)
    y, wrong = rng.integers(0, n_classes, size=30), rng.random(30) < 0.6
    times, rules = rng.integers(1, 5, size=30), _rules(granules=granules, n_granules=3)
    again = np.repeat(np.arange(30), times)
    heavy = rules.decide(_part(X, y, mass=0.5 * times), wrong, level, rng, ~wrong)
    repeated = rules.decide(_part(X[again], y[again]), wrong[again], level, rng, ~wrong[again])
    assert np.array_equal(heavy.regions[again], repeated.regions)


def test_mass_makes_the_share_and_rows_make_the_risk():
    # One granule: a positive instance that weighs three, and a negative one.
    part = _part(np.zeros((2, 1)), [1, 0], mass=np.array([3.0, 1.0]))
    verdict = _rules().decide(part, np.ones(2, bool), FIRST, np.random.default_rng(0))
    p = 0.75
    assert COSTS.alpha <= p
    assert verdict.regions.tolist() == [POS, POS]
    assert verdict.result_cost == pytest.approx(2 * (COSTS.pp * p + COSTS.pn * (1 - p)))


def test_nothing_wrong_costs_nothing():
    part = _part(np.zeros((3, 1)), [0, 1, 1])
    verdict = _rules().decide(part, np.zeros(3, bool), FIRST, np.random.default_rng(0))
    assert verdict.regions.tolist() == [NEG, POS, POS]
    assert (verdict.result_cost, verdict.n_misclassified) == (0, 0)


@pytest.mark.parametrize(
    ("level", "expected"), [(FIRST, [BND, POS, BND, NEG]), (LAST, [NEG, POS, POS, NEG])]
)
def test_unsure_instances_are_deferred_until_the_last_level(level, expected):
    # The last instance is wrong and its granule is all negative: it is rejected.
    part = _part(np.zeros((4, 1)), [0, 1, 1, 0])
    wrong, unsure = np.array([0, 0, 0, 1], bool), np.array([1, 0, 1, 1], bool)
    verdict = _rules().decide(part, wrong, level, np.random.default_rng(0), unsure)
    assert verdict.regions.tolist() == expected


@pytest.mark.parametrize("granules", ["kmeans", "rows", "bins"])
@pytest.mark.parametrize("n_levels", [1, 3])
def test_the_last_level_defers_nothing(granules, n_levels):
    rng = np.random.default_rng(0)
    part = _part(rng.normal(size=(80, 2)), rng.integers(0, 2, size=80))
    rules = _rules(granules=granules, n_granules=4, n_levels=n_levels)
    verdict = rules.decide(part, rng.random(80) < 0.5, n_levels - 1, rng, np.ones(80, bool))
    assert set(verdict.regions) == {POS, NEG}


def test_more_than_two_classes_count_the_commonest_of_a_granule():
    # One granule with classes 2, 2, 0: p = 2/3 for the twos and for the zero alike
    # is the share of the commonest class, and what is right is accepted.
    part = _part(np.zeros((5, 1)), [2, 2, 0, 1, 0])
    wrong = np.array([1, 1, 1, 0, 0], bool)
    costs, p = CostMatrix.from_array([[0, 0.3, 0.8], [0.6, 0.1, 0]]), 2 / 3
    assert costs.alpha <= p
    verdict = _rules(costs).decide(part, wrong, FIRST, np.random.default_rng(0))
    assert verdict.regions.tolist() == [POS] * 5
    assert verdict.result_cost == pytest.approx(3 * (costs.pp * p + costs.pn * (1 - p)))


@pytest.mark.parametrize(("n_wrong", "deferred"), [(6, 6), (5, 0), (4, 0)])
def test_fixed_thresholds_decide_two_ways_while_no_more_are_wrong_than_granules(n_wrong, deferred):
    costs = CostMatrix(pp=0, bp=0.1, np=0.9, pn=0.9, bn=0.1, nn=0)
    part, wrong = _part(np.zeros((12, 1)), np.tile([0, 1], 6)), np.arange(12) < n_wrong
    for fixed, expected in ((True, deferred), (False, n_wrong)):
        rules = _rules(costs, n_granules=5, fixed=fixed)
        verdict = rules.decide(part, wrong, FIRST, np.random.default_rng(0))
        assert (verdict.regions == BND).sum() == expected


def _verdict(n_wrong, risk=0.5):
    regions = np.repeat([POS, BND, NEG], [3, 2, 1]).astype(np.int8)
    return Verdict(regions, risk, n_wrong)


def _node(bias=0.0):
    return Network(np.zeros((1, 1)), np.zeros(1), np.zeros((1, 2)), np.array([0.0, bias]), "tanh")


VALIDATION = Part(
    np.zeros((2, 1), np.float32), np.array([1, 0], np.int32), np.array([3, 1], np.float32), 2
)


def _levels(rules, *counts):
    levels = []
    for n_wrong in counts:
        levels.append(rules.record(levels, _verdict(n_wrong), 6, _node(), VALIDATION))
    return levels


def test_test_costs_add_up_and_delays_keep_the_largest():
    rules = Rules([COSTS] * 3, np.array([1.0, 2.0, 4.0]), np.array([5.0, 1.0, 1.0]))
    levels = _levels(rules, 10, 6, 2)
    assert [level.test_cost for level in levels] == [10, 22, 30]
    assert [level.delay_cost for level in levels] == [50, 50, 50]


def test_other_unit_costs_change_nothing_but_the_process_costs():
    before = _levels(_rules(n_levels=3), 10, 6, 2)
    cheap = Rules([COSTS] * 4, np.array([1.0, 2.0, 4.0, 9.0]), np.array([5.0, 1.0, 1.0, 1.0]))
    after = cheap.repriced(before)
    assert [level.test_cost for level in after] == [10, 22, 30]
    assert [level.delay_cost for level in after] == [50, 50, 50]
    tables = [levels_table(levels) for levels in (before, after)]
    same = set(tables[0]) - {"test_cost", "delay_cost"}
    assert [tables[0][name] for name in same] == [tables[1][name] for name in same]
    assert [level.network for level in after] == [level.network for level in before]


def test_a_level_records_what_was_decided():
    level = _rules().record([], _verdict(3, risk=0.25), 4, _node(1.0), VALIDATION)
    assert (level.n_pos, level.n_bnd, level.n_neg, level.n_instances) == (3, 2, 1, 6)
    assert (level.n_hard, level.n_misclassified, level.result_cost) == (4, 3, 0.25)
    p = 1 / (1 + np.exp(-1.0))
    score = (3 * np.log(p) + np.log(1 - p)) / 4
    assert level.validation_score == pytest.approx(score, rel=1e-5)


def test_levels_take_their_costs_from_the_chain():
    chain = sample_cost_matrices(3, np.random.default_rng(0))
    levels = _levels(Rules(chain, np.ones(3), np.ones(3)), 1, 1, 1)
    assert [level.costs for level in levels] == chain
