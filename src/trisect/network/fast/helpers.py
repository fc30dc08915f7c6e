"""Threads that help with the tasks of a pass, and sleep in between."""

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

__all__ = ["Help"]


class Help:
    """A call that helpers may join, as soon as they can and as long as it is open.

    Nobody waits for them: whoever opens it does what they do not do.

    Parameters
    ----------
    function : callable
        What each helper calls, with its number from 1 and the arguments.
    *arguments
        Further arguments.
    """

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self._function, self._arguments, self._open = function, arguments, False

    def ask(self, n_helpers: int) -> None:
        """Ask for so many helpers."""
        self._open = True
        with _lock:
            while len(_threads) < n_helpers:
                # They hold nothing that would have to be put in order when the process ends.
                thread = threading.Thread(target=_serve, args=(_asked,), daemon=True)
                thread.start()
                _threads.append(thread)
        for number in range(1, n_helpers + 1):
            _asked.put((self, number))

    def close(self) -> None:
        """Send those away who come later."""
        self._open = False

    def give(self, number: int) -> None:
        """Help, if it is not too late."""
        if self._open:
            self._function(number, *self._arguments)


_asked: SimpleQueue[tuple[Help, int]] = SimpleQueue()
_threads: list[threading.Thread] = []
_lock = threading.Lock()


def _serve(asked: SimpleQueue[tuple[Help, int]]) -> None:
    while True:
        call, number = asked.get()
        call.give(number)
        del call  # and with it the arrays


def _forget() -> None:
    """Start afresh in a forked process, which has none of the threads."""
    global _asked, _lock
    _asked, _lock = SimpleQueue(), threading.Lock()
    _threads.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
