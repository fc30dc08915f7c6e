"""The commands and their errors."""

from __future__ import annotations

import sqlite3

from cyclopts import App, CycloptsError
from rich.console import Console

import trisect
from trisect.cli.ablate import ablate
from trisect.cli.datasets import datasets_app
from trisect.cli.demo import demo
from trisect.cli.reproduce import reproduce
from trisect.cli.running import TYPED

BAD_REQUEST = 2


def make_app() -> App:
    """The command with its subcommands."""
    app = App(
        name="trisect",
        help="Three-way decisions on tabular data with a network that grows itself.",
        version=trisect.__version__,
    )
    app.command(reproduce)
    app.command(ablate)
    app.command(datasets_app)
    app.command(demo)
    return app


def run_command(arguments: list[str]) -> int:
    """Run a command line; what a user can put right is one line, not a traceback."""
    TYPED.set(tuple(arguments))
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    try:
        code = make_app()(
            arguments, exit_on_error=False, error_console=errors, result_action="return_value"
        )
    except CycloptsError:
        return BAD_REQUEST
    except KeyboardInterrupt:
        errors.print("Interrupted.")
        return 130
    except ImportError as error:
        errors.print(f"[bold red]Error:[/] a package is missing: {error}", markup=True)
        return BAD_REQUEST
    except (ValueError, OSError, sqlite3.Error) as error:
        errors.print("[bold red]Error:[/] ", end="")
        errors.print(str(error), markup=False)
        return BAD_REQUEST
    return code if isinstance(code, int) else 0
