"""The `trisect` command: it parses, calls the library, and prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code.

    0 when the command did its work, 1 when not a single fit of a run succeeded, 2 when what was
    asked cannot be done, 130 when it was interrupted.

    Parameters
    ----------
    arguments : sequence of str, optional
        What was typed after ``trisect``; taken from the process when not given.
    """
    try:
        from trisect.cli.app import run_command
    except ImportError as error:
        print(
            f"The trisect command needs {error.name}, which comes with the experiments: "
            "pip install 'trisect[experiments]'.",
            file=sys.stderr,
        )
        return 2
    return run_command(sys.argv[1:] if arguments is None else list(arguments))
