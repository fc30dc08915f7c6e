"""One loop over the rows for everything that a fit computes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.network.contract import Batches, Floats, Networks, Optimiser, Rows
from trisect.network.fast.activation import activate
from trisect.network.fast.claims import claim, finish, wait_for
from trisect.network.fast.compiler import ZERO, inlined, kernel, reordered
from trisect.network.fast.columns import (
    column_group,
    learn_columns,
    learn_rest,
    n_column_groups,
    open_columns,
)
from trisect.network.fast.lanes import LANES
from trisect.network.fast.loss import loss_gradient
from trisect.network.fast.node_curves import from_lanes, locate, look_up, spread, to_lanes
from trisect.network.fast.optimiser import next_step
from trisect.network.fast.products import (
    gather,
    gradient_by_lane,
    gradient_by_row,
    products_by_lane,
    products_by_row,
)

__all__ = ["BATCH_PARTS", "BLOCK", "EVALUATED_PARTS", "Own", "Shared", "Wanted", "needs_block", "sweep"]

# Rows of a block. Its buffers stay in the nearest cache, and loops are long enough to fill
# vector lanes.
BLOCK = 128
# Parts of a batch, each with a gradient of its own. They are added up in order, so that a result
# does not depend on how many threads share them; more parts would take more time to add up.
BATCH_PARTS = 4
# The same where only losses are added up.
EVALUATED_PARTS = 16
# Up to so many features a block is copied feature-major; beyond, products along the features
# are faster.
FEW_FEATURES = 48


class Own(NamedTuple):
    """Room of one thread, for a block of rows."""

    XT: Floats
    """Straight inputs, (n_straight, BLOCK); empty where products run along the features."""
    Z: Floats
    """What goes into the nodes, (n_nodes, BLOCK); on the way back, the gradient by it."""
    A: Floats
    """What comes out of the nodes."""
    slope: Floats
    """Derivative of the activation."""
    S: Floats
    """Logits, (n_classes, BLOCK); overwritten."""
    G: Floats
    """Gradient by the logits."""
    V: Floats
    """Eight rows of Z as lanes, (BLOCK, LANES)."""
    place: NDArray[np.uint32]
    """Where the interval of each position of a block stands among curves, (BLOCK, n_positions)."""
    share: Floats
    """How much of it lies behind."""
    sums: Floats
    """Numbers of eight nodes, (2, LANES)."""


class Shared(NamedTuple):
    """Room of all threads; gradients are zero between two updates."""

    begins: NDArray[np.uint32]
    """First interval of each position; without a sign, so that none has to be checked."""
    W: Floats
    """Weights of the straight inputs behind gates, (n_nodes, n_straight)."""
    ungated: Floats
    """Rises of the nodes' curves before gates, (n_lane_groups, n_intervals, LANES)."""
    curves: Floats
    """Starts and rises of the nodes' curves, (n_lane_groups, n_intervals, 2, LANES)."""
    by_W: Floats
    """Gradient by the weights of straight inputs, (BATCH_PARTS, n_nodes, n_straight)."""
    by_curves: Floats
    """Gradient by curves, (BATCH_PARTS, n_lane_groups, n_intervals, 2, LANES)."""
    by_rest: Floats
    """Gradient by b1, W2 and b2, one after the other, (BATCH_PARTS, n_rest)."""


class Wanted(NamedTuple):
    """What a pass should compute."""

    logits: Floats
    """Where to write logits, (n_groups, n_rows, n_classes); empty if losses are wanted."""
    losses: NDArray[np.float64]
    """Where each part adds up losses, (EVALUATED_PARTS, n_groups)."""


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
def sweep(
    rows, watched, batches, networks, theta, optimiser, gradient, own, shared, wanted, counters
):
    """Pass over the batches: learn from each, and evaluate in the end.

    A fit needs logits, losses and updates of networks, plain or gated. One loop serves all
    because a second would take seconds to compile and no less to run. Several threads may call
    this with the same arguments but ``own``, at any time; together they do everything once, and
    the one that has to see the results waits for the others.

    Parameters
    ----------
    rows, batches, networks, optimiser : tuple
        Fields of the tuples in `trisect.network.contract`, empty for no updates.
    watched : tuple
        Rows to evaluate in the end, maybe none.
    theta : float32
        Exponent of the focal loss.
    gradient : tuple
        Fields of Networks, views of the optimiser's gradient.
    own, shared : tuple
        Fields of Own and Shared, room to work in.
    wanted : tuple
        Fields of Wanted, where to write results.
    counters : ndarray
        How far the work has come, see `trisect.network.fast.claims`.
    """
    rows, watched, batches = Rows(*rows), Rows(*watched), Batches(*batches)
    networks, gradient, optimiser = Networks(*networks), Networks(*gradient), Optimiser(*optimiser)
    own, shared, wanted = Own(*own), Shared(*shared), Wanted(*wanted)
    n_groups, n_classes = networks.b2.shape
    n_nodes, n_features = networks.W1.shape
    n_hidden = n_nodes // n_groups
    gated = networks.gates.size > 0
    n_positions = networks.first.size - 1
    by_lane = own.XT.size > 0
    straight = n_features > n_positions
    b1, W2, b2 = networks.b1, networks.W2, networks.b2
    W1 = shared.W if gated else networks.W1
    XT, Z, A, slope, S, G = own.XT, own.Z, own.A, own.slope, own.S, own.G
    n_updates = batches.starts.size
    tasks, n_parts, size_before = 0, 0, 0
    for k in range(n_updates + 1):
        if gated or k > 0:
            n_tasks = n_column_groups(n_features)
            wait_for(counters, tasks)
            while True:
                task = claim(counters, tasks + n_tasks) - tasks
                if task < 0:
                    break
                begin, end = column_group(n_features, task)
                if k > 0:
                    step = next_step(batches.step + k, batches.rates[k - 1], size_before)
                    learn_columns(
                        networks, optimiser, gradient, n_hidden, begin, end, shared, n_parts, step,
                        own.sums,
                    )  # fmt: skip
                    if task == 0:
                        learn_rest(networks, optimiser, shared, n_parts, step)
                if gated:
                    open_columns(networks, n_hidden, begin, end, shared, own.sums)
                finish(counters)
            tasks += n_tasks
        learns = k < n_updates
        data = rows if learns else watched
        begin = batches.starts[k] if learns else 0
        stop = min(begin + batches.size, data.rows.size) if learns else data.rows.size
        n_blocks = -(-(stop - begin) // BLOCK)
        of_part = -(-n_blocks // (BATCH_PARTS if learns else EVALUATED_PARTS))
        n_parts = -(-n_blocks // max(of_part, 1))
        size_before = stop - begin
        sums = not learns or watched.rows.size == 0
        wait_for(counters, tasks)
        while True:
            part = claim(counters, tasks + n_parts) - tasks
            if part < 0:
                break
            gW1, by_curves, by_rest = (
                shared.by_W[part % BATCH_PARTS],
                shared.by_curves[part % BATCH_PARTS],
                shared.by_rest[part % BATCH_PARTS],
            )
            gb1, gW2 = by_rest[:n_nodes], by_rest[n_nodes : n_nodes + W2.size].reshape(W2.shape)
            gb2 = by_rest[n_nodes + W2.size :].reshape(b2.shape)
            first_row = begin + part * of_part * BLOCK
            for start in range(first_row, min(first_row + of_part * BLOCK, stop), BLOCK):
                size = min(BLOCK, stop - start)
                if by_lane:
                    gather(data.X, data.rows, start, size, XT)
                    products_by_lane(XT, W1, b1, size, Z)
                elif straight:
                    products_by_row(data.X, data.rows, start, size, W1, b1, Z)
                else:
                    _biases(b1, size, Z)
                if n_positions > 0:
                    locate(data.X, data.rows, start, size, shared.begins, own.place, own.share)
                    for group in range(shared.curves.shape[0]):
                        to_lanes(Z, group * LANES, size, own.V)
                        look_up(own.place, own.share, size, shared.curves[group], own.V)
                        from_lanes(own.V, group * LANES, size, Z)
                activate(networks.activation, Z, size, A, slope)
                for group in range(n_groups):
                    first = group * n_hidden
                    _logits(A, W2, b2[group], first, n_hidden, size, S)
                    if wanted.logits.size > 0:
                        for c in range(n_classes):
                            for i in range(size):
                                wanted.logits[group, start + i, c] = S[c, i]
                    else:
                        loss = loss_gradient(
                            data.offset, data.y, data.weight, data.rows, start, size, theta, S, G,
                            sums,
                        )  # fmt: skip
                        if sums:
                            wanted.losses[part, group] += loss
                    if learns:
                        _back_to_nodes(
                            A, slope, G, W2, first, n_hidden, size, Z, gb1, gW2, gb2[group]
                        )
                if learns:
                    if by_lane:
                        gradient_by_lane(XT, Z, size, gW1)
                    elif straight:
                        gradient_by_row(data.X, data.rows, start, size, Z, gW1)
                    for group in range(by_curves.shape[0] if n_positions > 0 else 0):
                        to_lanes(Z, group * LANES, size, own.V)
                        spread(own.place, own.share, size, own.V, by_curves[group])
            finish(counters)
        tasks += n_parts
    wait_for(counters, tasks)
