"""What is done, what is left, and how long that may take."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence

from trisect_experiments.cli.estimate import TimeEstimate
from trisect_experiments.naming import duration
from trisect_experiments.plan import Job
from trisect_experiments.records import Key, Result
from trisect_experiments.run import Listener, RunSummary
from trisect_experiments.study import PlannedStudy


class Progress(Listener):
    """Counts and times of a run, before and while it lasts.

    Parameters
    ----------
    planned : PlannedStudy
    stored : sequence of Result
        What the store holds.
    workers : int, default=1
        Fits at a time.
    retry_failed : bool, default=False
        Whether failures count as not done.
    clock : callable
        Seconds since any moment.
    """

    def __init__(
        self,
        planned: PlannedStudy,
        stored: Sequence[Result],
        workers: int = 1,
        retry_failed: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.planned_study, self.workers, self.clock = planned, workers, clock
        self.estimate = TimeEstimate({data.name: data.X.size for data in planned.datasets})
        own = planned.plan.results(stored)
        for result in own:
            self.estimate.learn(result)
        self.n_foreign = len(stored) - len(own)
        done = {r.key for r in own if not (retry_failed and r.failed)}
        left = planned.plan.left(done)
        self.left = Counter((job.key.dataset, job.key.model) for job in left)
        self.total = planned.plan.n_fits
        self.missing = self.left.total()
        self.computed = 0
        self.busy = 0.0
        self.start = clock()
        self.running: dict[Key, float] = {}
        self.failed: list[Result] = []

    @property
    def done(self) -> int:
        """Fits in the store, before and now."""
        return self.total - self.missing + self.computed

    @property
    def remaining(self) -> float | None:
        """Expected seconds to go; None while nothing is known."""
        times = [(n, self.estimate.of(*pair)) for pair, n in self.left.items() if n > 0]
        known = [n * seconds for n, seconds in times if seconds is not None]
        return sum(known) / self.workers if len(known) == len(times) else None

    def time_text(self) -> str:
        """Time gone, and time to go once that can be judged."""
        elapsed = self.clock() - self.start
        seconds = self.remaining
        if self.computed < min(3, self.missing) or not seconds:
            return duration(elapsed)
        # Starting processes, reading data and storing results take time that no fit reports.
        overhead = max(1.0, elapsed * self.workers / self.busy) if self.busy else 1.0
        return f"{duration(elapsed)}, about {duration(seconds * overhead)} to go"

    def planned(self, total: int, missing: int) -> None:
        """Start the clock."""
        self.total, self.missing, self.start = total, missing, self.clock()

    def dispatched(self, job: Job) -> None:
        """Note when a fit began."""
        self.running[job.key] = self.clock()

    def finished(self, result: Result) -> None:
        """Count a fit, and learn how long it took."""
        self.running.pop(result.key, None)
        self.computed += 1
        self.left[result.key.dataset, result.key.model] -= 1
        self.estimate.learn(result)
        if result.failed:
            self.failed.append(result)
        else:
            self.busy += result.seconds

    def ended(self, summary: RunSummary) -> None:
        """Nothing runs any more."""
        self.running.clear()


def name_of(key: Key) -> str:
    """A fit in a few words.

    Examples
    --------
    >>> name_of(Key("EOL", "RF", "10-fold", 3, '{"max_features":4}', 0, "", ""))
    'EOL, RF, fold 3'
    """
    return f"{key.dataset}, {key.model}, fold {key.fold}"


def reason(result: Result) -> str:
    """Why a fit failed, in one line."""
    return (result.error or "").partition("\n")[0]
