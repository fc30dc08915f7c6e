"""Datasets that need no download: the paper's ten rows, breast cancer, and the generators."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer

from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.datasets.generators import GENERATORS

# The paper's illustrative example, its labels 1 and 2 as 0 and 1.
_EXAMPLE = np.array(
    [
        [0.7415, 0.5407, 0.5795, 0.9009, 1],
        [0.6844, 0.3210, 0.0471, 0.3700, 0],
        [0.7718, 0.0912, 0.4874, 0.5308, 0],
        [0.0818, 0.4263, 0.0354, 0.0621, 0],
        [0.5596, 0.4643, 0.3585, 0.3189, 1],
        [0.6397, 0.6535, 0.7739, 0.6809, 0],
        [0.7425, 0.0989, 0.7429, 0.4131, 0],
        [0.9419, 0.5958, 0.4474, 0.7536, 1],
        [0.4992, 0.2212, 0.9525, 0.4176, 0],
        [0.2990, 0.4796, 0.1559, 0.7456, 1],
    ]
)

EMBEDDED = ("breast-cancer", "example", *GENERATORS)


def load_embedded(name: str, n_samples: int | None = None, random_state: int = 0) -> Dataset:
    """Load a dataset that comes with this package or with scikit-learn.

    Parameters
    ----------
    name : str
        One of `EMBEDDED`.
    n_samples : int, optional
        Size of a generated problem; the fixed tables ignore it.
    random_state : int, default=0
        Seed of a generated problem.

    Examples
    --------
    >>> load_embedded("example").y.tolist()
    [1, 0, 0, 0, 1, 0, 0, 1, 0, 1]
    """
    if name == "example":
        return Dataset(
            name,
            _EXAMPLE[:, :4].copy(),
            _EXAMPLE[:, 4].astype(np.int64),
            ("a1", "a2", "a3", "a4"),
            title="The paper's illustrative example",
            source="the paper, Table 1",
            notes="x1..x6 train, x7 and x8 validate, x9 and x10 test.",
        )
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
    return Dataset(
        name,
        X,
        y,
        tuple(f"x{i}" for i in range(X.shape[1])),
        title=f"Generated: {name}",
        source=f"make_{name.replace('-', '_')}({size}, {random_state})",
    )
