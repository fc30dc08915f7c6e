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
from trisect.network.fast.vector_math import exp32_exact

__all__ = ["Room", "probabilities", "room_for", "scale", "walk"]

LEAK, SELU_ALPHA, SELU_SCALE = F(_LEAK), F(_SELU_ALPHA), F(_SELU_SCALE)
# Rows of a block: 64 and 256 took 5 to 10 % longer for 20 inputs. Blocks of many inputs are
# shorter, so that they stay in the second cache.
LANES = 128
FEWEST_LANES = 16
BLOCK_CELLS = 1 << 15


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
    interval: NDArray[np.uint32]
    """Interval of each position, (n_positions, n_lanes); its share replaces the input."""


def room_for(n_inputs: int, nodes: Nodes, n_scores: int) -> Room:
    """Allocate the buffers of a kernel."""
    fitting = BLOCK_CELLS // max(n_inputs, 1) // FEWEST_LANES * FEWEST_LANES
    n_lanes = min(max(fitting, FEWEST_LANES), LANES)
    XT, Z, S = blocks(n_lanes, n_inputs, len(nodes.b1) + 1, n_scores)
    low, lane = np.empty((2, n_lanes), dtype=np.int64)
    interval = np.empty((len(nodes.first) - 1, n_lanes), dtype=np.uint32)
    return Room(XT, Z, S, np.empty(n_lanes), low, lane, interval)


@exact
def _straight(X, start, size, inputs, XT):
    """Write the straight inputs of a block of raw rows; NaN if a value is not finite, or 0."""
    limit, nothing = inputs.limit, 0.0
    for i in range(size):
        row, nothing_here = X[start + i], 0.0
        for j in range(inputs.center.size):
            nothing_here += row[j] * 0.0
            XT[j, i] = min(max((row[j] - inputs.center[j]) * inputs.factor[j], -limit), limit)
        nothing += nothing_here
    return nothing


@exact
def _curved(X, start, size, inputs, room):
    """Write the inputs along curves; NaN if a value is not finite, or 0."""
    n_straight, x, low, nothing = inputs.center.size, room.x, room.low, 0.0
    for k in range(inputs.columns.size):
        column, image = inputs.columns[k], room.XT[n_straight + k]
        knots, values, slopes = inputs.knots[k], inputs.values[k], inputs.slopes[k]
        for i in range(size):
            nothing += X[start + i, column] * 0.0
            x[i] = max(X[start + i, column], knots[0])
            low[i] = 0
        # Binary search of all rows at once, without branches, which would be unpredictable.
        step = knots.size >> 1
        while step > 0:
            for i in range(size):
                low[i] += step if x[i] >= knots[low[i] + step] else 0
            step >>= 1
        for i in range(size):
            image[i] = values[low[i]] + (x[i] - knots[low[i]]) * slopes[low[i]]
    return nothing


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
def _hidden(nodes, begin, end, XT, interval, size, Z):
    """Evaluate some nodes on a block, two at a time, which read the inputs once."""
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
        for j in range(interval.shape[0]):
            at, x0 = interval[j], XT[n_straight + j]
            s, r, t, u = nodes.starts[m], nodes.rises[m], nodes.starts[n], nodes.rises[n]
            for i in range(size):
                y[i] += s[at[i]] + r[at[i]] * x0[i]
                z[i] += t[at[i]] + u[at[i]] * x0[i]
    for m in range(begin, end):
        _activate(nodes.activation, Z[m], size)


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


@exact_kernel
def scale(X, inputs, room, out):
    """Write the inputs of raw rows into ``out``."""
    n_lanes, n_straight, limit = room.x.size, inputs.center.size, inputs.limit
    for start in range(0, X.shape[0], n_lanes):
        size = min(n_lanes, X.shape[0] - start)
        _curved(X, start, size, inputs, room)
        for i in range(start, start + size):
            row, image = X[i], out[i]
            for j in range(n_straight):
                image[j] = min(max((row[j] - inputs.center[j]) * inputs.factor[j], -limit), limit)
            for k in range(n_straight, image.size):
                image[k] = room.XT[k, i - start]


@exact_kernel
def probabilities(X, inputs, nodes, scores, room, out):
    """Write class probabilities of raw rows into ``out``; return False if one is not finite.

    ``scores`` are the weights and biases of the logits of each class or, with two classes, of
    the second less the first.
    """
    n_lanes, (weights, biases) = room.x.size, scores
    for start in range(0, X.shape[0], n_lanes):
        size = min(n_lanes, X.shape[0] - start)
        nothing = _straight(X, start, size, inputs, room.XT)
        if nothing + _curved(X, start, size, inputs, room) != 0.0:
            return False
        _locate(room.XT, nodes.first, size, room.interval)
        _hidden(nodes, 0, nodes.b1.size, room.XT, room.interval, size, room.Z)
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
        _curved(X, start, size, inputs, room)
        _locate(XT, nodes.first, size, room.interval)
        for i in range(size):
            row[i] = start + i
        for level in range(n_levels):
            last = level + 1
            _hidden(nodes, level, last, XT, room.interval, size, Z)
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
