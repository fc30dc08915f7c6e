"""A table of results as plain data: means and intervals, the best marked, published figures."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

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


@dataclass(frozen=True)
class TableCell:
    """A value with its interval, whether it is the best of its dataset, and a published one."""

    ours: Interval
    best: bool
    published: Interval | None


@dataclass(frozen=True)
class TableRow:
    """One model on one dataset; ``first`` marks the first row of a dataset."""

    dataset: str
    majority: float
    first: bool
    model: str
    n_folds: int
    cells: tuple[TableCell, ...]


@dataclass(frozen=True)
class ResultTable:
    """A table of results.

    Attributes
    ----------
    name, title : str
        Those of the study's table.
    rows : tuple of TableRow
        Grouped by dataset.
    limits, notes : mapping
        What to bear in mind about models and datasets, for the foot.
    """

    name: str
    title: str
    rows: tuple[TableRow, ...]
    limits: Mapping[str, tuple[str, ...]]
    notes: Mapping[str, str]

    @property
    def fold_counts(self) -> tuple[int, int]:
        """The least and the largest number of folds of a row."""
        counts = [row.n_folds for row in self.rows] or [0]
        return min(counts), max(counts)

    @property
    def has_published(self) -> bool:
        """Whether any cell has a published figure beside it."""
        return any(cell.published for row in self.rows for cell in row.cells)

    def to_csv(self) -> str:
        """CSV with one number per field: ours and the published one, with half-widths."""
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        parts = ("", "_pm", "_published", "_published_pm")
        columns = [f"{metric.field}{part}" for metric in COLUMNS for part in parts]
        writer.writerow(["table", "dataset", "majority", "model", "folds", *columns])
        for row in self.rows:
            numbers: list[float] = []
            for cell in row.cells:
                numbers += [*cell.ours, *(cell.published or (math.nan, math.nan))]
            lead = [self.name, row.dataset, f"{row.majority:.4f}", row.model, row.n_folds]
            writer.writerow([*lead, *("" if math.isnan(v) else f"{v:.6g}" for v in numbers)])
        return buffer.getvalue()


def result_table(
    study: Study, section: Section, outcome: Iterable[Result], datasets: Iterable[Dataset]
) -> ResultTable:
    """Build a table from what each cell of its section reports.

    Parameters
    ----------
    study : Study
        Has notes and published figures.
    section : Section
        Has the title and the models, in the order of the rows.
    outcome : iterable of Result
        One result per dataset, model and fold, as `Plan.outcome` returns them.
    datasets : iterable of Dataset
        Their order is the order of the table; their notes go to its foot.
    """
    cells: dict[tuple[str, str], list[Result]] = {}
    for result in outcome:
        cells.setdefault((result.key.dataset, result.key.model), []).append(result)
    tables = list(datasets)
    rows: list[TableRow] = []
    for data in tables:
        present = {
            model.name: cells[data.name, model.name]
            for model in section.models
            if (data.name, model.name) in cells
        }
        rows += _dataset_rows(study, section.table.name, data, present)
    return ResultTable(
        section.table.name,
        section.table.title,
        tuple(rows),
        {model.name: model.limits for model in section.models if model.limits},
        dataset_notes(study, tables),
    )


def dataset_notes(study: Study, datasets: Iterable[Dataset]) -> dict[str, str]:
    """What a reader has to know about each dataset, in general and in a study."""
    notes = {d.name: f"{d.notes} {study.dataset_notes.get(d.name, '')}".strip() for d in datasets}
    return {name: text for name, text in notes.items() if text}


def _dataset_rows(
    study: Study, table: str, data: Dataset, results: Mapping[str, Sequence[Result]]
) -> list[TableRow]:
    """Rows of one dataset, with the best value of each column marked."""
    values = {
        model: [mean_interval([m.factor * getattr(r, m.field) for r in folds]) for m in COLUMNS]
        for model, folds in results.items()
    }
    best = []
    for j, metric in enumerate(COLUMNS):
        shown = [round(row[j].mean, metric.decimals) for row in values.values()]
        finite = [value for value in shown if np.isfinite(value)]
        pick = max if metric.higher_is_better else min
        best.append(pick(finite) if len(finite) > 1 else None)
    rows: list[TableRow] = []
    for model, intervals in values.items():
        published = study.published(table, data.name, model)
        cells = [
            TableCell(
                interval,
                best[j] is not None and round(interval.mean, COLUMNS[j].decimals) == best[j],
                published.get(COLUMNS[j].field),
            )
            for j, interval in enumerate(intervals)
        ]
        majority = 100 * data.majority_rate
        n_folds = len(results[model])
        rows.append(TableRow(data.name, majority, not rows, model, n_folds, tuple(cells)))
    return rows
