"""Where each training instance was settled: by which level, by which rule, in which region."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import BND

__all__ = ["LevelSets", "Settlement"]

# A region decided by the network is +-1, one decided by a granule +-2.
_BY_GRANULE = 2


class Settlement(NamedTuple):
    """The level, rule and region that settled each instance, in two bytes per instance.

    Parameters
    ----------
    levels : ndarray of uint8 of shape (n_instances,)
        Level that settled each instance, from 1; 0 for an instance that no level settled,
        such as one that was held back for validation.
    codes : ndarray of int8 of shape (n_instances,)
        1 accepted and -1 rejected by the network, 2 accepted and -2 rejected by a granule;
        0 for an instance that no level settled.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.growth.settlement import Settlement
    >>> settled = Settlement(np.array([1, 2, 0], np.uint8), np.array([1, -2, 0], np.int8))
    >>> settled.regions.tolist(), settled.by_granule.tolist()
    ([1, -1, 0], [False, True, False])
    """

    levels: NDArray[np.uint8]
    codes: NDArray[np.int8]

    @classmethod
    def none(cls, n_instances: int, n_levels: int) -> Self:
        """Return the settlement of instances that no level has settled yet."""
        dtype = np.uint8 if n_levels <= np.iinfo(np.uint8).max else np.uint16
        return cls(np.zeros(n_instances, dtype), np.zeros(n_instances, np.int8))

    @property
    def regions(self) -> NDArray[np.int8]:
        """POS (1) or NEG (-1) of each settled instance, 0 of the others."""
        return np.sign(self.codes)

    @property
    def by_granule(self) -> NDArray[np.bool_]:
        """Whether an instance was settled by its granule, not by the network."""
        return np.abs(self.codes) == _BY_GRANULE

    def settle(
        self,
        rows: NDArray[np.integer],
        level: int,
        regions: NDArray[np.int8],
        by_granule: NDArray[np.bool_],
    ) -> None:
        """Note which of some undecided instances a level settled."""
        settled = regions != BND
        here = rows[settled]
        self.levels[here] = level
        self.codes[here] = regions[settled] * (1 + by_granule[settled].view(np.int8))

    def scattered(self, rows: NDArray[np.integer], n_rows: int) -> "Settlement":
        """Put the instances back into the rows of the table that they came from."""
        levels, codes = np.zeros(n_rows, self.levels.dtype), np.zeros(n_rows, np.int8)
        levels[rows], codes[rows] = self.levels, self.codes
        return Settlement(levels, codes)


class LevelSets(NamedTuple):
    """The sets of a level, as row numbers of the training data.

    Parameters
    ----------
    P_N, B_N, N_N : ndarray of int
        Accepted, deferred and rejected by the network, which classifies them correctly: it
        defers those that it is not sure of. The paper has no B_N.
    M_N : ndarray of int
        Misclassified by the network, and so handed to the decision on granules.
    P_L, B_L, N_L : ndarray of int
        Those of M_N that the decision accepts, defers and rejects.
    granules : ndarray of int of shape (len(M_N),)
        Granule of each instance in M_N.
    p : ndarray of shape (len(M_N),)
        Conditional probability of its granule.
    """

    P_N: NDArray[np.int32]
    B_N: NDArray[np.int32]
    N_N: NDArray[np.int32]
    M_N: NDArray[np.int32]
    P_L: NDArray[np.int32]
    B_L: NDArray[np.int32]
    N_L: NDArray[np.int32]
    granules: NDArray[np.intp]
    p: NDArray[np.float64]
