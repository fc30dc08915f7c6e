"""The sweep behind learned thresholds: two cuts through sorted probabilities.

Of m distinct probabilities in increasing order, the first i are rejected, those from k
onwards accepted, and those in between deferred, 0 <= i <= k <= m. The cost of such a pair
of cuts is a sum f(i) + g(k), and caps on the error among the rejected or the accepted forbid
some i or some k. A cap on the share deferred is a window for i that moves
with k, and a cap on the error among the decided is a condition h(i) <= limit(k). The best
i for each k is therefore a minimum over a range of indices, and not all pairs have to be
tried.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from trisect.decisions.caps import Caps

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]

# Sums that are equal on paper may differ in the last bits.
_ROUNDING = 1e-9


def cheapest_cuts(
    charges: Floats,
    weight: Floats,
    positive: Floats,
    caps: Caps,
    prefer: tuple[int, int] | None = None,
) -> tuple[int, int]:
    """Find the cuts (i, k) with the least cost among those within the caps on shares.

    The rows of `charges` are the cost of accepting, deferring and rejecting all instances of
    a probability, and `weight` and `positive` the weight of all and of the positive ones. The
    cuts `prefer` win a tie.
    """
    accept, defer, reject = (_sums(column) for column in charges.T)
    total, missed = _sums(weight), _sums(positive)
    negative, slack = total - missed, _ROUNDING * total[-1]
    below = reject - defer
    above = defer + (accept[-1] - accept)
    if caps.rejected is not None:
        below[missed > caps.rejected * total + slack] = np.inf
    if caps.accepted is not None:
        wrong, of = negative[-1] - negative, total[-1] - total
        above[wrong > caps.accepted * of + slack] = np.inf
    last = np.arange(len(total))
    first = np.zeros_like(last)
    if caps.deferred is not None:
        first = np.searchsorted(total, total - caps.deferred * total[-1] - slack, side="left")
    excess, limit = np.zeros(len(total)), np.zeros(len(total))
    if caps.decided is not None:
        excess = missed - caps.decided * total
        limit = caps.decided * (total[-1] - total) - (negative[-1] - negative) + slack
    if caps.decided is None and caps.deferred is None:
        best_below = np.minimum.accumulate(below)
    else:
        best_below = _range_minimum(below, excess, first, last, limit)
    cost = best_below + above
    k = int(cost.argmin())
    if not np.isfinite(cost[k]):
        raise ValueError(f"No thresholds keep all of these caps: {caps}. Loosen one of them.")
    if prefer is not None:
        i, at = prefer
        keeps = first[at] <= i <= at and excess[i] <= limit[at]
        scale = np.abs(charges).sum()
        if keeps and below[i] + above[at] <= cost[k] + _ROUNDING * scale:
            return i, at
    candidates = np.where(excess <= limit[k], below, np.inf)[first[k] : k + 1]
    return int(first[k] + candidates.argmin()), k


def _sums(values: Floats) -> Floats:
    return np.concatenate(([0.0], np.cumsum(values)))


def _range_minimum(
    values: Floats, keys: Floats, first: Indices, last: Indices, limit: Floats
) -> Floats:
    """For each query q, the least value at first[q]..last[q] with a key up to limit[q].

    A merge-sort tree, built and queried one layer at a time. The blocks of a layer are
    twice as long as those of the layer before, sorted by key, with running minima. A
    query needs at most two blocks per layer.
    """
    size = 1 << (len(values) - 1).bit_length()
    padded = np.full(size, np.inf)
    padded[: len(values)] = values
    order = np.argsort(keys, kind="stable")
    rank = np.full(size, size, dtype=np.int64)
    rank[order] = np.arange(len(keys))
    allowed = np.searchsorted(keys[order], limit, side="right")
    best = np.full(len(first), np.inf)
    left, right = first.astype(np.int64), last.astype(np.int64) + 1
    width = 1
    while width <= size:
        ranks, minima = _layer(rank, padded, width)
        odd = (left < right) & (left % 2 == 1)
        blocks = [(np.flatnonzero(odd), left[odd])]
        left = left + odd
        odd = (left < right) & (right % 2 == 1)
        right = right - odd
        blocks.append((np.flatnonzero(odd), right[odd]))
        for queries, block in blocks:
            end = np.searchsorted(ranks, block * (size + 1) + allowed[queries], side="left")
            found = end > block * width
            asked = queries[found]
            best[asked] = np.minimum(best[asked], minima[end[found] - 1])
        left, right, width = left // 2, right // 2, width * 2
    return best


def _layer(rank: NDArray[np.int64], values: Floats, width: int) -> tuple[Indices, Floats]:
    """Sort each block by rank; return the ranks, offset by block, and running minima."""
    blocks = rank.reshape(-1, width)
    order = np.argsort(blocks, axis=1)
    ranks = np.take_along_axis(blocks, order, axis=1)
    ranks = ranks + np.arange(len(ranks))[:, None] * (len(rank) + 1)
    minima = np.minimum.accumulate(
        np.take_along_axis(values.reshape(-1, width), order, axis=1), axis=1
    )
    return ranks.ravel(), minima.ravel()
