"""Work on blocks with all cores, in the order of the blocks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

__all__ = ["in_order"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(
    function: Callable[[Item], Result], items: Iterable[Item], jobs: int
) -> Iterator[Result]:
    """Call a function on items in several threads; yields results in the order of the items.

    Items are taken as results are, so that there are never more than ``jobs + 1`` of them in
    memory, however slow the one who takes the results. Threads do, because NumPy, pyarrow and
    compiled loops let others run while they work.

    Parameters
    ----------
    function : callable
        What to call.
    items : iterable
        What to call it on.
    jobs : int
        Number of threads.

    Examples
    --------
    >>> list(in_order(str.upper, "abc", jobs=2))
    ['A', 'B', 'C']
    """
    if jobs == 1:
        yield from map(function, items)
        return
    pool = ThreadPoolExecutor(jobs)
    running: deque[Future[Result]] = deque()
    try:
        for item in items:
            running.append(pool.submit(function, item))
            if len(running) > jobs:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
