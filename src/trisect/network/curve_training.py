"""The compiled loops that train curves, and a network behind them, together."""

import numpy as np

from trisect.network.kernels import (
    BLOCK,
    ZERO,
    _activate,
    _back_to_nodes,
    _gradient_by_lane,
    _logits,
    _products_by_lane,
    _split,
    _two_class_gradient,
    adam_step,
    compiled,
    compiled_in_order,
)

__all__ = ["place_between_knots", "train_curves"]


@compiled_in_order
def place_between_knots(X, rows, columns, knots, counts, left, share):
    """Write the knot to the left of each value, and how far it is on its way to the next.

    Values beyond the outer knots count as those; a curve of one knot has no way to go. The
    knots behind the last in use are infinite.
    """
    for i in range(rows.size):
        row = X[rows[i]]
        for k in range(columns.size):
            last = counts[k] - 1
            x = min(max(np.float64(row[columns[k]]), knots[k, 0]), knots[k, last])
            low = 16 if x >= knots[k, 16] else 0
            low += 8 if x >= knots[k, low + 8] else 0
            low += 4 if x >= knots[k, low + 4] else 0
            low += 2 if x >= knots[k, low + 2] else 0
            low += 1 if x >= knots[k, low + 1] else 0
            low = min(low, max(last - 1, 0))
            left[k, i] = low
            share[k, i] = (x - knots[k, low]) / (knots[k, low + 1] - knots[k, low])


@compiled_in_order
def _inputs(left, share, start, size, values, XT):
    """Interpolate the values of all curves for a block of rows."""
    for k in range(values.shape[0]):
        for i in range(size):
            v, s = left[k, start + i], share[k, start + i]
            XT[k, i] = values[k, v] + s * (values[k, v + 1] - values[k, v])


@compiled
def _by_inputs(W1, D, size, E):
    """E = W1^T D: the gradient by the inputs of each row."""
    for k in range(W1.shape[1]):
        e = E[k]
        for i in range(size):
            e[i] = ZERO
        for m in range(W1.shape[0]):
            w, d = W1[m, k], D[m]
            for i in range(size):
                e[i] += w * d[i]


@compiled_in_order
def _to_knots(left, share, start, size, E, gbends):
    """Hand the gradient by the inputs on to the two knots that each value lies between."""
    for k in range(E.shape[0]):
        own = gbends[k]
        for i in range(size):
            v, e = left[k, start + i], E[k, i]
            ahead = share[k, start + i] * e
            own[v] += e - ahead
            own[v + 1] += ahead


@compiled
def train_curves(
    left, share, y, weight, starts, batch, activation, l2, stiffness, rates, values,
    parameters, gradient, moment1, moment2,
):  # fmt: skip
    """Train a network of two classes and the values of the curves in front of it.

    Parameters
    ----------
    left, share : (n_curves, n) uint8 and float32, from `place_between_knots`
    y, weight : (n,) int32 and float32, classes 0 and 1, and weights in the loss
    starts, rates : (b,) int64 and float32, where each batch begins, and its learning rate
    l2, stiffness : weights of the squares of the network's parameters and of the bends
    values : (n_curves, n_knots) float32, the curves to start from
    parameters : flat float32, the network's and behind them, for each curve and knot, how
        far its value is bent away from where it started; changed in place
    gradient, moment1, moment2 : like the parameters, zeros at the start
    """
    n_curves, n_knots = values.shape
    size_of_network = parameters.size - values.size
    n_nodes = (size_of_network - 2) // (n_curves + 3)
    W1, b1, W2, b2 = _split(parameters[:size_of_network], 1, n_curves, 2)
    gW1, gb1, gW2, gb2 = _split(gradient[:size_of_network], 1, n_curves, 2)
    bends = parameters[size_of_network:].reshape(n_curves, n_knots)
    gbends = gradient[size_of_network:].reshape(n_curves, n_knots)
    curves = np.empty((n_curves, n_knots), np.float32)
    XT = np.empty((n_curves, BLOCK), np.float32)
    E = np.empty((n_curves, BLOCK), np.float32)
    Z = np.empty((n_nodes, BLOCK), np.float32)
    A = np.empty((n_nodes, BLOCK), np.float32)
    slope = np.empty((n_nodes, BLOCK), np.float32)
    S = np.empty((2, BLOCK), np.float32)
    G = np.empty((2, BLOCK), np.float32)
    offset = np.empty((0, 2), np.float32)
    rows = np.arange(y.size).astype(np.int32)
    for step in range(starts.size):
        for k in range(n_curves):
            for v in range(n_knots):
                curves[k, v] = values[k, v] + bends[k, v]
        stop = min(starts[step] + batch, y.size)
        for start in range(starts[step], stop, BLOCK):
            size = min(BLOCK, stop - start)
            _inputs(left, share, start, size, curves, XT)
            _products_by_lane(XT, W1, b1, size, Z)
            _activate(activation, Z, size, A, slope)
            _logits(A, W2, b2[0], 0, n_nodes, size, S)
            _two_class_gradient(offset, y, weight, rows, start, size, ZERO, S, G, False)
            _back_to_nodes(A, slope, G, W2, 0, n_nodes, size, Z, gb1, gW2, gb2[0])
            _gradient_by_lane(XT, Z, size, gW1)
            _by_inputs(W1, Z, size, E)
            _to_knots(left, share, start, size, E, gbends)
        used, rate = stop - starts[step], rates[step]
        adam_step(
            parameters, gradient, moment1, moment2, 0, size_of_network, step + 1, rate, l2, used
        )
        adam_step(
            parameters, gradient, moment1, moment2, size_of_network, parameters.size, step + 1,
            rate, stiffness, used,
        )  # fmt: skip
