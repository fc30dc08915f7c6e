"""The folds partition, nothing leaks, and the interval is the paper's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect_experiments.protocol import evaluate, folds, impute_median, mean_interval


@settings(max_examples=30, deadline=None)
@given(st.integers(10, 60), st.integers(10, 60), st.integers(3, 10), st.integers(0, 2**31 - 1))
def test_folds_partition_the_rows_and_keep_the_proportions(n1, n2, n_splits, seed):
    y = np.repeat([0, 1], [n1, n2])
    splits = list(folds(y, n_splits, seed))
    assert len(splits) == n_splits
    for train, validation, test in splits:
        assert np.array_equal(np.sort(np.concatenate([train, validation, test])), np.arange(y.size))
        assert abs((y[test] == 0).sum() - n1 / n_splits) <= 1
    tested = np.concatenate([fold.test for fold in splits])
    assert np.array_equal(np.sort(tested), np.arange(y.size))


def test_the_next_fold_validates():
    splits = list(folds([1, 2] * 50))
    for k, fold in enumerate(splits):
        assert np.array_equal(fold.validation, splits[(k + 1) % 10].test)


def test_ten_folds_are_eight_to_one_to_one_and_repeatable():
    first, again = list(folds([1] * 60 + [2] * 40)), list(folds([1] * 60 + [2] * 40))
    assert [tuple(map(len, fold)) for fold in first] == [(80, 10, 10)] * 10
    assert all(np.array_equal(a.test, b.test) for a, b in zip(first, again, strict=True))
    other = list(folds([1] * 60 + [2] * 40, random_state=1))
    assert not np.array_equal(first[0].test, other[0].test)


@pytest.mark.parametrize(
    ("y", "n_splits", "message"),
    [
        ([1, 2] * 10, 2, "at least 3 folds"),
        ([1] * 20 + [2] * 4, 10, "4 of class 2"),
        ([], 10, "no rows"),
        ([[1, 2]], 3, "one-dimensional"),
    ],
)
def test_impossible_folds_say_why(y, n_splits, message):
    with pytest.raises(ValueError, match=message):
        list(folds(y, n_splits))


def test_medians_come_from_the_training_rows_only():
    X = np.array([[1.0, np.nan], [5.0, np.nan], [np.nan, 7.0], [1000.0, 9.0]])
    filled = impute_median(X, np.array([0, 1, 2]))
    assert filled[2, 0] == 3.0 and filled[0, 1] == 7.0 and np.isnan(X[2, 0])
    assert impute_median(X, np.array([0, 1]))[0, 1] == 0.0
    whole = np.ones((3, 2))
    assert impute_median(whole, np.array([0])) is whole


def test_scores_by_hand():
    # Class 0: precision 1, recall 1/2, F1 2/3; class 1: precision 2/3, recall 1, F1 4/5.
    scores = evaluate([0, 0, 1, 1], [0, 1, 1, 1], [0.2, 0.8, 0.5, 0.9])
    assert scores.accuracy == 0.75
    assert scores.weighted_f1 == pytest.approx((2 / 3 + 4 / 5) / 2)
    assert scores.auc == 0.75


def test_one_class_has_no_auc_and_bad_shapes_are_refused():
    assert np.isnan(evaluate([1, 1], [1, 1], [0.1, 0.2]).auc)
    with pytest.raises(ValueError, match="same rows"):
        evaluate([0, 1], [0, 1], [[0.1, 0.9]] * 2)


def test_interval_of_ten_folds_uses_the_papers_factor():
    values = np.arange(10.0)
    mean, half = mean_interval(values)
    assert mean == 4.5
    assert half == pytest.approx(2.262 * values.std(ddof=1) / np.sqrt(10), rel=1e-4)
    assert mean_interval([3.0, 5.0]).mean == 4
    assert np.isnan([mean_interval(few).half_width for few in ([3.0], [3.0, 5.0])]).all()
    with pytest.raises(ValueError, match="at least one"):
        mean_interval([])
