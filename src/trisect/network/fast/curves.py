"""Curves in front of a network: their values for a block of rows, and their gradient."""

from trisect.network.fast.compiler import ZERO, in_order, reordered

__all__ = ["bend", "by_inputs", "inputs", "to_knots"]


@reordered
def bend(values, bends, curves):
    """Add the bends to the values from which the curves started."""
    for k in range(values.shape[0]):
        for v in range(values.shape[1]):
            curves[k, v] = values[k, v] + bends[k, v]


@in_order
def inputs(left, share, start, size, values, XT):
    """Interpolate the values of all curves for a block of rows."""
    for k in range(values.shape[0]):
        for i in range(size):
            v, s = left[k, start + i], share[k, start + i]
            XT[k, i] = values[k, v] + s * (values[k, v + 1] - values[k, v])


@reordered
def by_inputs(W1, D, size, E):
    """E = W1^T D: the gradient by the inputs of each row."""
    for k in range(W1.shape[1]):
        e = E[k]
        for i in range(size):
            e[i] = ZERO
        for m in range(W1.shape[0]):
            w, d = W1[m, k], D[m]
            for i in range(size):
                e[i] += w * d[i]


@in_order
def to_knots(left, share, start, size, E, gbends):
    """Hand the gradient by the inputs on to the two knots that each value lies between."""
    for k in range(E.shape[0]):
        own = gbends[k]
        for i in range(size):
            v, e = left[k, start + i], E[k, i]
            ahead = share[k, start + i] * e
            own[v] += e - ahead
            own[v + 1] += ahead
