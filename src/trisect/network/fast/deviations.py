"""The products of straight inputs and weights where most inputs are as usual.

The nodes are the vector lanes, as with curves: what a row adds to sixteen nodes is what the usual
row adds, and for each deviation two loads and multiplications. Rows are short then, so that
sixteen nodes take little longer than eight.
"""

import numpy as np

from trisect.network.fast.compiler import ZERO, in_order
from trisect.network.fast.lanes import LANES, load, splat, store

__all__ = ["WIDE", "collect", "lay_out", "products_by_deviation", "scatter"]

WIDE = 2 * LANES


@in_order
def lay_out(W1, before, begin, end, usual, lanes, of_usual):
    """Copy the weights of inputs ``begin`` to ``end`` to lanes, and weigh the usual row.

    W1 lacks so many inputs before.
    """
    for k in range(lanes.shape[0]):
        own = lanes[k]
        for m in range(k * WIDE, min((k + 1) * WIDE, W1.shape[0])):
            w, lane = W1[m], m - k * WIDE
            for j in range(begin, end):
                own[j, lane] = w[j - before]
        u, v = splat(ZERO), splat(ZERO)
        for j in range(begin, end):
            x = splat(usual[j])
            u, v = u + x * load(own, j * WIDE), v + x * load(own, j * WIDE + LANES)
        store(of_usual, k * WIDE, u)
        store(of_usual, k * WIDE + LANES, v)


@in_order
def products_by_deviation(deviations, rows, start, size, group, lanes, of_usual, V):
    """Set V to what a range of inputs is worth to sixteen nodes, for a block of rows."""
    _, starts, inputs, amounts = deviations
    for i in range(size):
        own = starts[rows[start + i]]
        u, v = load(of_usual, 0), load(of_usual, LANES)
        for t in range(own[group], own[group + 1]):
            at, x = np.int64(inputs[t]) * WIDE, splat(amounts[t])
            u, v = u + x * load(lanes, at), v + x * load(lanes, at + LANES)
        store(V, i * WIDE, u)
        store(V, i * WIDE + LANES, v)


@in_order
def scatter(deviations, rows, start, size, group, V, by_lanes, by_usual):
    """Add the gradient V by sixteen nodes to that by their weights and by the usual row."""
    _, starts, inputs, amounts = deviations
    y, z = load(by_usual, 0), load(by_usual, LANES)
    for i in range(size):
        own = starts[rows[start + i]]
        u, v = load(V, i * WIDE), load(V, i * WIDE + LANES)
        y, z = y + u, z + v
        for t in range(own[group], own[group + 1]):
            at, x = np.int64(inputs[t]) * WIDE, splat(amounts[t])
            store(by_lanes, at, load(by_lanes, at) + x * u)
            store(by_lanes, at + LANES, load(by_lanes, at + LANES) + x * v)
    store(by_usual, 0, y)
    store(by_usual, LANES, z)


@in_order
def collect(by_lanes, by_usual, before, begin, end, usual, gW1):
    """Turn the gradient by lanes into that by weights of inputs ``begin`` to ``end``; clear it."""
    for k in range(by_lanes.shape[0]):
        own = by_lanes[k]
        for m in range(k * WIDE, min((k + 1) * WIDE, gW1.shape[0])):
            g, lane = gW1[m], m - k * WIDE
            whole = by_usual[k, lane]
            for j in range(begin, end):
                g[j - before] = usual[j] * whole + own[j, lane]
                own[j, lane] = ZERO
        for lane in range(WIDE):
            by_usual[k, lane] = ZERO
