"""The figures of a report."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from trisect_experiments.figures import levels
from trisect_experiments.figures.ranks import rank_figure
from trisect_experiments.figures.roc import roc_figure
from trisect_experiments.records import Result
from trisect_experiments.report.comparison import METRICS
from trisect_experiments.report.ranking import RankedGroup, rankable
from trisect_experiments.statistics import score_matrix
from trisect_experiments.study import Outcomes, PlannedStudy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEVEL_FIGURES = {
    "process-costs": "Process costs of {} by number of nodes",
    "accuracy-by-nodes": "Accuracy of {} by number of nodes",
    "thresholds": "Thresholds of {} by level",
}


class Picture(NamedTuple):
    """A figure of a report: name of its files, what kind it is, title, and how to draw it."""

    stem: str
    kind: str
    title: str
    draw: Callable[[], Figure]


def pictures(
    planned: PlannedStudy, outcomes: Outcomes, groups: Sequence[RankedGroup]
) -> list[Picture]:
    """Every figure that the results allow."""
    found = []
    for section in planned.sections:
        name, title = section.table.name, section.table.title
        if any(result.details.get("roc") for result in outcomes[name]):
            subject = planned.study.subject_of(name)
            draw = partial(roc_figure, outcomes[name], highlight=subject, title=title)
            found.append(Picture(f"roc-{name}", "roc", title, draw))
    for model in planned.study.subjects:
        # Level by level, from the first table whose networks have levels.
        tables = (held for held in outcomes.values() if levels.by_dataset(held, model))
        grown: Sequence[Result] = next(tables, ())
        for kind, words in _LEVEL_FIGURES.items():
            if levels.level_panels(grown, model, kind):
                title = words.format(model)
                draw = partial(levels.level_figure, grown, model, kind, title)
                stem = "-".join(re.findall(r"\w+", f"{kind} {model.casefold()}"))
                found.append(Picture(stem, kind, title, draw))
    for group in groups:
        for metric in ("accuracy", "auc"):
            matrix = score_matrix(group.outcome, metric)
            if rankable(matrix):
                title = f"{group.title}, average rank by {METRICS[metric]}"
                draw = partial(rank_figure, matrix, highlight=group.subject, title=title)
                found.append(Picture(f"ranks-{group.name}-{metric}", "ranks", title, draw))
    return found
