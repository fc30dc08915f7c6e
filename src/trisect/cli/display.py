"""What a run shows while it lasts: live in a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn
from rich.text import Text

from trisect.cli.planning import Outlook
from trisect.cli.run_state import RunState, name_of
from trisect.experiments.estimate import seconds_text
from trisect.experiments.records import Result

SHOWN = 4
PLAIN_SECONDS = 10.0


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
