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
    "add_runs",
    "add_runs_three",
    "add_runs_two",
    "locate",
    "look_up",
    "look_up_three",
    "look_up_two",
    "spread",
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
            if last == first + TILE:  # A number of steps that the compiler knows.
                for j in range(TILE):
                    t = np.int64(p[first + j])
                    v = v + (load(curves, t) + splat(s[first + j]) * load(curves, t + LANES))
            else:
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
def look_up_three(place, share, size, width, curves, others, more, V, W):
    """Do the same for twenty-four nodes, the third eight of which go to W."""
    for first in range(0, width, TILE):
        last = min(first + TILE, width)
        for i in range(size):
            p, s, at = place[i], share[i], i * STRIDE
            u = load(V, at) if first > 0 else splat(ZERO)
            v = load(V, at + LANES) if first > 0 else splat(ZERO)
            w = load(W, i * LANES) if first > 0 else splat(ZERO)
            for j in range(first, last):
                t, x = np.int64(p[j]), splat(s[j])
                u = u + (load(curves, t) + x * load(curves, t + LANES))
                v = v + (load(others, t) + x * load(others, t + LANES))
                w = w + (load(more, t) + x * load(more, t + LANES))
            store(V, at, u)
            store(V, at + LANES, v)
            store(W, i * LANES, w)


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
def add_runs(order, shares, ends, intervals, first, begin, end, U, by_first):
    """Do the same for all rows of a batch, run by run, along positions ``begin`` to ``end``."""
    for j in range(begin, end):
        rows, shares_of = order[j], shares[j]
        i = 0
        for k in range(first[j], first[j + 1]):
            at, last = np.int64(intervals[k]) * STRIDE, np.int64(ends[k])
            start, rise = load(by_first, at), load(by_first, at + LANES)
            while i < last:
                row, s = np.int64(rows[i]) * LANES, splat(shares_of[i])
                u = load(U, row)
                start, rise = start + u, rise + s * u
                i += 1
            store(by_first, at, start)
            store(by_first, at + LANES, rise)


@in_order
def add_runs_two(order, shares, ends, intervals, first, begin, end, U, V, by_first, by_second):
    """Do that for sixteen nodes.

    The end of a run cannot be foreseen, and costs as much as several rows: so nodes share it.
    """
    for j in range(begin, end):
        rows, shares_of = order[j], shares[j]
        i = 0
        for k in range(first[j], first[j + 1]):
            at, last = np.int64(intervals[k]) * STRIDE, np.int64(ends[k])
            start, rise = load(by_first, at), load(by_first, at + LANES)
            start2, rise2 = load(by_second, at), load(by_second, at + LANES)
            while i < last:
                row, s = np.int64(rows[i]) * LANES, splat(shares_of[i])
                u, v = load(U, row), load(V, row)
                start, rise = start + u, rise + s * u
                start2, rise2 = start2 + v, rise2 + s * v
                i += 1
            store(by_first, at, start)
            store(by_first, at + LANES, rise)
            store(by_second, at, start2)
            store(by_second, at + LANES, rise2)


@in_order
def add_runs_three(
    order, shares, ends, intervals, first, begin, end, U, V, W, by_first, by_second, by_third
):
    """Do that for twenty-four nodes."""
    for j in range(begin, end):
        rows, shares_of = order[j], shares[j]
        i = 0
        for k in range(first[j], first[j + 1]):
            at, last = np.int64(intervals[k]) * STRIDE, np.int64(ends[k])
            start, rise = load(by_first, at), load(by_first, at + LANES)
            start2, rise2 = load(by_second, at), load(by_second, at + LANES)
            start3, rise3 = load(by_third, at), load(by_third, at + LANES)
            while i < last:
                row, s = np.int64(rows[i]) * LANES, splat(shares_of[i])
                u, v, w = load(U, row), load(V, row), load(W, row)
                start, rise = start + u, rise + s * u
                start2, rise2 = start2 + v, rise2 + s * v
                start3, rise3 = start3 + w, rise3 + s * w
                i += 1
            store(by_first, at, start)
            store(by_first, at + LANES, rise)
            store(by_second, at, start2)
            store(by_second, at + LANES, rise2)
            store(by_third, at, start3)
            store(by_third, at + LANES, rise3)


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
