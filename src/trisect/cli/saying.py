"""What commands say: to people on standard error, to machines as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console

__all__ = ["counted", "print_json", "progress_of_rows", "stderr"]


def stderr(quiet: bool = False) -> Console:
    """A console for people, which stays out of the way of results on standard output."""
    return Console(stderr=True, highlight=False, soft_wrap=True, quiet=quiet)


@contextmanager
def progress_of_rows(say: Console, total: int | None, what: str = "") -> Iterator[Any]:
    """Show a bar, the rows that are done and how fast, if a person is looking.

    Parameters
    ----------
    say : Console
        Where to show it: nothing appears unless that is a terminal.
    total : int or None
        Number of rows, if it is known; without it there is no time left to show.
    what : str
        What is being done.

    Yields
    ------
    callable
        Takes the number of rows that were done since the last call.
    """
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    rows = "{task.completed:,.0f}" + (" of {task.total:,.0f}" if total else "") + " rows"
    columns = [TextColumn(what)] * bool(what) + [BarColumn(), TextColumn(rows)]
    columns += [TimeElapsedColumn(), *[TimeRemainingColumn()] * bool(total)]
    live = say.is_terminal and not say.quiet
    with Progress(*columns, console=say, transient=True, disable=not live) as progress:
        task = progress.add_task("rows", total=total)
        yield lambda n: progress.advance(task, n)


def print_json(content: dict[str, Any], to_errors: bool = False) -> None:
    """Print a summary on one line."""
    print(
        json.dumps(content, ensure_ascii=False, allow_nan=False),
        file=sys.stderr if to_errors else sys.stdout,
    )


def counted(number: int, noun: str) -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> counted(1, "row"), counted(3000, "row")
    ('1 row', '3,000 rows')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
