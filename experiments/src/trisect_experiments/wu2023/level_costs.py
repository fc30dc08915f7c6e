"""How test and delay cost change from level to level, for research question 6."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from trisect_experiments.figures.levels import levels_by_dataset
from trisect_experiments.records import Result


@dataclass(frozen=True)
class Steps:
    """What a cost does from one level to the next, counted over the folds of a dataset."""

    first: float
    last: float
    grew: int
    stayed: int
    fell: int

    @classmethod
    def of(cls, runs: Sequence[Sequence[float]]) -> Steps:
        """Count the steps of several runs; `first` and `last` are means over them.

        Examples
        --------
        >>> Steps.of([[3.0, 7.0, 7.0]])
        Steps(first=3.0, last=7.0, grew=1, stayed=1, fell=0)
        """
        steps = [after - before for run in runs for before, after in pairwise(run)]
        return cls(
            fmean(run[0] for run in runs),
            fmean(run[-1] for run in runs),
            sum(step > 0 for step in steps),
            sum(step == 0 for step in steps),
            sum(step < 0 for step in steps),
        )

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


@dataclass(frozen=True)
class LevelCosts:
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
            Steps.of([[level["test_cost"] for level in levels] for levels in folds]),
            Steps.of([[level["delay_cost"] for level in levels] for levels in folds]),
        )
        for dataset, folds in levels_by_dataset(outcome, model).items()
    ]
