"""What is done, what is left, and how long that may take."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from statistics import fmean

from trisect_experiments.naming import duration
from trisect_experiments.records import Result
from trisect_experiments.study import PlannedStudy


class Progress:
    """Counts and times of a run, before and while it lasts.

    A fit is expected to take as long as others of its model on its dataset; without one, as long
    per cell of the table as its model took elsewhere; without that, as long as the average.
    """

    def __init__(
        self,
        planned: PlannedStudy,
        stored: Sequence[Result],
        workers: int = 1,
        retry_failed: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.planned, self.workers, self.clock = planned, workers, clock
        self._cells = {data.name: data.X.size for data in planned.datasets}
        self._times: dict[tuple[str, str], list[float]] = defaultdict(list)
        own = planned.plan.results(stored)
        for result in own:
            self._learn(result)
        self.n_foreign = len(stored) - len(own)
        done = {result.key for result in own if not (retry_failed and result.failed)}
        left = planned.plan.left(done)
        self.left = Counter((job.key.dataset, job.key.model) for job in left)
        self.total, self.missing = planned.plan.n_fits, len(left)
        self.computed, self.busy, self.start = 0, 0.0, clock()

    @property
    def done(self) -> int:
        """Fits in the store, before and now."""
        return self.total - self.missing + self.computed

    @property
    def remaining(self) -> float | None:
        """Expected seconds to go; None while nothing is known."""
        if not self._times:
            return None
        return sum(n * self.expected(*pair) for pair, n in self.left.items()) / self.workers

    def expected(self, dataset: str, model: str) -> float:
        """Expected seconds of one fit."""
        if (dataset, model) in self._times:
            return fmean(self._times[dataset, model])
        rates = [fmean(t) / self._cells[d] for (d, m), t in self._times.items() if m == model]
        if rates:
            return fmean(rates) * self._cells[dataset]
        return fmean(seconds for times in self._times.values() for seconds in times)

    def finished(self, result: Result) -> None:
        """Count a fit, and learn how long it took."""
        self.computed += 1
        self.left[result.key.dataset, result.key.model] -= 1
        self._learn(result)
        self.busy += 0.0 if result.failed else result.seconds

    def time_text(self) -> str:
        """Time gone, and time to go once that can be judged."""
        elapsed = self.clock() - self.start
        seconds = self.remaining
        if self.computed < min(3, self.missing) or not seconds:
            return duration(elapsed)
        # Starting processes, reading data and storing results take time that no fit reports.
        overhead = max(1.0, elapsed * self.workers / self.busy) if self.busy else 1.0
        return f"{duration(elapsed)}, about {duration(seconds * overhead)} to go"

    def _learn(self, result: Result) -> None:
        if not result.failed:
            self._times[result.key.dataset, result.key.model].append(result.seconds)
