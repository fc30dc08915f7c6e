"""What commands say: to people on standard error, to machines as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console

__all__ = ["counted", "print_json", "stderr"]


def stderr(quiet: bool = False) -> Console:
    """A console for people, which stays out of the way of results on standard output."""
    return Console(stderr=True, highlight=False, soft_wrap=True, quiet=quiet)


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
