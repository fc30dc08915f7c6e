"""Threads that help with the tasks of a pass, and sleep in between."""

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

__all__ = ["ask"]

_Job = tuple[Callable[..., Any], tuple[Any, ...]]
_jobs: SimpleQueue[_Job] = SimpleQueue()
_threads: list[threading.Thread] = []
_growing = threading.Lock()


def ask(n_helpers: int, function: Callable[..., Any], *arguments: Any) -> None:
    """Have helpers call a function as soon as they can, once each, and do not wait for them.

    Parameters
    ----------
    n_helpers : int
        Number of helpers; as many are started as there have not been before.
    function : callable
        What to call. It has to cope with a helper that comes too late to be of help.
    *arguments
        Its arguments.
    """
    with _growing:
        while len(_threads) < n_helpers:
            # They hold nothing that would have to be put in order when the process ends.
            helper = threading.Thread(target=_help, name="trisect", daemon=True)
            helper.start()
            _threads.append(helper)
    for _ in range(n_helpers):
        _jobs.put((function, arguments))


def _help() -> None:
    jobs = _jobs
    while True:
        function, arguments = jobs.get()
        function(*arguments)
        del function, arguments  # so that arrays are not kept until the next job


def _forget() -> None:
    """Start afresh in a forked process, which has none of the threads."""
    global _jobs, _growing
    _jobs, _growing = SimpleQueue(), threading.Lock()
    _threads.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
