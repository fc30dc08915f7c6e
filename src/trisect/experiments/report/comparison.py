"""One model against some rivals over datasets: the numbers behind a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from trisect.experiments.naming import counted, listed
from trisect.experiments.records import Result
from trisect.experiments.statistics import compare_with_rivals, score_matrix

LEVEL = 0.05
"""From this p value on, a difference may be chance."""

MANY = 3
"""More rivals than this are not named one by one when all have the same fate."""

METRICS = {"accuracy": "accuracy", "weighted_f1": "weighted F1", "auc": "AUC"}


class Duel(NamedTuple):
    """A model against one rival in one metric; the difference is in points of a hundred."""

    rival: str
    wins: int
    ties: int
    losses: int
    difference: float
    p_holm: float

    @property
    def verdict(self) -> str:
        """The word "better" or "worse" when test and direction agree, else "unclear"."""
        if self.p_holm < LEVEL and self.wins > self.losses and self.difference > 0:
            return "better"
        if self.p_holm < LEVEL and self.wins < self.losses and self.difference < 0:
            return "worse"
        return "unclear"


@dataclass(frozen=True)
class Comparison:
    """A model against rivals in one metric, on the datasets where all of them have results."""

    model: str
    metric: str
    matrix: pd.DataFrame
    duels: tuple[Duel, ...]

    @property
    def n_datasets(self) -> int:
        """Number of datasets that count."""
        return len(self.matrix)

    @property
    def n_best(self) -> int:
        """Datasets on which no rival has a higher mean."""
        return int((self.matrix[self.model] >= self.matrix.max(axis=1) - 1e-12).sum())

    @property
    def can_be_significant(self) -> bool:
        """Whether any outcome at all could pass the test, given how few datasets there are."""
        return len(self.duels) * 2.0 ** (1 - self.n_datasets) < LEVEL

    def verdicts(self) -> str:
        """Who is better, worse, or not told apart, as the end of a sentence."""
        words = {
            "better": "significantly better than",
            "worse": "significantly worse than",
            "unclear": "not significantly different from",
        }
        parts = []
        for verdict, text in words.items():
            names = [duel.rival for duel in self.duels if duel.verdict == verdict]
            if len(names) == len(self.duels) > MANY:
                parts.append(f"{text} any of the {len(names)} others")
            elif names:
                parts.append(f"{text} {listed(names)}")
        return listed(parts)


def sentences(comparisons: Sequence[Comparison]) -> list[str]:
    """The verdicts in all metrics, one sentence for metrics that agree.

    With too few datasets for any verdict, that is what is said.
    """
    first = comparisons[0]
    if not first.can_be_significant:
        size = counted(first.n_datasets, "dataset")
        return [f"With {size} no difference could pass the test, however large: read the counts."]
    agreeing: dict[str, list[str]] = {}
    for comparison in comparisons:
        agreeing.setdefault(comparison.verdicts(), []).append(METRICS[comparison.metric])
    return [f"In {listed(names)} {first.model} is {end}." for end, names in agreeing.items()]


def compare(
    outcome: Iterable[Result], metric: str, rivals: Sequence[str], model: str = "STWD-SFNN"
) -> Comparison | None:
    """Compare a model with rivals; None when there are no common datasets.

    Rivals without any result are left out.
    """
    chosen = [r for r in outcome if r.key.model == model or r.key.model in rivals]
    matrix = score_matrix(chosen, metric)
    present = [name for name in rivals if name in matrix.columns]
    if matrix.empty or model not in matrix.columns or not present:
        return None
    frame = compare_with_rivals(matrix, model, present)
    duels = tuple(
        Duel(
            str(name),
            int(row["wins"]),
            int(row["ties"]),
            int(row["losses"]),
            100 * float(row["difference"]),
            float(row["p_holm"]),
        )
        for name, row in frame.iterrows()
    )
    return Comparison(model, metric, matrix, duels)
