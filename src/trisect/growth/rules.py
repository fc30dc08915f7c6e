"""The rules that levels decide by: what decisions cost, and what counts as alike."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

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
from trisect.growth.level import Level
from trisect.network import Network, Part, mean_losses

__all__ = ["Rules", "Verdict"]


class Verdict(NamedTuple):
    """Regions of the instances that a level sorted, and the risk of its decisions."""

    regions: NDArray[np.int8]
    result_cost: float
    n_misclassified: int


@dataclass(frozen=True, eq=False)
class Rules:
    """How levels decide, and what their decisions and the process cost.

    Parameters
    ----------
    chain : sequence of CostMatrix
        Costs of the levels; its length is the largest number of levels.
    unit_test_costs, unit_delay_costs : ndarray
        Unit costs of the levels.
    granules : str or callable
        What counts as an equivalence class, see `trisect.growth.granulate`.
    n_granules : int
        Number of clusters, or of bins per feature.
    boundary_penalty : float
        Factor on the cost of deferring.
    fixed : bool, default=False
        Whether all levels share one pair of thresholds. Then a level decides two ways
        where no more than `n_granules` instances are misclassified, and growth ends at
        the first level that defers nothing.
    """

    chain: Sequence[CostMatrix]
    unit_test_costs: NDArray[np.float64]
    unit_delay_costs: NDArray[np.float64]
    granules: str | Callable = "kmeans"
    n_granules: int = 5
    boundary_penalty: float = 2.0
    fixed: bool = False

    @property
    def n_levels(self) -> int:
        """Largest number of levels."""
        return len(self.chain)

    def decide(
        self,
        part: Part,
        wrong: NDArray[np.bool_],
        level: int,
        rng: np.random.Generator,
        unsure: NDArray[np.bool_] | None = None,
    ) -> Verdict:
        """Sort instances: by the network's label where it is right, else by granules.

        With two classes, class 1 is the positive one. With more, an instance counts
        as positive if it belongs to the commonest class of its granule, and what the
        network gets right is accepted.

        Parameters
        ----------
        part : Part
            Instances to sort, without a selection.
        wrong : ndarray of bool
            Instances that the network misclassifies.
        level : int
            Index of the level; the last decides two ways, with gamma.
        rng : numpy.random.Generator
            Source of randomness for the granules.
        unsure : ndarray of bool, optional
            Instances to defer though the network is right, except at the last level.

        Returns
        -------
        Verdict
            Regions of all instances, the risk, and how many were misclassified.
        """
        costs, n_wrong = self.chain[level], int(wrong.sum())
        two_way = level == self.n_levels - 1 or (self.fixed and n_wrong <= self.n_granules)
        if part.n_classes == 2:
            regions = np.where(part.y == 1, POS, NEG).astype(np.int8)
        else:
            regions = np.full(len(part), POS)
        if unsure is not None and not two_way:
            regions[unsure] = BND
        if not n_wrong:
            return Verdict(regions, 0.0, 0)
        y = part.y[wrong]
        mass = None if part.mass is None else part.mass[wrong]
        groups = granulate(part.X[wrong], self.granules, self.n_granules, rng)
        positive = y == 1 if part.n_classes == 2 else _in_commonest_class(groups, y, mass)
        p = conditional_probability(groups, positive, mass)
        if two_way:
            decided = two_way_regions(p, costs.gamma)
        else:
            decided = three_way_regions(p, costs.alpha, costs.beta)
        regions[wrong] = decided
        return Verdict(regions, result_cost(p, decided, costs, self.boundary_penalty), n_wrong)

    def record(
        self,
        before: Sequence[Level],
        verdict: Verdict,
        n_hard: int,
        network: Network,
        validation: Part,
    ) -> Level:
        """Write down a level, with the costs of the process so far.

        Parameters
        ----------
        before : sequence of Level
            The levels before it.
        verdict : Verdict
            Its decisions.
        n_hard : int
            Number of instances that its node was trained on.
        network : Network
            The network after the level.
        validation : Part
            Scaled data for its score.

        Returns
        -------
        Level
            The record.
        """
        handed_over = [*(level.n_misclassified for level in before), verdict.n_misclassified]
        n_pos, n_bnd, n_neg = (int((verdict.regions == r).sum()) for r in (POS, BND, NEG))
        return Level(
            costs=self.chain[len(before)],
            n_instances=len(verdict.regions),
            n_hard=n_hard,
            n_misclassified=verdict.n_misclassified,
            n_pos=n_pos,
            n_bnd=n_bnd,
            n_neg=n_neg,
            result_cost=verdict.result_cost,
            test_cost=float(test_costs(handed_over, self.unit_test_costs)[-1]),
            delay_cost=float(delay_costs(handed_over, self.unit_delay_costs)[-1]),
            validation_score=-float(mean_losses([network], validation)[0]),
            network=network,
        )

    def repriced(self, levels: Sequence[Level]) -> list[Level]:
        """Return levels with the process costs that follow from these unit costs."""
        counts = [level.n_misclassified for level in levels]
        return [
            replace(level, test_cost=float(test), delay_cost=float(delay))
            for level, test, delay in zip(
                levels,
                test_costs(counts, self.unit_test_costs),
                delay_costs(counts, self.unit_delay_costs),
                strict=True,
            )
        ]


def _in_commonest_class(groups: NDArray, y: NDArray, mass: NDArray | None) -> NDArray[np.bool_]:
    counts = np.zeros((groups.max() + 1, y.max() + 1))
    np.add.at(counts, (groups, y), 1.0 if mass is None else mass)
    return counts.argmax(axis=1)[groups] == y
