"""What a study is, and the plan for a part of it.

A `Study` describes tables, models, datasets and questions once; commands, figures and reports
read everything from it. `plan_study` turns what somebody asked for into one plan. Tables share
fits: a model that several of them hold on the same folds is fitted once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.models.model import Model
from trisect_experiments.naming import listed, resolve
from trisect_experiments.plan import Plan, make_plan
from trisect_experiments.protocol import Interval
from trisect_experiments.records import Result

Outcomes = Mapping[str, Sequence[Result]]
"""What each cell of a table reports, by the name of the table."""


@dataclass(frozen=True)
class Table:
    """Models that are compared on the same folds.

    Parameters
    ----------
    name : str
        Name on the command line and of its files.
    title : str
        Its heading.
    short_title : str
        What its models are, for rankings.
    models : tuple of Model
        Its rows, in order.
    n_splits : int, default=10
        Number of folds.
    n_configurations : int, optional
        Size of the sample of each grid that is searched, where it is not that of the model.
    decisions : bool, default=False
        Whether to show what its networks' three-way decisions cost and take.
    """

    name: str
    title: str
    short_title: str
    models: tuple[Model, ...]
    n_splits: int = 10
    n_configurations: int | None = None
    decisions: bool = False

    def entrants(self, names: Iterable[str] | None = None) -> tuple[Model, ...]:
        """Its models, or those with the given names, with the table's limit on their search."""
        chosen = [model for model in self.models if names is None or model.name in names]
        if self.n_configurations is None:
            return tuple(chosen)
        return tuple(replace(model, n_configurations=self.n_configurations) for model in chosen)


class Contest(NamedTuple):
    """A model against some rivals of a table.

    By default the model is the subject of the study, and the rivals are all others of the table.
    """

    table: str
    rivals: tuple[str, ...] = ()
    lead: str = ""
    subject: str = ""


class Question(NamedTuple):
    """A question that contests answer, and what to bear in mind when reading the answer."""

    title: str
    contests: tuple[Contest, ...]
    remark: str = ""


class Ranking(NamedTuple):
    """Tables whose models are ranked together."""

    name: str
    title: str
    tables: tuple[str, ...]


@dataclass(frozen=True)
class Study:
    """Everything that a study consists of.

    Parameters
    ----------
    title : str
        Heading of the report.
    subject : str
        Name of the model that the others are compared with.
    tables : tuple of Table
    datasets : tuple of str
        Names of its datasets.
    dataset_notes : mapping
        What a reader has to know about a dataset in this study.
    questions : tuple of Question
    rankings : tuple of Ranking
        Rankings over several tables; each table of three models or more has one of its own.
    published : callable
        ``published(table, dataset, model)`` returns published figures by metric, in the units
        of the tables, to be shown beside ours.
    template, package : str
        Template of the page of answers, and the package that has it in its ``templates``.
    findings : callable
        ``findings(planned, outcomes)`` returns what that template needs beyond the questions.
    """

    title: str
    subject: str
    tables: tuple[Table, ...]
    datasets: tuple[str, ...]
    dataset_notes: Mapping[str, str] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    published: Callable[[str, str, str], Mapping[str, Interval]] = lambda *_: {}
    template: str = "answers.md.j2"
    package: str = "trisect_experiments"
    findings: Callable[[PlannedStudy, Outcomes], Mapping[str, Any]] = lambda *_: {}

    @property
    def subjects(self) -> tuple[str, ...]:
        """Its subject, and the other models that questions are about."""
        asked = [c.subject for question in self.questions for c in question.contests if c.subject]
        return tuple(dict.fromkeys([self.subject, *asked]))

    def subject_of(self, table: str) -> str:
        """The model that the others of a table are compared with.

        The study's own subject, or that of a contest where the table lacks it.
        """
        names = [model.name for model in self.table(table).models]
        contests = (c for q in self.questions for c in q.contests if c.table == table)
        asked = (contest.subject for contest in contests)
        return next((name for name in (self.subject, *asked) if name in names), self.subject)

    def table(self, name: str) -> Table:
        """A table by its name, see `resolve`."""
        found = resolve("table", name, [table.name for table in self.tables])
        return next(table for table in self.tables if table.name == found)

    def choose(self, names: Sequence[str] = ()) -> tuple[Table, ...]:
        """Tables by name, each once; all of them for "all" or for no name."""
        if not names or "all" in names:
            return self.tables
        return tuple({table.name: table for table in map(self.table, names)}.values())


@dataclass(frozen=True)
class Section:
    """A table with the models that were asked for, and its part of the plan."""

    table: Table
    models: tuple[Model, ...]
    plan: Plan = field(repr=False)


@dataclass(frozen=True)
class PlannedStudy:
    """The part of a study that was asked for: sections, datasets, folds, seed, and the plan."""

    study: Study
    sections: tuple[Section, ...]
    datasets: tuple[Dataset, ...]
    folds: tuple[int, ...] | None
    seed: int
    limit: int | None
    plan: Plan = field(repr=False)

    def folds_text(self) -> str:
        """Which folds are tested on, in words."""
        which, end = "all", " folds"
        if self.folds is not None:
            noun = "fold" if len(self.folds) == 1 else "folds"
            which, end = f"test {noun} {listed(map(str, self.folds))} of", ""
        splits = {section.table.n_splits: section.table.name for section in self.sections}
        most = max(splits)
        others = [f"{which} {n} in {table}" for n, table in splits.items() if n != most]
        return ", and ".join([f"{which} {most}{end}", *others])

    def outcomes(self, results: Sequence[Result]) -> dict[str, list[Result]]:
        """What each cell of each table reports."""
        return {section.table.name: section.plan.outcome(results) for section in self.sections}


def plan_study(
    study: Study,
    datasets: Iterable[Dataset],
    tables: Sequence[str] = (),
    *,
    models: Sequence[str] | None = None,
    folds: Sequence[int] | None = None,
    seed: int = 0,
    limit: int | None = None,
) -> PlannedStudy:
    """Plan a study, or a part of it.

    Parameters
    ----------
    study : Study
    datasets : iterable of Dataset
    tables : sequence of str, optional
        Names of tables; all of them by default.
    models : sequence of str, optional
        Only these models of the tables.
    folds : sequence of int, optional
        Test folds; those that a table of fewer folds lacks are left out there.
    seed : int, default=0
    limit : int, optional
        At most this many configurations per model.
    """
    chosen = study.choose(tables)
    names = _model_names(study, chosen, models)
    rows = tuple(datasets)
    sections = []
    for table in chosen:
        entrants = table.entrants(names)
        tested = None if folds is None else [fold for fold in folds if fold < table.n_splits]
        if entrants and tested != []:
            plan = make_plan(
                rows, entrants, n_splits=table.n_splits, folds=tested, seed=seed, limit=limit
            )
            sections.append(Section(table, entrants, plan))
    if not sections:
        raise ValueError(
            f"No table has the folds {', '.join(map(str, folds or ()))}: they are counted from 0, "
            f"and {', '.join(f'{table.name} has {table.n_splits}' for table in chosen)}."
        )
    cells = {cell.jobs[0].key: cell for section in sections for cell in section.plan.cells}
    plan = Plan(tuple(cells.values()), {data.fingerprint: data for data in rows})
    kept = None if folds is None else tuple(folds)
    return PlannedStudy(study, tuple(sections), rows, kept, seed, limit, plan)


def _model_names(
    study: Study, tables: Sequence[Table], models: Sequence[str] | None
) -> set[str] | None:
    if models is None:
        return None
    everywhere = [model.name for table in study.tables for model in table.models]
    wanted = {resolve("model", name, everywhere) for name in models}
    here = dict.fromkeys(model.name for table in tables for model in table.models)
    if not wanted & set(here):
        raise ValueError(
            f"None of {', '.join(models)} belongs to {', '.join(t.name for t in tables)}; its "
            f"models are {', '.join(here)}."
        )
    return wanted
