"""Where fits run: in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from joblib import Parallel, delayed, effective_n_jobs

from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.fitting import fit_one
from trisect_experiments.naming import counted
from trisect_experiments.plan import Job
from trisect_experiments.records import Result

_WAIT_SECONDS = 300
_ATTEMPTS = 3
_DATASETS_KEPT = 2


class Task(NamedTuple):
    """A job with the rows that it needs."""

    job: Job
    data: Dataset


class Executor(ABC):
    """A place where fits run.

    ``map`` gives one result per task, in any order and as soon as it is finished. It draws a task
    only when there is room for it, possibly from another thread. A fit that fails is a result
    with an error; nothing that a single task does ends the others.
    """

    @abstractmethod
    def map(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """Run tasks and yield their results."""

    @property
    @abstractmethod
    def workers(self) -> int:
        """How many fits run at the same time."""

    @abstractmethod
    def __str__(self) -> str:
        """The place in a few words, for a person."""


class Local(Executor):
    """Processes of this machine.

    Parameters
    ----------
    n_jobs : int, default=1
        Number of processes; -1 for one per core.

    Examples
    --------
    >>> str(Local(2)), Local().workers
    ('2 processes', 1)
    """

    def __init__(self, n_jobs: int = 1) -> None:
        self.n_jobs = n_jobs

    def map(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """Run tasks and yield their results."""
        parallel = Parallel(
            n_jobs=self.n_jobs, return_as="generator_unordered", batch_size=1, pre_dispatch="n_jobs"
        )
        return iter(parallel(delayed(fit_one)(*task) for task in tasks))

    @property
    def workers(self) -> int:
        """Number of processes."""
        return int(effective_n_jobs(self.n_jobs))

    def __str__(self) -> str:
        return "1 process" if self.workers == 1 else f"{self.workers} processes"


class Dask(Executor):
    """A Dask cluster.

    A worker may die: its tasks go to another, and data that died with it are sent again. A fit
    that takes its worker down three times is recorded as failed.

    Parameters
    ----------
    address : str
        Address of a scheduler.
    timeout : float, default=10
        Seconds to wait for the scheduler.
    """

    def __init__(self, address: str, timeout: float = 10) -> None:
        self.address, self.timeout = address, timeout

    def map(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """Run tasks and yield their results."""
        with self._client() as client:
            yield from _drain(iter(tasks), client)

    @property
    def workers(self) -> int:
        """Number of cores of the cluster."""
        with self._client() as client:
            return max(1, sum(client.ncores().values()))

    def __str__(self) -> str:
        return f"Dask at {self.address}, {counted(self.workers, 'core')}"

    @contextmanager
    def _client(self) -> Iterator[Any]:
        try:
            from distributed import Client
        except ImportError as error:
            raise ImportError(
                "Running on a Dask cluster needs dask and distributed: "
                "pip install 'trisect-experiments[dask]'."
            ) from error
        try:
            client = Client(self.address, set_as_default=False, timeout=self.timeout)
        except (OSError, ValueError) as error:
            raise ConnectionError(
                f"No Dask scheduler answers at {self.address}: {error}."
            ) from error
        with client:
            yield client


def _drain(tasks: Iterator[Task], client: Any) -> Iterator[Result]:
    from distributed import as_completed

    sent: dict[str, Any] = {}
    running: dict[Any, tuple[Task, int]] = {}
    completed = as_completed([], loop=client.loop)

    def submit(task: Task, attempt: int) -> None:
        name = task.data.fingerprint
        if attempt > 1:
            sent.pop(name, None)
        if name not in sent:
            # On every worker, so that the death of one does not lose it.
            sent[name] = client.scatter(
                task.data, broadcast=True, hash=False, timeout=_WAIT_SECONDS
            )
            if len(sent) > _DATASETS_KEPT:
                del sent[next(iter(sent))]
        future = client.submit(fit_one, task.job, sent[name], pure=False)
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
