"""Calls on threads of their own."""

import threading

import pytest

from trisect.network.threads import at_once, n_threads, using_threads


@pytest.mark.parametrize("number", [1, 2, 5])
def test_results_come_in_the_order_of_the_items(number):
    with using_threads(number):
        assert at_once(lambda k: k * k, range(20)) == [k * k for k in range(20)]
        assert at_once(abs, []) == []


def test_calls_run_at_the_same_time():
    both = threading.Barrier(2, timeout=30)
    with using_threads(2):
        assert len(at_once(lambda _: both.wait(), [0, 1])) == 2


@pytest.mark.parametrize(
    ("number", "n_calls", "left"), [(1, 3, 1), (2, 2, 1), (4, 2, 2), (3, 1, 3)]
)
def test_calls_share_the_threads(number, n_calls, left):
    with using_threads(number):
        assert at_once(lambda _: n_threads(), range(n_calls)) == [left] * n_calls
        assert n_threads() == number


def test_what_a_call_raises_is_raised():
    with using_threads(2), pytest.raises(ZeroDivisionError):
        at_once(lambda k: 1 / k, [1, 0, 2])
