"""Average ranks and tests over all datasets, for each group of models that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from trisect_experiments import statistics
from trisect_experiments.records import Result
from trisect_experiments.report.comparison import METRICS, compare
from trisect_experiments.statistics import Duel, Friedman, score_matrix
from trisect_experiments.study import Outcomes, PlannedStudy


class RankedModel(NamedTuple):
    """A model in a ranking: average rank, mean in per cent, and the subject against it."""

    name: str
    rank: float
    mean: float
    duel: Duel | None
    nemenyi_p: float | None


class RankedMetric(NamedTuple):
    """The models of a group by one metric, the best first; `test` is None for too few."""

    metric: str
    n_datasets: int
    models: tuple[RankedModel, ...]
    test: Friedman | None
    critical_difference: float | None

    def place(self, name: str) -> int | None:
        """Place of a model, 1 for the best; equal ranks share a place."""
        ranks = {model.name: model.rank for model in self.models}
        if name not in ranks:
            return None
        return 1 + sum(rank < ranks[name] - 1e-9 for rank in ranks.values())


class RankedGroup(NamedTuple):
    """Models that are ranked together, by every metric; the subject is compared with the others."""

    name: str
    title: str
    subject: str
    metrics: tuple[RankedMetric, ...]
    outcome: tuple[Result, ...]


def ranked_groups(planned: PlannedStudy, outcomes: Outcomes) -> tuple[RankedGroup, ...]:
    """Rank the models of every table of three or more, and those of the study's rankings."""
    study = planned.study
    tables = [s.table for s in planned.sections if len(s.table.models) > 2]
    parts = [(t.name, t.short_title, study.subject_of(t.name), [outcomes[t.name]]) for t in tables]
    for ranking in study.rankings:
        held = [outcomes[name] for name in ranking.tables if name in outcomes]
        if len(held) > 1:
            parts.append((ranking.name, ranking.title, study.subject, held))
    groups = []
    for name, title, subject, held in parts:
        # Tables share fits; each counts once.
        outcome = tuple({result.key: result for part in held for result in part}.values())
        metrics = tuple(_ranked_metric(outcome, metric, subject) for metric in METRICS)
        groups.append(RankedGroup(name, title, subject, metrics, outcome))
    return tuple(groups)


def rankable(matrix: pd.DataFrame) -> bool:
    """Whether the Friedman test and the diagram have enough to work with."""
    rows, columns = matrix.shape
    return rows >= 2 and columns >= 3 and bool((matrix.nunique(axis=1) > 1).any())


def _ranked_metric(outcome: Sequence[Result], metric: str, subject: str) -> RankedMetric:
    matrix = score_matrix(outcome, metric)
    if matrix.empty:
        return RankedMetric(metric, 0, (), None, None)
    ranks = statistics.average_ranks(matrix)
    test, difference, pairs = None, None, None
    if rankable(matrix):
        test = statistics.friedman(matrix)
        difference = statistics.critical_difference(test.n_models, test.n_datasets)
        pairs = statistics.nemenyi(matrix) if subject in matrix else None
    comparison = compare(outcome, metric, [n for n in ranks.index if n != subject], subject)
    duels = {} if comparison is None else {duel.rival: duel for duel in comparison.duels}
    models = [
        RankedModel(
            str(name),
            float(rank),
            100 * float(matrix[name].mean()),
            duels.get(str(name)),
            None if pairs is None or name == subject else float(pairs.loc[subject, name]),
        )
        for name, rank in ranks.items()
    ]
    return RankedMetric(metric, len(matrix), tuple(models), test, difference)


def ranks_csv(groups: Sequence[RankedGroup]) -> str:
    """Average ranks in one long table."""
    rows = [
        (group.name, ranked.metric, ranked.n_datasets, model.name, model.rank, model.mean)
        for group in groups
        for ranked in group.metrics
        for model in ranked.models
    ]
    columns = ["group", "metric", "datasets", "model", "average_rank", "mean"]
    return str(pd.DataFrame(rows, columns=columns).to_csv(index=False))
