"""Linear algebra on one thread while fits run."""

from threading import Lock

from trisect._sklearn import get_threadpool_controller

__all__ = ["ALGEBRA_ON_ONE_THREAD"]


class _OneThread:
    """A context in which the libraries for linear algebra use one thread.

    The products of a fit are small: threads for them would wait busily beside ours. How many
    threads there are belongs to the process, so the first fit that comes in changes it, and the
    last that goes changes it back.
    """

    def __init__(self) -> None:
        self._lock, self._n_inside = Lock(), 0

    def __enter__(self) -> None:
        with self._lock:
            if self._n_inside == 0:
                self._limit = get_threadpool_controller().limit(limits=1, user_api="blas")
            self._n_inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._n_inside -= 1
            if self._n_inside == 0:
                self._limit.restore_original_limits()


ALGEBRA_ON_ONE_THREAD = _OneThread()
