"""What has to be fitted: every dataset, model, fold and configuration, as a list of jobs.

A fold reports the configuration that is best on its validation fold, never on its test fold.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.models.model import Model
from trisect_experiments.protocol import protocol_code
from trisect_experiments.records import Key, Result, canonical


@dataclass(frozen=True)
class Job:
    """One fit to be done: its key, its model, the number of folds, and a cap on its rows."""

    key: Key
    model: Model
    n_splits: int
    max_rows: int | None = None


@dataclass(frozen=True)
class Cell:
    """One dataset, model and fold: the jobs that compete, and whether a last fit follows.

    When the search saw only part of the training rows, the winner is fitted again on all of
    them (or on `fit_rows` of them), and that fit is the one that is reported.
    """

    jobs: tuple[Job, ...]
    refit: bool
    fit_rows: int | None = None

    def final(self, results: dict[Key, Result]) -> Job | None:
        """The last fit, once every competitor has a result; None before, or without one."""
        if not self.refit or any(job.key not in results for job in self.jobs):
            return None
        winner = best_on_validation(results[job.key] for job in self.jobs)
        if winner is None:
            return None
        job = self.jobs[0]
        key = winner.key._replace(protocol=protocol_name(job.n_splits, self.fit_rows))
        return replace(job, key=key, max_rows=self.fit_rows)


@dataclass(frozen=True)
class Plan:
    """A list of cells and the datasets that they need, by fingerprint."""

    cells: tuple[Cell, ...]
    datasets: dict[str, Dataset] = field(repr=False)

    @property
    def jobs(self) -> list[Job]:
        """The jobs that are known from the start."""
        return [job for cell in self.cells for job in cell.jobs]

    @property
    def n_fits(self) -> int:
        """How many fits there are in all, last fits included."""
        return len(self.jobs) + sum(cell.refit for cell in self.cells)

    def finals(self, results: Iterable[Result]) -> list[Job]:
        """Last fits of the cells whose search is complete."""
        known = {result.key: result for result in results}
        jobs = (cell.final(known) for cell in self.cells)
        return [job for job in jobs if job is not None]

    def left(self, done: Collection[Key]) -> list[Job]:
        """Jobs that are not done.

        Which configuration wins a search is not known before its end, so a last fit is
        represented by the first job of its cell.
        """
        jobs = [job for job in self.jobs if job.key not in done]
        finished = {key._replace(configuration="") for key in done}
        for cell in self.cells:
            job = cell.jobs[0]
            last = protocol_name(job.n_splits, cell.fit_rows)
            if cell.refit and job.key._replace(configuration="", protocol=last) not in finished:
                jobs.append(job)
        return jobs

    def outcome(self, results: Iterable[Result]) -> list[Result]:
        """The result that each cell reports, chosen on validation data only."""
        known = {result.key: result for result in results}
        chosen = []
        for cell in self.cells:
            final = cell.final(known)
            jobs = [final] if final is not None else [] if cell.refit else cell.jobs
            best = best_on_validation(known[job.key] for job in jobs if job.key in known)
            chosen += [best] if best is not None else []
        return chosen

    def results(self, stored: Iterable[Result]) -> list[Result]:
        """The stored results that belong to this plan, searches and last fits."""
        known = {result.key: result for result in stored}
        jobs = [*self.jobs, *self.finals(known.values())]
        return [known[job.key] for job in jobs if job.key in known]


def best_on_validation(results: Iterable[Result]) -> Result | None:
    """The result with the highest validation accuracy; AUC, then order, break ties.

    Failed fits are passed over; None when nothing is left.
    """

    def rank(result: Result) -> tuple[float, ...]:
        scores = result.validation_accuracy, result.validation_auc
        return tuple(-1.0 if math.isnan(score) else score for score in scores)

    return max((result for result in results if not result.failed), key=rank, default=None)


def protocol_name(n_splits: int, max_rows: int | None = None, search: bool = False) -> str:
    """Name of a way to divide the rows.

    Examples
    --------
    >>> protocol_name(10), protocol_name(10, 2000, search=True)
    ('10-fold', '10-fold, search on 2000 rows')
    """
    if max_rows is None:
        return f"{n_splits}-fold"
    return f"{n_splits}-fold, {'search' if search else 'fit'} on {max_rows} rows"


def make_plan(
    datasets: Iterable[Dataset],
    models: Iterable[Model],
    *,
    n_splits: int = 10,
    folds: Sequence[int] | None = None,
    seed: int = 0,
    limit: int | None = None,
) -> Plan:
    """Plan every fit of some models on some datasets.

    Parameters
    ----------
    datasets : iterable of Dataset
    models : iterable of Model
    n_splits : int, default=10
        Number of folds that the rows are divided into.
    folds : sequence of int, optional
        Which of them to test on; all when not given.
    seed : int, default=0
        Seed of the folds, of samples of the grid, and of the estimators.
    limit : int, optional
        At most this many configurations per model, for a quick look.
    """
    chosen = range(n_splits) if folds is None else folds
    for fold in chosen:
        if not 0 <= fold < n_splits:
            raise ValueError(
                f"Fold {fold} does not exist: there are {n_splits}, 0 to {n_splits - 1}."
            )
    tables = list(datasets)
    cells = [
        _cell(data, model, n_splits, fold, seed, limit)
        for data, fold, model in product(tables, chosen, models)
    ]
    return Plan(tuple(cells), {data.fingerprint: data for data in tables})


def _cell(
    data: Dataset, model: Model, n_splits: int, fold: int, seed: int, limit: int | None
) -> Cell:
    configurations = model.configurations(data.n_features, seed, limit)
    n_train = data.n_rows * (n_splits - 2) // n_splits
    refit = bool(model.search_rows and n_train > model.search_rows and len(configurations) > 1)
    fit_rows = model.fit_rows if model.fit_rows and n_train > model.fit_rows else None
    cap = model.search_rows if refit else fit_rows
    protocol, code = (
        protocol_name(n_splits, cap, search=refit),
        f"{model.code()}, {protocol_code()}",
    )
    keys = (
        Key(data.name, model.name, protocol, fold, text, seed, data.fingerprint, code)
        for text in map(canonical, configurations)
    )
    jobs = tuple(Job(key, model, n_splits, cap) for key in keys)
    return Cell(jobs, refit, fit_rows)
