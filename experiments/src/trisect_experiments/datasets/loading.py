"""One function for every dataset: by name, from a folder, from the archive, or from a file."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer

from trisect_experiments.datasets.archive import ARCHIVE_URL, DatasetUnavailableError, fetch
from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.datasets.encoding import encode_column, encode_table
from trisect_experiments.datasets.generators import GENERATORS
from trisect_experiments.datasets.uci import RECIPES

EMBEDDED = ("breast-cancer", *GENERATORS)
"""Datasets that need no download."""

GENERATED_ROWS = 5_000
"""Rows of a generated problem unless another number is asked for."""

SUFFIXES = (".csv", ".parquet", ".pq")
"""Endings of the files that can be loaded in place of a named dataset."""


def dataset_names() -> tuple[str, ...]:
    """Every name that `load_dataset` accepts."""
    return (*RECIPES, *EMBEDDED)


def load_dataset(
    name: str | Path,
    data_dir: str | Path | None = None,
    *,
    target: str = "target",
    n_samples: int = GENERATED_ROWS,
    random_state: int = 0,
    cache_dir: str | Path | None = None,
    archive_url: str = ARCHIVE_URL,
    check: bool = True,
) -> Dataset:
    """Load a dataset by name, or any csv or parquet file by its path.

    Parameters
    ----------
    name : str or path
        One of `dataset_names`, or the path of a csv or parquet file.
    data_dir : path, optional
        Folder of ``NAME.parquet`` files to read the archive's datasets from. Defaults to the
        environment variable ``TRISECT_DATA``; where that is not set either, the archive is used.
    target : str, default="target"
        Label column of a file.
    n_samples, random_state : int
        Size and seed of a generated problem.
    cache_dir : path, optional
        Where downloads are kept.
    archive_url : str
        Address of the archive, or of a mirror of it.
    check : bool, default=True
        Refuse a dataset of the archive whose rows, features or labels are not as expected.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> data = load_dataset("ring", n_samples=100)
    >>> data.X.shape, sum(data.label_counts)
    ((100, 2), 100)
    """
    key = str(name)
    if key == "breast-cancer":
        return _breast_cancer()
    if key in GENERATORS:
        X, y = GENERATORS[key](n_samples, random_state)
        names = tuple(f"x{i}" for i in range(X.shape[1]))
        return Dataset(key, X, y, names, title=f"Generated: {key}", source="generated")
    if key not in RECIPES:
        return load_file(name, target)
    recipe = RECIPES[key]
    folder = data_dir if data_dir is not None else os.environ.get("TRISECT_DATA")
    if recipe.complete_rows_of:
        whole = load_dataset(
            recipe.complete_rows_of,
            data_dir,
            cache_dir=cache_dir,
            archive_url=archive_url,
            check=check,
        )
        kept = ~np.isnan(whole.X).any(axis=1)
        data = replace(whole, X=whole.X[kept], y=whole.y[kept], subset_of=whole.name)
    elif folder:
        data = load_file(_in_folder(Path(folder), key))
    else:
        url = f"{archive_url}/{recipe.uci_id}/{recipe.slug}.zip"
        data = Dataset(key, *recipe.parse(fetch(url, cache_dir)), source=url)
    data = replace(data, name=key, title=recipe.title, notes=recipe.notes)
    if check:
        recipe.check(data)
    return data


def load_file(path: str | Path, target: str = "target") -> Dataset:
    """Load a csv or parquet file with a label column of two values.

    The smaller label, in the order of numbers or of text, becomes 0 and the larger one 1, the
    positive class. Categories of text columns are numbered from 1 in sorted order.
    """
    file = Path(path)
    if file.suffix not in SUFFIXES:
        raise ValueError(
            f"{str(path)!r} is neither a dataset nor a csv or parquet file. "
            f"Datasets: {', '.join(dataset_names())}."
        )
    if not file.exists():
        raise FileNotFoundError(f"No file {str(path)!r}. Check the path.")
    frame = pd.read_csv(file) if file.suffix == ".csv" else pd.read_parquet(file)
    if target not in frame.columns:
        raise ValueError(
            f"{file.name} has no column {target!r}; its columns are "
            f"{', '.join(map(str, frame.columns[:12]))}{', ...' if frame.shape[1] > 12 else ''}. "
            "Name the label column with --target (target= in Python)."
        )
    labels = frame.pop(target)
    if labels.isna().any():
        raise ValueError(f"{file.name}: {int(labels.isna().sum())} rows have no {target!r}.")
    values, codes = np.unique(encode_column(labels), return_inverse=True)
    if values.size != 2:
        raise ValueError(
            f"{file.name}: the experiments compare two classes, but {target!r} has "
            f"{values.size} different values."
        )
    X, names = encode_table(frame)
    return Dataset(file.stem, X, codes.astype(np.int64), names, file.stem, file.name)


def _breast_cancer() -> Dataset:
    bunch = load_breast_cancer()
    return Dataset(
        "breast-cancer",
        bunch.data.astype(np.float64),
        bunch.target.astype(np.int64),
        tuple(map(str, bunch.feature_names)),
        title="Breast cancer Wisconsin (diagnostic)",
        source="scikit-learn",
        notes="0 = malignant, 1 = benign.",
    )


def _in_folder(folder: Path, name: str) -> Path:
    path = folder / f"{name}.parquet"
    if not path.exists():
        held = sorted(file.stem for file in folder.glob("*.parquet"))
        raise DatasetUnavailableError(
            f"The data folder {str(folder)!r} has no {name}.parquet; it holds "
            f"{', '.join(held) or 'no parquet files'}. Correct --data-dir or TRISECT_DATA, or "
            "unset it to fetch from the UCI archive."
        )
    return path
