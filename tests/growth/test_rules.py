"""What levels and their process cost, against the definitions."""

import numpy as np

from trisect.decisions import BND, NEG, POS, CostMatrix, sample_cost_matrices
from trisect.growth import Rules, levels_table
from trisect.growth.rules import Verdict

COSTS = CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])


def _verdict(n_wrong, risk=0.5):
    regions = np.repeat([POS, BND, NEG], [3, 2, 1]).astype(np.int8)
    return Verdict(regions, n_wrong, risk)


def _levels(rules, *counts):
    levels = []
    for n_wrong in counts:
        levels.append(rules.record(levels, _verdict(n_wrong), -0.5))
    return levels


def test_test_costs_add_up_and_delays_keep_the_largest():
    rules = Rules([COSTS] * 3, np.array([1.0, 2.0, 4.0]), np.array([5.0, 1.0, 1.0]))
    levels = _levels(rules, 10, 6, 2)
    assert [level.test_cost for level in levels] == [10, 22, 30]
    assert [level.delay_cost for level in levels] == [50, 50, 50]


def test_other_unit_costs_change_nothing_but_the_process_costs():
    before = _levels(Rules([COSTS] * 3, np.ones(3), np.ones(3)), 10, 6, 2)
    cheap = Rules([COSTS] * 4, np.array([1.0, 2.0, 4.0, 9.0]), np.array([5.0, 1.0, 1.0, 1.0]))
    after = cheap.repriced(before)
    assert [level.test_cost for level in after] == [10, 22, 30]
    assert [level.delay_cost for level in after] == [50, 50, 50]
    tables = [levels_table(levels) for levels in (before, after)]
    same = set(tables[0]) - {"test_cost", "delay_cost"}
    assert [tables[0][name] for name in same] == [tables[1][name] for name in same]


def test_a_level_records_what_was_decided():
    level = Rules([COSTS], np.ones(1), np.ones(1)).record([], _verdict(3, risk=0.25), -0.125)
    assert (level.n_pos, level.n_bnd, level.n_neg, level.n_instances) == (3, 2, 1, 6)
    assert (level.n_hidden, level.n_misclassified, level.result_cost) == (1, 3, 0.25)
    assert level.validation_score == -0.125 and level.sets is None


def test_levels_take_their_costs_from_the_chain_and_have_one_node_more_each():
    chain = sample_cost_matrices(3, np.random.default_rng(0))
    levels = _levels(Rules(chain, np.ones(3), np.ones(3)), 1, 1, 1)
    assert [level.costs for level in levels] == chain
    assert [level.n_hidden for level in levels] == [1, 2, 3]


def test_the_last_level_decides_two_ways_and_fixed_thresholds_do_where_few_are_wrong():
    units = np.ones(3)
    sequence, fixed = (Rules([COSTS] * 3, units, units, fixed=f) for f in (False, True))
    assert [sequence.decides_two_ways(i, 0) for i in range(3)] == [False, False, True]
    assert [fixed.decides_two_ways(0, n) for n in (5, 6)] == [True, False]


def test_evaluating_a_level_costs_the_tests_of_all_up_to_it():
    rules = Rules([COSTS] * 4, np.array([1.0, 2.0, 4.0, 8.0]), np.ones(4), priced=True)
    assert rules.price_of_levels(0, 4).tolist() == [1, 3, 7, 15]
    assert rules.price_of_levels(1, 3).tolist() == [3, 7]
    assert Rules([COSTS], np.ones(1), np.ones(1)).price_of_levels(0, 1) is None
