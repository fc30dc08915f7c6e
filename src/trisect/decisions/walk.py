"""The record of a walk through the levels: where each instance was decided, and at what cost."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trisect.decisions.process_costs import delay_costs, test_costs
from trisect.decisions.regions import BND

# Level of an instance that no level decided.
_UNDECIDED = 0


@dataclass(frozen=True, eq=False)
class Walk:
    """The result of deciding level by level.

    Parameters
    ----------
    regions : ndarray of int8 of shape (n_instances,)
        POS (1), BND (0) or NEG (-1).
    levels : ndarray of int of shape (n_instances,)
        Level that decided each instance, from 1; 0 where it stays deferred.
    probabilities : ndarray of shape (n_instances,)
        Probability of the positive class at the last level that the instance reached.
    unit_test_costs, unit_delay_costs : ndarray of shape (n_levels,)
        Cost of testing one instance at each level, and of making it wait; zeros if nobody
        gave any.
    n_hidden : ndarray of int of shape (n_levels,)
        Hidden nodes that each level evaluates per instance, not counting those that it
        shares with the level before; zeros if unknown.
    """

    regions: NDArray[np.int8]
    levels: NDArray[np.intp]
    probabilities: NDArray[np.float64]
    unit_test_costs: NDArray[np.float64]
    unit_delay_costs: NDArray[np.float64]
    n_hidden: NDArray[np.intp]

    @cached_property
    def _counts(self) -> NDArray[np.intp]:
        """Instances decided by each level: rejected and accepted."""
        kinds = 3 * self.levels + (self.regions + 1)
        table = np.bincount(kinds, minlength=3 * (self.n_levels + 1)).reshape(-1, 3)
        return table[1:, [0, 2]]

    @property
    def n_neg(self) -> NDArray[np.intp]:
        """Instances that each level rejected."""
        return self._counts[:, 0]

    @property
    def n_pos(self) -> NDArray[np.intp]:
        """Instances that each level accepted."""
        return self._counts[:, 1]

    @property
    def n_bnd(self) -> NDArray[np.intp]:
        """Instances that each level deferred: to the next level, or from the last to a review."""
        return len(self.regions) - np.cumsum(self._counts.sum(axis=1))

    @property
    def n_seen(self) -> NDArray[np.intp]:
        """Instances that reached each level."""
        return np.concatenate(([len(self.regions)], self.n_bnd[:-1]))

    @property
    def n_levels(self) -> int:
        """Number of levels of the walk."""
        return len(self.unit_test_costs)

    @property
    def test_cost(self) -> float:
        """Cost of all tests: each level tests every instance that reaches it."""
        return float(test_costs(self.n_seen, self.unit_test_costs)[-1])

    @property
    def delay_cost(self) -> float:
        """Cost of the most expensive delay: delays of the levels overlap."""
        return float(delay_costs(self.n_seen, self.unit_delay_costs)[-1])

    @property
    def last_levels(self) -> NDArray[np.intp]:
        """Last level that each instance reached."""
        return np.where(self.levels == _UNDECIDED, self.n_levels, self.levels)

    @property
    def instance_test_costs(self) -> NDArray[np.float64]:
        """Cost of the tests of each instance; their sum is `test_cost`."""
        return np.cumsum(self.unit_test_costs)[self.last_levels - 1]

    @property
    def nodes_evaluated(self) -> int:
        """Hidden nodes evaluated in all."""
        return int(self.n_seen @ self.n_hidden)

    def __str__(self) -> str:
        columns = {
            "level": range(1, self.n_levels + 1),
            "seen": self.n_seen,
            "accept": self.n_pos,
            "defer": self.n_bnd,
            "reject": self.n_neg,
        }
        lines = ["".join(f"{name:>9}" for name in columns)[4:]]
        lines += [
            "".join(f"{value:>9}" for value in row)[4:]
            for row in zip(*columns.values(), strict=True)
        ]
        if self.unit_test_costs.any():
            costs = test_costs(self.n_seen, self.unit_test_costs)
            cells = ["test cost", *(f"{cost:.6g}" for cost in costs)]
            lines = [f"{line}{cell:>11}" for line, cell in zip(lines, cells, strict=True)]
        n_deferred = np.count_nonzero(self.regions == BND)
        lines.append(f"{n_deferred} {'stays' if n_deferred == 1 else 'stay'} deferred")
        return "\n".join(lines)
