"""How long fits will take, judged by those that are done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from statistics import fmean

from trisect_experiments.records import Result


class TimeEstimate:
    """Seconds that fits take, learned from results.

    A fit is expected to take as long as others of its model on its dataset; without one, as
    long per cell of the table as its model took elsewhere; without that, as long as the average.

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
        """Take a finished fit into account; the time of a failed one is not known."""
        dataset, model = result.key.dataset, result.key.model
        if result.failed or dataset not in self.cells:
            return
        self._pairs[dataset, model].append(result.seconds)
        self._rates[model].append(result.seconds / max(self.cells[dataset], 1))
        self._all.append(result.seconds)

    def of(self, dataset: str, model: str) -> float | None:
        """Expected seconds of one fit; None before the first result."""
        if (dataset, model) in self._pairs:
            return fmean(self._pairs[dataset, model])
        if model in self._rates:
            return fmean(self._rates[model]) * self.cells.get(dataset, 0)
        return fmean(self._all) if self._all else None
