"""The commands and their errors."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path

from cyclopts import App, CycloptsError
from rich.console import Console

import trisect
from trisect.cli.evaluate import evaluate
from trisect.cli.export import export
from trisect.cli.fit import fit
from trisect.cli.inspect import inspect
from trisect.cli.predict import predict

BAD_REQUEST = 2
INTERRUPTED = 130
PIPE_CLOSED = 141

EXPERIMENTS = {
    "reproduce": "Run the paper's experiments and write a report.",
    "ablate": "Take STWD-SFNN apart, one part at a time.",
    "datasets": "List the datasets of the experiments, or fetch one.",
}
"""Commands of the distribution trisect-experiments, with a summary of each."""


OVERVIEW = """Three-way decisions on tabular data with a network that grows itself.

To begin with:

trisect demo --write credit.csv

trisect fit credit.csv --target next_month --positive pays -o model.json

trisect predict model.json credit.csv --keep client -o decided.csv
"""


def demo(folder: Path = Path("trisect-demo"), *, write: Path | None = None) -> int:
    """Decide on 3,000 clients with credit cards, and watch the network grow.

    For example, to have a file to begin with:

    trisect demo --write credit.csv

    Parameters
    ----------
    folder
        Where the pictures go.
    write
        Write the clients to this csv file instead, to try things with.
    """
    from trisect.demo import run, write_credit

    return run(folder) if write is None else write_credit(write)


def make_app(commands: dict[str, str], wanted: str = "") -> App:
    """The command with its subcommands, of which `wanted` is the one that will be called.

    Commands of other distributions come as import paths (``"module:name"``). They are not
    imported for the overview, so that their summaries stand here.
    """
    app = App(
        name="trisect",
        help=OVERVIEW,
        version=trisect.__version__,
        suppress_keyboard_interrupt=False,  # `run_command` says that it was interrupted
    )
    own: tuple[Callable[..., int], ...] = (fit, predict, evaluate, inspect, export, demo)
    for place, command in enumerate(own):
        app.command(command, sort_key=place)
    for name, path in commands.items():
        app.command(path, name=name, help=None if name == wanted else EXPERIMENTS.get(name))
    return app


def installed_commands() -> dict[str, str]:
    """Import paths of the commands that other distributions add, by name."""
    return {entry.name: entry.value for entry in entry_points(group="trisect.commands")}


def run_command(arguments: list[str], commands: dict[str, str]) -> int:
    """Run a command line; a mistake of the user ends in one line, not in a traceback."""
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    wanted = arguments[0] if arguments else ""
    if wanted in EXPERIMENTS and wanted not in commands:
        errors.print(
            f"trisect {wanted} comes with trisect-experiments, which is not installed: "
            "run pip install ./experiments in a clone of the repository."
        )
        return BAD_REQUEST
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *where: errors.print(
                f"Note: {message}", markup=False
            )
            code = make_app(commands, wanted)(
                arguments,
                exit_on_error=False,
                error_console=Console(stderr=True, highlight=False),
                result_action="return_value",
            )
    except CycloptsError:
        return BAD_REQUEST
    except KeyboardInterrupt:
        errors.print("Interrupted.")
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has had enough, as head does
        _forget_standard_output()
        return PIPE_CLOSED
    except (ImportError, TypeError, ValueError, OSError) as error:
        missing = "a package is missing: " if isinstance(error, ImportError) else ""
        errors.print(f"[bold red]Error:[/] {missing}", end="")
        errors.print(_said(error), markup=False)
        return BAD_REQUEST
    return code if isinstance(code, int) else 0


def _said(error: Exception) -> str:
    """Say what an error says; one of the system names its file first."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}."
    return str(error)


def _forget_standard_output() -> None:
    """Let nothing be flushed to a pipe that is closed when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
