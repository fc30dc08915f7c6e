"""The universe: the training instances that are still undecided, fewer at each level."""

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import (
    BND,
    NEG,
    POS,
    conditional_probability,
    result_cost,
    two_way_regions,
)
from trisect.growth.granules import granulate
from trisect.growth.rules import Rules, Verdict
from trisect.growth.settlement import LevelSets, Settlement
from trisect.network import Part

__all__ = ["Universe"]


class Universe:
    """Sorts what is undecided level by level; what a level defers is the next universe.

    Parameters
    ----------
    part : Part
        Scaled training instances, without a selection.
    rules : Rules
        How levels decide.
    """

    def __init__(self, part: Part, rules: Rules) -> None:
        self._part, self._rules = part, rules
        self.rows: NDArray[np.int32] = np.arange(len(part), dtype=np.int32)
        self.settlement = Settlement.none(len(part), rules.n_levels)
        # The granule that each instance was last judged in, where that is asked for.
        remembered = len(part) if rules.granulation != "anew" else 0
        self._granules = np.full(remembered, -1, dtype=np.int32)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def origin(self) -> NDArray[np.int32]:
        """Row of each training instance in the table that the user gave."""
        if self._part.origin is None:
            return np.arange(len(self._part), dtype=np.int32)
        return self._part.origin

    def sort(
        self,
        wrong: NDArray[np.bool_],
        level: int,
        rng: np.random.Generator,
        unsure: NDArray[np.bool_] | None = None,
        *,
        ignorant: bool = False,
        last: bool = False,
    ) -> Verdict:
        """Sort the universe: by the network's label where it is right, else by granules.

        With two classes, class 1 is the positive one. With more, an instance counts
        as positive if it belongs to the commonest class of its granule, and what the
        network gets right is accepted.

        Parameters
        ----------
        wrong : ndarray of bool
            Instances of the universe that the network misclassifies.
        level : int
            Index of the level.
        rng : numpy.random.Generator
            Source of randomness for the granules.
        unsure : ndarray of bool, optional
            Instances to defer though the network is right, except at the last level.
        ignorant : bool, default=False
            Whether to defer all, except at the last level. A network that has learned nothing
            gives one label to all, and granules of mistakes of one class are pure.
        last : bool, default=False
            Whether growth ends here, so that this level decides two ways, with gamma. The
            last of the chain always does.

        Returns
        -------
        Verdict
            The decisions. Afterwards the universe is what they defer.
        """
        part, rules, rows = self._part, self._rules, self.rows
        costs, n_wrong = rules.chain[level], int(wrong.sum())
        two_way = last or rules.decides_two_ways(level, n_wrong)
        regions = np.full(len(rows), POS)
        if part.n_classes == 2:
            regions[(part.y == 0)[rows]] = NEG
        if unsure is not None and not two_way:
            regions[unsure | ignorant] = BND
        risk, labels, p = 0.0, np.zeros(0, np.intp), np.zeros(0)
        if n_wrong:
            judged = rows[wrong]
            labels = self._granulated(judged, level, rng)
            mass = None if part.mass is None else part.mass[judged]
            y = part.y[judged]
            positive = y == 1 if part.n_classes == 2 else _in_commonest_class(labels, y, mass)
            p = conditional_probability(labels, positive, mass)
            decided = two_way_regions(p, costs.gamma) if two_way else costs.decide(p)
            if ignorant and not two_way:
                decided = np.full(len(p), BND)
            regions[wrong] = decided
            risk = result_cost(p, decided, costs, rules.boundary_penalty)
        self.settlement.settle(rows, level + 1, regions, wrong)
        self.rows = rows[regions == BND]
        sets = self._sets(rows, wrong, regions, labels, p) if rules.keep_sets else None
        return Verdict(regions, n_wrong, risk, sets)

    def _granulated(
        self, judged: NDArray[np.int32], level: int, rng: np.random.Generator
    ) -> NDArray[np.intp]:
        """Group the misclassified instances, and remember in which group each of them is."""
        rules, X = self._rules, self._part.X
        kind, size = rules.granules, rules.n_granules
        if rules.granulation == "once":
            if self._granules[0] < 0:
                self._granules = granulate(X, kind, size, rng).astype(np.int32)
            labels = np.unique(self._granules[judged], return_inverse=True)[1]
        else:
            parents = self._granules[judged] if rules.granulation == "inherited" else None
            labels = granulate(X[judged], kind, size, rng, level=level + 1, parents=parents)
        if rules.granulation == "inherited":
            # No number twice, because parents may stem from different levels.
            self._granules[judged] = labels + self._granules.max() + 1
        return labels

    def _sets(self, rows, wrong, regions, labels, p) -> LevelSets:
        origin = self.origin[rows]
        right = ~wrong
        return LevelSets(
            P_N=origin[right & (regions == POS)],
            B_N=origin[right & (regions == BND)],
            N_N=origin[right & (regions == NEG)],
            M_N=origin[wrong],
            P_L=origin[wrong & (regions == POS)],
            B_L=origin[wrong & (regions == BND)],
            N_L=origin[wrong & (regions == NEG)],
            granules=labels,
            p=p,
        )


def _in_commonest_class(groups: NDArray, y: NDArray, mass: NDArray | None) -> NDArray[np.bool_]:
    counts = np.zeros((groups.max() + 1, y.max() + 1))
    np.add.at(counts, (groups, y), 1.0 if mass is None else mass)
    return counts.argmax(axis=1)[groups] == y
