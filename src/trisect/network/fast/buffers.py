"""Memory for a block of rows."""

from itertools import accumulate

from trisect.network.contract import Floats
from trisect.network.parameters import aligned

__all__ = ["blocks"]


def blocks(n_lanes: int, *heights: int) -> list[Floats]:
    """Allocate arrays of some heights and ``n_lanes`` columns, the first at the start of a line.

    With a multiple of 16 columns all are, with one of 8 no vector of eight straddles two lines,
    which would cost a tenth of the speed.

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
    together = aligned(height * n_lanes).reshape(height, n_lanes)
    ends = accumulate(heights)
    return [together[end - size : end] for end, size in zip(ends, heights, strict=True)]
