"""What a run shows: the plan first, then progress, live in a terminal and as lines elsewhere."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, TaskProgressColumn, TextColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from trisect_experiments.cli.progress import Progress, name_of, reason
from trisect_experiments.naming import counted, duration
from trisect_experiments.records import Result

SHOWN = 4
PLAIN_SECONDS = 10.0


class PlainDisplay(Progress):
    """A line now and then, and one for each failure."""

    def __init__(self, console: Console, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.console = console
        self.spoken = self.start

    def __enter__(self) -> PlainDisplay:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def finished(self, result: Result) -> None:
        """Print a failure at once, progress from time to time."""
        super().finished(result)
        if result.failed:
            self.console.print(f"failed: {name_of(result.key)}: {reason(result)}", markup=False)
        last = self.computed >= self.missing
        if last or self.computed == 1 or self.clock() - self.spoken >= PLAIN_SECONDS:
            self.spoken = self.clock()
            self.console.print(f"{self.done:,} of {self.total:,} fits, {self.time_text()}")


class LiveDisplay(Progress):
    """A bar, what runs now, and what failed."""

    def __init__(self, console: Console, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.bar = Bar(
            TextColumn("[bold]Fits"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[time]}"),
            console=console,
            expand=True,
        )
        self.task = self.bar.add_task("", total=None, time="")
        self.live = Live(console=console, get_renderable=self.render, refresh_per_second=4)

    def __enter__(self) -> LiveDisplay:
        self.live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.live.stop()

    def render(self) -> RenderableType:
        """What to show at this moment."""
        self.bar.update(
            self.task, total=self.total or None, completed=self.done, time=self.time_text()
        )
        lines: list[RenderableType] = [self.bar]
        now = self.clock()
        # Jobs beyond the number of workers were handed out but wait for one.
        oldest = sorted(self.running.items(), key=lambda item: item[1])[: self.workers]
        for key, since in oldest[:SHOWN]:
            text = Text(f"  now     {name_of(key)}", "cyan", no_wrap=True, overflow="ellipsis")
            lines.append(text.append(f"  {duration(now - since)}", style="dim"))
        if len(oldest) > SHOWN:
            lines.append(Text(f"          and {len(oldest) - SHOWN} more", style="dim"))
        for result in self.failed[-SHOWN:]:
            words = f"  failed  {name_of(result.key)}: {reason(result)}"
            lines.append(Text(words, "red", no_wrap=True, overflow="ellipsis"))
        if len(self.failed) > SHOWN:
            lines.append(Text(f"          {len(self.failed)} failures so far", style="red"))
        return Group(*lines)


def plan_view(progress: Progress, where: str, store: str) -> RenderableType:
    """The plan as a few lines and a table of models.

    Parameters
    ----------
    progress : Progress
    where, store : str
        Where it will run, and where results are kept.
    """
    planned = progress.planned_study
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
    lines.add_row("Time", _time(progress))
    return Group(lines, _models(progress))


def _time(progress: Progress) -> str:
    if not progress.missing:
        return "nothing to compute"
    seconds = progress.remaining
    if seconds is None:
        return "known after the first fits"
    return f"about {duration(seconds)}, judged by the fits in the store"


def _models(progress: Progress) -> Table:
    planned = progress.planned_study
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
