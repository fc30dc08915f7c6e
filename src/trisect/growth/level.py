"""The record of a level."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from trisect.decisions import CostMatrix
from trisect.network import Network

__all__ = ["Level", "levels_table"]


@dataclass(frozen=True, eq=False)
class Level:
    """The record of one level: its costs, its regions, its network.

    Counts are of rows, whatever their weights. Counts and costs are those of growth; the
    network of the level that is kept is trained further afterwards, so its network and
    validation score are those after the last training.

    Parameters
    ----------
    costs : CostMatrix
        Costs of the level, from which its thresholds follow.
    n_instances : int
        Training instances that the level had to sort.
    n_hard : int
        Instances that its new node was trained on.
    n_misclassified : int
        Instances that its network got wrong and handed to the three-way decision.
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
    network : Network
        The network after this level.
    """

    costs: CostMatrix
    n_instances: int
    n_hard: int
    n_misclassified: int
    n_pos: int
    n_bnd: int
    n_neg: int
    result_cost: float
    test_cost: float
    delay_cost: float
    validation_score: float
    network: Network

    @property
    def n_hidden(self) -> int:
        """Number of hidden nodes of the level's network."""
        return self.network.n_hidden

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
    numbers = [f.name for f in fields(Level) if f.name not in ("costs", "network")]
    columns: dict[str, list[Any]] = {"level": list(range(1, len(levels) + 1))}
    for name in ("n_hidden", "alpha", "beta", "gamma", *numbers):
        columns[name] = [getattr(level, name) for level in levels]
    return columns
