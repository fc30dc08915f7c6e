"""Compute what is missing from a store, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from trisect_experiments.executors import Executor, Local, Task
from trisect_experiments.plan import Job, Plan
from trisect_experiments.records import Key, Result
from trisect_experiments.store import ResultStore

_REFRESH_SECONDS = 2.0
_REFRESH_SHARE = 0.01


@dataclass(frozen=True)
class RunSummary:
    """What a run did: fits in the plan, computed now, failed now, and seconds."""

    total: int
    computed: int
    failed: int
    seconds: float


class Listener:
    """Follows a run; override what is of interest.

    `dispatched` may be called from another thread than the rest.
    """

    def planned(self, total: int, missing: int) -> None:
        """The run begins: `missing` of `total` fits are not in the store."""

    def dispatched(self, job: Job) -> None:
        """A job was handed to the executor."""

    def finished(self, result: Result) -> None:
        """A result, which may be an error, is safe on disk."""

    def ended(self, summary: RunSummary) -> None:
        """The run is over."""


def run(
    plan: Plan,
    store: ResultStore,
    executor: Executor | None = None,
    *,
    listener: Listener | None = None,
    retry_failed: bool = False,
) -> RunSummary:
    """Compute every fit of a plan that the store lacks; each is durable as soon as it is done.

    A run may be killed at any moment and started again: only what is missing is computed. Two
    runs may share a store; a fit that both compute is kept once.

    Parameters
    ----------
    plan : Plan
    store : ResultStore
    executor : Executor, optional
        Where to compute; one process of this machine by default.
    listener : Listener, optional
        Is told about progress.
    retry_failed : bool, default=False
        Compute failed fits again.

    Returns
    -------
    RunSummary

    Examples
    --------
    >>> from trisect_experiments.datasets import load_dataset
    >>> from trisect_experiments.models import Fixed, Model
    >>> from trisect_experiments.models.rivals import build_knn, scikit_learn
    >>> from trisect_experiments.plan import make_plan
    >>> grid = Fixed({"n_neighbors": 5, "metric": "euclidean"})
    >>> knn = Model("KNN", build_knn, grid, scikit_learn)
    >>> plan = make_plan([load_dataset("breast-cancer")], [knn], folds=[0, 1])
    >>> with ResultStore(":memory:") as store:
    ...     run(plan, store).computed, run(plan, store).computed
    (2, 0)
    """
    watcher = listener if listener is not None else Listener()
    start = time.perf_counter()
    worker = _Worker(plan, store, executor or Local(), watcher, retry_failed)
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
        executor: Executor,
        listener: Listener,
        retry_failed: bool,
    ) -> None:
        self.plan, self.store, self.executor, self.listener = plan, store, executor, listener
        # Retried failures count as missing until this run has tried them once.
        self.ignore: set[Key] = store.keys(failed=True) if retry_failed else set()
        self.computed = self.failed = 0
        self.refresh()

    def refresh(self) -> None:
        """Look again at what the store holds; another process may have added to it."""
        start = time.monotonic()
        self.done = self.store.keys() - self.ignore
        now = time.monotonic()
        # The more a store holds, the longer a look takes: spend at most a hundredth of the time.
        self.next_look = now + max(_REFRESH_SECONDS, (now - start) / _REFRESH_SHARE)

    def count_done(self) -> int:
        return sum(r.key in self.done for r in self.plan.results(self.store.results()))

    def tasks(self, jobs: list[Job]) -> Iterator[Task]:
        # Drawn from threads of the executor: read `done`, never the store itself.
        for job in jobs:
            if job.key not in self.done:
                self.listener.dispatched(job)
                yield Task(job, self.plan.datasets[job.key.data])

    def compute(self, jobs: list[Job]) -> None:
        self.refresh()
        for result in self.executor.map(self.tasks(jobs)):
            self.store.add(result)
            self.ignore.discard(result.key)
            self.computed += 1
            self.failed += result.failed
            self.listener.finished(result)
            if time.monotonic() > self.next_look:
                self.refresh()
