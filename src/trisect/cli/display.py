"""What a run shows while it lasts: live in a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn
from rich.text import Text

from trisect.cli.planning import Outlook
from trisect.experiments.estimate import seconds_text, spent
from trisect.experiments.plan import Job
from trisect.experiments.records import Key, Result
from trisect.experiments.runner import RunSummary

SHOWN = 4
PLAIN_SECONDS = 10.0


def name_of(key: Key) -> str:
    """A fit in a few words.

    Examples
    --------
    >>> name_of(Key("EOL", "RF", "10-fold", 3, '{"max_features":4}', 0, "", ""))
    'EOL, RF, fold 3'
    """
    return f"{key.dataset}, {key.model}, fold {key.fold}"


class RunState:
    """Counts and times of a run; both displays read it.

    Parameters
    ----------
    outlook : Outlook
        What was done before, and what is left.
    workers : int
        Fits at a time.
    clock : callable, optional
        For tests.
    """

    def __init__(
        self, outlook: Outlook, workers: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.outlook, self.workers, self.clock = outlook, max(workers, 1), clock
        self.start = clock()
        self.total = self.missing = self.computed = 0
        self.busy = 0.0
        self.running: dict[Key, float] = {}
        self.failed: list[Result] = []

    def planned(self, total: int, missing: int) -> None:
        """Begin."""
        self.total, self.missing, self.start = total, missing, self.clock()

    def dispatched(self, job: Job) -> None:
        """A worker has begun a fit."""
        self.running[job.key] = self.clock()

    def finished(self, result: Result) -> None:
        """A fit is stored."""
        self.running.pop(result.key, None)
        self.computed += 1
        if result.failed:
            self.failed.append(result)
        else:
            self.busy += spent(result)
        self.outlook.estimate.learn(result)
        for index, job in enumerate(self.outlook.left):
            # A last fit is stood in for by a job of its cell.
            if (job.key.dataset, job.key.model, job.key.fold) == (
                result.key.dataset,
                result.key.model,
                result.key.fold,
            ):
                del self.outlook.left[index]
                break

    def ended(self, summary: RunSummary) -> None:
        """End."""
        self.running.clear()

    @property
    def done(self) -> int:
        """Fits in the store, before and now."""
        return self.total - self.missing + self.computed

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.start

    def time_text(self) -> str:
        """Time gone, and time to go once that can be judged."""
        text = seconds_text(self.elapsed)
        seconds = self.outlook.remaining(self.workers)
        if self.computed < min(3, self.missing) or not seconds:
            return text
        # Starting processes, reading data and storing results take time that no fit reports.
        overhead = max(1.0, self.elapsed * self.workers / self.busy) if self.busy else 1.0
        return f"{text}, about {seconds_text(seconds * overhead)} to go"


class LiveDisplay(RunState):
    """A bar, what runs now, and what failed."""

    def __init__(self, console: Console, outlook: Outlook, workers: int) -> None:
        super().__init__(outlook, workers)
        self.progress = Progress(
            TextColumn("[bold]Fits"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[time]}"),
            console=console,
            expand=True,
        )
        self.task = self.progress.add_task("", total=None, time="")
        self.live = Live(console=console, get_renderable=self.render, refresh_per_second=4)

    def __enter__(self) -> LiveDisplay:
        self.live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.live.stop()

    def render(self) -> RenderableType:
        """The picture of this moment."""
        self.progress.update(
            self.task, total=self.total or None, completed=self.done, time=self.time_text()
        )
        lines: list[RenderableType] = [self.progress]
        now = self.clock()
        oldest = sorted(self.running.items(), key=lambda item: item[1])
        # What was handed out beyond the number of workers waits for one.
        oldest = oldest[: self.workers]
        for key, since in oldest[:SHOWN]:
            text = Text(
                f"  now     {name_of(key)}", style="cyan", no_wrap=True, overflow="ellipsis"
            )
            text.append(f"  {seconds_text(now - since)}", style="dim")
            lines.append(text)
        if len(oldest) > SHOWN:
            lines.append(Text(f"          and {len(oldest) - SHOWN} more", style="dim"))
        for result in self.failed[-SHOWN:]:
            reason = (result.error or "").partition("\n")[0]
            text = Text(f"  failed  {name_of(result.key)}: {reason}", style="red")
            text.no_wrap, text.overflow = True, "ellipsis"
            lines.append(text)
        if len(self.failed) > SHOWN:
            lines.append(Text(f"          {len(self.failed)} failures so far", style="red"))
        return Group(*lines)


class PlainDisplay(RunState):
    """A line now and then, and one for each failure."""

    def __init__(
        self,
        console: Console,
        outlook: Outlook,
        workers: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(outlook, workers, clock)
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
            reason = (result.error or "").partition("\n")[0]
            self.console.print(f"failed: {name_of(result.key)}: {reason}", markup=False)
        last = self.computed >= self.missing
        if last or self.computed == 1 or self.clock() - self.spoken >= PLAIN_SECONDS:
            self.spoken = self.clock()
            self.console.print(f"{self.done:,} of {self.total:,} fits, {self.time_text()}")


def display(console: Console, outlook: Outlook, workers: int) -> LiveDisplay | PlainDisplay:
    """The display that suits where the output goes."""
    kind = LiveDisplay if console.is_terminal else PlainDisplay
    return kind(console, outlook, workers)
