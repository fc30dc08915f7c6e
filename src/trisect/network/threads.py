"""How many threads share the work of a fit."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from typing import Any

__all__ = ["at_once", "n_threads", "using_threads"]

_number = ContextVar("n_threads", default=1)


def n_threads() -> int:
    """Return the number of threads that compiled code may use here."""
    return _number.get()


@contextmanager
def using_threads(number: int) -> Iterator[None]:
    """Let compiled code use some threads; results do not depend on how many.

    Parameters
    ----------
    number : int
        Number of threads, the calling one included.

    Examples
    --------
    >>> from trisect.network.threads import n_threads, using_threads
    >>> with using_threads(2):
    ...     n_threads()
    2
    """
    before = _number.set(number)
    try:
        yield
    finally:
        _number.reset(before)


def at_once(function: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
    """Call a function for each of some items, on as many threads as may be used.

    Threads that have a call each never wait for each other, unlike those that share one.

    Parameters
    ----------
    function : callable
        What to call. Calls must not depend on each other.
    items : sequence
        What to call it with.

    Returns
    -------
    list
        What it returned, in the order of the items.

    Examples
    --------
    >>> from trisect.network.threads import at_once, using_threads
    >>> with using_threads(2):
    ...     at_once(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    n = min(n_threads(), len(items))
    if n < 2:
        return [function(item) for item in items]
    # Started on the thread that calls, one of them need not wait for a thread to start.
    with using_threads(n_threads() // n), ThreadPoolExecutor(n - 1) as pool:
        calls = [pool.submit(copy_context().run, function, item) for item in items]
        try:
            own = {i: function(items[i]) for i in reversed(range(len(items))) if calls[i].cancel()}
            return [own[i] if i in own else call.result() for i, call in enumerate(calls)]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
