"""Compute what is missing from a store, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from trisect_experiments.executors import Executor, Local, Task
from trisect_experiments.plan import Job, Plan
from trisect_experiments.records import Key, Result
from trisect_experiments.store import ResultStore

# How often to look for what another process has added: the more a store holds, the longer a look
# takes, so at most a hundredth of the time goes into it.
_LOOK_SECONDS = 2.0
_LOOK_SHARE = 0.01


class RunSummary(NamedTuple):
    """What a run did: fits computed, how many of them failed, and seconds."""

    computed: int
    failed: int
    seconds: float


def run(
    plan: Plan,
    store: ResultStore,
    executor: Executor | None = None,
    *,
    on_result: Callable[[Result], None] | None = None,
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
    on_result : callable, optional
        Called with every result, failed ones included, once it is safe on disk.
    retry_failed : bool, default=False
        Compute failed fits again.

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
    start = time.perf_counter()
    computed = failed = 0
    # Retried failures count as missing until this run has tried them once.
    retried = store.keys(only_failed=True) if retry_failed else set()
    done: set[Key] = set()

    def tasks(jobs: list[Job]) -> Iterator[Task]:
        # Drawn from threads of the executor: read `done`, never the store itself.
        for job in jobs:
            if job.key not in done:
                yield Task(job, plan.datasets[job.key.data])

    def look() -> float:
        nonlocal done
        before = time.monotonic()
        done = store.keys() - retried
        now = time.monotonic()
        return now + max(_LOOK_SECONDS, (now - before) / _LOOK_SHARE)

    for jobs in (lambda: plan.jobs, lambda: plan.finals(store.results())):
        next_look = look()
        for result in (executor or Local()).map(tasks(jobs())):
            store.add(result)
            retried.discard(result.key)
            computed += 1
            failed += result.failed
            if on_result is not None:
                on_result(result)
            if time.monotonic() > next_look:
                next_look = look()
    return RunSummary(computed, failed, time.perf_counter() - start)
