"""Everything that a report states, as plain data; the templates turn it into pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from trisect_experiments.records import Result
from trisect_experiments.report.comparison import Answer, answer
from trisect_experiments.report.pictures import Picture, pictures
from trisect_experiments.report.ranking import RankedGroup, ranked_groups
from trisect_experiments.study import Outcomes, PlannedStudy
from trisect_experiments.tables import ResultTable, result_table


class ModelTime(NamedTuple):
    """Fits of a model, how many of them failed, and seconds of training and testing."""

    model: str
    fits: int
    failed: int
    seconds: float


@dataclass(frozen=True)
class Summary:
    """The content of a report on what was `planned`.

    `n_done` counts the fits that have a result, `findings` is what the study's template of
    answers needs beyond the questions, and the last of `times` is that of all models.
    """

    planned: PlannedStudy
    n_done: int
    failures: Sequence[Result]
    tables: Sequence[ResultTable]
    answers: Sequence[Answer]
    findings: Mapping[str, Any]
    rankings: Sequence[RankedGroup]
    pictures: Sequence[Picture]
    times: Sequence[ModelTime]

    @property
    def notes(self) -> dict[str, str]:
        """What a reader has to know about each dataset, in general and in this study."""
        ours = self.planned.study.dataset_notes
        notes = {d.name: f"{d.notes} {ours.get(d.name, '')}".strip() for d in self.planned.datasets}
        return {name: text for name, text in notes.items() if text}

    @property
    def subsets(self) -> dict[str, str]:
        """Datasets that are a selection of another one of the run, with its name."""
        names = {data.name for data in self.planned.datasets}
        return {d.name: d.subset_of for d in self.planned.datasets if d.subset_of in names}


def summarise(planned: PlannedStudy, results: Sequence[Result], outcomes: Outcomes) -> Summary:
    """Compute what a report states from the results of a plan and what its tables report."""
    study = planned.study
    groups = ranked_groups(planned, outcomes)
    return Summary(
        planned,
        len(results),
        [result for result in results if result.failed],
        [
            result_table(study, section, outcomes[section.table.name], planned.datasets)
            for section in planned.sections
        ],
        [answer(study, question, outcomes) for question in study.questions],
        study.findings(planned, outcomes),
        groups,
        pictures(planned, outcomes, groups),
        model_times(results),
    )


def model_times(results: Sequence[Result]) -> list[ModelTime]:
    """Totals by model, in order of appearance, and of all of them."""
    names = dict.fromkeys(result.key.model for result in results)
    parts = [(name, [r for r in results if r.key.model == name]) for name in names]
    return [
        ModelTime(
            name,
            len(part),
            sum(r.failed for r in part),
            sum(r.seconds for r in part if not r.failed),
        )
        for name, part in [*parts, ("all", results)]
    ]
