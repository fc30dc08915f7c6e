"""The commands and their errors."""

from __future__ import annotations

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

EXPERIMENTS = {
    "reproduce": "Run the paper's experiments and write a report.",
    "ablate": "Take STWD-SFNN apart, one part at a time.",
    "datasets": "List the datasets of the experiments, or fetch one.",
}
"""Commands of the distribution trisect-experiments, with a summary of each."""


def demo(folder: Path = Path("trisect-demo"), *, write: Path | None = None) -> int:
    """Decide on 3,000 clients with credit cards, and watch the network grow.

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
        help="Three-way decisions on tabular data with a network that grows itself.",
        version=trisect.__version__,
        suppress_keyboard_interrupt=False,  # `run_command` says that it was interrupted
    )
    for command in (fit, predict, evaluate, inspect, export, demo):
        app.command(command)
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
        code = make_app(commands, wanted)(
            arguments, exit_on_error=False, error_console=errors, result_action="return_value"
        )
    except CycloptsError:
        return BAD_REQUEST
    except KeyboardInterrupt:
        errors.print("Interrupted.")
        return INTERRUPTED
    except (ImportError, TypeError, ValueError, OSError) as error:
        missing = "a package is missing: " if isinstance(error, ImportError) else ""
        errors.print(f"[bold red]Error:[/] {missing}", end="")
        errors.print(str(error), markup=False)
        return BAD_REQUEST
    return code if isinstance(code, int) else 0
