"""``trisect datasets``: what there is, and fetching it ahead of a run."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App
from rich import box
from rich.console import Console
from rich.table import Table

from trisect.experiments.datasets import load_dataset
from trisect.experiments.datasets.archive import default_cache
from trisect.experiments.datasets.catalogue import RECIPES
from trisect.experiments.datasets.loading import dataset_names
from trisect.experiments.naming import resolve

datasets_app = App(name="datasets", help="List the datasets, or fetch one.")

COMPLETE = "PCB-complete"


@datasets_app.default
def show() -> int:
    """List every dataset that a run can name: size, source and notes."""
    console = Console(highlight=False)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("Name", no_wrap=True)
    for heading in ("Rows", "Features"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("Source", no_wrap=True)
    table.add_column("Notes", ratio=1)
    for row in listing():
        table.add_row(*row)
    console.print(table)
    console.print(
        "\nFetch with [bold]trisect datasets fetch NAME[/]. A folder of NAME.parquet files "
        "(--data-dir or TRISECT_DATA) takes the place of the archive. Any csv or parquet file "
        "with a label column can be named too."
    )
    return 0


def listing() -> list[tuple[str, str, str, str, str]]:
    """Rows of the list: name, rows, features, source, title and notes."""
    rows = []
    for name in dataset_names()["paper"]:
        recipe = RECIPES[name.removesuffix("-complete")]
        size, notes = f"{recipe.rows:,}", recipe.notes
        if name == COMPLETE:
            size, notes = (
                "4,885",
                "The rows without a missing cell, which the paper's figures are of.",
            )
        about = f"{recipe.title}. {notes}"
        rows.append((name, size, f"{recipe.n_features:,}", f"UCI {recipe.uci_id}", about))
    for name in dataset_names()["embedded"]:
        data = load_dataset(name)
        source = "generated" if data.source.startswith("make_") else data.source
        about = f"{data.title}. {data.notes}" if data.notes else "Of any size, 5,000 by default."
        rows.append((name, f"{data.n_rows:,}", f"{data.n_features:,}", source, about))
    return rows


@datasets_app.command
def fetch(*names: str, cache_dir: Path | None = None) -> int:
    """Download datasets into the cache and check them.

    Parameters
    ----------
    names
        Which ones; "all" for all of the paper's.
    cache_dir
        Folder to keep them in. Default: the system's cache folder.
    """
    console = Console(highlight=False, soft_wrap=True)
    known = dataset_names()
    everything = [*known["paper"], *known["embedded"], "all"]
    wanted: list[str] = []
    for name in names:
        found = resolve("dataset", name, everything)
        wanted += known["paper"] if found == "all" else [found]
    if not wanted:
        raise ValueError("Name the datasets to fetch, or all; trisect datasets lists them.")
    for name in dict.fromkeys(wanted):
        # An empty folder name keeps TRISECT_DATA out of this: the archive is what was asked for.
        data = load_dataset(name, "", cache_dir=cache_dir)
        console.print(f"{name}: {data.n_rows:,} rows, {data.n_features:,} features, as expected.")
    if any(name in known["paper"] for name in wanted):
        console.print(f"Kept in {cache_dir or default_cache()}.")
    return 0
