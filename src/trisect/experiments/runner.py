"""Compute what is missing from a store, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from trisect.experiments.executors import Task, dask_results, local_results
from trisect.experiments.plan import Job, Plan
from trisect.experiments.records import Key, Result
from trisect.experiments.store import ResultStore

_REFRESH_SECONDS = 2.0
_REFRESH_SHARE = 0.01


class RunListener(Protocol):
    """What a display implements to follow a run.

    `dispatched` may be called from another thread than the rest.
    """

    def planned(self, total: int, missing: int) -> None:
        """The run begins: `total` fits, of which `missing` are not in the store."""

    def dispatched(self, job: Job) -> None:
        """A worker was given a job."""

    def finished(self, result: Result) -> None:
        """A result is safe on disk; ``result.failed`` tells whether it is an error."""

    def ended(self, summary: RunSummary) -> None:
        """The run is over."""


class Silent:
    """A listener that ignores everything; a base for listeners that want one event only."""

    def planned(self, total: int, missing: int) -> None:
        """Ignore."""

    def dispatched(self, job: Job) -> None:
        """Ignore."""

    def finished(self, result: Result) -> None:
        """Ignore."""

    def ended(self, summary: RunSummary) -> None:
        """Ignore."""


@dataclass(frozen=True)
class RunSummary:
    """What a run did: fits in the plan, computed now, failed now, and seconds."""

    total: int
    computed: int
    failed: int
    seconds: float


def run(
    plan: Plan,
    store: ResultStore,
    *,
    n_jobs: int = 1,
    dask: Any = None,
    listener: RunListener | None = None,
    retry_failed: bool = False,
) -> RunSummary:
    """Compute every fit of a plan that the store lacks; each is durable as soon as it is done.

    A run may be killed at any moment and started again: only what is missing is computed. Two
    runs may share a store; a fit that both compute is kept once.

    Parameters
    ----------
    plan : Plan
    store : ResultStore
    n_jobs : int, default=1
        Processes on this machine; -1 for one per core.
    dask : str or distributed.Client, optional
        Address of a Dask scheduler to use instead.
    listener : RunListener, optional
        Told about progress.
    retry_failed : bool, default=False
        Compute failed fits again.

    Returns
    -------
    RunSummary

    Examples
    --------
    >>> from trisect.experiments.datasets import load_dataset
    >>> from trisect.experiments.models import MODELS
    >>> from trisect.experiments.plan import make_plan
    >>> plan = make_plan([load_dataset("breast-cancer")], [MODELS["KNN"]], folds=[0], limit=2)
    >>> with ResultStore(":memory:") as store:
    ...     run(plan, store).computed, run(plan, store).computed
    (2, 0)
    """
    watcher = listener if listener is not None else Silent()
    start = time.perf_counter()
    worker = _Worker(plan, store, n_jobs, dask, watcher, retry_failed)
    watcher.planned(plan.n_fits, plan.n_fits - worker.count_done())
    worker.compute(plan.jobs)
    worker.compute(plan.finals(store.results()))
    summary = RunSummary(plan.n_fits, worker.computed, worker.failed, time.perf_counter() - start)
    watcher.ended(summary)
    return summary


class _Worker:
    """The state of one run: what is done, and what was counted."""

    def __init__(
        self,
        plan: Plan,
        store: ResultStore,
        n_jobs: int,
        dask: Any,
        listener: RunListener,
        retry_failed: bool,
    ) -> None:
        self.plan, self.store, self.listener = plan, store, listener
        self.n_jobs, self.dask = n_jobs, dask
        # Retried failures count as missing until this run has tried them once.
        self.ignore: set[Key] = store.keys(failed=True) if retry_failed else set()
        self.computed = self.failed = 0
        self.refresh()

    def refresh(self) -> None:
        """Look again at what the store holds; another process may have added to it."""
        start = time.monotonic()
        self.done = self.store.keys() - self.ignore
        now = time.monotonic()
        # The more a store holds, the longer a look takes, and the less often it is worth it.
        self.next_look = now + max(_REFRESH_SECONDS, (now - start) / _REFRESH_SHARE)

    def count_done(self) -> int:
        jobs = [*self.plan.jobs, *self.plan.finals(self.store.results())]
        return sum(job.key in self.done for job in jobs)

    def tasks(self, jobs: list[Job]) -> Iterator[Task]:
        # Drawn from threads of the executor: read `done`, never the store itself.
        for job in jobs:
            if job.key not in self.done:
                self.listener.dispatched(job)
                yield Task(job, self.plan.datasets[job.key.data])

    def compute(self, jobs: list[Job]) -> None:
        self.refresh()
        tasks = self.tasks(jobs)
        results = (
            local_results(tasks, self.n_jobs)
            if self.dask is None
            else dask_results(tasks, self.dask)
        )
        for result in results:
            self.store.add(result)
            self.ignore.discard(result.key)
            self.computed += 1
            self.failed += result.failed
            self.listener.finished(result)
            if time.monotonic() > self.next_look:
                self.refresh()
