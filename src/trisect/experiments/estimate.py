"""How long a run will take, judged by the fits that are done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import fmean

from trisect.experiments.plan import Job
from trisect.experiments.records import Result


class TimeEstimate:
    """Seconds that fits take, learned from results.

    A fit is expected to take as long as others of its model on its dataset; without one, as
    long per row and column as its model took elsewhere; without that, as long as the average.

    Parameters
    ----------
    cells : mapping of str to int
        Rows times columns of each dataset.

    Examples
    --------
    >>> estimate = TimeEstimate({"EOL": 100})
    >>> estimate.of("EOL", "RF") is None
    True
    """

    def __init__(self, cells: Mapping[str, int]) -> None:
        self.cells = cells
        self._pairs: dict[tuple[str, str], list[float]] = defaultdict(list)
        self._rates: dict[str, list[float]] = defaultdict(list)
        self._all: list[float] = []

    def learn(self, result: Result) -> None:
        """Take a finished fit into account; failed ones took no time that is known."""
        seconds = spent(result)
        if seconds != seconds or result.key.dataset not in self.cells:
            return
        dataset, model = result.key.dataset, result.key.model
        self._pairs[dataset, model].append(seconds)
        self._rates[model].append(seconds / max(self.cells[dataset], 1))
        self._all.append(seconds)

    def of(self, dataset: str, model: str) -> float | None:
        """Expected seconds of one fit; None before the first result."""
        if (dataset, model) in self._pairs:
            return fmean(self._pairs[dataset, model])
        if model in self._rates:
            return fmean(self._rates[model]) * self.cells.get(dataset, 0)
        return fmean(self._all) if self._all else None

    def total(self, jobs: Iterable[Job]) -> float | None:
        """Expected seconds of some fits, one after the other."""
        times = [self.of(job.key.dataset, job.key.model) for job in jobs]
        return None if None in times else float(sum(t for t in times if t is not None))


def spent(result: Result) -> float:
    """Training and test seconds of a result; NaN when it failed."""
    return result.train_seconds + result.test_seconds


def seconds_text(seconds: float) -> str:
    """A duration as people say it.

    Examples
    --------
    >>> [seconds_text(s) for s in (0.4, 42, 95, 4000, 200000)]
    ['0.4 s', '42 s', '1 min 35 s', '1 h 07 min', '55 h 33 min']
    """
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02d} min"
