"""Rows as a usual row and deviations from it: nothing is lost, and parts keep it in step."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.network import Knots, Part, deviations, initial_network, mean_losses
from trisect.network.contract import NO_DEVIATIONS
from trisect.network.deviations import deviations_of, usual_row
from trisect.network.threads import using_threads


def _bits(n, n_features, share=0.05, seed=0):
    """Scaled columns of two values, of which one is rare."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(2, n_features))
    which = (rng.random((n, n_features)) < share).astype(int)
    return values[which, np.arange(n_features)].astype(np.float32)


def _part(X, **fields):
    n = len(X)
    return Part(X, np.arange(n, dtype=np.int32) % 2, np.ones(n, np.float32), 2, **fields)


def _written_out(found):
    """Put the rows together again."""
    rows = np.tile(found.usual, (len(found.starts), 1))
    for row, starts in zip(rows, found.starts, strict=True):
        own = slice(starts[0], starts[-1])
        row[found.inputs[own]] += found.amounts[own]
    return rows


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    n=st.integers(1, 40),
    n_straight=st.integers(192, 300),
    share=st.sampled_from([0.0, 0.05, 0.1]),
    seed=st.integers(0, 1000),
    cells=st.sampled_from([1, 500, 1 << 18]),
    threads=st.sampled_from([1, 3]),
)
def test_nothing_is_lost(n, n_straight, share, seed, cells, threads):
    X = _bits(n, n_straight + 2, share, seed)
    X[::9, 5] += 0.125  # a value that is neither of the two
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deviations, "MOST_CELLS", 1.0)
        patch.setattr(deviations, "BLOCK_CELLS", cells)
        with using_threads(threads):
            found = deviations_of(X, usual_row(X, n_straight))
    np.testing.assert_allclose(_written_out(found), X[:, :n_straight], rtol=1e-6, atol=1e-6)
    assert (found.amounts != 0).all()


def test_ranges_have_the_same_width_and_rows_come_in_order():
    X = _bits(30, 231)
    found = deviations_of(X, usual_row(X, 231))
    n_ranges = found.starts.shape[1] - 1
    width = -(-231 // (8 * n_ranges)) * 8
    assert found.starts[0, 0] == 0 and found.starts[-1, -1] == len(found.inputs)
    assert np.array_equal(found.starts[1:, 0], found.starts[:-1, -1])
    for starts in found.starts:
        assert (np.diff(found.inputs[starts[0] : starts[-1]].astype(int)) > 0).all()
        for k in range(n_ranges):
            assert (found.inputs[starts[k] : starts[k + 1]] // width == k).all()


def test_the_usual_value_is_that_of_most_rows():
    X = _bits(1000, 60, share=0.2)
    usual = usual_row(X, 60)
    assert ((usual == X).mean(axis=0) > 0.5).all()


@pytest.mark.parametrize(
    "X",
    [
        np.random.default_rng(0).normal(size=(50, 300)),
        _bits(50, 300, share=0.4),
        _bits(50, 191),
        np.empty((0, 300)),
    ],
    ids=["numbers", "dense", "narrow", "empty"],
)
@pytest.mark.parametrize("threads", [1, 3])
def test_what_would_not_pay_is_not_written_down(X, threads, monkeypatch):
    monkeypatch.setattr(deviations, "BLOCK_CELLS", 2000)
    X = X.astype(np.float32)
    usual = usual_row(X, X.shape[1]) if len(X) else np.zeros(X.shape[1], np.float32)
    with using_threads(threads):
        assert deviations_of(X, usual) is NO_DEVIATIONS


def test_positions_are_left_out():
    knots = Knots(np.arange(4), np.ones(3, np.float32), np.zeros(3, np.float32))
    part = _part(_bits(40, 203), knots=knots).compressed()
    assert len(part.deviations.usual) == 200 and part.deviations.inputs.max() < 200
    more = Knots(np.arange(16), np.ones(15, np.float32), np.zeros(15, np.float32))
    assert _part(_bits(40, 203), knots=more).compressed().deviations is NO_DEVIATIONS


def test_selections_and_heads_are_those_of_the_plain_part():
    plain = _part(_bits(400, 200))
    part = plain.compressed()
    network = initial_network(200, 3, 2, "tanh", "uniform", np.random.default_rng(0))
    rows = np.random.default_rng(1).permutation(400)[:150]
    for one, other in [
        (part, plain),
        (part.head(130), plain.head(130)),
        (part.select(rows), plain.select(rows)),
        (part.select(rows).head(40), plain.select(rows).head(40)),
        (replace(part, y=1 - part.y), replace(plain, y=1 - plain.y)),
    ]:
        assert len(one.deviations.usual) == 200 and other.deviations is NO_DEVIATIONS
        np.testing.assert_allclose(
            mean_losses([network], one), mean_losses([network], other), rtol=1e-6
        )


def test_other_inputs_have_other_deviations():
    part = _part(_bits(40, 200)).compressed()
    assert part.with_inputs(part.X[:, :195]).deviations is NO_DEVIATIONS
