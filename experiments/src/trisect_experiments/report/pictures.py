"""The figures of a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trisect_experiments.figures.levels import (
    accuracy_figure,
    process_cost_figure,
    threshold_figure,
)
from trisect_experiments.figures.panels import save_figure
from trisect_experiments.figures.ranks import rank_figure
from trisect_experiments.figures.roc import roc_figure
from trisect_experiments.report.ranking import RankedGroup, rankable
from trisect_experiments.statistics import score_matrix
from trisect_experiments.study import Outcomes, PlannedStudy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RANKED = {"accuracy": "accuracy", "auc": "AUC"}


class Picture(NamedTuple):
    """A figure of a report: name of its files, what kind it is, title, and how to draw it."""

    stem: str
    kind: str
    title: str
    draw: Callable[[], Figure]


def pictures(
    planned: PlannedStudy, outcomes: Outcomes, groups: Sequence[RankedGroup]
) -> tuple[Picture, ...]:
    """Every figure that the results allow."""
    subject = planned.study.subject
    parts = (
        _roc_curves(planned, outcomes),
        _levels(outcomes, subject),
        _ranks(groups, subject),
    )
    return tuple(picture for part in parts for picture in part)


def write_pictures(found: Sequence[Picture], folder: Path) -> None:
    """Draw figures and write them as SVG and PNG."""
    for picture in found:
        save_figure(picture.draw(), folder / picture.stem)


def _roc_curves(planned: PlannedStudy, outcomes: Outcomes) -> Iterator[Picture]:
    for section in planned.sections:
        name, title = section.table.name, section.table.title
        outcome = outcomes[name]
        if any(result.details.get("roc") for result in outcome):
            draw = partial(roc_figure, outcome, highlight=planned.study.subject, title=title)
            yield Picture(f"roc-{name}", "roc", title, draw)


def _levels(outcomes: Outcomes, subject: str) -> Iterator[Picture]:
    """Level by level, from the first table whose networks kept their levels."""
    figures = (
        ("process-costs", f"Process costs of {subject} by number of nodes", process_cost_figure),
        ("accuracy-by-nodes", f"Accuracy of {subject} by number of nodes", accuracy_figure),
        ("thresholds", f"Thresholds of {subject} by level", threshold_figure),
    )
    for outcome in outcomes.values():
        if any(r.key.model == subject and r.details.get("levels") for r in outcome):
            for stem, title, figure in figures:
                yield Picture(stem, stem, title, partial(figure, outcome, subject, title=title))
            return


def _ranks(groups: Sequence[RankedGroup], subject: str) -> Iterator[Picture]:
    for group in groups:
        for metric, word in RANKED.items():
            matrix = score_matrix(group.outcome, metric)
            if rankable(matrix):
                title = f"{group.title}, average rank by {word}"
                draw = partial(rank_figure, matrix, highlight=subject, title=title)
                yield Picture(f"ranks-{group.name}-{metric}", "ranks", title, draw)
