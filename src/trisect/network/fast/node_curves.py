"""Curves of each node's own, with the nodes as vector lanes, in groups of eight.

A position is an interval and a share of it. What it adds to eight nodes is two loads and a
multiplication away: the values of their curves at the interval's left end, and the rises.
These stand next to each other, on one cache line.
"""

import numpy as np

from trisect.network.fast.compiler import F, in_order
from trisect.network.fast.lanes import LANES, load, splat, store

__all__ = ["STRIDE", "from_lanes", "locate", "look_up", "spread", "to_lanes"]

STRIDE = 2 * LANES
"""Numbers of an interval: starts of eight curves, then their rises."""

# Positions that are worked on for all rows of a block before the next ones: their curves, of 16
# intervals each, stay in the nearest cache.
TILE = 16


@in_order
def locate(X, rows, start, size, begins, place, share):
    """Take the positions of a block of rows apart: where the interval stands, and its share."""
    n_positions = begins.size
    for i in range(size):
        row = X[rows[start + i]]
        positions, at, s = row[row.size - n_positions :], place[i], share[i]
        for j in range(n_positions):
            k = np.int32(positions[j])
            s[j] = positions[j] - F(k)
            at[j] = (begins[j] + np.uint32(k)) * np.uint32(STRIDE)


@in_order
def look_up(place, share, size, curves, V):
    """Add to V what the positions of a block are worth to each of eight nodes."""
    n_positions = place.shape[1]
    for first in range(0, n_positions, TILE):
        last = min(first + TILE, n_positions)
        for i in range(size):
            at, s = place[i], share[i]
            v = load(V, i * LANES)
            for j in range(first, last):
                t = np.int64(at[j])
                v = v + (load(curves, t) + splat(s[j]) * load(curves, t + LANES))
            store(V, i * LANES, v)


@in_order
def spread(place, share, size, V, by_curves):
    """Add the gradient V by eight nodes to the gradient by starts and rises."""
    n_positions = place.shape[1]
    for first in range(0, n_positions, TILE):
        last = min(first + TILE, n_positions)
        for i in range(size):
            at, s = place[i], share[i]
            v = load(V, i * LANES)
            for j in range(first, last):
                t = np.int64(at[j])
                store(by_curves, t, load(by_curves, t) + v)
                store(by_curves, t + LANES, load(by_curves, t + LANES) + splat(s[j]) * v)


@in_order
def to_lanes(Z, first, size, V):
    """Copy eight rows of Z, or those that there are, to the lanes of V."""
    for m in range(first, min(first + LANES, Z.shape[0])):
        z, lane = Z[m], m - first
        for i in range(size):
            V[i, lane] = z[i]


@in_order
def from_lanes(V, first, size, Z):
    """Copy the lanes of V to eight rows of Z, or those that there are."""
    for m in range(first, min(first + LANES, Z.shape[0])):
        z, lane = Z[m], m - first
        for i in range(size):
            z[i] = V[i, lane]
