"""What is done, what is left, how long that may take, and how a terminal shows it."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from statistics import fmean

from rich import box
from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, TaskProgressColumn, TextColumn
from rich.progress import Progress as Bar
from rich.table import Table

from trisect_experiments.naming import counted, duration
from trisect_experiments.records import Result
from trisect_experiments.study import PlannedStudy

PLAIN_SECONDS = 10.0
"""How often a line is printed where there is no terminal."""


class Progress:
    """Counts and times of a run, before and while it lasts.

    A fit is expected to take as long as others of its model on its dataset; without one, as long
    per cell of the table as its model took elsewhere; without that, as long as the average.
    """

    def __init__(
        self,
        planned: PlannedStudy,
        stored: Sequence[Result],
        workers: int = 1,
        retry_failed: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.planned, self.workers, self.clock = planned, workers, clock
        self._cells = {data.name: data.X.size for data in planned.datasets}
        self._times: dict[tuple[str, str], list[float]] = defaultdict(list)
        own = planned.plan.results(stored)
        for result in own:
            self._learn(result)
        self.n_foreign = len(stored) - len(own)
        done = {result.key for result in own if not (retry_failed and result.failed)}
        left = planned.plan.left(done)
        self.left = Counter((job.key.dataset, job.key.model) for job in left)
        self.total, self.missing = planned.plan.n_fits, len(left)
        self.computed, self.busy, self.start = 0, 0.0, clock()

    @property
    def done(self) -> int:
        """Fits in the store, before and now."""
        return self.total - self.missing + self.computed

    @property
    def remaining(self) -> float | None:
        """Expected seconds to go; None while nothing is known."""
        if not self._times:
            return None
        return sum(n * self.expected(*pair) for pair, n in self.left.items()) / self.workers

    def expected(self, dataset: str, model: str) -> float:
        """Expected seconds of one fit."""
        if (dataset, model) in self._times:
            return fmean(self._times[dataset, model])
        rates = [fmean(t) / self._cells[d] for (d, m), t in self._times.items() if m == model]
        if rates:
            return fmean(rates) * self._cells[dataset]
        return fmean(seconds for times in self._times.values() for seconds in times)

    def finished(self, result: Result) -> None:
        """Count a fit, and learn how long it took."""
        self.computed += 1
        self.left[result.key.dataset, result.key.model] -= 1
        self._learn(result)
        self.busy += 0.0 if result.failed else result.seconds

    def time_text(self) -> str:
        """Time gone, and time to go once that can be judged."""
        elapsed = self.clock() - self.start
        seconds = self.remaining
        if self.computed < min(3, self.missing) or not seconds:
            return duration(elapsed)
        # Starting processes, reading data and storing results take time that no fit reports.
        overhead = max(1.0, elapsed * self.workers / self.busy) if self.busy else 1.0
        return f"{duration(elapsed)}, about {duration(seconds * overhead)} to go"

    def _learn(self, result: Result) -> None:
        if not result.failed:
            self._times[result.key.dataset, result.key.model].append(result.seconds)


class Display:
    """Shows the progress of a run: a bar in a terminal, lines elsewhere; a context manager."""

    def __init__(self, console: Console, progress: Progress) -> None:
        self.console, self.progress = console, progress
        self.spoken = progress.clock()
        self.bar = Bar(
            TextColumn("[bold]Fits"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[time]}"),
            console=console,
            expand=True,
            disable=not console.is_terminal,
        )
        self.task = self.bar.add_task("", total=progress.total, completed=progress.done, time="")

    def __enter__(self) -> Display:
        self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def finished(self, result: Result) -> None:
        """Show a failure at once, and how far the run has come."""
        progress = self.progress
        progress.finished(result)
        if result.failed:
            self.console.print(f"failed: {result.failure}", markup=False, soft_wrap=True)
        if self.console.is_terminal:
            self.bar.update(self.task, completed=progress.done, time=progress.time_text())
            return
        now = progress.clock()
        last = progress.computed >= progress.missing
        if last or progress.computed == 1 or now - self.spoken >= PLAIN_SECONDS:
            self.spoken = now
            fits = f"{progress.done:,} of {progress.total:,} fits"
            self.console.print(f"{fits}, {progress.time_text()}")


def plan_view(progress: Progress, where: str, store: str) -> RenderableType:
    """The plan as a few lines and a table of models."""
    planned = progress.planned
    sizes = [f"{d.name} ({d.n_rows:,}x{d.n_features:,})" for d in planned.datasets]
    folds = f"{planned.folds_text()}; seed {planned.seed}"
    if planned.limit is not None:
        folds += f"; a quick look, {counted(planned.limit, 'configuration')} per model"
    lines = Table.grid(padding=(0, 2))
    lines.add_column(style="bold", no_wrap=True)
    lines.add_column()
    lines.add_row("Tables", ", ".join(section.table.name for section in planned.sections))
    lines.add_row("Datasets", f"{len(sizes)}: {', '.join(sizes)}")
    lines.add_row("Folds", folds)
    lines.add_row(
        "Fits",
        f"{progress.total:,}, of which {progress.done:,} are in {store}; "
        f"{progress.missing:,} to do",
    )
    if progress.n_foreign:
        others = counted(progress.n_foreign, "result")
        lines.add_row("", f"It also holds {others} of other data, code or settings.")
    lines.add_row("Where", where)
    seconds = progress.remaining
    if not progress.missing:
        lines.add_row("Time", "nothing to compute")
    elif seconds is None:
        lines.add_row("Time", "known after the first fits")
    else:
        lines.add_row("Time", f"about {duration(seconds)}, judged by the fits in the store")
    return Group(lines, _models(progress))


def _models(progress: Progress) -> Table:
    planned = progress.planned
    fits = Counter(job.key.model for job in planned.plan.left(()))
    left: Counter[str] = Counter()
    for (_, model), n in progress.left.items():
        left[model] += n
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Model", no_wrap=True)
    table.add_column("Tables", no_wrap=True)
    for heading in ("Grid", "Fits", "In store", "To do"):
        table.add_column(heading, justify="right")
    pairs = [(model.name, s.table.name) for s in planned.sections for model in s.models]
    for name in dict(pairs):
        places = [place for model, place in pairs if model == name]
        where = "all" if len(places) == len(planned.sections) > 1 else ", ".join(places)
        grids = {len(cell.jobs) for cell in planned.plan.cells if cell.jobs[0].key.model == name}
        grid = "-".join(map(str, sorted({min(grids), max(grids)})))
        cells = [f"{n:,}" for n in (fits[name], fits[name] - left[name], left[name])]
        table.add_row(name, where, grid, *cells)
    return table
