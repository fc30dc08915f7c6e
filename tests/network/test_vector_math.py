"""The polynomial exponential and logarithm against double precision."""

import numpy as np
import pytest
from numba import njit

from trisect.network.exact import exp
from trisect.network.fast.vector_math import exp32, exp32_exact, log32


@njit
def _exp(x, out):
    for i in range(x.size):
        out[i] = exp32(x[i])


@njit
def _exp_exact(x, out):
    for i in range(x.size):
        out[i] = exp32_exact(x[i])


@njit
def _log(x, out):
    for i in range(x.size):
        out[i] = log32(x[i])


def _apply(function, x):
    x = np.asarray(x, np.float32)
    out = np.empty_like(x)
    function(x, out)
    return x.astype(np.float64), out.astype(np.float64)


def test_exp_over_its_whole_range():
    x, found = _apply(_exp, np.linspace(-87.0, 88.0, 500_001))
    assert np.abs(found / np.exp(x) - 1.0).max() < 3e-7


def test_the_exact_exponential_is_that_of_numpy_in_every_bit():
    x, found = _apply(_exp_exact, np.linspace(-90.0, 90.0, 500_001))
    assert np.array_equal(found, exp(x.astype(np.float32)))


def test_exp_is_clipped_and_never_overflows():
    _, found = _apply(_exp, [-1e30, -88.0, -87.0, 88.0, 89.0, 1e30])
    assert found[0] == found[1] == found[2] > np.finfo(np.float32).tiny
    assert found[3] == found[4] == found[5] < np.inf


def test_exp_of_zero_is_one_exactly():
    assert _apply(_exp, [0.0, -0.0])[1].tolist() == [1.0, 1.0]


def test_exp_rises():
    _, found = _apply(_exp, np.linspace(-20.0, 20.0, 100_001))
    assert (np.diff(found) >= 0).all()


def test_log_over_its_whole_range():
    x, found = _apply(_log, np.geomspace(1.2e-38, 3.4e38, 500_001))
    truth = np.log(x)
    assert (np.abs(found - truth) / np.maximum(np.abs(truth), 1.0)).max() < 2e-7


def test_log_near_one():
    x, found = _apply(_log, np.linspace(0.5, 2.0, 300_001))
    assert np.abs(found - np.log(x)).max() < 2e-7
    assert _apply(_log, [1.0])[1].item() == 0.0


@pytest.mark.parametrize("x", [0.0, 1e-45, -1.0])
def test_log_takes_what_is_below_as_the_smallest_normal_number(x):
    assert _apply(_log, [x])[1].item() == pytest.approx(np.log(np.finfo(np.float32).tiny))
