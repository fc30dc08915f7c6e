"""Writing rows that are much alike as a usual row and deviations from it.

Of many columns of two values, each has one that most rows share. The few cells with the other
one are all that a product of a row with weights has to look at.
"""

import numpy as np
from numpy.typing import NDArray

from trisect.network.contract import NO_DEVIATIONS, Deviations, Floats
from trisect.network.threads import at_once

__all__ = ["deviations_of", "usual_row"]

_Found = tuple[NDArray[np.uint32], Floats, NDArray[np.int64]]

# Networks of a few nodes are as fast on fewer straight inputs in full, and on those of which more
# cells deviate; those of many nodes would gain a little there, too.
FEWEST_INPUTS = 192
MOST_CELLS = 0.16
# Ranges of inputs that threads can work on apart from each other. Each costs one thread time,
# because rows are short in it: four would take a quarter more.
RANGES, LANES = 2, 8
# Rows among which the usual values are looked for; an odd number has a row in the middle.
SAMPLE = 255
# Cells that are looked at at once, which stay in cache.
BLOCK_CELLS = 1 << 18


def usual_row(X: Floats, n_straight: int) -> Floats:
    """Find a value of each straight input that most rows have, if there is one.

    Parameters
    ----------
    X : ndarray of shape (n, n_features)
        Rows in random order.
    n_straight : int
        Number of straight inputs, which come first.

    Returns
    -------
    ndarray of shape (n_straight,)
        The middle one of the values of some rows.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.network.deviations import usual_row
    >>> X = np.array([[0, 5], [1, 5], [0, 5]], dtype=np.float32)
    >>> usual_row(X, 2)
    array([0., 5.], dtype=float32)
    """
    some = X[:SAMPLE, :n_straight]
    middle = len(some) // 2
    return np.partition(some, middle, axis=0)[middle].copy()


def deviations_of(X: Floats, usual: Floats) -> Deviations:
    """Write the straight inputs as deviations from a usual row, if that pays.

    Parameters
    ----------
    X : ndarray of shape (n, n_features)
        Scaled rows, straight inputs first.
    usual : ndarray of shape (n_straight,)
        See `usual_row`.

    Returns
    -------
    Deviations
        `NO_DEVIATIONS` where inputs are few, or too many cells deviate.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.network.deviations import deviations_of
    >>> X = np.zeros((2, 500), dtype=np.float32)
    >>> X[1, 7] = 3.0
    >>> found = deviations_of(X, X[0])
    >>> found.inputs, found.amounts
    (array([7], dtype=uint32), array([3.], dtype=float32))
    """
    n_straight = len(usual)
    if n_straight < FEWEST_INPUTS or not len(X):
        return NO_DEVIATIONS
    most = MOST_CELLS * len(X) * n_straight
    edges = np.minimum(np.arange(RANGES) * _width(n_straight), n_straight)
    n_found, step = 0, max(BLOCK_CELLS // n_straight, 1)

    def find(first: int) -> _Found | None:
        """Find the deviations of some rows, unless there are too many already."""
        nonlocal n_found
        if n_found > most:
            return None
        block = X[first : first + step, :n_straight]
        flat = np.flatnonzero(block != usual)
        n_found += len(flat)
        if n_found > most:
            return None
        # Whole numbers of 32 bits are divided faster.
        row, number = np.divmod(flat.astype(np.uint32), np.uint32(n_straight))
        which = row.astype(np.int64) * RANGES
        for edge in edges[1:]:
            which += number >= edge
        counts = np.bincount(which, minlength=len(block) * RANGES)
        return number, block.ravel()[flat] - usual[number], counts

    firsts = range(0, len(X), step)
    found = [some for some in at_once(find, firsts) if some is not None]
    # Threads that count at the same time may have missed some.
    if len(found) < len(firsts) or sum(len(numbers) for numbers, *_ in found) > most:
        return NO_DEVIATIONS
    inputs, amounts, counts = (np.concatenate(parts) for parts in zip(*found, strict=True))
    counts = counts.reshape(-1, RANGES)
    ends = np.cumsum(counts.ravel()).reshape(counts.shape)
    starts = np.column_stack([ends[:, 0] - counts[:, 0], ends]).astype(np.uint64)
    return Deviations(usual, starts, inputs, amounts)


def _width(n_straight: int) -> int:
    """Return the number of inputs of a range."""
    return -(-n_straight // (RANGES * LANES)) * LANES
