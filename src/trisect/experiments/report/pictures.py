"""The figures of a report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from trisect.experiments.ablation import BASELINE
from trisect.experiments.figures import (
    accuracy_figure,
    process_cost_figure,
    rank_figure,
    roc_figure,
    save_figure,
    threshold_figure,
)
from trisect.experiments.records import Result
from trisect.experiments.report.questions import MODEL
from trisect.experiments.report.ranking import Group, rankable
from trisect.experiments.statistics import score_matrix
from trisect.experiments.tables import TITLES

Draw = Callable[[], Any]
_BAND = "; mean and range over folds, where a fold that has stopped growing keeps its last value"
_REACHED = "; mean over the folds that grew that far. What lies between alpha and beta is deferred"
RANKED = {"accuracy": "accuracy", "auc": "AUC"}


def write_pictures(
    outcomes: Mapping[str, Sequence[Result]], groups: Iterable[Group], folder: Path
) -> dict[str, str]:
    """Write every figure that the results allow, as SVG and PNG; returns captions by stem."""
    captions: dict[str, str] = {}
    for stem, caption, draw in (*_tables(outcomes), *_levels(outcomes), *_ranks(groups)):
        save_figure(draw(), folder / stem)
        captions[stem] = caption
    return captions


def _tables(outcomes: Mapping[str, Sequence[Result]]) -> Iterator[tuple[str, str, Draw]]:
    for table, outcome in outcomes.items():
        if any(result.details.get("roc") for result in outcome):
            title = TITLES.get(table, table)
            caption = f"ROC curves, mean and one standard deviation over folds. {title}"
            yield f"roc-{table}", caption, partial(roc_figure, outcome, title=title)


def _levels(outcomes: Mapping[str, Sequence[Result]]) -> Iterator[tuple[str, str, Draw]]:
    """Level by level, from the first table whose networks kept their levels."""
    figures = (
        (
            "process-costs",
            "Process costs of {} against the number of nodes",
            _BAND,
            process_cost_figure,
        ),
        ("accuracy-by-nodes", "Accuracy of {} against the number of nodes", _BAND, accuracy_figure),
        ("thresholds", "Thresholds of {} over the levels", _REACHED, threshold_figure),
    )
    for table, outcome in outcomes.items():
        model = BASELINE if table == "ablation" else MODEL
        if any(r.key.model == model and r.details.get("levels") for r in outcome):
            for stem, heading, explained, figure in figures:
                title = heading.format(MODEL)
                yield stem, title + explained, partial(figure, outcome, model=model, title=title)
            return


def _ranks(groups: Iterable[Group]) -> Iterator[tuple[str, str, Draw]]:
    for group in groups:
        for metric, word in RANKED.items():
            matrix = score_matrix(group.outcome, metric)
            if rankable(matrix):
                title = f"{group.title}, average rank by {word}"
                caption = f"{title}; a bar joins models that Nemenyi's test does not tell apart"
                yield (
                    f"ranks-{group.name}-{metric}",
                    caption,
                    partial(rank_figure, matrix, title=title),
                )
