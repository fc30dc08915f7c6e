"""What a level is, and the three-way decision that it takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import (
    BND,
    NEG,
    POS,
    CostMatrix,
    conditional_probability,
    delay_costs,
    result_cost,
    test_costs,
    three_way_regions,
    two_way_regions,
)
from trisect.growth.granules import granulate
from trisect.network import Examples, Network

__all__ = ["Deciding", "Ledger", "Level", "Verdict", "levels_table"]


@dataclass(frozen=True, eq=False)
class Level:
    """The record of one level: its thresholds, its regions, its costs, its network.

    Counts are of rows, whatever they weigh. Counts and costs are those of growth. The network
    of the level that is kept is trained on afterwards, so that its network and validation
    score are the later ones.

    Parameters
    ----------
    costs : CostMatrix
        Costs of the level, from which its thresholds follow.
    alpha, beta, gamma : float
        Accept from alpha, reject up to beta; at the last level accept from gamma.
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
    alpha: float
    beta: float
    gamma: float
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


def levels_table(levels: Sequence[Level]) -> dict[str, list[Any]]:
    """Arrange the numbers of the levels in columns, ready for a data frame."""
    names = [f.name for f in fields(Level) if f.name not in ("costs", "network")]
    columns: dict[str, list[Any]] = {"level": list(range(1, len(levels) + 1))}
    columns["n_hidden"] = [level.n_hidden for level in levels]
    for name in names:
        columns[name] = [getattr(level, name) for level in levels]
    return columns


@dataclass(frozen=True, eq=False)
class Verdict:
    """Regions of the examples that a level sorted, and the risk of its decisions."""

    examples: Examples
    regions: NDArray[np.int8]
    result_cost: float

    def count(self, region: np.int8) -> int:
        """Count the instances in a region."""
        return self.examples.count(self.regions == region)


@dataclass(frozen=True)
class Deciding:
    """How the misclassified instances of a level are decided upon.

    Parameters
    ----------
    granules : str or callable
        What counts as an equivalence class, see `trisect.growth.granulate`.
    n_granules : int
        Number of clusters, or of bins per feature.
    boundary_penalty : float
        Factor on the cost of deferring.
    few_two_way : bool, default=False
        Whether to decide two ways at any level where no more than `n_granules`
        examples are misclassified.
    """

    granules: str | Callable
    n_granules: int
    boundary_penalty: float
    few_two_way: bool = False

    def verdict(
        self,
        examples: Examples,
        wrong: NDArray[np.bool_],
        costs: CostMatrix,
        last: bool,
        rng: np.random.Generator,
        unsure: NDArray[np.bool_] | None = None,
    ) -> Verdict:
        """Sort instances: by the network's label if it is right, else by granules.

        With two classes, class 1 is the positive one. With more, an instance counts
        as positive if it belongs to the commonest class of its granule, and what the
        network gets right is accepted.

        Parameters
        ----------
        examples : Examples
            Instances to sort.
        wrong : ndarray of bool
            Instances that the network misclassifies.
        costs : CostMatrix
            Costs of the level.
        last : bool
            Whether to decide two ways, with gamma.
        rng : numpy.random.Generator
            Source of randomness for the granules.
        unsure : ndarray of bool, optional
            Instances to defer though the network is right, except at the last level.

        Returns
        -------
        Verdict
            Regions of all instances.
        """
        y = examples.y
        two_classes = examples.n_classes == 2
        right_region = np.where(y == 1, POS, NEG) if two_classes else np.full(len(y), POS)
        regions = right_region.astype(np.int8)
        last = last or (self.few_two_way and wrong.sum() <= self.n_granules)
        if unsure is not None and not last:
            regions[unsure] = BND
        if not wrong.any():
            return Verdict(examples, regions, 0.0)
        judged = examples.take(wrong)
        groups = granulate(judged.X, self.granules, self.n_granules, rng)
        positive = judged.y == 1 if two_classes else _in_commonest_class(groups, judged)
        p = conditional_probability(groups, positive, judged.mass)
        if last:
            decided = two_way_regions(p, costs.gamma)
        else:
            decided = three_way_regions(p, costs.alpha, costs.beta)
        regions[wrong] = decided
        risk = result_cost(p, decided, costs, self.boundary_penalty, judged.copies)
        return Verdict(examples, regions, risk)


def _in_commonest_class(groups: NDArray, judged: Examples) -> NDArray[np.bool_]:
    counts = np.zeros((groups.max() + 1, judged.y.max() + 1))
    np.add.at(counts, (groups, judged.y), 1.0 if judged.mass is None else judged.mass)
    return counts.argmax(axis=1)[groups] == judged.y


@dataclass(frozen=True)
class Ledger:
    """Enters levels one after another, with the costs of the process so far.

    Parameters
    ----------
    unit_test_costs, unit_delay_costs : ndarray
        Unit costs of the levels.
    levels : list of Level
        The levels entered. Those given at the start are entered anew, so that their
        costs are in the same units as those to come.
    """

    unit_test_costs: NDArray
    unit_delay_costs: NDArray
    levels: list[Level]

    def __post_init__(self) -> None:
        counts = [level.n_misclassified for level in self.levels]
        self.levels[:] = [
            replace(level, test_cost=float(test), delay_cost=float(delay))
            for level, test, delay in zip(
                self.levels,
                test_costs(counts, self.unit_test_costs),
                delay_costs(counts, self.unit_delay_costs),
                strict=True,
            )
        ]

    def enter(
        self,
        costs: CostMatrix,
        verdict: Verdict,
        n_hard: int,
        n_misclassified: int,
        network: Network,
        validation: Examples,
    ) -> Level:
        """Add a level.

        Parameters
        ----------
        costs : CostMatrix
            Costs of the level.
        verdict : Verdict
            Its decisions.
        n_hard : int
            Number of instances that its node was trained on.
        n_misclassified : int
            Number of instances that its network got wrong.
        network : Network
            The network after the level.
        validation : Examples
            Data for its score.

        Returns
        -------
        Level
            The level, as entered.
        """
        handed_over = [*(level.n_misclassified for level in self.levels), n_misclassified]
        level = Level(
            costs=costs,
            alpha=costs.alpha,
            beta=costs.beta,
            gamma=costs.gamma,
            n_instances=verdict.examples.n_instances,
            n_hard=n_hard,
            n_misclassified=n_misclassified,
            n_pos=verdict.count(POS),
            n_bnd=verdict.count(BND),
            n_neg=verdict.count(NEG),
            result_cost=verdict.result_cost,
            test_cost=float(test_costs(handed_over, self.unit_test_costs)[-1]),
            delay_cost=float(delay_costs(handed_over, self.unit_delay_costs)[-1]),
            validation_score=-float(validation.losses([network])[0]),
            network=network,
        )
        self.levels.append(level)
        return level
