"""The record of a level."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from trisect.decisions import CostMatrix
from trisect.growth.settlement import LevelSets

__all__ = ["Level", "levels_table"]


@dataclass(frozen=True, eq=False)
class Level:
    """The record of one level: its costs, and what it decided about the universe.

    Counts are of rows, whatever their weights. Counts and costs are those of growth; the
    network that is kept is trained further afterwards.

    Parameters
    ----------
    n_hidden : int
        Number of hidden nodes.
    costs : CostMatrix
        Costs of the level, from which its thresholds follow.
    n_instances : int
        Training instances that the level had to sort: what the level before deferred.
    n_misclassified : int
        Those that its network got wrong and handed to the decision on granules.
    n_pos, n_bnd, n_neg : int
        Instances accepted, deferred and rejected: by the network where it was right
        (refined growth defers those it was not sure of), and by the decision on
        granules where it was wrong.
    result_cost : float
        Risk of the decisions on the misclassified instances.
    test_cost, delay_cost : float
        Costs of the process up to this level.
    validation_score : float
        Mean log-likelihood of the validation data; higher is better.
    sets : LevelSets or None
        The sets of the level, if they were to be kept.
    """

    n_hidden: int
    costs: CostMatrix
    n_instances: int
    n_misclassified: int
    n_pos: int
    n_bnd: int
    n_neg: int
    result_cost: float
    test_cost: float
    delay_cost: float
    validation_score: float
    sets: LevelSets | None = None

    @property
    def alpha(self) -> float:
        """Probability from which the level accepts."""
        return self.costs.alpha

    @property
    def beta(self) -> float:
        """Probability up to which the level rejects."""
        return self.costs.beta

    @property
    def gamma(self) -> float:
        """Probability from which the level accepts if it is the last."""
        return self.costs.gamma


def levels_table(levels: Sequence[Level]) -> dict[str, list[Any]]:
    """Arrange the numbers of levels in columns, ready for a data frame."""
    numbers = [f.name for f in fields(Level) if f.name not in ("n_hidden", "costs", "sets")]
    columns: dict[str, list[Any]] = {"level": list(range(1, len(levels) + 1))}
    for name in ("n_hidden", "alpha", "beta", "gamma", *numbers):
        columns[name] = [getattr(level, name) for level in levels]
    return columns
