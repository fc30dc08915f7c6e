"""Memory for a block of rows."""

from math import prod

import numpy as np

from trisect.network.contract import Floats

__all__ = ["aligned"]

# A cache line; vectors that straddle two lines cost a tenth of the speed.
ALIGNMENT = 64


def aligned(*shape: int) -> Floats:
    """Allocate an array that begins at a cache line."""
    n_bytes = 4 * prod(shape)
    memory = np.empty(n_bytes + ALIGNMENT, dtype=np.uint8)
    first = -memory.__array_interface__["data"][0] % ALIGNMENT
    return memory[first : first + n_bytes].view(np.float32).reshape(shape)
