"""One function for every dataset: by name, from a folder, from the archive, or from a file."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd

from trisect.experiments.datasets.archive import ARCHIVE_URL, DatasetUnavailableError, fetch
from trisect.experiments.datasets.catalogue import RECIPES, Recipe
from trisect.experiments.datasets.dataset import Dataset
from trisect.experiments.datasets.embedded import EMBEDDED, load_embedded
from trisect.experiments.datasets.encoding import encode_column, encode_table
from trisect.experiments.datasets.formats import find_members

_COMPLETE = "PCB-complete"
_COMPLETE_NOTES = (
    "The 4,885 rows without a missing cell (4,778 / 107), which the paper's figures are of. "
    "2 = bankrupt."
)


def dataset_names() -> dict[str, tuple[str, ...]]:
    """Names that `load_dataset` knows: ``"paper"`` and ``"embedded"``.

    Examples
    --------
    >>> len(dataset_names()["paper"]), dataset_names()["embedded"][:2]
    (16, ('breast-cancer', 'example'))
    """
    paper: list[str] = []
    for name in RECIPES:
        paper += [name, _COMPLETE] if name == "PCB" else [name]
    return {"paper": tuple(paper), "embedded": EMBEDDED}


def load_dataset(
    name: str | Path,
    data_dir: str | Path | None = None,
    *,
    target: str = "target",
    n_samples: int | None = None,
    random_state: int = 0,
    cache_dir: str | Path | None = None,
    archive_url: str = ARCHIVE_URL,
    progress: bool = True,
    check: bool = True,
) -> Dataset:
    """Load a dataset by name, or any csv or parquet file by its path.

    Parameters
    ----------
    name : str or path
        One of `dataset_names`, or the path of a csv or parquet file.
    data_dir : path, optional
        Folder of ``NAME.parquet`` files to read the paper's datasets from; when not given, the
        environment variable ``TRISECT_DATA``; when that is not set, the UCI archive.
    target : str, default="target"
        Label column of a file.
    n_samples, random_state : int, optional
        Size and seed of a generated problem.
    cache_dir : path, optional
        Where downloads are kept.
    archive_url : str
        Address of the archive, or of a mirror of it.
    progress : bool, default=True
        Show a bar while downloading.
    check : bool, default=True
        Refuse one of the paper's datasets whose rows, features or labels are not as expected.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> data = load_dataset("ring", n_samples=100)
    >>> data.X.shape, sorted(data.label_counts)
    ((100, 2), [1, 2])
    """
    key = str(name)
    if key in EMBEDDED:
        return load_embedded(key, n_samples, random_state)
    recipe = RECIPES.get(key.removesuffix("-complete") if key == _COMPLETE else key)
    if recipe is None:
        return load_file(name, target)
    folder = data_dir if data_dir is not None else os.environ.get("TRISECT_DATA")
    base = key.removesuffix("-complete")
    if folder:
        X, y, names = _from_folder(Path(folder), base)
        source = f"{base}.parquet"
    else:
        url = f"{archive_url}/{recipe.uci_id}/{recipe.slug}.zip"
        X, y, names = parse(fetch(url, cache_dir, recipe.known_hash, progress), recipe)
        source = url
    if check:
        _check(base, recipe, X, y)
    title, notes = recipe.title, recipe.notes
    if key == _COMPLETE:
        whole = ~np.isnan(X).any(axis=1)
        X, y, title, notes = X[whole], y[whole], title + ", complete rows", _COMPLETE_NOTES
    return Dataset(key, X, y, names, title, source, notes)


def parse(content: bytes, recipe: Recipe) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Turn the archive's zip file into features, labels 1 and 2, and column names."""
    frames = [recipe.read(member) for member in find_members(content, recipe.files)]
    frame = pd.concat(frames, ignore_index=True) if len(frames) > 1 else frames[0]
    frame = frame.rename(columns=lambda column: str(column).strip())
    labels = frame.pop(frame.columns[-1])
    y = np.where(np.asarray(recipe.second(labels), dtype=bool), 2, 1).astype(np.int64)
    frame = frame.drop(columns=[column for column in recipe.drop if column in frame.columns])
    X, names = encode_table(frame, recipe.numeric_first)
    return X, y, names


def load_file(path: str | Path, target: str = "target") -> Dataset:
    """Load a csv or parquet file with a label column.

    Whole-number labels are kept as they are; others are numbered 1, 2, ... in sorted order, and
    so are the categories of text columns. Rows without a label are refused.
    """
    file = Path(path)
    if file.suffix not in (".csv", ".parquet", ".pq"):
        known = dataset_names()
        raise ValueError(
            f"{str(path)!r} is neither a dataset nor a csv or parquet file. "
            f"Datasets: {', '.join(known['paper'] + known['embedded'])}."
        )
    if not file.exists():
        raise FileNotFoundError(f"No file {str(path)!r}. Check the path.")
    frame = pd.read_csv(file) if file.suffix == ".csv" else pd.read_parquet(file)
    if target not in frame.columns:
        raise ValueError(
            f"{file.name} has no column {target!r}; its columns are "
            f"{', '.join(map(str, frame.columns[:12]))}{', ...' if frame.shape[1] > 12 else ''}. "
            "Name the label column with the parameter target."
        )
    labels = frame.pop(target)
    if labels.isna().any():
        raise ValueError(f"{file.name}: {int(labels.isna().sum())} rows have no {target!r}.")
    whole = pd.api.types.is_integer_dtype(labels)
    codes = labels.to_numpy() if whole else encode_column(labels.astype(str))
    X, names = encode_table(frame)
    return Dataset(file.stem, X, codes.astype(np.int64), names, file.stem, file.name)


def _from_folder(folder: Path, name: str) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    path = folder / f"{name}.parquet"
    if not path.exists():
        held = sorted(file.stem for file in folder.glob("*.parquet")) if folder.is_dir() else []
        raise DatasetUnavailableError(
            f"The data folder {str(folder)!r} has no {name}.parquet; it holds "
            f"{', '.join(held) or 'no parquet files'}. Correct --data-dir or TRISECT_DATA, or "
            "unset it to fetch from the UCI archive."
        )
    data = load_file(path)
    return data.X, data.y, data.feature_names


def _check(name: str, recipe: Recipe, X: np.ndarray, y: np.ndarray) -> None:
    rows, counts = y.size, (int((y == 1).sum()), int((y == 2).sum()))
    as_published = counts == recipe.counts or rows == recipe.archive_rows
    if X.shape[1] == recipe.n_features and as_published:
        return
    raise ValueError(
        f"{name}: expected {recipe.rows} rows x {recipe.n_features} features with labels "
        f"{recipe.counts[0]} / {recipe.counts[1]}, found {rows} x {X.shape[1]} with "
        f"{counts[0]} / {counts[1]}. The copy is incomplete or another version; pass check=False "
        "to use it all the same."
    )
