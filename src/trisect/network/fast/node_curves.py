"""Curves of each node's own, with the nodes as vector lanes, in groups of eight.

A position is an interval and a share of it. What it adds to eight nodes is two loads and a
multiplication away: the values of their curves at the interval's left end, and the rises.
These stand next to each other, on one cache line.
"""

import numpy as np

from trisect.network.fast.compiler import ZERO, F, in_order
from trisect.network.fast.lanes import LANES, load, splat, split, store, turn

__all__ = [
    "STRIDE",
    "add_lanes",
    "locate",
    "look_up",
    "look_up_two",
    "spread",
    "spread_two",
    "to_lanes",
]

STRIDE = 2 * LANES
"""Numbers of an interval: starts of eight curves, then their rises."""

# Positions that are worked on for all rows of a block before the next ones: their curves stay in a
# near cache.
TILE = 16


@in_order
def locate(X, rows, start, size, n_straight, first, begin, end, place, share):
    """Take positions ``begin`` to ``end`` of a block of rows apart: interval, and share of it."""
    begins = first[begin:end]
    for i in range(size):
        positions = X[rows[start + i]][n_straight + begin : n_straight + end]
        p, s = place[i], share[i]
        for j in range(0, begins.size - LANES + 1, LANES):
            split(positions, j, begins, STRIDE, p, s)
        if begins.size >= LANES:
            split(positions, begins.size - LANES, begins, STRIDE, p, s)
        for j in range(begins.size if begins.size < LANES else 0):
            k = np.int32(positions[j])
            s[j] = positions[j] - F(k)
            p[j] = (begins[j] + np.uint32(k)) * np.uint32(STRIDE)


@in_order
def look_up(place, share, size, width, curves, V):
    """Set V to what the positions of a block are worth to each of eight nodes."""
    for first in range(0, width, TILE):
        last = min(first + TILE, width)
        for i in range(size):
            p, s = place[i], share[i]
            v = load(V, i * LANES) if first > 0 else splat(ZERO)
            for j in range(first, last):
                t = np.int64(p[j])
                v = v + (load(curves, t) + splat(s[j]) * load(curves, t + LANES))
            store(V, i * LANES, v)


@in_order
def look_up_two(place, share, size, width, curves, others, V):
    """Do the same for sixteen nodes, the second eight of which have other curves."""
    for first in range(0, width, TILE):
        last = min(first + TILE, width)
        for i in range(size):
            p, s, at = place[i], share[i], i * STRIDE
            u = load(V, at) if first > 0 else splat(ZERO)
            v = load(V, at + LANES) if first > 0 else splat(ZERO)
            for j in range(first, last):
                t, x = np.int64(p[j]), splat(s[j])
                u = u + (load(curves, t) + x * load(curves, t + LANES))
                v = v + (load(others, t) + x * load(others, t + LANES))
            store(V, at, u)
            store(V, at + LANES, v)


@in_order
def spread(place, share, size, width, V, by_curves):
    """Add the gradient V by eight nodes to the gradient by starts and rises."""
    for first in range(0, width, TILE):
        last = min(first + TILE, width)
        for i in range(size):
            p, s = place[i], share[i]
            v = load(V, i * LANES)
            for j in range(first, last):
                t = np.int64(p[j])
                store(by_curves, t, load(by_curves, t) + v)
                store(by_curves, t + LANES, load(by_curves, t + LANES) + splat(s[j]) * v)


@in_order
def spread_two(place, share, size, width, V, by_curves, by_others):
    """Do the same for sixteen nodes, the second eight of which have other curves."""
    for first in range(0, width, TILE):
        last = min(first + TILE, width)
        for i in range(size):
            p, s, at = place[i], share[i], i * STRIDE
            u, v = load(V, at), load(V, at + LANES)
            for j in range(first, last):
                t, x = np.int64(p[j]), splat(s[j])
                store(by_curves, t, load(by_curves, t) + u)
                store(by_curves, t + LANES, load(by_curves, t + LANES) + x * u)
                store(by_others, t, load(by_others, t) + v)
                store(by_others, t + LANES, load(by_others, t + LANES) + x * v)


@in_order
def to_lanes(D, first, size, V, square):
    """Copy rows of D, as many as V has lanes or there are, to the lanes of V.

    This is done in squares of eight lanes and eight numbers, some beyond the last included.
    """
    n_lanes = V.shape[1]
    for lane in range(0, n_lanes, LANES):
        n_nodes = min(LANES, D.shape[0] - first - lane)
        for k in range(max(n_nodes, 0), LANES):
            store(square, k * LANES, splat(ZERO))
        for i in range(0, size, LANES):
            for k in range(n_nodes):
                store(square, k * LANES, load(D[first + lane + k], i))
            turn(square, 0, LANES, V, i * n_lanes + lane, n_lanes)


@in_order
def add_lanes(V, first, size, Z, square):
    """Add the lanes of V to as many rows of Z, or those that there are, in such squares."""
    n_lanes = V.shape[1]
    for lane in range(0, n_lanes, LANES):
        n_nodes = min(LANES, Z.shape[0] - first - lane)
        for i in range(0, size if n_nodes > 0 else 0, LANES):
            turn(V, i * n_lanes + lane, n_lanes, square, 0, LANES)
            for k in range(n_nodes):
                z = Z[first + lane + k]
                store(z, i, load(z, i) + load(square, k * LANES))
