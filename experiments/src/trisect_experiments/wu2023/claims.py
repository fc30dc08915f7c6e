"""Our run of Algorithm 1 beside the published figures, dataset by dataset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.records import Result
from trisect_experiments.report.comparison import METRICS
from trisect_experiments.statistics import score_matrix
from trisect_experiments.study import Outcomes
from trisect_experiments.wu2023.published import published


@dataclass(frozen=True)
class Claim:
    """One dataset: ours and theirs by metric in per cent, and the majority rate.

    `highest` has, by metric, the highest score of all models of the run and whose it is.
    """

    majority_margin: ClassVar[float] = 0.5

    dataset: str
    majority: float
    ours: Mapping[str, float]
    theirs: Mapping[str, float]
    highest: Mapping[str, tuple[float, str]]

    @property
    def theirs_is_majority(self) -> bool:
        """Whether the published accuracy is that of always giving the commoner label."""
        return abs(self.theirs["accuracy"] - self.majority) <= self.majority_margin

    @property
    def theirs_below_majority(self) -> bool:
        """Whether always giving the commoner label beats the published accuracy."""
        return self.theirs["accuracy"] < self.majority

    def reached(self, metric: str) -> bool:
        """Whether ours is at least the published figure, to the two decimals that it has."""
        return round(self.ours[metric], 2) >= self.theirs[metric]


def claims(outcomes: Outcomes, datasets: Iterable[Dataset], model: str) -> list[Claim]:
    """A model against its published figures, from the first table that the paper has.

    Datasets that the paper lacks are left out.
    """
    for table, outcome in outcomes.items():
        own = [r for r in outcome if r.key.model == model]
        found = [data for data in datasets if published(table, data.name, model)]
        if own and found:
            break
    else:
        return []
    scores = {metric: 100 * score_matrix(own, metric) for metric in METRICS}
    # A model with a cap on its rows names it after the folds.
    folds = {result.key.protocol for result in own}
    comparable = [
        result
        for result in chain.from_iterable(outcomes.values())
        if result.key.protocol.partition(",")[0] in folds
    ]
    listed = []
    for data in found:
        if data.name in scores["accuracy"].index:
            ours = {m: float(scores[m].loc[data.name, model]) for m in METRICS}
            figures = published(table, data.name, model)
            rivals = [result for result in comparable if result.key.dataset == data.name]
            highest = {metric: _highest(rivals, metric) for metric in METRICS}
            theirs = {m: figures[m].mean for m in METRICS}
            listed.append(Claim(data.name, 100 * data.majority_rate, ours, theirs, highest))
    return listed


def _highest(results: Iterable[Result], metric: str) -> tuple[float, str]:
    """The highest mean over folds, in per cent, and the model that has it."""
    means = 100 * score_matrix(results, metric).iloc[0]
    return float(means.max()), str(means.idxmax())
