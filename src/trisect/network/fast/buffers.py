"""Memory for a block of rows."""

from itertools import accumulate

import numpy as np

from trisect.network.contract import Floats

__all__ = ["blocks"]

# A cache line; vectors that straddle two lines cost a tenth of the speed.
ALIGNMENT = 64


def blocks(n_lanes: int, *heights: int) -> list[Floats]:
    """Allocate arrays of some heights and ``n_lanes`` columns, the first at the start of a line.

    With a multiple of 16 columns all are, with one of 8 no vector of eight straddles two lines.

    Parameters
    ----------
    n_lanes : int
        Number of columns, a multiple of 8.
    *heights : int
        Number of rows of each array.

    Returns
    -------
    list of ndarray
        Views of one piece of memory.
    """
    height = sum(heights)
    memory = np.empty(height * n_lanes + ALIGNMENT // 4, dtype=np.float32)
    first = -memory.__array_interface__["data"][0] % ALIGNMENT // 4
    together = memory[first : first + height * n_lanes].reshape(height, n_lanes)
    ends = accumulate(heights)
    return [together[end - size : end] for end, size in zip(ends, heights, strict=True)]
