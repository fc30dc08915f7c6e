"""Inputs, probabilities and walks, with the rows of a block as vector lanes.

The operations and their order are those of `trisect.network.exact`, and nothing here may
be compiled so that they change: no reordered sums, no fused multiplications and additions.
"""

import numpy as np

from trisect.network.activations import LEAK as _LEAK
from trisect.network.activations import LEAKY_RELU, RELU, SELU, SIGMOID, TANH
from trisect.network.activations import SELU_ALPHA as _SELU_ALPHA
from trisect.network.activations import SELU_SCALE as _SELU_SCALE
from trisect.network.fast.compiler import ONE, TWO, ZERO, F, exact, exact_kernel, reordered
from trisect.network.fast.vector_math import exp32_exact

__all__ = ["lanes", "probabilities", "scale", "walk"]

LEAK, SELU_ALPHA, SELU_SCALE = F(_LEAK), F(_SELU_ALPHA), F(_SELU_SCALE)
MOST_LANES, FEWEST_LANES = 128, 16
BLOCK_CELLS = 1 << 14


def lanes(n_inputs):
    """Choose how many rows make a block: their inputs should stay in the nearest cache."""
    return min(max(BLOCK_CELLS // max(n_inputs, 1), FEWEST_LANES), MOST_LANES)


@exact
def _inputs(X, start, size, inputs, XT):
    """Write the inputs of a block of raw rows, a row of XT for each input."""
    n_straight = inputs.center.size
    for i in range(size):
        row = X[start + i]
        for j in range(n_straight):
            x = (row[j] - inputs.center[j]) * inputs.factor[j]
            XT[j, i] = min(max(x, -inputs.limit), inputs.limit)
        for k in range(inputs.columns.size):
            knots = inputs.knots[k]
            x = max(row[inputs.columns[k]], knots[0])
            # Branch-free binary search: the branches would be unpredictable.
            low = 0
            step = knots.size >> 1
            while step > 0:
                low += step if x >= knots[low + step] else 0
                step >>= 1
            image = inputs.values[k, low] + (x - knots[low]) * inputs.slopes[k, low]
            XT[n_straight + k, i] = image


@exact
def _hidden(activation, XT, W1, b1, size, Z):
    """Evaluate nodes on a block."""
    n_nodes, n_features = W1.shape
    for m in range(n_nodes):
        z = Z[m]
        for i in range(size):
            z[i] = b1[m]
        j = 0
        while j + 4 <= n_features:
            w0, w1, w2, w3 = W1[m, j], W1[m, j + 1], W1[m, j + 2], W1[m, j + 3]
            x0, x1, x2, x3 = XT[j], XT[j + 1], XT[j + 2], XT[j + 3]
            for i in range(size):
                z[i] += (w0 * x0[i] + w1 * x1[i]) + (w2 * x2[i] + w3 * x3[i])
            j += 4
        while j < n_features:
            w0, x0 = W1[m, j], XT[j]
            for i in range(size):
                z[i] += w0 * x0[i]
            j += 1
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
def _output(Z, weights, bias, size, score):
    """Add up what nodes say."""
    for i in range(size):
        score[i] = bias
    for m in range(weights.size):
        w, a = weights[m], Z[m]
        for i in range(size):
            score[i] += w * a[i]


@reordered
def _nothing(X, start, size):
    """Return zero, or NaN if some value is not finite."""
    total = 0.0
    for i in range(start, start + size):
        for j in range(X.shape[1]):
            total += X[i, j] * 0.0
    return total


@exact_kernel
def scale(X, inputs, XT, out):
    """Write the inputs of raw rows into ``out``."""
    n_lanes = XT.shape[1]
    for start in range(0, X.shape[0], n_lanes):
        size = min(n_lanes, X.shape[0] - start)
        _inputs(X, start, size, inputs, XT)
        for i in range(size):
            for k in range(XT.shape[0]):
                out[start + i, k] = XT[k, i]


@exact_kernel
def probabilities(X, inputs, networks, weights, biases, XT, Z, S, out):
    """Write class probabilities of raw rows into ``out``; return False if one is not finite."""
    n_lanes = XT.shape[1]
    for start in range(0, X.shape[0], n_lanes):
        size = min(n_lanes, X.shape[0] - start)
        if _nothing(X, start, size) != 0.0:
            return False
        _inputs(X, start, size, inputs, XT)
        _hidden(networks.activation, XT, networks.W1, networks.b1, size, Z)
        for c in range(biases.size):
            _output(Z, weights[c], biases[c], size, S[c])
        if biases.size == 1:
            for i in range(size):
                e = exp32_exact(-abs(S[0, i]))
                less = np.float64(e / (ONE + e))
                more = 1.0 - less
                out[start + i, 0] = less if S[0, i] > ZERO else more
                out[start + i, 1] = more if S[0, i] > ZERO else less
            continue
        for i in range(size):
            highest = S[0, i]
            for c in range(1, biases.size):
                highest = max(highest, S[c, i])
            total = 0.0
            for c in range(biases.size):
                S[c, i] = exp32_exact(S[c, i] - highest)
                total += np.float64(S[c, i])
            for c in range(biases.size):
                out[start + i, c] = np.float64(S[c, i]) / total
    return True


@exact
def _close_ranks(A, moved, n_left):
    """Move the columns that are left to the front."""
    for row in range(A.shape[0]):
        a = A[row]
        for i in range(n_left):
            a[i] = a[moved[i]]


@exact_kernel
def walk(X, levels, queue, moved, XT, Z, margin, regions, decided_at, margins):
    """Decide scaled rows level by level; in a block, the unsure move to the front."""
    n_lanes = XT.shape[1]
    for start in range(0, X.shape[0], n_lanes):
        waiting = min(n_lanes, X.shape[0] - start)
        for i in range(waiting):
            queue[i] = start + i
            for j in range(XT.shape[0]):
                XT[j, i] = X[start + i, j]
        for level in range(levels.biases.size):
            own = slice(level, level + 1)
            _hidden(levels.activation, XT, levels.W1[own], levels.b1[own], waiting, Z[own])
            _output(Z, levels.weights[level, : level + 1], levels.biases[level], waiting, margin)
            passed_on = 0
            # Branch-free: which rows are sure is unpredictable.
            for i in range(waiting):
                row, value = queue[i], margin[i]
                accept = np.int8(value >= levels.upper[level])
                decided = accept | np.int8(value <= levels.lower[level])
                margins[row] = value
                regions[row] = 2 * accept - decided
                decided_at[row] = (level + 1) * decided
                queue[passed_on] = row
                moved[passed_on] = i
                passed_on += 1 - np.int64(decided)
            if passed_on == 0:
                break
            if passed_on < waiting:
                _close_ranks(XT, moved, passed_on)
                _close_ranks(Z[: level + 1], moved, passed_on)
            waiting = passed_on
