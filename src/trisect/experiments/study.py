"""A study: the tables that were asked for, and the one plan that fills them all.

Tables share fits: STWD-SFNN on ten folds is part of four of them and is fitted once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from trisect.experiments.ablation import ABLATION
from trisect.experiments.datasets.dataset import Dataset
from trisect.experiments.models import MODELS, Model, models_of
from trisect.experiments.naming import listed, resolve
from trisect.experiments.plan import Plan, make_plan
from trisect.experiments.records import Result

SPLITS = {"static": 10, "dynamic": 10, "classic": 10, "twd-5fold": 5, "modern": 10, "ablation": 10}
"""Number of folds of every table."""

SEARCHED = {"twd-5fold": 6}
"""Size of the seeded sample of the grid that is searched, for tables with fewer than all."""

PAPER_TABLES = ("static", "dynamic", "classic", "twd-5fold", "modern")
"""What "all" stands for: the paper's four tables and that of the models it lacks."""

OURS = "STWD-SFNN"


@dataclass(frozen=True)
class Section:
    """One table of a study: its name, its models, its number of folds and its part of the plan."""

    table: str
    models: tuple[Model, ...]
    n_splits: int
    plan: Plan = field(repr=False)


@dataclass(frozen=True)
class Study:
    """Tables to fill, on which datasets and folds.

    Examples
    --------
    >>> from trisect.experiments.datasets import load_dataset
    >>> study = make_study(["classic"], [load_dataset("xor")], models=["KNN"], folds=[0], limit=1)
    >>> study.plan.n_fits, [section.table for section in study.sections]
    (1, ['classic'])
    """

    sections: tuple[Section, ...]
    datasets: tuple[Dataset, ...]
    folds: tuple[int, ...] | None
    seed: int
    limit: int | None
    plan: Plan = field(repr=False)

    @property
    def models(self) -> dict[str, tuple[str, ...]]:
        """The tables of every model by its name."""
        pairs = [(m.name, s.table) for s in self.sections for m in s.models]
        return {name: tuple(t for n, t in pairs if n == name) for name, _ in pairs}

    def folds_text(self) -> str:
        """Which folds are tested on, in words."""
        which, end = "all", " folds"
        if self.folds is not None:
            noun = "fold" if len(self.folds) == 1 else "folds"
            which, end = f"test {noun} {listed(map(str, self.folds))} of", ""
        splits = {section.n_splits: section.table for section in self.sections}
        most = max(splits)
        others = [f"{which} {n} in {table}" for n, table in splits.items() if n != most]
        return ", and ".join([f"{which} {most}{end}", *others])

    def results(self, stored: Iterable[Result]) -> list[Result]:
        """The stored results that belong to this study, searches and last fits."""
        known = {result.key: result for result in stored}
        jobs = [*self.plan.jobs, *self.plan.finals(known.values())]
        return [known[job.key] for job in jobs if job.key in known]

    def section(self, table: str) -> Section | None:
        """A section by the name of its table; None when the study has none of that name."""
        return next((s for s in self.sections if s.table == table), None)


def make_study(
    tables: Sequence[str],
    datasets: Iterable[Dataset],
    *,
    models: Sequence[str] | None = None,
    folds: Sequence[int] | None = None,
    seed: int = 0,
    limit: int | None = None,
) -> Study:
    """Plan some tables on some datasets.

    Parameters
    ----------
    tables : sequence of str
        Names out of `SPLITS`; "all" is short for `PAPER_TABLES`.
    datasets : iterable of Dataset
    models : sequence of str, optional
        Only these models of the tables.
    folds : sequence of int, optional
        Test folds; those that a table of fewer folds lacks are left out there.
    seed : int, default=0
    limit : int, optional
        At most this many configurations per model.
    """
    names = resolve_tables(tables)
    entrants = {name: table_models(name) for name in names}
    if models is not None:
        known = dict.fromkeys(model.name for group in entrants.values() for model in group)
        everywhere = [model.name for model in (*MODELS.values(), *ABLATION)]
        wanted = {resolve("model", name, everywhere) for name in models}
        if not wanted & set(known):
            raise ValueError(
                f"None of {', '.join(models)} belongs to {', '.join(names)}; its models are "
                f"{', '.join(known)}."
            )
        entrants = {n: tuple(m for m in g if m.name in wanted) for n, g in entrants.items()}
    rows = tuple(datasets)
    sections = []
    for name, group in entrants.items():
        n_splits = SPLITS[name]
        chosen = None if folds is None else [fold for fold in folds if fold < n_splits]
        if group and chosen != []:
            plan = make_plan(rows, group, n_splits=n_splits, folds=chosen, seed=seed, limit=limit)
            sections.append(Section(name, group, n_splits, plan))
    if not sections:
        raise ValueError(
            f"No table has the folds {', '.join(map(str, folds or ()))}: they are counted from 0, "
            f"and {', '.join(f'{n} has {SPLITS[n]}' for n in names)}."
        )
    cells = {cell.jobs[0].key: cell for section in sections for cell in section.plan.cells}
    plan = Plan(tuple(cells.values()), {data.fingerprint: data for data in rows})
    kept = None if folds is None else tuple(folds)
    return Study(tuple(sections), rows, kept, seed, limit, plan)


def resolve_tables(tables: Sequence[str]) -> tuple[str, ...]:
    """Names of tables, "all" written out, each once.

    Examples
    --------
    >>> resolve_tables(["classic", "all"])
    ('classic', 'static', 'dynamic', 'twd-5fold', 'modern')
    """
    names: list[str] = []
    for table in tables:
        name = resolve("table", table, [*SPLITS, "all"])
        names += PAPER_TABLES if name == "all" else [name]
    return tuple(dict.fromkeys(names))


def table_models(table: str) -> tuple[Model, ...]:
    """Models of a table; STWD-SFNN is in each of them, and the ablation has its own variants."""
    if table == "ablation":
        return ABLATION
    rivals = tuple(model for model in models_of(table) if model.name != OURS)
    entrants = (*rivals, MODELS[OURS])
    if table not in SEARCHED:
        return entrants
    return tuple(replace(model, n_configurations=SEARCHED[table]) for model in entrants)
