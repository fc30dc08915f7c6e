"""Memory for a block of rows."""

import math
from itertools import accumulate

import numpy as np

from trisect.network.contract import Floats

__all__ = ["aligned", "blocks"]

# Bytes of a cache line.
LINE = 64


def aligned(*shape: int) -> Floats:
    """Allocate an array that begins with a cache line.

    Parameters
    ----------
    *shape : int
        Its shape.

    Returns
    -------
    ndarray
        Numbers, whatever was there before.
    """
    size = math.prod(shape)
    memory = np.empty(size + LINE // 4, dtype=np.float32)
    first = -memory.__array_interface__["data"][0] % LINE // 4
    return memory[first : first + size].reshape(shape)


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
    together = aligned(height, n_lanes)
    ends = accumulate(heights)
    return [together[end - size : end] for end, size in zip(ends, heights, strict=True)]
