"""Datasets that need no download: breast cancer from scikit-learn, and the generators."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer

from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.datasets.generators import GENERATORS

EMBEDDED = ("breast-cancer", *GENERATORS)


def load_embedded(name: str, n_samples: int | None = None, random_state: int = 0) -> Dataset:
    """Load one of `EMBEDDED`; size and seed are those of a generated problem.

    Examples
    --------
    >>> load_embedded("xor", n_samples=100).X.shape
    (100, 2)
    """
    if name == "breast-cancer":
        bunch = load_breast_cancer()
        return Dataset(
            name,
            bunch.data.astype(np.float64),
            bunch.target.astype(np.int64),
            tuple(map(str, bunch.feature_names)),
            title="Breast cancer Wisconsin (diagnostic)",
            source="scikit-learn",
            notes="0 = malignant, 1 = benign.",
        )
    size = 5000 if n_samples is None else n_samples
    X, y = GENERATORS[name](size, random_state)
    names = tuple(f"x{i}" for i in range(X.shape[1]))
    return Dataset(name, X, y, names, title=f"Generated: {name}", source="generated")
