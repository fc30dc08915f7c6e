"""What every engine does: arrays in, arrays out.

Several networks of the same shape are carried side by side ("groups"), so that rival
candidates for a new node share one read of the data; an ordinary network is one group.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Batches", "Curves", "Engine", "Networks", "Optimiser", "Rows"]

Floats = NDArray[np.float32]


class Networks(NamedTuple):
    """Networks of the same shape side by side, or the gradient by their parameters."""

    activation: int
    W1: Floats
    b1: Floats
    W2: Floats
    b2: Floats


class Rows(NamedTuple):
    """Instances."""

    X: Floats
    y: NDArray[np.int32]
    weight: Floats
    rows: NDArray[np.int32]
    offset: Floats


class Batches(NamedTuple):
    """Batches."""

    starts: NDArray[np.int64]
    size: int
    rates: Floats
    step: int


class Optimiser(NamedTuple):
    """Adam's memory."""

    parameters: Floats
    gradient: Floats
    moment1: Floats
    moment2: Floats
    parts: NDArray[np.int64]
    penalties: Floats


class Curves(NamedTuple):
    """Curves in front of a network."""

    left: NDArray[np.uint8]
    share: Floats
    values: Floats
