"""The datasets that a command line asks for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from trisect_experiments.cli.options import QUICK_DATASETS, QUICK_ROWS, RunOptions, split
from trisect_experiments.datasets import DatasetUnavailableError, dataset_names, load_dataset
from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.datasets.loading import SUFFIXES
from trisect_experiments.naming import resolve


def load_chosen(default: Sequence[str], options: RunOptions, console: Console) -> list[Dataset]:
    """Load the datasets of a run.

    A dataset that was named and cannot be loaded is an error. Of the study's own, when none was
    named, those that cannot be loaded are left out with a warning.

    Parameters
    ----------
    default : sequence of str
        The study's datasets.
    options : RunOptions
    console : Console
        For the warning.
    """
    rows = QUICK_ROWS if options.quick else None

    def load(name: str) -> Dataset:
        return load_dataset(name, options.data_folder, target=options.target, n_samples=rows)

    if options.datasets:
        return [load(_known(name)) for name in split(options.datasets)]
    if options.quick and options.data_folder is None:
        return [load(name) for name in QUICK_DATASETS]
    found: list[Dataset] = []
    missing: dict[str, str] = {}
    for name in default:
        try:
            found.append(load(name))
        except DatasetUnavailableError as error:
            missing[name] = str(error)
    why = next(iter(missing.values()), "")
    if not found:
        raise DatasetUnavailableError(
            f"None of the study's datasets is available. {why} With --quick, or with --datasets "
            f"{' '.join(QUICK_DATASETS)}, nothing needs to be fetched."
        )
    if missing:
        console.print(f"[yellow]Left out:[/] {', '.join(missing)}. {why}", soft_wrap=True)
    return found


def _known(name: str) -> str:
    return name if Path(name).suffix in SUFFIXES else resolve("dataset", name, dataset_names())
