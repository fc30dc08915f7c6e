"""Rows of batches in order of the intervals of their positions."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.network import Knots, Part, runs
from trisect.network.contract import NO_RUNS
from trisect.network.fast.sweep import SPAN
from trisect.network.runs import first_rows, runs_of


def _knots(counts):
    first = np.cumsum([0, *counts])
    return Knots(first, np.ones(first[-1], np.float32), np.zeros(first[-1], np.float32))


def _positions(rng, n, counts, n_straight=0):
    X = rng.uniform(0, counts, size=(n, len(counts))) ** 2 / np.maximum(counts, 1)
    X = np.minimum(X, np.nextafter(np.float32(counts), np.float32(0)))
    return np.column_stack([rng.normal(size=(n, n_straight)), X]).astype(np.float32)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 1000),
    counts=st.lists(st.integers(1, 40), min_size=1, max_size=6),
    n=st.integers(1, 300),
    size=st.integers(40, 120),
    n_straight=st.integers(0, 2),
)
def test_a_run_holds_the_rows_of_its_interval_in_order(seed, counts, n, size, n_straight):
    knots = _knots(counts)
    X = _positions(np.random.default_rng(seed), n, np.array(counts), n_straight)
    before = X.copy()
    found = runs_of(X, knots, size)
    assert np.array_equal(X, before)
    for k, first in enumerate(first_rows(n, size)):
        batch = X[first : first + size, n_straight:]
        for j in range(len(counts)):
            own = slice(*knots.first[j : j + 2])
            assert sorted(found.intervals[k, own]) == list(range(*knots.first[j : j + 2]))
            edges = [0, *found.ends[k, own].tolist()]
            lengths = np.diff(edges)
            assert edges[-1] == len(batch) and (np.diff(lengths) <= 0).all()
            for begin, end, t in zip(edges, edges[1:], found.intervals[k, own], strict=False):
                rows = np.flatnonzero(batch[:, j].astype(int) == t - knots.first[j])
                assert found.order[k, j, begin:end].tolist() == rows.tolist()
                shares = batch[rows, j] - np.float32(t - knots.first[j])
                assert np.array_equal(found.shares[k, j, begin:end], shares)


@pytest.mark.parametrize("n", [1, 5, 8, 9, 12, 17, 23, 64])
def test_batches_begin_where_runs_are_looked_for(n):
    # The engine finds the runs of a batch by its first row and the size.
    firsts = first_rows(n, 8)
    assert (-(-firsts // 8)).tolist() == list(range(len(firsts)))
    assert firsts[0] == 0 and firsts[-1] + 8 >= n and (np.diff(firsts) <= 8).all()


def test_what_has_no_runs():
    X = _positions(np.random.default_rng(0), 20, np.array([3, 4]))
    assert runs_of(X, None, 8) is NO_RUNS and runs_of(X, Knots(), 8) is NO_RUNS
    assert runs_of(X[:0], _knots([3, 4]), 8) is NO_RUNS
    assert runs_of(X, _knots([3, 4]), 2000) is NO_RUNS
    assert runs_of(X, _knots([3, 256]), 512) is NO_RUNS
    assert runs_of(X, _knots([3, 4]), 3) is NO_RUNS  # more intervals than rows
    with patch.object(runs, "MOST_CELLS", 47):  # three batches of two times eight
        assert runs_of(X, _knots([3, 4]), 8) is NO_RUNS


def test_a_batch_with_runs_is_one_turn_of_the_fast_engine():
    assert runs.MOST_ROWS <= SPAN


def test_a_selection_of_rows_has_no_runs():
    knots, rng = _knots([3, 4]), np.random.default_rng(0)
    part = Part(
        _positions(rng, 20, np.array([3, 4])), np.zeros(20, np.int32), np.ones(20, np.float32), 2,
        knots=knots,
    )  # fmt: skip
    found = part.in_runs(8)
    assert found.runs.size == 8
    chosen = found.select(np.arange(5))
    assert chosen.runs is NO_RUNS and chosen.in_runs(8) is chosen
    assert found.head(10).runs is NO_RUNS and chosen.head(2).runs is NO_RUNS
