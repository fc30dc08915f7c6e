"""One loop over the rows for everything that a fit computes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.network.contract import Floats, Networks, Optimiser, Rows
from trisect.network.fast.activation import activate
from trisect.network.fast.claims import claim, finish, wait_for
from trisect.network.fast.columns import (
    BLOCK,
    CurveParameters,
    Room,
    StraightParameters,
    Weights,
    backwards,
    backwards_in_runs,
    forwards,
    renew_columns,
)
from trisect.network.fast.compiler import ONE, ZERO, F, in_order, kernel, reordered
from trisect.network.fast.lanes import LANES
from trisect.network.fast.loss import loss_gradient
from trisect.network.fast.node_curves import to_lanes
from trisect.network.fast.optimiser import Step, update_rest

__all__ = ["EVALUATED_PARTS", "SPAN", "Own", "Wanted", "sweep"]

# Rows of a batch that are worked on at once; larger batches take several turns.
SPAN = 1024
# Parts into which rows are divided where nothing is learned.
EVALUATED_PARTS = 16
# Numbers of curves that stay in the second cache with their gradient.
FITTING = 1 << 16


class Own(NamedTuple):
    """Room of one thread, for a block of rows."""

    Z: Floats
    """What goes into the nodes, (n_nodes, BLOCK)."""
    A: Floats
    """What comes out of the nodes."""
    slope: Floats
    """Derivative of the activation."""
    S: Floats
    """Logits, (n_classes, BLOCK); overwritten."""
    G: Floats
    """Gradient by the logits."""
    place: NDArray[np.uint32]
    """Where the interval of each position stands among curves, (n_column_groups, BLOCK, width)."""
    share: Floats
    """How much of it lies behind."""
    V: Floats
    """Eight nodes as lanes, (BLOCK, LANES)."""
    wide: Floats
    """Sixteen nodes as lanes, (BLOCK, WIDE)."""
    sums: Floats
    """Numbers of eight nodes, and of as many intervals, (2 + LANES, LANES)."""


class Wanted(NamedTuple):
    """Where to write what."""

    by_rest: Floats
    """Gradient by b1, W2 and b2, one after the other, for each block, (SPAN / BLOCK, n_rest)."""
    logits: Floats
    """Logits, (n_groups, n_rows, n_classes); empty if losses are wanted."""
    losses: NDArray[np.float64]
    """Losses that each part adds up until each look, (n_looks, EVALUATED_PARTS, n_groups)."""
    kept: Floats
    """The parameters at each look at the rows watched, (n_looks, n_parameters), or (0, 0)."""


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


@in_order
def _into_nodes(parts, b1, size, Z):
    """Z = b1 and what each group of columns adds."""
    for m in range(b1.size):
        z, bias = Z[m], b1[m]
        for i in range(size):
            z[i] = bias
        for group in range(parts.shape[0]):
            part = parts[group, m]
            for i in range(size):
                z[i] += part[i]


@reordered
def _back_to_nodes(A, slope, G, W2, group, n_hidden, size, D, by_rest):
    """Turn the gradient G by the logits into D, that by the nodes; add up all but gW1."""
    first, n_nodes, n_classes = group * n_hidden, W2.shape[0], W2.shape[1]
    for c in range(n_classes):
        g = G[c]
        total = ZERO
        for i in range(size):
            total += g[i]
        by_rest[n_nodes + W2.size + group * n_classes + c] += total
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
            by_rest[n_nodes + m * n_classes + c] += total
        total = ZERO
        for i in range(size):
            d[i] *= s[i]
            total += d[i]
        by_rest[m] += total


@kernel
def sweep(
    rows, watched, batches, networks, theta, optimiser, by_W1, weights, straight, parameters, room,
    wanted, counters, own, alone, team,
):  # fmt: skip
    """Pass over the batches, learn from each, and evaluate at every look.

    A fit needs logits, losses and updates of networks, plain or gated. One loop serves all
    because a second would take seconds to compile and no less to run. Several threads may call
    this with the same arguments but the last three, at any time: together they do everything
    once. While learning, phases in which the tasks are groups of columns take turns with phases
    in which they are blocks of rows; evaluating is one phase of parts of the rows.

    Parameters
    ----------
    rows, networks, optimiser : tuple
        Fields of the tuples in `trisect.network.contract`, empty for no updates.
    watched : tuple
        Rows to evaluate, maybe none.
    batches : tuple
        Where batches begin, their size, what `paces_of` returns, and after how many of them to
        look.
    theta : float32
        Exponent of the focal loss.
    by_W1 : ndarray
        Gradient by the weights of networks without gates, a view of the optimiser's.
    weights, straight, parameters : tuple
        Fields of Weights, StraightParameters and CurveParameters.
    room : tuple
        Fields of Room, for a batch or SPAN rows.
    wanted : tuple
        Fields of Wanted.
    counters : ndarray
        How far the work has come, see `trisect.network.fast.claims`.
    own : tuple
        Fields of Own.
    alone : tuple
        Fields of Room, for a block of this thread.
    team : tuple of int
        Number of this thread, from 0, and of all threads.
    """
    rows, watched, (starts, batch_size, paces, looks) = Rows(*rows), Rows(*watched), batches
    networks, straight = Networks(*networks), StraightParameters(*straight)
    optimiser, weights = Optimiser(*optimiser), Weights(*weights)
    parameters = CurveParameters(*parameters)
    room, alone = Room(*room), Room(*alone)
    own, wanted = Own(*own), Wanted(*wanted)
    me, n_threads = team
    n_groups, n_classes = networks.b2.shape
    n_nodes = networks.b1.size
    n_hidden, n_columns = n_nodes // n_groups, room.Z.shape[1]
    b1, W2, b2 = networks.b1, networks.W2, networks.b2
    usual = rows.deviations[0]
    Z, A, slope, S, G = own.Z, own.A, own.slope, own.S, own.G
    # One thread goes forwards block by block, while it is in cache, to the same effect, unless
    # curves are too many: then it takes one group of columns after the other, as threads do.
    solo = n_threads == 1 and weights.curves.size <= FITTING
    # Without runs it goes back at once, too.
    early = solo and rows.runs[0].size == 0
    phase, n_done, batch, look = 0, 0, 0, 0
    # The rows in work, and those of the batch that have been; none at first.
    begin, end, behind = 0, 0, 0
    while True:
        closes = (
            batch < starts.size
            and behind > 0
            and behind == min(batch_size, rows.rows.size - starts[batch])
        )
        number, n_seen = batch, behind
        last_begin, last_end = begin, end
        if closes:
            batch, behind = batch + 1, 0
        learns = batch < looks[look]
        if learns:
            begin = starts[batch] + behind
            end = min(begin + SPAN, starts[batch] + batch_size, rows.rows.size)
            behind += end - begin
        phase += 1
        wait_for(counters, n_done)
        while True:
            task = claim(counters, phase, n_columns, me * n_columns // n_threads)
            if task < 0:
                break
            for start in range(last_begin, last_begin if early else last_end, BLOCK):
                size, block = min(BLOCK, last_end - start), (start - last_begin) // BLOCK
                backwards(
                    rows, start, size, task, networks, by_W1, weights, block, room, own, False
                )
            if last_begin < last_end:
                # The last batch may begin before its number times the size, see `first_rows`.
                of_runs = -(-starts[number] // batch_size)
                backwards_in_runs(rows, of_runs, task, networks.first, weights, room)
            step = Step(ZERO, ZERO, ZERO)
            if closes:
                step = Step(paces[number, 0], paces[number, 1], ONE / F(n_seen))
                if task == 0:
                    update_rest(optimiser, n_groups, wanted.by_rest, step)
            if closes or phase == 1:
                renew_columns(
                    networks, optimiser, by_W1, n_hidden, task, n_columns, usual, weights,
                    straight, parameters, phase == 1, closes, not learns, step, own.sums,
                )  # fmt: skip
            if learns and not solo:
                for start in range(begin, end, BLOCK):
                    size, block = min(BLOCK, end - start), (start - begin) // BLOCK
                    XT, Z_of_group = room.XT[block], room.Z[block, task]
                    forwards(rows, start, size, task, networks, weights, XT, Z_of_group, own)
            finish(counters)
        n_done += n_columns
        data = rows if learns else watched
        if not learns:
            begin, end = 0, watched.rows.size
        n_blocks = -(-(end - begin) // BLOCK)
        of_part = 1 if learns else max(-(-n_blocks // EVALUATED_PARTS), 1)
        n_parts = -(-n_blocks // of_part)
        sums = not learns or watched.rows.size == 0
        phase += 1
        wait_for(counters, n_done)
        while True:
            part = claim(counters, phase, n_parts, me * n_parts // n_threads)
            if part < 0:
                break
            if part == 0 and not learns and wanted.kept.size > 0:
                for k in range(optimiser.parameters.size):
                    wanted.kept[look, k] = optimiser.parameters[k]
            first_row = begin + part * of_part * BLOCK
            for start in range(first_row, min(first_row + of_part * BLOCK, end), BLOCK):
                size = min(BLOCK, end - start)
                block = (start - begin) // BLOCK if learns else 0
                parts = alone.Z[0] if solo or not learns else room.Z[block]
                XT = room.XT[block] if learns else alone.XT[0]
                for task in range(n_columns if solo or not learns else 0):
                    forwards(data, start, size, task, networks, weights, XT, parts[task], own)
                _into_nodes(parts, b1, size, Z)
                activate(networks.activation, Z, size, A, slope)
                for group in range(n_groups):
                    _logits(A, W2, b2[group], group * n_hidden, n_hidden, size, S)
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
                            wanted.losses[look, part, group] += loss
                    if learns:
                        _back_to_nodes(
                            A, slope, G, W2, group, n_hidden, size, room.D[block],
                            wanted.by_rest[part],
                        )  # fmt: skip
                for k in range(room.V.shape[0] if learns else 0):
                    V = room.V[k, block * BLOCK : (block + 1) * BLOCK]
                    to_lanes(room.D[block], k * LANES, size, V, own.sums[2:])
                for task in range(n_columns if early and learns else 0):
                    backwards(
                        rows, start, size, task, networks, by_W1, weights, block, room, own, True
                    )
            finish(counters)
        n_done += n_parts
        if not learns:
            look, begin, end = look + 1, 0, 0
            if look == looks.size:
                break
    wait_for(counters, n_done)
