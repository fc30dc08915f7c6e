"""Datasets that a command line asks for."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from trisect.cli.options import QUICK_DATASETS, QUICK_ROWS, RunOptions, split
from trisect.experiments.datasets import Dataset, DatasetUnavailableError, load_dataset
from trisect.experiments.datasets.loading import dataset_names
from trisect.experiments.naming import resolve

FILES = (".csv", ".parquet", ".pq")


def load_chosen(options: RunOptions, console: Console) -> list[Dataset]:
    """Load the datasets of a run.

    One that was named and cannot be had is an error. Of the paper's, when none was named, those
    that cannot be had are left out with a warning.
    """
    rows = QUICK_ROWS if options.quick else None

    def load(name: str) -> Dataset:
        return load_dataset(name, options.data_folder, target=options.target, n_samples=rows)

    names = dataset_list(options)
    if options.datasets or (options.quick and options.data_folder is None):
        return [load(name) for name in names]
    found: list[Dataset] = []
    missing: list[str] = []
    reason = ""
    for name in names:
        try:
            found.append(load(name))
        except DatasetUnavailableError as error:
            missing.append(name)
            reason = reason or str(error)
    if not found:
        raise DatasetUnavailableError(
            f"None of the paper's datasets can be had. {reason} With --quick, or with --datasets "
            f"{' '.join(QUICK_DATASETS)}, nothing needs to be fetched."
        )
    if missing:
        console.print(f"[yellow]Left out:[/] {', '.join(missing)}. {reason}", soft_wrap=True)
    return found


def dataset_list(options: RunOptions) -> list[str]:
    """Names of the datasets of a run, checked."""
    known = dataset_names()
    if options.datasets:
        everything = [*known["paper"], *known["embedded"]]
        return [
            name if Path(name).suffix in FILES else resolve("dataset", name, everything)
            for name in split(options.datasets)
        ]
    if options.quick and options.data_folder is None:
        return list(QUICK_DATASETS)
    return list(known["paper"])
