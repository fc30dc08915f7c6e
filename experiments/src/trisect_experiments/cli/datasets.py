"""``trisect datasets``: what there is, and fetching it ahead of a run."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App
from rich import box
from rich.console import Console
from rich.table import Table

from trisect_experiments.datasets import dataset_names, load_dataset
from trisect_experiments.datasets.archive import default_cache
from trisect_experiments.datasets.loading import EMBEDDED
from trisect_experiments.datasets.uci import RECIPES
from trisect_experiments.naming import resolve

datasets = App(name="datasets", help="List the datasets, or fetch one.")


@datasets.default
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
    for name, recipe in RECIPES.items():
        size = (f"{recipe.n_rows:,}", f"{recipe.n_features:,}")
        rows.append((name, *size, f"UCI {recipe.uci_id}", f"{recipe.title}. {recipe.notes}"))
    for name in EMBEDDED:
        data = load_dataset(name)
        about = f"{data.title}. {data.notes}" if data.notes else "Of any size, 5,000 by default."
        rows.append((name, f"{data.n_rows:,}", f"{data.n_features:,}", data.source, about))
    return rows


@datasets.command
def fetch(*names: str, cache_dir: Path | None = None) -> int:
    """Download datasets into the cache and check them.

    Parameters
    ----------
    names
        Which ones; "all" for all of the archive's.
    cache_dir
        Folder to keep them in. Default: the system's cache folder.
    """
    console = Console(highlight=False, soft_wrap=True)
    wanted: list[str] = []
    for name in names:
        found = resolve("dataset", name, [*dataset_names(), "all"])
        wanted += RECIPES if found == "all" else [found]
    if not wanted:
        raise ValueError("Name the datasets to fetch, or all; trisect datasets lists them.")
    for name in dict.fromkeys(wanted):
        # An empty folder name overrides TRISECT_DATA: the archive's own file was asked for.
        data = load_dataset(name, "", cache_dir=cache_dir)
        console.print(f"{name}: {data.n_rows:,} rows, {data.n_features:,} features, as expected.")
    if RECIPES.keys() & wanted:
        console.print(f"Kept in {cache_dir or default_cache()}.")
    return 0
