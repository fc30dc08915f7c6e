"""The plan, printed before a run starts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table

from trisect.experiments.estimate import TimeEstimate, seconds_text
from trisect.experiments.naming import counted
from trisect.experiments.plan import Job, protocol_name
from trisect.experiments.records import Result
from trisect.experiments.study import Study


class Outlook:
    """What is done, what is left, and how long that may take.

    Parameters
    ----------
    study : Study
    stored : sequence of Result
        What the store holds.
    retry_failed : bool
        Whether failures count as not done.
    """

    def __init__(self, study: Study, stored: Sequence[Result], retry_failed: bool = False) -> None:
        self.study = study
        self.estimate = TimeEstimate({d.name: d.X.size for d in study.datasets})
        own = study.results(stored)
        self.elsewhere = len(stored) - len(own)
        self.done = {r.key for r in own if not (retry_failed and r.failed)}
        for result in own:
            self.estimate.learn(result)
        self.left = [job for job in study.plan.jobs if job.key not in self.done]
        self.left += self._refits()

    def _refits(self) -> list[Job]:
        """One stand-in per last fit that is missing; which configuration wins is not known yet."""
        done = {key._replace(configuration="") for key in self.done}
        jobs = []
        for cell in self.study.plan.cells:
            job = cell.jobs[0]
            last = protocol_name(job.n_splits, cell.fit_rows)
            if cell.refit and job.key._replace(configuration="", protocol=last) not in done:
                jobs.append(job)
        return jobs

    def remaining(self, workers: int) -> float | None:
        """Seconds to go on some processes; None while nothing is known."""
        total = self.estimate.total(self.left)
        return None if total is None else total / max(workers, 1)


def plan_view(outlook: Outlook, where: str, workers: int, store: str) -> RenderableType:
    """The plan as a table of models and a few lines."""
    study = outlook.study
    sizes = [f"{d.name} ({d.n_rows:,}x{d.n_features:,})" for d in study.datasets]
    total, done = study.plan.n_fits, study.plan.n_fits - len(outlook.left)
    lines = Table.grid(padding=(0, 2))
    lines.add_column(style="bold", no_wrap=True)
    lines.add_column()
    lines.add_row("Tables", ", ".join(section.table for section in study.sections))
    lines.add_row("Datasets", f"{len(sizes)}: {', '.join(sizes)}")
    lines.add_row("Folds", _folds(study))
    lines.add_row(
        "Fits", f"{total:,}, of which {done:,} are in {store}; {len(outlook.left):,} to do"
    )
    if outlook.elsewhere:
        others = counted(outlook.elsewhere, "result")
        lines.add_row("", f"{others} of other data, code or settings in it are left alone")
    lines.add_row("Where", where)
    lines.add_row("Time", _time(outlook, workers))
    return Group(lines, _models(outlook))


def print_plan(console: Console, outlook: Outlook, where: str, workers: int, store: str) -> None:
    """Print the plan."""
    console.print(plan_view(outlook, where, workers, store))


def _folds(study: Study) -> str:
    text = f"{study.folds_text()}; seed {study.seed}"
    if study.limit is not None:
        text += f"; a quick look, {counted(study.limit, 'configuration')} per model"
    return text


def _time(outlook: Outlook, workers: int) -> str:
    if not outlook.left:
        return "nothing to compute"
    seconds = outlook.remaining(workers)
    if seconds is None:
        return "known after the first fits"
    return f"about {seconds_text(seconds)}, judged by the fits in the store"


def _models(outlook: Outlook) -> Table:
    study = outlook.study
    fits = Counter(job.key.model for job in study.plan.jobs)
    fits.update(cell.jobs[0].key.model for cell in study.plan.cells if cell.refit)
    left = Counter(job.key.model for job in outlook.left)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Model", no_wrap=True)
    table.add_column("Tables", no_wrap=True)
    for heading in ("Grid", "Fits", "In store", "To do"):
        table.add_column(heading, justify="right")
    for name, places in study.models.items():
        if len(places) == len(study.sections) > 1:
            places = ("all",)
        counts = {len(cell.jobs) for cell in study.plan.cells if cell.jobs[0].key.model == name}
        most = "-".join(map(str, sorted({min(counts), max(counts)})))
        cells = [f"{n:,}" for n in (fits[name], fits[name] - left[name], left[name])]
        table.add_row(name, ", ".join(places), most, *cells)
    return table
