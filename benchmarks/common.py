"""What the benchmarks share: where the data are, and how results are shown."""

import ast
import json
import os
import platform
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

DATASETS = (
    "EOL", "SB", "OD", "OSP", "EGSS", "HTRU", "DCC", "BM", "ROE", "QSAR", "ESR", "SSMCR", "SE",
    "ONP", "PCB",
)  # fmt: skip
"""The paper's datasets."""


def data_folder():
    """Find the folder of parquet files, or end with a word on how to name it."""
    folder = Path(os.environ.get("TRISECT_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        sys.exit(f"No folder {folder}: set TRISECT_DATA to a folder of NAME.parquet files.")
    return folder


def parse_settings(text):
    """Read ``a=1, b='x'`` into a dictionary.

    Examples
    --------
    >>> parse_settings("growth__joint=False, scale='none'")
    {'growth__joint': False, 'scale': 'none'}
    """
    call = ast.parse(f"f({text})", mode="eval").body
    return {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}


def print_table(title, rows):
    """Print rows of text, the first of which is the head."""
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column(rows[0][0])
    for name in rows[0][1:]:
        table.add_column(name, justify="right")
    for row in rows[1:]:
        table.add_row(*row)
    width = None if sys.stdout.isatty() else max(100, 13 * len(rows[0]))
    Console(width=width).print(table)


def markdown_table(rows):
    """The same rows in Markdown, as a list of lines."""
    rule = "|---|" + "---:|" * (len(rows[0]) - 1)
    head, *body = ("| " + " | ".join(row) + " |" for row in rows)
    return [head, rule, *body, ""]


def replace_section(page, name, lines):
    """Put lines between the comments ``NAME`` and ``/NAME`` of a Markdown page."""
    text = Path(page).read_text()
    before, found, rest = text.partition(f"<!-- {name} -->")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    if not found or not end:
        sys.exit(f"{page} lacks <!-- {name} --> and <!-- /{name} -->, where the table goes.")
    Path(page).write_text("\n".join([before + found, "", *lines, end]) + after)


def made_by(command):
    """Say what made a page, on which machine."""
    python = f"Python {platform.python_version()} on {platform.machine()}"
    return f"Made by `python benchmarks/{command}`, one thread per fit, {python}."


def show_seconds(value):
    """Write seconds with three digits."""
    return f"{value:.3g}"


def write_json(path, content):
    """Write results for machines; what is not a number becomes null."""
    rows = [{k: None if v != v else v for k, v in row.items()} for row in content]
    Path(path).write_text(json.dumps(rows, indent=1, allow_nan=False) + "\n")
