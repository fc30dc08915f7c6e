"""Counts and times of a run, which its displays read."""

from __future__ import annotations

import time
from collections.abc import Callable

from trisect.cli.planning import Outlook
from trisect.experiments.estimate import seconds_text, spent
from trisect.experiments.plan import Job
from trisect.experiments.records import Key, Result
from trisect.experiments.runner import RunSummary


def name_of(key: Key) -> str:
    """A fit in a few words.

    Examples
    --------
    >>> name_of(Key("EOL", "RF", "10-fold", 3, '{"max_features":4}', 0, "", ""))
    'EOL, RF, fold 3'
    """
    return f"{key.dataset}, {key.model}, fold {key.fold}"


class RunState:
    """Counts and times of a run; both displays read it.

    Parameters
    ----------
    outlook : Outlook
        What was done before, and what is left.
    workers : int
        Fits at a time.
    clock : callable, optional
        For tests.
    """

    def __init__(
        self, outlook: Outlook, workers: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.outlook, self.workers, self.clock = outlook, max(workers, 1), clock
        self.start = clock()
        self.total = self.missing = self.computed = 0
        self.busy = 0.0
        self.running: dict[Key, float] = {}
        self.failed: list[Result] = []

    def planned(self, total: int, missing: int) -> None:
        """Begin."""
        self.total, self.missing, self.start = total, missing, self.clock()

    def dispatched(self, job: Job) -> None:
        """A worker has begun a fit."""
        self.running[job.key] = self.clock()

    def finished(self, result: Result) -> None:
        """A fit is stored."""
        self.running.pop(result.key, None)
        self.computed += 1
        if result.failed:
            self.failed.append(result)
        else:
            self.busy += spent(result)
        self.outlook.estimate.learn(result)
        for index, job in enumerate(self.outlook.left):
            # A last fit is stood in for by a job of its cell.
            if (job.key.dataset, job.key.model, job.key.fold) == (
                result.key.dataset,
                result.key.model,
                result.key.fold,
            ):
                del self.outlook.left[index]
                break

    def ended(self, summary: RunSummary) -> None:
        """End."""
        self.running.clear()

    @property
    def done(self) -> int:
        """Fits in the store, before and now."""
        return self.total - self.missing + self.computed

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.start

    def time_text(self) -> str:
        """Time gone, and time to go once that can be judged."""
        text = seconds_text(self.elapsed)
        seconds = self.outlook.remaining(self.workers)
        if self.computed < min(3, self.missing) or not seconds:
            return text
        # Starting processes, reading data and storing results take time that no fit reports.
        overhead = max(1.0, self.elapsed * self.workers / self.busy) if self.busy else 1.0
        return f"{text}, about {seconds_text(seconds * overhead)} to go"
