"""The paper's tables with our numbers: mean ± 95 % interval, best in bold, the paper's beside.

A table is plain data (`ResultTable`); Markdown, CSV and LaTeX are three views of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from trisect.experiments.datasets.dataset import Dataset
from trisect.experiments.protocol import Interval, mean_interval
from trisect.experiments.published import Figure, published
from trisect.experiments.records import Result


class Metric(NamedTuple):
    """A column: field of a result, heading, factor, decimals, and which way is better."""

    field: str
    heading: str
    factor: float
    decimals: int
    higher_is_better: bool


METRICS = (
    Metric("accuracy", "Accuracy (%)", 100, 2, True),
    Metric("weighted_f1", "Weighted F1 (%)", 100, 2, True),
    Metric("auc", "AUC (%)", 100, 2, True),
    Metric("train_seconds", "Training time (s)", 1, 2, False),
    Metric("test_seconds", "Test time (s)", 1, 4, False),
    Metric("nodes", "Nodes", 1, 2, False),
)

TITLES = {
    "static": "Comparison of static models and STWD-SFNN",
    "dynamic": "Comparison of dynamic models and STWD-SFNN",
    "classic": "Comparison of other classification models and STWD-SFNN",
    "twd-5fold": "Comparison of TWD-SFNN and STWD-SFNN by five-fold cross-validation",
    "modern": "Comparison of models that the paper lacks and STWD-SFNN",
    "ablation": "Ablation of STWD-SFNN: one part taken away or exchanged at a time",
}


@dataclass(frozen=True)
class TableCell:
    """A value with its interval, whether it is the best of its dataset, and the paper's."""

    ours: Interval
    best: bool
    paper: Figure | None


@dataclass(frozen=True)
class TableRow:
    """One model on one dataset."""

    dataset: str
    model: str
    n_folds: int
    cells: tuple[TableCell, ...]


@dataclass(frozen=True)
class ResultTable:
    """A table of results.

    Attributes
    ----------
    name, title : str
        Its name in the registry and its caption.
    rows : tuple of TableRow
        Grouped by dataset.
    majority : mapping
        Majority rate of each dataset, in per cent.
    notes : tuple of str
        Sentences for its foot.
    """

    name: str
    title: str
    rows: tuple[TableRow, ...]
    majority: Mapping[str, float]
    notes: tuple[str, ...] = ()


def result_table(
    name: str,
    outcome: Iterable[Result],
    datasets: Iterable[Dataset],
    models: Iterable[str] | None = None,
    notes: Iterable[str] = (),
) -> ResultTable:
    """Build a table from what each cell of a plan reports.

    Parameters
    ----------
    name : str
        One of `TITLES`, or a name of your own.
    outcome : iterable of Result
        One result per dataset, model and fold, as `Plan.outcome` returns them.
    datasets : iterable of Dataset
        Their order is the order of the table; their notes go to its foot.
    models : iterable of str, optional
        Models to show, in this order; all of them in order of appearance when not given.
    notes : iterable of str, optional
        More sentences for the foot, such as caps on rows.
    """
    cells: dict[tuple[str, str], list[Result]] = {}
    for result in outcome:
        if not result.failed:
            cells.setdefault((result.key.dataset, result.key.model), []).append(result)
    chosen = list(dict.fromkeys(model for _, model in cells)) if models is None else list(models)
    tables = list(datasets)
    rows: list[TableRow] = []
    for data in tables:
        present = {m: cells[data.name, m] for m in chosen if (data.name, m) in cells}
        rows += _dataset_rows(name, data.name, present)
    foot = [f"{data.name}: {data.notes}" for data in tables if data.notes]
    return ResultTable(
        name,
        TITLES.get(name, name),
        tuple(rows),
        {data.name: 100 * data.majority_rate for data in tables},
        (*notes, *foot),
    )


def _dataset_rows(table: str, dataset: str, results: dict[str, list[Result]]) -> list[TableRow]:
    """Rows of one dataset, with the best value of each column marked."""
    values = {
        model: [mean_interval([m.factor * getattr(r, m.field) for r in folds]) for m in METRICS]
        for model, folds in results.items()
    }
    best = []
    for j, metric in enumerate(METRICS):
        shown = [round(row[j].mean, metric.decimals) for row in values.values()]
        finite = [value for value in shown if np.isfinite(value)]
        pick = max if metric.higher_is_better else min
        best.append(pick(finite) if len(finite) > 1 else None)
    rows = []
    for model, intervals in values.items():
        paper = published(table, dataset, model)
        cells = [
            TableCell(
                interval,
                best[j] is not None and round(interval.mean, METRICS[j].decimals) == best[j],
                paper.get(METRICS[j].field),
            )
            for j, interval in enumerate(intervals)
        ]
        rows.append(TableRow(dataset, model, len(results[model]), tuple(cells)))
    return rows
