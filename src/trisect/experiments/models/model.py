"""What the experiments need to know about a model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import trisect

Configuration = dict[str, Any]

# Folders and modules that decide what a network learns and predicts.
LEARNING = ("decisions", "growth", "network")
LEARNERS = ("base", "searches", "sfnn", "stwd_sfnn", "swarm", "twd_sfnn")


@dataclass(frozen=True)
class Model:
    """One row of the tables: how to build it, what to search, and where it belongs.

    Parameters
    ----------
    name : str
        The name in tables and in the store.
    build : callable
        ``build(configuration, seed)`` returns an unfitted estimator. Must be picklable.
    space : callable
        ``space(n_features)`` returns every configuration of the grid, in a fixed order.
    tables : tuple of str
        Tables that it belongs to: "static", "dynamic", "classic", "twd-5fold", "modern".
    code : callable
        Version of the code that its results depend on.
    n_configurations : int, optional
        Size of the seeded sample of the grid that is searched; the whole grid when not given.
    search_rows : int, optional
        Cap on the training rows of the search; the winner is fitted again without it.
    fit_rows : int, optional
        Cap on the training rows of any fit.
    uses_validation : bool, default=False
        Whether ``fit`` takes ``X_val`` and ``y_val``.
    network : bool, default=False
        Whether it is a network with hidden nodes to count.
    warm_up : bool, default=False
        Whether a small untimed fit comes first in each process, so that the loading of compiled
        code is not counted as training time.
    note : str, optional
        Another limit that a reader of its results should know, as the end of a sentence.
    """

    name: str
    build: Callable[[Mapping[str, Any], int], Any]
    space: Callable[[int], list[Configuration]]
    tables: tuple[str, ...]
    code: Callable[[], str]
    n_configurations: int | None = None
    search_rows: int | None = None
    fit_rows: int | None = None
    uses_validation: bool = False
    network: bool = False
    warm_up: bool = False
    note: str = ""

    def configurations(
        self, n_features: int, seed: int = 0, limit: int | None = None
    ) -> list[Configuration]:
        """The configurations to search: the grid, or a seeded sample of it in grid order.

        `limit` lowers their number further; the smaller sample is part of the larger one.
        """
        grid = self.space(n_features)
        sizes = [len(grid), self.n_configurations, limit]
        size = min(s for s in sizes if s is not None)
        if size == len(grid):
            return grid
        chosen = np.random.default_rng(seed).permutation(len(grid))[: max(size, 1)]
        return [grid[i] for i in sorted(chosen)]

    def caps(self) -> str:
        """A sentence about its limits for the foot of a table, or an empty string.

        Grids of which a sample is drawn do not depend on the number of features.
        """
        parts = [self.note] if self.note else []
        if self.n_configurations:
            parts.append(f"{self.n_configurations} of its {len(self.space(1))} configurations")
        if self.search_rows:
            parts.append(f"searched on at most {self.search_rows:,} rows")
        if self.fit_rows:
            parts.append(f"fitted on at most {self.fit_rows:,} rows")
        return f"{self.name}: {', '.join(parts)}." if parts else ""


def package_code(name: str) -> str:
    """Version of an installed package, such as ``"scikit-learn 1.9.1"``."""
    return f"{name} {version(name)}"


@cache
def trisect_code() -> str:
    """Version of trisect with a digest of the sources that decide what a network learns.

    Decisions of a finished model, tables, figures and the command line are left out: editing them
    makes no result stale.
    """
    root = Path(trisect.__file__).parent
    found = (file for name in LEARNING for file in (root / name).rglob("*.py"))
    files = sorted([*(root / f"{name}.py" for name in LEARNERS), *found])
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    return f"trisect {trisect.__version__} {digest.hexdigest()[:10]}"
