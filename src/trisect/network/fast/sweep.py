"""One loop over the rows for everything that a fit computes."""

import numpy as np

from trisect.network.fast.activation import activate
from trisect.network.fast.compiler import ZERO, inlined, kernel
from trisect.network.fast.curves import add, by_inputs, inputs, to_knots
from trisect.network.fast.loss import loss_gradient
from trisect.network.fast.optimiser import adam_steps
from trisect.network.fast.products import (
    gather,
    gradient_by_lane,
    gradient_by_row,
    products_by_lane,
    products_by_row,
)

__all__ = ["sweep"]

BLOCK = 128
FEW_FEATURES = 48


@inlined
def _logits(A, W2, b2, first, n_hidden, size, S):
    """S = W2^T A + b2 of one group of nodes."""
    for c in range(S.shape[0]):
        s = S[c]
        bias = b2[c]
        for i in range(size):
            s[i] = bias
        for m in range(first, first + n_hidden):
            w, a = W2[m, c], A[m]
            for i in range(size):
                s[i] += w * a[i]


# Inlined as if it were written out, because a call of its own would round otherwise.
@inlined
def _back_to_nodes(A, slope, G, W2, first, n_hidden, size, D, gb1, gW2, gb2):
    """Turn the gradient G by the logits into D, that by the nodes; add up all but gW1."""
    for c in range(G.shape[0]):
        g = G[c]
        total = ZERO
        for i in range(size):
            total += g[i]
        gb2[c] += total
    for m in range(first, first + n_hidden):
        a, d, s = A[m], D[m], slope[m]
        for i in range(size):
            d[i] = ZERO
        for c in range(G.shape[0]):
            g, w = G[c], W2[m, c]
            total = ZERO
            for i in range(size):
                total += a[i] * g[i]
                d[i] += w * g[i]
            gW2[m, c] += total
        total = ZERO
        for i in range(size):
            d[i] *= s[i]
            total += d[i]
        gb1[m] += total


@kernel
def sweep(rows, batches, networks, theta, optimiser, gradient, curves, buffers, out):
    """Do it."""
    n_nodes, n_features = networks.W1.shape
    n_groups, n_classes = networks.b2.shape
    n_hidden = n_nodes // n_groups
    curved = curves.values.size > 0
    training = optimiser.parameters.size > 0
    by_lane = curved or n_features <= FEW_FEATURES
    X, order = rows.X, rows.rows
    W1, b1, W2, b2 = networks.W1, networks.b1, networks.W2, networks.b2
    gW1, gb1, gW2, gb2 = gradient.W1, gradient.b1, gradient.W2, gradient.b2
    XT, Z, A, slope, S, G = buffers.XT, buffers.Z, buffers.A, buffers.slope, buffers.S, buffers.G
    for k in range(batches.starts.size):
        if curved:
            add(curves.values, buffers.bends, buffers.curves)
        stop = min(batches.starts[k] + batches.size, order.size)
        for start in range(batches.starts[k], stop, BLOCK):
            size = min(BLOCK, stop - start)
            if curved:
                inputs(curves.left, curves.share, start, size, buffers.curves, XT)
            elif by_lane:
                gather(X, order, start, size, XT)
            if by_lane:
                products_by_lane(XT, W1, b1, size, Z)
            else:
                products_by_row(X, order, start, size, W1, b1, Z)
            activate(networks.activation, Z, size, A, slope)
            for group in range(n_groups):
                first = group * n_hidden
                _logits(A, W2, b2[group], first, n_hidden, size, S)
                if out.size > 0:
                    for c in range(n_classes):
                        for i in range(size):
                            out[group, start + i, c] = S[c, i]
                else:
                    buffers.losses[group] += loss_gradient(
                        rows.offset, rows.y, rows.weight, order, start, size, theta, S, G,
                        buffers.sums,
                    )
                if training:
                    _back_to_nodes(A, slope, G, W2, first, n_hidden, size, Z, gb1, gW2, gb2[group])
            if training:
                if by_lane:
                    gradient_by_lane(XT, Z, size, gW1)
                else:
                    gradient_by_row(X, order, start, size, Z, gW1)
                if curved:
                    by_inputs(W1, Z, size, buffers.E)
                    to_knots(curves.left, curves.share, start, size, buffers.E, buffers.gbends)
        if training:
            adam_steps(optimiser, batches.step + k + 1, batches.rates[k], stop - batches.starts[k])
