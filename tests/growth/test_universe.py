"""The universe: its decisions against brute force, and what each level leaves to the next."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.decisions import BND, NEG, POS, CostMatrix, sample_cost_matrices
from trisect.growth import Rules
from trisect.growth.universe import Universe
from trisect.network import Part

COSTS = CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])
# All that is not pure is deferred.
DEFERS = CostMatrix(pp=0, bp=0.001, np=0.9, pn=0.9, bn=0.001, nn=0)
FIRST, LAST = 0, 1


def _rules(costs=COSTS, granules="rows", n_levels=2, **options):
    units = np.arange(1.0, n_levels + 1)
    return Rules([costs] * n_levels, units, units, granules, **options)


def _part(X, y, **options):
    X, y = np.asarray(X, np.float32), np.asarray(y, np.int32)
    return Part(X, y, np.ones(len(y), np.float32), max(y.max() + 1, 2), **options)


def _sorted(part, rules, wrong, level, rng=0, unsure=None):
    return Universe(part, rules).sort(wrong, level, np.random.default_rng(rng), unsure)


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
    verdict = _sorted(_part(X, y), rules, wrong, level)
    regions, risk = _brute_force(X, y, wrong, costs, level, penalty)
    assert verdict.regions.tolist() == regions
    assert verdict.result_cost == pytest.approx(risk)
    assert verdict.n_misclassified == wrong.sum()


def _sort_to_the_end(universe, rules, rng, share_wrong=0.7, unsure=True):
    """Sort by made-up networks until nothing is left; universes before and verdicts."""
    before, verdicts = [], []
    while len(universe):
        before.append(universe.rows)
        wrong = rng.random(len(universe)) < share_wrong
        doubt = rng.random(len(universe)) < 0.5 if unsure else None
        verdicts.append(universe.sort(wrong, len(verdicts), rng, doubt))
    return before, verdicts


@pytest.fixture(params=range(4))
def sorted_universe(request):
    rng = np.random.default_rng(request.param)
    part = _part(rng.normal(size=(200, 2)), rng.integers(0, 2, size=200))
    rules = _rules(DEFERS, "kmeans", n_levels=5, keep_sets=True)
    universe = Universe(part, rules)
    return universe, *_sort_to_the_end(universe, rules, rng), part.y


def test_the_next_universe_is_what_was_deferred(sorted_universe):
    _, before, verdicts, _ = sorted_universe
    assert before[0].tolist() == list(range(200)) and len(before) > 2
    for (rows, verdict), following in zip(
        zip(before, verdicts, strict=True), [*before[1:], []], strict=True
    ):
        assert rows[verdict.regions == BND].tolist() == list(following)


def test_the_sets_of_a_level_partition_its_universe(sorted_universe):
    _, before, verdicts, _ = sorted_universe
    for rows, verdict in zip(before, verdicts, strict=True):
        s = verdict.sets
        assert sorted([*s.P_L, *s.B_L, *s.N_L]) == s.M_N.tolist()
        unsure = np.setdiff1d(rows[verdict.regions == BND], s.B_L)
        assert sorted([*s.P_N, *s.N_N, *unsure, *s.M_N]) == rows.tolist()
        assert [len(s.P_N) + len(s.P_L), len(s.N_N) + len(s.N_L), len(s.B_L) + len(unsure)] == [
            (verdict.regions == region).sum() for region in (POS, NEG, BND)
        ]


def test_the_sets_hold_granules_and_their_share_of_positives(sorted_universe):
    _, _, verdicts, y = sorted_universe
    for verdict in verdicts:
        s = verdict.sets
        assert np.unique(s.granules).tolist() == list(range(len(np.unique(s.granules))))
        for granule in np.unique(s.granules):
            inside = s.granules == granule
            assert s.p[inside] == pytest.approx(y[s.M_N[inside]].mean())


def test_every_instance_is_settled_where_the_sets_say(sorted_universe):
    universe, _, verdicts, _ = sorted_universe
    settled = universe.settlement
    for level, verdict in enumerate(verdicts, start=1):
        s = verdict.sets
        for rows, code in ((s.P_N, 1), (s.N_N, -1), (s.P_L, 2), (s.N_L, -2)):
            assert (settled.levels[rows] == level).all() and (settled.codes[rows] == code).all()
    assert (settled.levels > 0).all()


def test_sets_are_kept_only_if_asked_for():
    part = _part(np.zeros((4, 1)), [0, 1, 1, 0])
    assert _sorted(part, _rules(), np.ones(4, bool), FIRST).sets is None


def test_rows_are_those_of_the_table_that_was_given():
    part = _part(np.zeros((3, 1)), [1, 0, 1], origin=np.array([7, 2, 5], np.int32))
    universe = Universe(part, _rules(keep_sets=True))
    sets = universe.sort(np.array([0, 0, 1], bool), LAST, np.random.default_rng(0)).sets
    assert (sets.P_N.tolist(), sets.N_N.tolist(), sets.M_N.tolist()) == ([7], [2], [5])
    settled = universe.settlement.scattered(universe.origin, 9)
    assert settled.levels.tolist() == [0, 0, 2, 0, 0, 2, 0, 2, 0]
    assert settled.codes.tolist() == [0, 0, -1, 0, 0, 2, 0, 1, 0]


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
    heavy = _sorted(_part(X, y, mass=0.5 * times), rules, wrong, level, unsure=~wrong)
    repeated = _sorted(_part(X[again], y[again]), rules, wrong[again], level, unsure=~wrong[again])
    assert np.array_equal(heavy.regions[again], repeated.regions)


def test_mass_makes_the_share_and_rows_make_the_risk():
    # One granule: a positive instance that weighs three, and a negative one.
    part = _part(np.zeros((2, 1)), [1, 0], mass=np.array([3.0, 1.0]))
    verdict = _sorted(part, _rules(), np.ones(2, bool), FIRST)
    p = 0.75
    assert COSTS.alpha <= p
    assert verdict.regions.tolist() == [POS, POS]
    assert verdict.result_cost == pytest.approx(2 * (COSTS.pp * p + COSTS.pn * (1 - p)))


def test_nothing_wrong_costs_nothing():
    part = _part(np.zeros((3, 1)), [0, 1, 1])
    verdict = _sorted(part, _rules(), np.zeros(3, bool), FIRST)
    assert verdict.regions.tolist() == [NEG, POS, POS]
    assert (verdict.result_cost, verdict.n_misclassified) == (0, 0)


@pytest.mark.parametrize(
    ("level", "expected"), [(FIRST, [BND, POS, BND, NEG]), (LAST, [NEG, POS, POS, NEG])]
)
def test_unsure_instances_are_deferred_until_the_last_level(level, expected):
    # The last instance is wrong and its granule is all negative: it is rejected.
    part = _part(np.zeros((4, 1)), [0, 1, 1, 0])
    wrong, unsure = np.array([0, 0, 0, 1], bool), np.array([1, 0, 1, 1], bool)
    verdict = _sorted(part, _rules(), wrong, level, unsure=unsure)
    assert verdict.regions.tolist() == expected


@pytest.mark.parametrize("granules", ["kmeans", "rows", "bins"])
@pytest.mark.parametrize("n_levels", [1, 3])
def test_the_last_level_defers_nothing(granules, n_levels):
    rng = np.random.default_rng(0)
    part = _part(rng.normal(size=(80, 2)), rng.integers(0, 2, size=80))
    universe = Universe(part, _rules(granules=granules, n_granules=4, n_levels=n_levels))
    verdict = universe.sort(rng.random(80) < 0.5, n_levels - 1, rng, np.ones(80, bool))
    assert set(verdict.regions) == {POS, NEG} and len(universe) == 0


def test_more_than_two_classes_count_the_commonest_of_a_granule():
    # One granule with classes 2, 2, 0: p = 2/3 for the twos and for the zero alike
    # is the share of the commonest class, and what is right is accepted.
    part = _part(np.zeros((5, 1)), [2, 2, 0, 1, 0])
    wrong = np.array([1, 1, 1, 0, 0], bool)
    costs, p = CostMatrix.from_array([[0, 0.3, 0.8], [0.6, 0.1, 0]]), 2 / 3
    assert costs.alpha <= p
    verdict = _sorted(part, _rules(costs), wrong, FIRST)
    assert verdict.regions.tolist() == [POS] * 5
    assert verdict.result_cost == pytest.approx(3 * (costs.pp * p + costs.pn * (1 - p)))


@pytest.mark.parametrize(("n_wrong", "deferred"), [(6, 6), (5, 0), (4, 0)])
def test_fixed_thresholds_decide_two_ways_while_no_more_are_wrong_than_granules(n_wrong, deferred):
    costs = CostMatrix(pp=0, bp=0.1, np=0.9, pn=0.9, bn=0.1, nn=0)
    part, wrong = _part(np.zeros((12, 1)), np.tile([0, 1], 6)), np.arange(12) < n_wrong
    for fixed, expected in ((True, deferred), (False, n_wrong)):
        rules = _rules(costs, n_granules=5, fixed=fixed)
        assert (_sorted(part, rules, wrong, FIRST).regions == BND).sum() == expected


def _granules_by_row(granulation, seed, n_levels=5, n_granules=3):
    """Granule of each row at each level, -1 where it was not judged."""
    rng = np.random.default_rng(seed)
    part = _part(rng.normal(size=(300, 2)), rng.integers(0, 2, size=300))
    rules = _rules(
        DEFERS, "kmeans", n_levels, keep_sets=True, n_granules=n_granules, granulation=granulation
    )
    _, verdicts = _sort_to_the_end(Universe(part, rules), rules, rng)
    table = np.full((len(verdicts), 300), -1)
    for row, verdict in zip(table, verdicts, strict=True):
        row[verdict.sets.M_N] = verdict.sets.granules
    return table


def _refines(fine, coarse):
    """Whether instances that share a fine granule share a coarse one; -1 is in none."""
    both = (fine >= 0) & (coarse >= 0)
    pairs = np.unique(np.stack([fine[both], coarse[both]]), axis=1)
    return both.any() and len(np.unique(pairs[0])) == pairs.shape[1]


@pytest.mark.parametrize("seed", range(6))
def test_inherited_granules_refine_those_of_every_level_before(seed):
    table = _granules_by_row("inherited", seed)
    assert len(table) > 2
    for i, fine in enumerate(table):
        assert all(_refines(fine, coarse) for coarse in table[:i])


def test_granules_that_are_made_anew_need_not_refine_each_other():
    tables = [_granules_by_row("anew", seed) for seed in range(6)]
    assert not all(_refines(b, a) for table in tables for a, b in pairwise(table))


@pytest.mark.parametrize("seed", range(6))
def test_granules_that_are_made_once_are_the_same_at_every_level(seed):
    table = _granules_by_row("once", seed)
    for i, fine in enumerate(table):
        assert all(_refines(fine, c) and _refines(c, fine) for c in table[:i])


def test_granules_are_made_once_even_if_nothing_is_wrong_at_first():
    # Two far clusters, one positive and one negative: pure granules decide them.
    X, y = np.repeat([[0.0], [99.0]], 5, axis=0), np.repeat([0, 1], 5)
    rules = _rules(DEFERS, "kmeans", 3, n_granules=2, granulation="once")
    universe, rng = Universe(_part(X, y), rules), np.random.default_rng(0)
    nothing, everything = np.zeros(10, bool), np.ones(10, bool)
    universe.sort(nothing, 0, rng, unsure=everything)
    assert len(universe) == 10
    universe.sort(everything, 1, rng)
    assert universe.settlement.regions.tolist() == [NEG] * 5 + [POS] * 5


@pytest.mark.parametrize(
    ("granulation", "levels", "parents"),
    [("anew", [1, 2], [None, None]), ("once", [1], [None]), ("inherited", [1, 2], [-1, 0])],
)
def test_a_callable_hears_the_level_and_the_granules_before(granulation, levels, parents):
    heard = []

    def all_alike(X, level, parents, random_state):
        heard.append((level, None if parents is None else parents.tolist()))
        return np.zeros(len(X))

    part = _part(np.arange(6)[:, None], [0, 1] * 3)
    rules = _rules(DEFERS, all_alike, 3, granulation=granulation)
    universe, rng = Universe(part, rules), np.random.default_rng(0)
    for level in range(2):
        universe.sort(np.ones(6, bool), level, rng)
    assert [level for level, _ in heard] == levels
    expected = [None if p is None else [p] * 6 for p in parents]
    assert [found for _, found in heard] == expected


def test_a_network_that_has_learned_nothing_defers_all_but_at_the_last_level():
    """It gives one label to all, so its mistakes are of one class, and their granules pure."""
    X, y = np.arange(8.0).reshape(-1, 1) % 4, np.repeat([0, 1], 4)
    part, rules, wrong = _part(X, y), _rules(keep_sets=True), y == 0
    trusted, doubted, last = (
        Universe(part, rules).sort(wrong, level, np.random.default_rng(0), wrong, ignorant=ignorant)
        for level, ignorant in ((FIRST, False), (FIRST, True), (LAST, True))
    )
    assert (trusted.regions[wrong] == NEG).all()
    assert (doubted.regions == BND).all() and doubted.n_misclassified == 4
    assert doubted.sets.B_L.tolist() == [0, 1, 2, 3]
    assert (last.regions == np.where(y == 1, POS, NEG)).all()
