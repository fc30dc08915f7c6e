"""One loop over the rows for everything that a fit computes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.network.contract import Batches, Floats, Networks, Optimiser, Rows
from trisect.network.fast.activation import activate
from trisect.network.fast.compiler import ZERO, inlined, kernel, reordered
from trisect.network.fast.loss import loss_gradient
from trisect.network.fast.node_curves import (
    close_gates,
    locate,
    look_up,
    open_gates,
    spread,
)
from trisect.network.fast.optimiser import update
from trisect.network.fast.products import (
    gather,
    gradient_by_lane,
    gradient_by_row,
    products_by_lane,
    products_by_row,
)

__all__ = ["BLOCK", "Buffers", "Wanted", "needs_block", "sweep"]

# Rows of a block. Its buffers stay in the nearest cache, and loops are long enough to fill
# vector lanes.
BLOCK = 128
# Up to so many features a block is copied feature-major; beyond, products along the features
# are faster.
FEW_FEATURES = 48


class Buffers(NamedTuple):
    """Room for a block of rows, and for what gates are worked into."""

    XT: Floats
    """Straight inputs, (n_straight, BLOCK); empty where products run along the features."""
    Z: Floats
    """What goes into the nodes, (n_nodes, BLOCK); on the way back, the gradient by it. Rows are
    added to make whole groups of lanes."""
    A: Floats
    """What comes out of the nodes."""
    slope: Floats
    """Derivative of the activation."""
    S: Floats
    """Logits, (n_classes, BLOCK); overwritten."""
    G: Floats
    """Gradient by the logits."""
    W: Floats
    """Weights of the straight inputs behind gates, (n_nodes, n_straight)."""
    by_weights: Floats
    """Gradient by them; zero between two batches."""
    curves: Floats
    """Starts and rises of the nodes' curves, (2, n_lane_groups, n_intervals, LANES)."""
    by_curves: Floats
    """Gradient by them; zero between two batches."""
    begins: NDArray[np.uint32]
    """First interval of each position; without a sign, so that none has to be checked."""
    interval: NDArray[np.uint32]
    """Interval of each position of a block, (BLOCK, n_positions)."""
    share: Floats
    """How much of it lies behind."""


class Wanted(NamedTuple):
    """What a pass should compute."""

    updates: bool
    sums: bool
    """Whether the losses are wanted, which without focusing cost as much as the gradient."""
    logits: Floats
    """Where to write logits, (n_groups, n_rows, n_classes); empty if losses are wanted."""
    losses: NDArray[np.float64]
    """Where to add up losses, (n_groups,)."""


def needs_block(n_features: int) -> bool:
    """Say whether blocks of so many features are copied feature-major."""
    return n_features <= FEW_FEATURES


@reordered
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


@reordered
def _biases(b1, size, Z):
    """Z = b1."""
    for m in range(b1.size):
        z, bias = Z[m], b1[m]
        for i in range(size):
            z[i] = bias


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
def sweep(rows, batches, networks, theta, optimiser, gradient, buffers, wanted):
    """Pass over the batches, block by block: evaluate, and learn if wanted.

    A fit needs logits, losses and updates of networks, plain or gated. One loop serves all
    because a second would take seconds to compile and no less to run.

    Parameters
    ----------
    rows, batches, networks, optimiser : tuple
        Fields of the tuples in `trisect.network.contract`, empty for no optimiser.
    theta : float32
        Exponent of the focal loss.
    gradient : tuple
        Fields of Networks, views of the optimiser's gradient.
    buffers : tuple
        Fields of Buffers, room to work in.
    wanted : tuple
        Fields of Wanted, what to compute, and where to write it.
    """
    rows, batches, networks = Rows(*rows), Batches(*batches), Networks(*networks)
    optimiser, gradient = Optimiser(*optimiser), Networks(*gradient)
    buffers, wanted = Buffers(*buffers), Wanted(*wanted)
    n_groups, n_classes = networks.b2.shape
    n_nodes = networks.b1.size
    n_hidden = n_nodes // n_groups
    gated = networks.gates.size > 0
    n_positions = networks.first.size - 1
    by_lane = buffers.XT.size > 0
    straight = networks.W1.shape[1] > n_positions
    X, order = rows.X, rows.rows
    b1, W2, b2 = networks.b1, networks.W2, networks.b2
    gb1, gW2, gb2 = gradient.b1, gradient.W2, gradient.b2
    W1 = buffers.W if gated else networks.W1
    gW1 = buffers.by_weights if gated else gradient.W1
    starts, rises = buffers.curves[0], buffers.curves[1]
    by_starts, by_rises = buffers.by_curves[0], buffers.by_curves[1]
    XT, Z, A, slope, S, G = buffers.XT, buffers.Z, buffers.A, buffers.slope, buffers.S, buffers.G
    begins, interval, share = buffers.begins, buffers.interval, buffers.share
    for k in range(batches.starts.size):
        if gated:
            open_gates(networks, n_hidden, W1, starts, rises)
        stop = min(batches.starts[k] + batches.size, order.size)
        for start in range(batches.starts[k], stop, BLOCK):
            size = min(BLOCK, stop - start)
            if by_lane:
                gather(X, order, start, size, XT)
                products_by_lane(XT, W1, b1, size, Z)
            elif straight:
                products_by_row(X, order, start, size, W1, b1, Z)
            else:
                _biases(b1, size, Z)
            if n_positions > 0:
                locate(X, order, start, size, begins, interval, share)
                look_up(interval, share, size, starts, rises, Z)
            activate(networks.activation, Z[:n_nodes], size, A, slope)
            for group in range(n_groups):
                first = group * n_hidden
                _logits(A, W2, b2[group], first, n_hidden, size, S)
                if wanted.logits.size > 0:
                    for c in range(n_classes):
                        for i in range(size):
                            wanted.logits[group, start + i, c] = S[c, i]
                else:
                    wanted.losses[group] += loss_gradient(
                        rows.offset, rows.y, rows.weight, order, start, size, theta, S, G,
                        wanted.sums,
                    )  # fmt: skip
                if wanted.updates:
                    _back_to_nodes(A, slope, G, W2, first, n_hidden, size, Z, gb1, gW2, gb2[group])
            if wanted.updates:
                if by_lane:
                    gradient_by_lane(XT, Z, size, gW1)
                elif straight:
                    gradient_by_row(X, order, start, size, Z, gW1)
                if n_positions > 0:
                    spread(interval, share, size, Z, by_starts, by_rises)
        if wanted.updates:
            if gated:
                close_gates(networks, gradient, n_hidden, gW1, by_starts, by_rises)
            update(optimiser, batches.step + k + 1, batches.rates[k], stop - batches.starts[k])
