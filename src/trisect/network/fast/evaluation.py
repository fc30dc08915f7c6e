"""Inputs, probabilities and walks, with the rows of a block as vector lanes.

The operations and their order are those of `trisect.network.exact`, and nothing here may
be compiled so that they change: no reordered sums, no fused multiplications and additions.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.network.activations import LEAK as _LEAK
from trisect.network.activations import LEAKY_RELU, RELU, SELU, SIGMOID, TANH
from trisect.network.activations import SELU_ALPHA as _SELU_ALPHA
from trisect.network.activations import SELU_SCALE as _SELU_SCALE
from trisect.network.contract import Floats, Nodes
from trisect.network.fast.buffers import blocks
from trisect.network.fast.compiler import ONE, TWO, ZERO, F, exact, exact_kernel
from trisect.network.fast.lanes import LANES as NODES
from trisect.network.fast.lanes import load, splat, store
from trisect.network.fast.node_curves import STRIDE
from trisect.network.fast.vector_math import exp32_exact

__all__ = ["Room", "curves_of", "probabilities", "room_for", "scale", "walk"]

LEAK, SELU_ALPHA, SELU_SCALE = F(_LEAK), F(_SELU_ALPHA), F(_SELU_SCALE)
# Rows of a block: 64 and 256 took 5 to 10 % longer for 20 inputs. Blocks of many inputs are
# shorter, so that they stay in the second cache.
LANES = 128
FEWEST_LANES = 16
# So many knots are counted where a binary search would take longer.
COUNTED = 32
BLOCK_CELLS = 1 << 15
# Where the intervals of no positions begin.
NONE = np.zeros(1, dtype=np.int64)


class Room(NamedTuple):
    """Room for a block of rows."""

    XT: Floats
    """Inputs, (n_inputs, n_lanes)."""
    Z: Floats
    """What goes into the nodes, then what comes out, (n_nodes + 1, n_lanes); one to spare."""
    S: Floats
    """Logits or margins, (n_scores, n_lanes)."""
    x: NDArray[np.float64]
    """Values of a column."""
    low: NDArray[np.int64]
    """The knots below them; in a walk, the rows that wait."""
    lane: NDArray[np.int64]
    """The lanes of rows that wait."""
    V: Floats
    """Eight nodes as lanes, (n_lanes, NODES)."""
    interval: NDArray[np.uint32]
    """Interval of each position, (n_positions, n_lanes); its share replaces the input."""


def room_for(n_inputs: int, nodes: Nodes, n_scores: int) -> Room:
    """Allocate the buffers of a kernel."""
    fitting = BLOCK_CELLS // max(n_inputs, 1) // FEWEST_LANES * FEWEST_LANES
    n_lanes = min(max(fitting, FEWEST_LANES), LANES)
    XT, Z, S = blocks(n_lanes, n_inputs, len(nodes.b1) + 1, n_scores)
    low, lane = np.empty((2, n_lanes), dtype=np.int64)
    interval = np.empty((len(nodes.first) - 1, n_lanes), dtype=np.uint32)
    [V] = blocks(NODES, n_lanes)
    V[:] = 0.0  # Lanes without a node are computed too.
    return Room(XT, Z, S, np.empty(n_lanes), low, lane, V, interval)


def curves_of(nodes: Nodes) -> Floats:
    """Lay the curves of nodes out with eight nodes as lanes: starts, then rises."""
    n_nodes, n_intervals = nodes.starts.shape
    n_groups = -(-n_nodes // NODES) if n_intervals else 0
    [memory] = blocks(STRIDE, n_groups * n_intervals)
    curves = memory.reshape(n_groups, n_intervals, 2, NODES)
    curves[:] = 0.0
    for m in range(n_nodes if n_intervals else 0):
        curves[m // NODES, :, 0, m % NODES] = nodes.starts[m]
        curves[m // NODES, :, 1, m % NODES] = nodes.rises[m]
    return curves


@exact
def _finite(X, start, size):
    """Say whether all values of a block of raw rows are finite, those that are not read too."""
    bad = 0
    for i in range(start, start + size):
        row = X[i]
        for j in range(row.size):
            bad += row[j] * 0.0 != 0.0
    return bad == 0


@exact
def _straight(X, start, size, inputs, XT):
    """Write the straight inputs of a block of raw rows."""
    limit = inputs.limit
    for i in range(size):
        row = X[start + i]
        for j in range(inputs.center.size):
            XT[j, i] = min(max((row[j] - inputs.center[j]) * inputs.factor[j], -limit), limit)


@exact
def _knot(knots, k):
    """Return a knot, or infinity beyond the last."""
    return knots[k] if k < knots.size else np.inf


@exact
def _knots_below(x, size, knots, low):
    """Find the last knot that is not above each value, or the first."""
    # Knots rise, so those that are not above a value can be counted: all, or one of each stride.
    stride = max(knots.size // COUNTED, 1)
    for i in range(size):
        low[i] = 0
    for k in range(stride, knots.size, 4 * stride):
        a, b = knots[k], _knot(knots, k + stride)
        c, d = _knot(knots, k + 2 * stride), _knot(knots, k + 3 * stride)
        if a == np.inf:
            break
        for i in range(size):
            two = (stride if x[i] >= a else 0) + (stride if x[i] >= b else 0)
            low[i] += two + ((stride if x[i] >= c else 0) + (stride if x[i] >= d else 0))
    # Binary search of all rows at once, without branches, which would be unpredictable.
    step = stride >> 1
    while step > 0:
        for i in range(size):
            low[i] += step if x[i] >= knots[low[i] + step] else 0
        step >>= 1


@exact
def _curved(X, start, size, inputs, begin, first, room):
    """Write the inputs along curves, from curve ``begin`` on.

    The last ones are positions, if ``first`` says where the intervals of each begin.
    """
    n_straight, x, low = inputs.center.size, room.x, room.low
    n_others = inputs.columns.size - (first.size - 1)
    for k in range(begin, inputs.columns.size):
        column, image = inputs.columns[k], room.XT[n_straight + k]
        knots, values, slopes = inputs.knots[k], inputs.values[k], inputs.slopes[k]
        for i in range(size):
            x[i] = max(X[start + i, column], knots[0])
        _knots_below(x, size, knots, low)
        if k < n_others:
            for i in range(size):
                image[i] = values[low[i]] + (x[i] - knots[low[i]]) * slopes[low[i]]
            continue
        # A position is the number of its knot, but for the last: that need not be looked up.
        last = values[first[k - n_others + 1] - first[k - n_others]]
        for i in range(size):
            value = min(np.float64(low[i]), last)
            image[i] = value + (x[i] - knots[low[i]]) * slopes[low[i]]


@exact
def _activate(activation, z, size):
    """Replace what goes into a node by what comes out."""
    if activation == RELU:
        for i in range(size):
            z[i] = max(z[i], ZERO)
    elif activation == LEAKY_RELU:
        for i in range(size):
            z[i] *= ONE if z[i] > ZERO else LEAK
    elif activation == SELU:
        for i in range(size):
            below = SELU_ALPHA * exp32_exact(min(z[i], ZERO)) - SELU_ALPHA
            z[i] = SELU_SCALE * (z[i] if z[i] > ZERO else below)
    elif activation == TANH:
        for i in range(size):
            z[i] = ONE - TWO / (exp32_exact(TWO * z[i]) + ONE)
    else:
        for i in range(size):
            sigmoid = ONE / (exp32_exact(-z[i]) + ONE)
            z[i] = sigmoid if activation == SIGMOID else z[i] * sigmoid


@exact
def _locate(XT, first, size, interval):
    """Take positions apart: the interval, and in place of the position its share."""
    n_straight = XT.shape[0] - interval.shape[0]
    for j in range(interval.shape[0]):
        x, at, begin = XT[n_straight + j], interval[j], np.uint32(first[j])
        for i in range(size):
            k = np.int32(x[i])
            x[i] -= F(k)
            at[i] = begin + np.uint32(k)


@exact
def _into(nodes, begin, end, XT, size, Z):
    """Compute what goes into some nodes from straight inputs, two nodes at a time."""
    W1, b1, n_straight = nodes.W1, nodes.b1, nodes.W1.shape[1]
    for m in range(begin, end, 2):
        # An odd last node is computed twice, the second time into the spare row of Z.
        n = min(m + 1, end - 1)
        y, z = Z[m], Z[m + 1]
        for i in range(size):
            y[i] = b1[m]
            z[i] = b1[n]
        j = 0
        while j + 4 <= n_straight:
            x0, x1, x2, x3 = XT[j], XT[j + 1], XT[j + 2], XT[j + 3]
            v0, v1, v2, v3 = W1[m, j], W1[m, j + 1], W1[m, j + 2], W1[m, j + 3]
            w0, w1, w2, w3 = W1[n, j], W1[n, j + 1], W1[n, j + 2], W1[n, j + 3]
            for i in range(size):
                y[i] += (v0 * x0[i] + v1 * x1[i]) + (v2 * x2[i] + v3 * x3[i])
                z[i] += (w0 * x0[i] + w1 * x1[i]) + (w2 * x2[i] + w3 * x3[i])
            j += 4
        while j < n_straight:
            v0, w0, x0 = W1[m, j], W1[n, j], XT[j]
            for i in range(size):
                y[i] += v0 * x0[i]
                z[i] += w0 * x0[i]
            j += 1


@exact
def _along_curves(curves, room, size, first):
    """Add what positions are worth to eight nodes, which are the lanes, from the first on."""
    Z, V, n_positions = room.Z, room.V, room.interval.shape[0]
    nodes = range(first, min(first + NODES, Z.shape[0] - 1))
    for m in nodes:
        z, lane = Z[m], m - first
        for i in range(size):
            V[i, lane] = z[i]
    n_straight, j = room.XT.shape[0] - n_positions, 0
    while j < n_positions:
        # Two positions share a turn: what they are worth is added in order.
        k = j + 1
        at, x = room.interval[j], room.XT[n_straight + j]
        if k < n_positions:
            by, y = room.interval[k], room.XT[n_straight + k]
            for i in range(size):
                t, u = np.int64(at[i]) * STRIDE, np.int64(by[i]) * STRIDE
                v = load(V, i * NODES)
                v = v + (load(curves, t) + load(curves, t + NODES) * splat(x[i]))
                v = v + (load(curves, u) + load(curves, u + NODES) * splat(y[i]))
                store(V, i * NODES, v)
        else:
            for i in range(size):
                t = np.int64(at[i]) * STRIDE
                v = load(V, i * NODES)
                v = v + (load(curves, t) + load(curves, t + NODES) * splat(x[i]))
                store(V, i * NODES, v)
        j += 2
    for m in nodes:
        z, lane = Z[m], m - first
        for i in range(size):
            z[i] = V[i, lane]


@exact
def _hidden(nodes, m, XT, interval, size, Z):
    """Evaluate one node on a block."""
    n_straight, z = nodes.W1.shape[1], Z[m]
    _into(nodes, m, m + 1, XT, size, Z)
    starts, rises = nodes.starts[m], nodes.rises[m]
    for j in range(interval.shape[0]):
        at, x = interval[j], XT[n_straight + j]
        for i in range(size):
            z[i] += starts[at[i]] + rises[at[i]] * x[i]
    _activate(nodes.activation, z, size)


@exact
def _output(Z, weights, bias, size, score):
    """Add up what the nodes say about one class."""
    for i in range(size):
        score[i] = bias
    for m in range(weights.size):
        w, a = weights[m], Z[m]
        for i in range(size):
            score[i] += w * a[i]


@exact
def _two_classes(margin, start, size, out):
    """Write the probabilities that belong to margins, which are overwritten."""
    for i in range(size):
        e = exp32_exact(-abs(margin[i]))
        less = e / (ONE + e)
        margin[i] = less if margin[i] > ZERO else -less
    for i in range(size):
        less = np.float64(abs(margin[i]))
        more = 1.0 - less
        out[start + i, 0] = less if margin[i] > ZERO else more
        out[start + i, 1] = more if margin[i] > ZERO else less


@exact
def _many_classes(S, start, size, out):
    """Write the softmax of logits, which are overwritten."""
    for i in range(size):
        highest = S[0, i]
        for c in range(1, S.shape[0]):
            highest = max(highest, S[c, i])
        total = 0.0
        for c in range(S.shape[0]):
            S[c, i] = exp32_exact(S[c, i] - highest)
            total += np.float64(S[c, i])
        for c in range(S.shape[0]):
            out[start + i, c] = np.float64(S[c, i]) / total


@exact
def _n_of_two_knots(knots):
    """Count the curves of up to two knots that come before the first of more."""
    n = 0
    while n < knots.shape[0] and _knot(knots[n], 2) == np.inf:
        n += 1
    return n


@exact_kernel
def scale(X, inputs, room, out):
    """Write the inputs of raw rows into ``out``."""
    n_lanes, n_straight, limit = room.x.size, inputs.center.size, inputs.limit
    # Columns of two values, of which there may be many, are faster row by row.
    n_two = _n_of_two_knots(inputs.knots)
    knots, values, slopes = inputs.knots, inputs.values, inputs.slopes
    for start in range(0, X.shape[0], n_lanes):
        size = min(n_lanes, X.shape[0] - start)
        _curved(X, start, size, inputs, n_two, NONE, room)
        for i in range(start, start + size):
            row, image = X[i], out[i]
            for j in range(n_straight):
                image[j] = min(max((row[j] - inputs.center[j]) * inputs.factor[j], -limit), limit)
            for k in range(n_two):
                x = max(row[inputs.columns[k]], knots[k, 0])
                at = 1 if x >= knots[k, 1] else 0
                image[n_straight + k] = values[k, at] + (x - knots[k, at]) * slopes[k, at]
            for k in range(n_straight + n_two, image.size):
                image[k] = room.XT[k, i - start]


@exact_kernel
def probabilities(X, inputs, nodes, curves, scores, room, out):
    """Write class probabilities of raw rows into ``out``; return False if one is not finite.

    ``curves`` are those of the nodes as `curves_of` lays them out. ``scores`` are the weights and
    biases of the logits of each class or, with two classes, of the second less the first.
    """
    n_lanes, (weights, biases) = room.x.size, scores
    for start in range(0, X.shape[0], n_lanes):
        size = min(n_lanes, X.shape[0] - start)
        if not _finite(X, start, size):
            return False
        _straight(X, start, size, inputs, room.XT)
        _curved(X, start, size, inputs, 0, nodes.first, room)
        _locate(room.XT, nodes.first, size, room.interval)
        _into(nodes, 0, nodes.b1.size, room.XT, size, room.Z)
        for group in range(curves.shape[0]):
            _along_curves(curves[group], room, size, group * NODES)
        for m in range(nodes.b1.size):
            _activate(nodes.activation, room.Z[m], size)
        for c in range(biases.size):
            _output(room.Z, weights[c], biases[c], size, room.S[c])
        if biases.size == 1:
            _two_classes(room.S[0], start, size, out)
        else:
            _many_classes(room.S, start, size, out)
    return True


@exact
def _close_ranks(A, lane, waiting):
    """Move the lanes that wait to the front."""
    for k in range(A.shape[0]):
        a = A[k]
        for i in range(waiting):
            a[i] = a[lane[i]]


@exact_kernel
def walk(X, inputs, nodes, levels, room, regions, decided_at, margins):
    """Decide raw rows level by level; lanes that wait move to the front of their block."""
    XT, Z, lane, row, margin = room.XT, room.Z, room.lane, room.low, room.S[0]
    n_levels = levels.upper.size
    for start in range(0, X.shape[0], lane.size):
        size = min(lane.size, X.shape[0] - start)
        _straight(X, start, size, inputs, XT)
        _curved(X, start, size, inputs, 0, nodes.first, room)
        _locate(XT, nodes.first, size, room.interval)
        for i in range(size):
            row[i] = start + i
        for level in range(n_levels):
            last = level + 1
            _hidden(nodes, level, XT, room.interval, size, Z)
            _output(Z, levels.weights[level, :last], levels.biases[level], size, margin)
            waiting = 0
            # Branch-free: which rows are sure is unpredictable.
            for i in range(size):
                r, value = row[i], margin[i]
                accepted = np.int8(value >= levels.upper[level])
                decided = accepted | np.int8(value <= levels.lower[level])
                margins[r] = value
                regions[r] = 2 * accepted - decided
                decided_at[r] = last * decided
                row[waiting], lane[waiting] = r, i
                waiting += 1 - int(decided)
            if waiting == 0:
                break
            if last < n_levels and waiting < size:
                _close_ranks(XT, lane, waiting)
                _close_ranks(room.interval, lane, waiting)
                _close_ranks(Z[:last], lane, waiting)
            size = waiting
