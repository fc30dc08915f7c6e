"""The rules that levels decide by: what decisions cost, and what counts as alike."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import BND, NEG, POS, CostMatrix, delay_costs, test_costs
from trisect.growth.level import Level
from trisect.growth.settlement import LevelSets

__all__ = ["GRANULATIONS", "Rules", "Verdict"]

GRANULATIONS = ("anew", "inherited", "once")
"""When granules are made: at each level, within those of the level before, or once."""


class Verdict(NamedTuple):
    """What a level decided about the universe, and the risk of it."""

    regions: NDArray[np.int8]
    n_misclassified: int
    result_cost: float
    sets: LevelSets | None = None


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
    granulation : {"anew", "inherited", "once"}
        When granules are made.
    boundary_penalty : float
        Factor on the cost of deferring.
    fixed : bool, default=False
        Whether all levels share one pair of thresholds. Then a level decides two ways
        where no more than `n_granules` instances are misclassified.
    keep_sets : bool, default=False
        Whether levels keep their sets, see `LevelSets`.
    costs : CostMatrix, optional
        Costs that the user gave, by which a level is chosen; by its loss if there are none.
    priced : bool, default=False
        Whether the unit test costs are the user's, in the unit of `costs`, so that they
        count when a level is chosen.
    """

    chain: Sequence[CostMatrix]
    unit_test_costs: NDArray[np.float64]
    unit_delay_costs: NDArray[np.float64]
    granules: str | Callable = "kmeans"
    n_granules: int = 5
    granulation: str = "anew"
    boundary_penalty: float = 2.0
    fixed: bool = False
    keep_sets: bool = False
    costs: CostMatrix | None = None
    priced: bool = False

    @property
    def n_levels(self) -> int:
        """Largest number of levels."""
        return len(self.chain)

    def decides_two_ways(self, level: int, n_misclassified: int) -> bool:
        """Whether a level decides with gamma: the last does, and few mistakes may do."""
        few = self.fixed and n_misclassified <= self.n_granules
        return few or level == self.n_levels - 1

    def price_of_levels(self, first: int, last: int) -> NDArray[np.float64] | None:
        """Add up what evaluating an instance costs up to some levels, if it costs anything."""
        return np.cumsum(self.unit_test_costs)[first:last] if self.priced else None

    def record(self, before: Sequence[Level], verdict: Verdict, validation_score: float) -> Level:
        """Write down a level, with the costs of the process so far.

        Parameters
        ----------
        before : sequence of Level
            The levels before it.
        verdict : Verdict
            Its decisions.
        validation_score : float
            Mean log-likelihood of the validation data under its network.

        Returns
        -------
        Level
            The record.
        """
        handed_over = [*(level.n_misclassified for level in before), verdict.n_misclassified]
        n_pos, n_bnd, n_neg = (int((verdict.regions == r).sum()) for r in (POS, BND, NEG))
        return Level(
            n_hidden=len(before) + 1,
            costs=self.chain[len(before)],
            n_instances=len(verdict.regions),
            n_misclassified=verdict.n_misclassified,
            n_pos=n_pos,
            n_bnd=n_bnd,
            n_neg=n_neg,
            result_cost=verdict.result_cost,
            test_cost=float(test_costs(handed_over, self.unit_test_costs)[-1]),
            delay_cost=float(delay_costs(handed_over, self.unit_delay_costs)[-1]),
            validation_score=validation_score,
            sets=verdict.sets,
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
