"""The `trisect` command: it parses, calls the library, and prints.

Other distributions add commands through the entry-point group ``trisect.commands``: each entry
is a function or a ``cyclopts.App``, imported when its command is called.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextvars import ContextVar

__all__ = ["main", "typed"]

_TYPED: ContextVar[tuple[str, ...]] = ContextVar("_TYPED", default=())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code.

    0 when the command did its work, 2 when what was asked cannot be done, 130 when it was
    interrupted; a command may have codes of its own.

    Parameters
    ----------
    arguments : sequence of str, optional
        What was typed after ``trisect``; taken from the process by default.
    """
    from trisect.cli.app import installed_commands, run_command

    words = sys.argv[1:] if arguments is None else list(arguments)
    _TYPED.set(tuple(words))
    return run_command(words, installed_commands())


def typed() -> tuple[str, ...]:
    """What the user typed after ``trisect``, for messages and reports of a command."""
    return _TYPED.get()
