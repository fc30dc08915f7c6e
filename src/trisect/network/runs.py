"""Putting the rows of a batch in order of their positions' intervals.

Batches consist of the same rows in every pass. Once their rows stand in order, the gradient by the
curve of an interval is a sum that stays in a register, where it would have to be loaded and stored
for each row. Where such a run ends a processor guesses by those before it: so the longest comes
first, and runs of one length after each other.
"""

import math

import numpy as np

from trisect.network.contract import NO_RUNS, Floats, Runs
from trisect.network.parameters import Knots

__all__ = ["first_rows", "runs_of"]

# Rows of a batch at most; the fast engine takes larger batches in several turns.
MOST_ROWS = 1024
# Cells at most, of six bytes each: a hundred megabytes. Batches of larger tables are hardly ever
# used twice.
MOST_CELLS = 1 << 24


def first_rows(n_rows: int, size: int) -> np.ndarray:
    """Return the first row of each batch.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    size : int
        Number of rows of a batch.

    Returns
    -------
    ndarray of int
        Batch k begins with row k * size. A last batch of a few rows would move the parameters as
        much as a full one, so it begins earlier and is full.

    Examples
    --------
    >>> from trisect.network.runs import first_rows
    >>> first_rows(17, 8), first_rows(23, 8)
    (array([0, 8, 9]), array([ 0,  8, 16]))
    """
    firsts = np.arange(0, n_rows, size)
    if len(firsts) > 1 and n_rows - firsts[-1] < size // 4:
        firsts[-1] = n_rows - size
    return firsts


def runs_of(X: Floats, knots: Knots | None, size: int) -> Runs:
    """Put the positions of each batch in order, if there are any.

    Parameters
    ----------
    X : ndarray of shape (n, n_features)
        Scaled rows in the order in which they are used, positions last.
    knots : Knots or None
        The knots of the positions.
    size : int
        Number of rows of a batch.

    Returns
    -------
    Runs
        `NO_RUNS` where there are no positions, batches are small next to the number of intervals,
        or they or the table are too large.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.network import Knots
    >>> from trisect.network.runs import runs_of
    >>> X = np.array([[2.5], [0.25], [1.5], [0.75]], dtype=np.float32)
    >>> knots = Knots(np.array([0, 3]), np.ones(3, np.float32), np.zeros(3, np.float32))
    >>> runs = runs_of(X, knots, 4)
    >>> runs.order[0], runs.shares[0]
    (array([[1, 3, 2, 0]], dtype=uint16), array([[0.25, 0.75, 0.5 , 0.5 ]], dtype=float32))
    >>> runs.intervals[0], runs.ends[0]
    (array([0, 1, 2], dtype=uint32), array([2, 3, 4], dtype=uint16))
    """
    n_positions = 0 if knots is None else knots.n_positions
    firsts = first_rows(len(X), size)
    shape = (len(firsts), n_positions, size)
    if knots is None or not 0 < math.prod(shape) <= MOST_CELLS or size > MOST_ROWS:
        return NO_RUNS
    counts = np.diff(knots.first)
    # Runs of less than one row gain nothing.
    if knots.first[-1] > size * n_positions or counts.max() > np.iinfo(np.uint8).max:
        return NO_RUNS
    order, shares = np.empty(shape, dtype=np.uint16), np.empty(shape, dtype=np.float32)
    ends = np.empty((len(firsts), knots.first[-1]), dtype=np.uint16)
    intervals = np.empty(ends.shape, dtype=np.uint32)
    before, position = knots.first[:-1], np.repeat(np.arange(n_positions), counts)
    column = np.arange(n_positions, dtype=np.uint32)[:, None]
    rank = np.empty(ends.shape[1], dtype=np.uint32)
    for k, first in enumerate(firsts):
        batch = np.array(X[first : first + size, -n_positions:].T, order="C")
        n_rows, number = batch.shape[1], batch.astype(np.uint8)
        batch -= number
        interval = number + before[:, None]
        lengths = np.bincount(interval.ravel(), minlength=ends.shape[1])
        longest_first = np.lexsort((-lengths, position))
        rank[longest_first] = np.arange(ends.shape[1]) - before[position]
        # Rows of a run in their order: a number for both sorts faster than runs alone.
        found = rank[interval] * np.uint32(n_rows) + np.arange(n_rows, dtype=np.uint32)
        found.sort(axis=1)
        found %= np.uint32(n_rows)
        order[k, :, :n_rows] = found
        shares[k, :, :n_rows] = batch.take(found + column * np.uint32(n_rows))
        ends[k] = np.cumsum(lengths[longest_first]) - n_rows * position
        intervals[k] = longest_first
    return Runs(order, shares, ends, intervals)
