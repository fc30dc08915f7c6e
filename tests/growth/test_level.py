"""The decision of a level against brute force, and the ledger against its definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.decisions import BND, NEG, POS, CostMatrix, sample_cost_matrices
from trisect.growth import Deciding, Ledger, Verdict, levels_table
from trisect.network import Examples, Network

COSTS = CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])
ROWS = Deciding("rows", 5, 2.0)


def _examples(X, y, **options):
    X, y = np.asarray(X, np.float32), np.asarray(y, np.int32)
    return Examples(X, y, np.ones(len(y), np.float32), max(y.max() + 1, 2), **options)


def _brute_force(X, y, wrong, costs, last, penalty):
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
        if last:
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
    last=st.booleans(),
    penalty=st.floats(1.0, 5.0),
)
def test_verdict_equals_brute_force(seed, n, last, penalty):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(n, 1)).astype(np.float32)
    y, wrong = rng.integers(0, 2, size=n).astype(np.int32), rng.random(n) < 0.6
    costs = sample_cost_matrices(1, rng)[0]
    verdict = Deciding("rows", 5, penalty).verdict(_examples(X, y), wrong, costs, last, rng)
    regions, risk = _brute_force(X, y, wrong, costs, last, penalty)
    assert verdict.regions.tolist() == regions
    assert verdict.result_cost == pytest.approx(risk)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("granules", ["rows", "bins"])
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_copies_are_decided_like_repeated_rows(n_classes, granules, last, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2)).round(1)
    y, wrong = rng.integers(0, n_classes, size=30), rng.random(30) < 0.6
    copies, deciding = rng.integers(1, 5, size=30), Deciding(granules, 3, 2.0)
    again = np.repeat(np.arange(30), copies)
    merged = _examples(X, y, mass=0.5 * copies, copies=copies)
    one = deciding.verdict(merged, wrong, COSTS, last, rng, ~wrong)
    many = deciding.verdict(
        _examples(X[again], y[again]), wrong[again], COSTS, last, rng, ~wrong[again]
    )
    assert np.array_equal(one.regions[again], many.regions)
    assert one.result_cost == pytest.approx(many.result_cost)
    assert all(one.count(region) == many.count(region) for region in (POS, BND, NEG))
    levels = [
        Ledger(np.ones(1), np.ones(1), []).enter(COSTS, v, 1, 1, _node(0), VALIDATION)
        for v in (one, many)
    ]
    assert levels[0].n_instances == levels[1].n_instances == copies.sum()


def test_the_mass_of_instances_makes_the_share():
    # One granule: a positive instance that weighs three, and a negative one.
    examples = _examples(np.zeros((2, 1)), [1, 0], mass=np.array([3.0, 1.0]))
    verdict = ROWS.verdict(examples, np.ones(2, bool), COSTS, False, np.random.default_rng(0))
    action = POS if COSTS.alpha <= 0.75 else BND
    assert verdict.regions.tolist() == [action] * 2
    p = 0.75
    defer, accept = 2 * (COSTS.bp * p + COSTS.bn * (1 - p)), COSTS.pp * p + COSTS.pn * (1 - p)
    assert verdict.result_cost == pytest.approx(2 * (accept if action == POS else defer))


def test_nothing_wrong_costs_nothing():
    rng = np.random.default_rng(0)
    examples = _examples(np.zeros((3, 1)), [0, 1, 1])
    verdict = ROWS.verdict(examples, np.zeros(3, bool), COSTS, False, rng)
    assert verdict.regions.tolist() == [NEG, POS, POS]
    assert verdict.result_cost == 0


@pytest.mark.parametrize("last", [False, True])
def test_unsure_instances_are_deferred_until_the_last_level(last):
    examples = _examples(np.zeros((4, 1)), [0, 1, 1, 0])
    wrong, unsure = np.array([0, 0, 0, 1], bool), np.array([1, 0, 1, 1], bool)
    verdict = ROWS.verdict(examples, wrong, COSTS, last, np.random.default_rng(0), unsure)
    # The last one is wrong and its granule is all negative: it is rejected.
    expected = [NEG, POS, POS, NEG] if last else [BND, POS, BND, NEG]
    assert verdict.regions.tolist() == expected


@pytest.mark.parametrize("granules", ["kmeans", "rows", "bins"])
def test_the_last_level_defers_nothing(granules):
    rng = np.random.default_rng(0)
    examples = _examples(rng.normal(size=(80, 2)), rng.integers(0, 2, size=80))
    wrong = rng.random(80) < 0.5
    deciding = Deciding(granules, 4, 2.0)
    verdict = deciding.verdict(examples, wrong, COSTS, True, rng, np.ones(80, bool))
    assert verdict.count(BND) == 0 and verdict.count(POS) + verdict.count(NEG) == 80


def test_more_than_two_classes_count_the_commonest_of_a_granule():
    # One granule with classes 2, 2, 0: p = 2/3 for the twos and for the zero alike
    # is the share of the commonest class, and what is right is accepted.
    examples = _examples(np.zeros((5, 1)), [2, 2, 0, 1, 0])
    wrong = np.array([1, 1, 1, 0, 0], bool)
    costs = CostMatrix.from_array([[0, 0.3, 0.8], [0.6, 0.1, 0]])
    assert costs.beta < 2 / 3 >= costs.alpha
    verdict = ROWS.verdict(examples, wrong, costs, False, np.random.default_rng(0))
    assert verdict.regions.tolist() == [POS] * 5
    p = 2 / 3
    assert verdict.result_cost == pytest.approx(3 * (costs.pp * p + costs.pn * (1 - p)))


def _verdict(n_pos, n_bnd, n_neg, risk=0.5):
    regions = np.repeat([POS, BND, NEG], [n_pos, n_bnd, n_neg]).astype(np.int8)
    examples = _examples(np.zeros((len(regions), 1)), np.ones(len(regions)))
    return Verdict(examples, regions, risk)


def _node(bias):
    return Network(np.zeros((1, 1)), np.zeros(1), np.zeros((1, 2)), np.array([0.0, bias]), "tanh")


VALIDATION = Examples(
    np.zeros((2, 1), np.float32), np.array([1, 0], np.int32), np.array([3, 1], np.float32), 2
)


def test_ledger_adds_up_test_costs_and_keeps_the_largest_delay():
    ledger = Ledger(np.array([1.0, 2.0, 4.0]), np.array([5.0, 1.0, 1.0]), [])
    for wrong in (10, 6, 2):
        ledger.enter(COSTS, _verdict(3, 2, 1), 6, wrong, _node(0), VALIDATION)
    assert [level.test_cost for level in ledger.levels] == [10, 22, 30]
    assert [level.delay_cost for level in ledger.levels] == [50, 50, 50]


def test_a_level_records_what_it_was_given():
    ledger = Ledger(np.ones(2), np.ones(2), [])
    level = ledger.enter(COSTS, _verdict(3, 2, 1, 0.25), 4, 3, _node(1.0), VALIDATION)
    assert (level.n_pos, level.n_bnd, level.n_neg, level.n_instances) == (3, 2, 1, 6)
    assert (level.n_hard, level.n_misclassified, level.result_cost) == (4, 3, 0.25)
    assert (level.alpha, level.beta, level.gamma) == (COSTS.alpha, COSTS.beta, COSTS.gamma)
    assert level.n_hidden == 1
    p = 1 / (1 + np.exp(-1.0))
    score = (3 * np.log(p) + np.log(1 - p)) / 4
    assert level.validation_score == pytest.approx(score, rel=1e-5)


def test_table_of_levels():
    ledger = Ledger(np.ones(2), np.ones(2), [])
    for _ in range(2):
        ledger.enter(COSTS, _verdict(3, 2, 1), 6, 3, _node(0), VALIDATION)
    table = levels_table(ledger.levels)
    assert table["level"] == [1, 2] and table["n_hidden"] == [1, 1]
    assert table["test_cost"] == [3, 6]
    assert {len(column) for column in table.values()} == {2}
    assert not {"costs", "network"} & set(table)
