"""How many threads share the work of a fit."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["n_threads", "using_threads"]

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
