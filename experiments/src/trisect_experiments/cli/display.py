"""What a run shows: the plan first, then a bar in a terminal and lines elsewhere."""

from __future__ import annotations

from collections import Counter

from rich import box
from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, TaskProgressColumn, TextColumn
from rich.progress import Progress as Bar
from rich.table import Table

from trisect_experiments.cli.progress import Progress
from trisect_experiments.naming import counted, duration
from trisect_experiments.records import Result

PLAIN_SECONDS = 10.0
"""How often a line is printed where there is no terminal."""


class Display:
    """Shows the progress of a run; a context manager."""

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
    for name, places in planned.tables_of_models.items():
        where = "all" if len(places) == len(planned.sections) > 1 else ", ".join(places)
        grids = {len(cell.jobs) for cell in planned.plan.cells if cell.jobs[0].key.model == name}
        grid = "-".join(map(str, sorted({min(grids), max(grids)})))
        cells = [f"{n:,}" for n in (fits[name], fits[name] - left[name], left[name])]
        table.add_row(name, where, grid, *cells)
    return table
