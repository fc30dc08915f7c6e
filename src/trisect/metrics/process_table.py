"""Thresholds, counts and costs of the levels, as one table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trisect.decisions import Walk, delay_costs, test_costs
from trisect.growth import levels_table


@dataclass(frozen=True)
class ProcessCostTable:
    """Columns of equal length, one entry per level.

    Parameters
    ----------
    columns : dict of str to list
        Name of each column and its values; the first is the level, from 1.
    """

    columns: dict[str, list[Any]]

    def __len__(self) -> int:
        return len(self.columns["level"])

    def to_frame(self) -> Any:
        """Return the table as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame(self.columns)

    def __str__(self) -> str:
        cells = {
            name: [f"{v:.4g}" if isinstance(v, float) else str(v) for v in values]
            for name, values in self.columns.items()
        }
        width = {name: max(len(name), *map(len, column)) for name, column in cells.items()}
        lines = ["  ".join(f"{name:>{width[name]}}" for name in cells)]
        lines += [
            "  ".join(f"{cell:>{width[name]}}" for name, cell in zip(cells, row, strict=True))
            for row in zip(*cells.values(), strict=True)
        ]
        return "\n".join(line.rstrip() for line in lines)


def process_cost_table(source: Any) -> ProcessCostTable:
    """Tabulate thresholds, regions and costs level by level.

    Parameters
    ----------
    source : estimator, sequence of levels, or Walk
        A fitted estimator with ``levels_``, or these levels, for the costs of growing; a
        `trisect.decisions.Walk` for the costs of deciding, without those that nobody gave.
        Columns that both tables have are named alike.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.decisions import Walk
    >>> from trisect.metrics import process_cost_table
    >>> walk = Walk(
    ...     regions=np.array([1, -1, 1], dtype=np.int8),
    ...     levels=np.array([1, 1, 2]),
    ...     probabilities=np.array([0.9, 0.1, 0.7]),
    ...     unit_test_costs=np.array([1.0, 5.0]),
    ...     unit_delay_costs=np.array([1.0, 1.0]),
    ...     n_hidden=np.array([1, 2]),
    ... )
    >>> print(process_cost_table(walk))
    level  n_hidden  n_instances  n_pos  n_bnd  n_neg  test_cost  delay_cost
        1         1            3      1      1      1          3           3
        2         2            1      1      0      0          8           3
    """
    if isinstance(source, Walk):
        return ProcessCostTable(_of_walk(source))
    levels = getattr(source, "levels_", source)
    if not isinstance(levels, Sequence) or not levels or not hasattr(levels[0], "result_cost"):
        raise TypeError(
            "process_cost_table needs a fitted estimator with levels_, a sequence of levels "
            f"or a Walk, got {type(source).__name__}."
        )
    return ProcessCostTable(levels_table(levels))


def _of_walk(walk: Walk) -> dict[str, list[Any]]:
    columns = {
        "level": list(range(1, walk.n_levels + 1)),
        "n_hidden": walk.n_hidden.tolist(),
        "n_instances": walk.n_seen.tolist(),
        "n_pos": walk.n_pos.tolist(),
        "n_bnd": walk.n_bnd.tolist(),
        "n_neg": walk.n_neg.tolist(),
    }
    if walk.unit_test_costs.any():
        columns["test_cost"] = test_costs(walk.n_seen, walk.unit_test_costs).tolist()
    if walk.unit_delay_costs.any():
        columns["delay_cost"] = delay_costs(walk.n_seen, walk.unit_delay_costs).tolist()
    return columns
