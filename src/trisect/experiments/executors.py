"""Where fits run: in processes of this machine, or on a Dask cluster.

An executor takes an iterable of tasks and yields results as they are finished, in any order. It
draws a task only when there is room for it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from joblib import Parallel, delayed

from trisect.experiments.datasets.dataset import Dataset
from trisect.experiments.fitting import fit_one
from trisect.experiments.plan import Job
from trisect.experiments.records import Result

CONNECT_SECONDS = 10
_WAIT_SECONDS = 300
_ATTEMPTS = 3
_DATASETS_KEPT = 2


class Task(NamedTuple):
    """A job with the rows that it needs."""

    job: Job
    data: Dataset


def local_results(tasks: Iterable[Task], n_jobs: int = 1) -> Iterator[Result]:
    """Results from `n_jobs` processes of this machine (-1: one per core)."""
    parallel = Parallel(
        n_jobs=n_jobs, return_as="generator_unordered", batch_size=1, pre_dispatch="n_jobs"
    )
    return iter(
        parallel(
            delayed(fit_one)(job.key, job.model, data.X, data.y, job.n_splits, job.max_rows)
            for job, data in tasks
        )
    )


def dask_results(tasks: Iterable[Task], cluster: Any) -> Iterator[Result]:
    """Results from a Dask cluster, given its address or a ``distributed.Client``.

    A worker may die: its tasks go to another, and data that died with it is sent again. A fit
    that takes its worker down three times is recorded as failed.
    """
    with _connected(cluster) as client:
        yield from _drain(iter(tasks), client)


def cluster_cores(cluster: Any) -> int:
    """How many fits a Dask cluster can do at the same time."""
    with _connected(cluster) as client:
        return sum(client.ncores().values())


@contextmanager
def _connected(cluster: Any) -> Iterator[Any]:
    """A client, the one that was given or one of its own."""
    try:
        from distributed import Client
    except ImportError as error:
        raise ImportError(
            "Running on a Dask cluster needs dask and distributed: pip install 'trisect[dask]'."
        ) from error
    if isinstance(cluster, Client):
        yield cluster
        return
    try:
        client = Client(cluster, set_as_default=False, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise ConnectionError(f"No Dask scheduler answers at {cluster}: {error}.") from error
    with client:
        yield client


def _drain(tasks: Iterator[Task], client: Any) -> Iterator[Result]:
    from distributed import as_completed

    sent: OrderedDict[str, Any] = OrderedDict()
    running: dict[Any, tuple[Task, int]] = {}
    completed = as_completed([], loop=client.loop)

    def submit(task: Task, attempt: int) -> None:
        job, data = task
        if attempt > 1:
            sent.pop(data.fingerprint, None)
        if data.fingerprint not in sent:
            # On every worker, so that the death of one does not lose it.
            sent[data.fingerprint] = client.scatter(
                [data.X, data.y], broadcast=True, hash=False, timeout=_WAIT_SECONDS
            )
            while len(sent) > _DATASETS_KEPT:
                sent.popitem(last=False)
        X, y = sent[data.fingerprint]
        future = client.submit(
            fit_one, job.key, job.model, X, y, job.n_splits, job.max_rows, pure=False
        )
        running[future] = task, attempt
        completed.add(future)

    def fill() -> None:
        room = 2 * max(1, sum(client.ncores().values()))
        while len(running) < room and (task := next(tasks, None)) is not None:
            submit(task, 1)

    fill()
    while running:
        future = next(completed)
        task, attempt = running.pop(future)
        if future.status == "finished":
            yield future.result()
        elif attempt < _ATTEMPTS:
            submit(task, attempt + 1)
        else:
            reason = future.exception() if future.status == "error" else future.status
            yield Result(task.job.key, error=f"The cluster gave up on this fit: {reason}")
        fill()
