"""The compiled walk: levels decide what they are sure of and pass on the rest."""

import numpy as np

from trisect.network.kernels import (
    BLOCK,
    FEW_FEATURES,
    F,
    _activate,
    _gather,
    _products_by_lane,
    _products_by_row,
    compiled,
)

__all__ = ["walk_levels"]


@compiled
def walk_levels(
    X, activation, W1, b1, w2, b2, firsts, adds, upper, lower, regions, levels, margins
):
    """Decide every row of X at the first level that is sure of it.

    Level l owns the nodes ``firsts[l]`` to ``firsts[l + 1] - 1``. Its margin is the logit
    of the positive class less that of the other, on top of the margin of the level before
    if ``adds[l]``. Rows are accepted from ``upper[l]``, rejected up to ``lower[l]``, and
    otherwise moved to the front of the queue for the next level.
    """
    n_rows, n_features = X.shape
    by_lane = n_features <= FEW_FEATURES
    widest = 1
    for level in range(upper.size):
        widest = max(widest, firsts[level + 1] - firsts[level])
    XT = np.empty((n_features if by_lane else 1, BLOCK), np.float32)
    Z = np.empty((widest, BLOCK), np.float32)
    A = np.empty((widest, BLOCK), np.float32)
    slope = np.empty((widest, BLOCK), np.float32)
    margin = np.empty(BLOCK, np.float32)
    queue = np.arange(n_rows).astype(np.int32)
    waiting = n_rows
    for level in range(upper.size):
        first, last = firsts[level], firsts[level + 1]
        accept_from, reject_to = F(upper[level]), F(lower[level])
        passed_on = 0
        for start in range(0, waiting, BLOCK):
            size = min(BLOCK, waiting - start)
            if by_lane:
                _gather(X, queue, start, size, XT)
                _products_by_lane(XT, W1[first:last], b1[first:last], size, Z)
            else:
                _products_by_row(X, queue, start, size, W1[first:last], b1[first:last], Z)
            _activate(activation, Z[: last - first], size, A, slope)
            for i in range(size):
                margin[i] = b2[level]
            for m in range(first, last):
                w, a = w2[m], A[m - first]
                for i in range(size):
                    margin[i] += w * a[i]
            if adds[level]:
                for i in range(size):
                    margin[i] += margins[queue[start + i]]
            # No branches: which rows are sure is as hard to foresee as it is to decide.
            for i in range(size):
                row = queue[start + i]
                value = margin[i]
                accept = np.int8(value >= accept_from)
                decided = accept | np.int8(value <= reject_to)
                margins[row] = value
                regions[row] = 2 * accept - decided
                levels[row] = (level + 1) * decided
                queue[passed_on] = row
                passed_on += 1 - int(decided)
        waiting = passed_on
        if waiting == 0:
            break
