"""Everything that a report states, as plain data; the templates turn it into pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from trisect_experiments.records import Result
from trisect_experiments.report.comparison import Answer, answer
from trisect_experiments.report.pictures import Picture, pictures
from trisect_experiments.report.ranking import RankedGroup, ranked_groups
from trisect_experiments.study import PlannedStudy
from trisect_experiments.tables import ResultTable, dataset_notes, result_table


class ModelTime(NamedTuple):
    """Fits of a model, how many of them failed, and seconds of training and testing."""

    model: str
    fits: int
    failed: int
    seconds: float


@dataclass(frozen=True)
class Summary:
    """The content of a report.

    Attributes
    ----------
    planned : PlannedStudy
        What was asked for.
    n_done : int
        Fits of it that have a result.
    failures : tuple of Result
    tables : tuple of ResultTable
    answers : tuple of Answer
        The study's questions, answered.
    findings : mapping
        What the study's template of answers needs beyond them.
    rankings : tuple of RankedGroup
    pictures : tuple of Picture
    times : tuple of ModelTime
    notes : mapping
        What a reader has to know about each dataset.
    """

    planned: PlannedStudy
    n_done: int
    failures: tuple[Result, ...]
    tables: tuple[ResultTable, ...]
    answers: tuple[Answer, ...]
    findings: Mapping[str, Any]
    rankings: tuple[RankedGroup, ...]
    pictures: tuple[Picture, ...]
    times: tuple[ModelTime, ...]
    notes: Mapping[str, str]

    @property
    def total_time(self) -> ModelTime:
        """All models together."""
        fits, failed, seconds = (
            zip(*(t[1:] for t in self.times), strict=True) if self.times else ((0,), (0,), (0.0,))
        )
        return ModelTime("all", sum(fits), sum(failed), sum(seconds))

    @property
    def subsets(self) -> dict[str, str]:
        """Datasets that are a selection of another one of the run, with its name."""
        names = {data.name for data in self.planned.datasets}
        return {d.name: d.subset_of for d in self.planned.datasets if d.subset_of in names}


def summarise(planned: PlannedStudy, stored: Sequence[Result]) -> Summary:
    """Compute what a report states.

    Parameters
    ----------
    planned : PlannedStudy
        What was asked for.
    stored : sequence of Result
        What a store holds; results of other studies are ignored.
    """
    study = planned.study
    results = planned.plan.results(stored)
    outcomes = planned.outcomes(results)
    groups = ranked_groups(planned, outcomes)
    return Summary(
        planned,
        len(results),
        tuple(result for result in results if result.failed),
        tuple(
            result_table(study, section, outcomes[section.table.name], planned.datasets)
            for section in planned.sections
        ),
        tuple(answer(study, question, outcomes) for question in study.questions),
        study.findings(planned, outcomes),
        groups,
        pictures(planned, outcomes, groups),
        model_times(results),
        dataset_notes(study, planned.datasets),
    )


def model_times(results: Iterable[Result]) -> tuple[ModelTime, ...]:
    """Totals by model, in order of appearance."""
    totals: dict[str, ModelTime] = {}
    for result in results:
        name = result.key.model
        before = totals.get(name, ModelTime(name, 0, 0, 0.0))
        seconds = 0.0 if result.failed else result.seconds
        totals[name] = ModelTime(
            name, before.fits + 1, before.failed + result.failed, before.seconds + seconds
        )
    return tuple(totals.values())
