"""A table of results as plain data: means and intervals, the best marked, published figures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.protocol import Interval, mean_interval
from trisect_experiments.records import Result
from trisect_experiments.study import Section, Study


class Metric(NamedTuple):
    """A column: field of a result, heading, factor, decimals, and which way is better."""

    field: str
    heading: str
    factor: float
    decimals: int
    higher_is_better: bool


COLUMNS = (
    Metric("accuracy", "Accuracy (%)", 100, 2, True),
    Metric("weighted_f1", "Weighted F1 (%)", 100, 2, True),
    Metric("auc", "AUC (%)", 100, 2, True),
    Metric("train_seconds", "Training time (s)", 1, 2, False),
    Metric("test_seconds", "Test time (s)", 1, 4, False),
    Metric("nodes", "Nodes", 1, 2, False),
)


DECISION_COLUMNS = (
    Metric("n_levels", "Levels", 1, 2, False),
    Metric("decision_cost", "Cost of 1,000 decisions", 1, 1, False),
    Metric("walked_share", "Nodes walked (%)", 100, 1, False),
)
"""Further columns of a table with `decisions`."""


class TableCell(NamedTuple):
    """A value with its interval, whether it is the best of its dataset, and a published one."""

    ours: Interval
    best: bool
    published: Interval | None


class TableRow(NamedTuple):
    """One model on one dataset; ``first`` marks the first row of a dataset."""

    dataset: str
    majority: float
    first: bool
    model: str
    n_folds: int
    cells: list[TableCell]


@dataclass(frozen=True)
class ResultTable:
    """A table of results, grouped by dataset.

    `limits` are what to bear in mind about its models, for the foot.
    """

    name: str
    title: str
    columns: Sequence[Metric]
    rows: Sequence[TableRow]
    limits: Mapping[str, tuple[str, ...]]

    @property
    def fold_counts(self) -> tuple[int, int]:
        """The least and the largest number of folds of a row."""
        counts = [row.n_folds for row in self.rows] or [0]
        return min(counts), max(counts)

    @property
    def has_decisions(self) -> bool:
        """Whether it shows what decisions cost and take."""
        return set(DECISION_COLUMNS) <= set(self.columns)

    @property
    def has_published(self) -> bool:
        """Whether any cell has a published figure beside it."""
        return any(cell.published for row in self.rows for cell in row.cells)

    def to_csv(self) -> str:
        """CSV with one number per field: ours and the published one, with half-widths."""
        parts = ("", "_pm", "_published", "_published_pm")
        columns = [f"{metric.field}{part}" for metric in self.columns for part in parts]
        rows = []
        for row in self.rows:
            numbers: list[float] = []
            for cell in row.cells:
                numbers += [*cell.ours, *(cell.published or (math.nan, math.nan))]
            lead = (self.name, row.dataset, f"{row.majority:.4f}", row.model, row.n_folds)
            rows.append([*lead, *numbers])
        frame = pd.DataFrame(
            rows, columns=["table", "dataset", "majority", "model", "folds", *columns]
        )
        return str(frame.to_csv(index=False, float_format="%.6g"))


def result_table(
    study: Study, section: Section, outcome: Sequence[Result], datasets: Sequence[Dataset]
) -> ResultTable:
    """Build a table from what each cell of its section reports, see `Plan.outcome`.

    The order of the datasets is that of the table.
    """
    columns = (*COLUMNS, *DECISION_COLUMNS) if section.table.decisions else COLUMNS
    return ResultTable(
        section.table.name,
        section.table.title,
        columns,
        [row for data in datasets for row in _dataset_rows(study, section, columns, data, outcome)],
        {model.name: model.limits for model in section.models if model.limits},
    )


def _dataset_rows(
    study: Study,
    section: Section,
    columns: Sequence[Metric],
    data: Dataset,
    outcome: Sequence[Result],
) -> list[TableRow]:
    """Rows of one dataset, with the best value of each column marked."""
    results = {
        model.name: [r for r in outcome if r.key[:2] == (data.name, model.name)]
        for model in section.models
    }
    values = {
        model: [mean_interval([m.factor * getattr(r, m.field) for r in folds]) for m in columns]
        for model, folds in results.items()
        if folds
    }
    best = [
        _best([row[j].mean for row in values.values()], metric) for j, metric in enumerate(columns)
    ]
    rows: list[TableRow] = []
    for model, intervals in values.items():
        published = study.published(section.table.name, data.name, model)
        cells = [
            TableCell(ours, round(ours.mean, metric.decimals) == top, published.get(metric.field))
            for ours, metric, top in zip(intervals, columns, best, strict=True)
        ]
        majority = 100 * data.majority_rate
        rows.append(TableRow(data.name, majority, not rows, model, len(results[model]), cells))
    return rows


def _best(means: Sequence[float], metric: Metric) -> float | None:
    """The best of some means as they are shown; None where there is nothing to compare."""
    shown = [round(mean, metric.decimals) for mean in means if math.isfinite(mean)]
    pick = max if metric.higher_is_better else min
    return pick(shown) if len(shown) > 1 else None
