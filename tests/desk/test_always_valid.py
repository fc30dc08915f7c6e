"""Evidence and intervals against closed forms, optimisers, and streams of coins."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import betaln

from trisect.desk.always_valid import mean_evidence, mean_interval


def test_evidence_against_a_share_is_the_beta_binomial_ratio():
    k, n, share, a, b = 7, 30, 0.4, 2.0, 3.0
    expected = (
        betaln(a + k, b + n - k) - betaln(a, b) - k * np.log(share) - (n - k) * np.log(1 - share)
    )
    assert mean_evidence([n - k, k], [0, 1], share, [b, a]) == pytest.approx(expected)
    # The same share of an amount of five.
    assert mean_evidence([n - k, k], [0, 5], 5 * share, [b, a]) == pytest.approx(expected)


def best_likelihood(counts, amounts, mean):
    rng, best = np.random.default_rng(0), -np.inf
    rules = [
        {"type": "eq", "fun": lambda q: q.sum() - 1},
        {"type": "eq", "fun": lambda q: q @ amounts - mean},
    ]
    for _ in range(4):
        found = minimize(
            lambda q: -(counts * np.log(np.maximum(q, 1e-300))).sum(),
            rng.dirichlet(np.ones(len(amounts))),
            bounds=[(1e-12, 1)] * len(amounts),
            constraints=rules,
            method="SLSQP",
            options={"maxiter": 500, "ftol": 1e-12},
        )
        best = max(best, -found.fun) if found.success else best
    return best


@pytest.mark.parametrize(
    ("counts", "mean"),
    [
        ([19, 1, 0, 18], 0.5),
        ([3, 9, 7, 6], 8.0),
        ([15, 1, 0, 0], 2.5),  # only an amount that was never seen reaches this mean
        ([0, 0, 4, 9], 1.0),
    ],
)
def test_the_likelihood_of_a_mean_is_the_largest_there_is(counts, mean):
    counts, amounts = np.array(counts), np.array([0.0, 1.0, 5.0, 10.0])
    one, other = (mean_evidence(counts, amounts, m, np.ones(4)) for m in (mean, 2.0))
    expected = best_likelihood(counts, amounts, 2.0) - best_likelihood(counts, amounts, mean)
    assert one - other == pytest.approx(expected, abs=1e-6)


def test_an_impossible_mean_is_refuted():
    assert mean_evidence([3, 1, 0], [0, 1, 2], 0.0, np.ones(3)) == np.inf
    assert np.isfinite(mean_evidence([3, 0, 0], [0, 1, 2], 0.0, np.ones(3)))


def test_intervals_end_where_the_evidence_reaches_the_limit():
    counts, amounts, prior = np.array([50, 20, 3]), np.array([0.0, 1.0, 10.0]), np.full(3, 0.5)
    low, high = mean_interval(counts, amounts, 0.05)
    for end in (low, high):
        assert mean_evidence(counts, amounts, end, prior) == pytest.approx(np.log(20), abs=1e-4)
    assert low < counts @ amounts / counts.sum() < high


def test_without_cases_anything_is_possible():
    assert mean_interval([0, 0], [0, 1], 0.05) == (0, 1)
    low, high = mean_interval([0, 4], [0, 1], 0.05)
    assert high == 1 and 0 < low < 1


@pytest.mark.parametrize("share", [0.02, 0.3])
def test_looking_all_the_time_refutes_the_truth_no_more_often_than_promised(share):
    rng = np.random.default_rng(0)
    k = (rng.random((2000, 1500)) < share).cumsum(axis=1)
    n = np.arange(1, 1501)
    prior = [10 * (1 - share), 10 * share]
    evidence = mean_evidence(np.stack([n - k, k], axis=-1), [0, 1], share, prior)
    wrong = (evidence >= np.log(10)).any(axis=1).mean()
    assert 0.01 < wrong <= 0.1
