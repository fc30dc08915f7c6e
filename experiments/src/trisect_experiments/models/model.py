"""What the harness needs to know about a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Configuration = dict[str, Any]


@dataclass(frozen=True)
class Model:
    """One row of a table: how to build an estimator, and which configurations to search.

    Parameters
    ----------
    name : str
        The name in tables and in the store.
    build : callable
        ``build(configuration, seed)`` returns an unfitted estimator. Must be picklable.
    space : callable
        ``space(n_features)`` returns every configuration of the grid, in a fixed order. A
        configuration holds all parameters that are not the estimator's defaults, because it is
        what stored results are known by.
    code : callable
        Version of the code that its results depend on, see `trisect_experiments.models.code`.
    n_configurations : int, optional
        Size of the seeded sample of the grid that is searched; the whole grid by default.
    search_rows : int, optional
        Cap on the training rows of the search; the winner is fitted again without it.
    fit_rows : int, optional
        Cap on the training rows of any fit.
    uses_validation : bool, default=False
        Whether ``fit`` takes ``X_val`` and ``y_val``.
    note : str, optional
        Another limit that a reader of its results should know, as the end of a sentence.
    """

    name: str
    build: Callable[[Mapping[str, Any], int], Any]
    space: Callable[[int], list[Configuration]]
    code: Callable[[], str]
    n_configurations: int | None = None
    search_rows: int | None = None
    fit_rows: int | None = None
    uses_validation: bool = False
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

    @property
    def limits(self) -> tuple[str, ...]:
        """What limits its results, for the foot of a table.

        Grids of which a sample is drawn do not depend on the number of features.
        """
        parts = [self.note] if self.note else []
        n_all = len(self.space(1))
        if self.n_configurations and self.n_configurations < n_all:
            parts.append(f"{self.n_configurations} of its {n_all} configurations")
        if self.search_rows:
            parts.append(f"searched on at most {self.search_rows:,} rows")
        if self.fit_rows:
            parts.append(f"fitted on at most {self.fit_rows:,} rows")
        return tuple(parts)


class Fixed:
    """A grid of given configurations, whatever the number of features; picklable.

    Examples
    --------
    >>> Fixed({"C": 1.0})(n_features=4)
    [{'C': 1.0}]
    """

    def __init__(self, *configurations: Mapping[str, Any]) -> None:
        self.configurations = configurations

    def __call__(self, n_features: int) -> list[Configuration]:
        """A copy of each configuration."""
        return [dict(configuration) for configuration in self.configurations]
