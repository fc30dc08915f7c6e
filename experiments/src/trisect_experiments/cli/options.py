"""Options that the running commands share, and what they mean."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

QUICK_FOLDS = (0, 1)
QUICK_CONFIGURATIONS = 1
QUICK_DATASETS = ("breast-cancer", "ring", "xor", "imbalanced-overlap")
QUICK_ROWS = 1_000

Many = Annotated[list[str], Parameter(consume_multiple=True, negative="", show_default=False)]
Switch = Annotated[bool, Parameter(negative="", show_default=False)]


@Parameter(name="*")
@dataclass
class RunOptions:
    """What to run, where to keep it, and how.

    Attributes
    ----------
    datasets
        Names of datasets, or csv and parquet files. Several with spaces or commas. Default: the
        study's; with --quick and without a data folder, four that need no download.
    models
        Only these models. Default: all of the table.
    folds
        Test folds, counted from 0, such as 0-4 or 0,3. Default: all; with --quick 0 and 1.
    jobs
        Processes on this machine; -1 for one per core. Default: 1, so that times can be
        compared; with --quick one per core.
    store
        File of results. What is in it is never computed again.
    load
        File of results that --save has written, to be added to the store first.
    save
        File to write the results of this plan to at the end: JSON lines in xz, small, and enough
        to rebuild the report elsewhere.
    out
        Folder of the report, replaced as a whole when it exists. Default: trisect-report, or
        trisect-ablation.
    data_dir
        Folder of NAME.parquet files instead of the UCI archive (or set TRISECT_DATA).
    dask
        Address of a Dask scheduler to run on.
    quick
        A first look: two folds, one configuration per model.
    seed
        Seed of folds, samples of grids, and models.
    target
        Label column of files.
    retry_failed
        Compute failed fits again.
    dry_run
        Print the plan and stop.
    report_only
        Compute nothing; report what the store holds.
    """

    datasets: Many = field(default_factory=list)
    models: Many = field(default_factory=list)
    folds: Many = field(default_factory=list)
    jobs: int | None = None
    store: Path = Path("trisect-results.sqlite")
    load: Path | None = None
    save: Path | None = None
    out: Path | None = None
    data_dir: Path | None = None
    dask: str | None = None
    quick: Switch = False
    seed: int = 0
    target: str = "target"
    retry_failed: Switch = False
    dry_run: Switch = False
    report_only: Switch = False

    @property
    def data_folder(self) -> Path | None:
        """The data folder that was named, by option or by environment."""
        named = self.data_dir or os.environ.get("TRISECT_DATA")
        return Path(named) if named else None

    @property
    def chosen_folds(self) -> list[int] | None:
        """Folds that were named; None for all."""
        if self.folds:
            return parse_folds(self.folds)
        return list(QUICK_FOLDS) if self.quick else None

    @property
    def n_jobs(self) -> int:
        """Processes to use."""
        if self.jobs == 0 or (self.jobs is not None and self.jobs < -1):
            raise ValueError(f"--jobs {self.jobs}: give a number from 1, or -1 for one per core.")
        return (-1 if self.quick else 1) if self.jobs is None else self.jobs


def split(words: Sequence[str]) -> list[str]:
    """Words parted at commas too.

    Examples
    --------
    >>> split(["EOL,SB", "HTRU"])
    ['EOL', 'SB', 'HTRU']
    """
    return [part for word in words for part in word.split(",") if part]


def parse_folds(words: Sequence[str]) -> list[int]:
    """Fold numbers and ranges of them, in order, each once."""
    found: set[int] = set()
    for word in split(words):
        first, dash, last = word.partition("-")
        try:
            folds = range(int(first), int(last if dash else first) + 1)
        except ValueError:
            folds = range(0)
        if not folds:
            raise ValueError(
                f"--folds {word!r} is neither a number nor a range such as 0-4; folds are counted "
                "from 0."
            )
        found.update(folds)
    return sorted(found)
