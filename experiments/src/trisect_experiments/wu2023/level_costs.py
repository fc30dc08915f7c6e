"""How test and delay cost change from level to level, for research question 6."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from trisect_experiments.figures import levels
from trisect_experiments.records import Result


class Steps(NamedTuple):
    """What a cost does from one level to the next, counted over the folds of a dataset.

    `first` and `last` are means over the folds.
    """

    first: float
    last: float
    grew: int
    stayed: int
    fell: int

    @property
    def total(self) -> int:
        """Number of steps."""
        return self.grew + self.stayed + self.fell

    @property
    def always_grew(self) -> bool:
        """Whether every step raised the cost."""
        return self.grew == self.total

    @property
    def kind(self) -> str:
        """The word "falling", "growing", "constant", or "both" for the latter two mixed."""
        if self.fell:
            return "falling"
        if self.always_grew:
            return "growing"
        return "constant" if self.stayed == self.total else "both"


class LevelCosts(NamedTuple):
    """Test and delay cost of one dataset over the levels of its folds."""

    dataset: str
    n_folds: int
    levels: float
    test: Steps
    delay: Steps


def level_costs(outcome: Iterable[Result], model: str) -> list[LevelCosts]:
    """Process costs of a model by dataset, from the levels that results keep."""
    return [
        LevelCosts(
            dataset,
            len(folds),
            fmean(map(len, folds)),
            _steps([[level["test_cost"] for level in run] for run in folds]),
            _steps([[level["delay_cost"] for level in run] for run in folds]),
        )
        for dataset, folds in levels.by_dataset(outcome, model).items()
    ]


def _steps(runs: Sequence[Sequence[float]]) -> Steps:
    """Count the steps of several runs."""
    steps = [after - before for run in runs for before, after in pairwise(run)]
    return Steps(
        fmean(run[0] for run in runs),
        fmean(run[-1] for run in runs),
        sum(step > 0 for step in steps),
        sum(step == 0 for step in steps),
        sum(step < 0 for step in steps),
    )
