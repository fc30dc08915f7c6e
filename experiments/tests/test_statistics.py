"""Ranks and tests against closed forms, hand counts and tabulated critical values."""

import numpy as np
import pandas as pd
import pytest

from trisect_experiments.records import Key, Result
from trisect_experiments.statistics import (
    average_ranks,
    critical_difference,
    duels,
    friedman,
    nemenyi,
    score_matrix,
)

# Ranks by hand: A 1 1 1 1 2 1 -> 7/6, B 2 2 2 3 1 2 -> 2, C 3 3 3 2 3 3 -> 17/6.
SCORES = pd.DataFrame(
    [
        [0.90, 0.80, 0.70],
        [0.85, 0.84, 0.60],
        [0.99, 0.98, 0.97],
        [0.70, 0.50, 0.60],
        [0.64, 0.66, 0.60],
        [0.75, 0.71, 0.70],
    ],
    columns=["A", "B", "C"],
)


def test_average_ranks_by_hand():
    ranks = average_ranks(SCORES)
    assert list(ranks.index) == ["A", "B", "C"]
    np.testing.assert_allclose(ranks, [7 / 6, 2, 17 / 6])


def test_friedman_is_its_closed_form():
    test = friedman(SCORES)
    n, k = 6, 3
    squares = (7 / 6) ** 2 + 2**2 + (17 / 6) ** 2
    assert test.statistic == pytest.approx(
        12 * n / (k * (k + 1)) * (squares - k * (k + 1) ** 2 / 4)
    )
    assert test.p_value == pytest.approx(np.exp(-test.statistic / 2)), "chi-square, 2 degrees"
    assert (test.n_datasets, test.n_models) == (n, k)
    with pytest.raises(ValueError, match="at least 3 models"):
        friedman(SCORES.iloc[:, :2])


@pytest.mark.parametrize(
    ("models", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)]
)
def test_critical_values_are_the_tabulated_ones(models, q):
    factor = np.sqrt(models * (models + 1) / (6 * 14))
    assert critical_difference(models, 14) == pytest.approx(q * factor, abs=1e-3)


def test_nemenyi_is_symmetric_and_agrees_with_the_critical_difference():
    p = nemenyi(SCORES)
    assert np.allclose(p, p.T) and np.allclose(np.diag(p), 1)
    ranks = average_ranks(SCORES)
    for first in ranks.index:
        for second in ranks.index:
            apart = abs(ranks[first] - ranks[second]) > critical_difference(3, 6)
            assert (p.loc[first, second] < 0.05) == apart


def test_one_model_against_its_rivals():
    found = {duel.rival: duel for duel in duels(SCORES, "A", ["B", "C"])}
    assert found["B"][1:4] == (5, 0, 1) and found["C"][1:4] == (6, 0, 0)
    assert found["C"].difference == pytest.approx(100 * (SCORES["A"] - SCORES["C"]).mean())
    # All six differences with C have one sign: the exact two-sided p value is 2 / 2^6.
    assert found["C"].p_holm == pytest.approx(2 * 2 / 2**6), "twice, for two rivals"
    (twin,) = duels(SCORES.assign(twin=SCORES["A"]), "A", ["twin"])
    assert twin == ("twin", 0, 6, 0, 0.0, 1.0)


def test_the_matrix_holds_means_of_whole_rows_only():
    def result(dataset, model, fold, score, error=None):
        return Result(Key(dataset, model, "", fold, "", 0, "", ""), auc=score, error=error)

    results = [
        result("a", "x", 0, 0.5),
        result("a", "x", 1, 0.7),
        result("a", "y", 0, 0.1),
        result("b", "x", 0, 0.9),
        result("b", "y", 0, 0.9, error="no"),
    ]
    matrix = score_matrix(results, "auc")
    assert matrix.index.tolist() == ["a"]
    assert matrix.loc["a"].round(6).to_dict() == {"x": 0.6, "y": 0.1}
    assert score_matrix([]).empty
