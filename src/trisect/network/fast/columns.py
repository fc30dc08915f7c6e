"""What is done for a group of columns: forwards, backwards, and the update of their parameters.

Columns are divided into groups, in a way that depends on their number alone. What nodes get from
each group is added up in order, so that it makes no difference which thread computed what. All
that a group has to know and to remember is its own; groups exchange nothing but what goes into
the nodes and what comes back.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.network.contract import Floats
from trisect.network.fast.compiler import ZERO, in_order
from trisect.network.fast.curve_updates import (
    CurveParameters,
    enter,
    leave,
    open_curves,
    renew_curves,
)
from trisect.network.fast.deviations import WIDE, collect, lay_out, products_by_deviation, scatter
from trisect.network.fast.gates import (
    StraightParameters,
    enter_straight,
    leave_straight,
    open_straight,
    renew_straight,
)
from trisect.network.fast.lanes import LANES
from trisect.network.fast.node_curves import (
    add_lanes,
    add_runs,
    add_runs_three,
    add_runs_two,
    locate,
    look_up,
    look_up_three,
    look_up_two,
    spread,
    to_lanes,
)
from trisect.network.fast.optimiser import update_weights
from trisect.network.fast.products import (
    gather,
    gradient_by_lane,
    gradient_by_row,
    products_by_lane,
    products_by_row,
)

__all__ = [
    "BLOCK",
    "CurveParameters",
    "Room",
    "StraightParameters",
    "Weights",
    "backwards",
    "backwards_in_runs",
    "forwards",
    "n_groups_of",
    "needs_block",
    "renew_columns",
]

# Rows of a block. Its buffers stay in the nearest cache, and loops are long enough to fill
# vector lanes.
BLOCK = 128
# Up to so many straight inputs a block is copied feature-major, and they stay together; beyond,
# products along the inputs are faster.
FEW_FEATURES = 48


class Room(NamedTuple):
    """Room for some blocks of rows, which are the first axis."""

    XT: Floats
    """Straight inputs, (., n_straight, BLOCK); empty where products run along the features."""
    Z: Floats
    """What goes into the nodes from each group of columns, (., n_groups, n_nodes, BLOCK)."""
    D: Floats
    """Gradient by what goes into the nodes, (., n_nodes, BLOCK)."""
    V: Floats
    """The same with eight nodes as lanes, (n_lane_groups, . * BLOCK, LANES)."""


class Weights(NamedTuple):
    """What parameters are worked into, and the gradient by it, which an update clears."""

    begins: NDArray[np.uint32]
    """First interval of each position; without a sign, so that none has to be checked."""
    W: Floats
    """Weights of the straight inputs of each group behind gates, (n_groups, n_nodes, width)."""
    by_weights: Floats
    curves: Floats
    """Starts and rises of the nodes' curves, (n_lane_groups, n_intervals, 2, LANES)."""
    by_curves: Floats
    lanes: Floats
    """Weights of the straight inputs, sixteen nodes at a time, (., n_straight, WIDE); empty where
    no data come as deviations from a usual row."""
    by_lanes: Floats
    of_usual: Floats
    """What the usual row adds to the nodes, (n_groups, ., WIDE)."""
    by_usual: Floats


def n_groups_of(n_straight: int, n_positions: int) -> int:
    """Return the number of groups of columns; each costs time even for one thread."""
    # A position takes as long as four straight inputs.
    n_divided = n_positions + (0 if needs_block(n_straight) else n_straight // 4)
    return 4 if n_divided >= 64 else max(min(2, n_divided), 1)


def needs_block(n_straight: int) -> bool:
    """Say whether so many straight inputs are copied feature-major."""
    return n_straight <= FEW_FEATURES


@in_order
def _positions_of(n_positions, group, n_groups):
    """Return the first of the positions of a group, and that after the last."""
    width = -(-n_positions // n_groups)
    return min(group * width, n_positions), min((group + 1) * width, n_positions)


@in_order
def _straight_of(n_straight, group, n_groups):
    """Return the first of the straight inputs of a group, and that after the last."""
    width = -(-n_straight // (n_groups * LANES)) * LANES
    if n_straight <= FEW_FEATURES:
        width = n_straight
    return min(group * width, n_straight), min((group + 1) * width, n_straight)


@in_order
def _at_once(n_lane_groups):
    """Return how many groups of eight nodes to take at once: three, but four two by two."""
    return min(n_lane_groups, 2 if n_lane_groups == 4 else 3)


@in_order
def forwards(data, start, size, group, networks, weights, XT, Z, own):
    """Compute what the nodes get from a group of columns, for a block of rows."""
    X, rows, n_groups = data.X, data.rows, weights.of_usual.shape[0]
    n_nodes, n_straight, square = Z.shape[0], X.shape[1] - weights.begins.size, own.sums[2:]
    begin, end = _straight_of(n_straight, group, n_groups)
    gated = networks.gates.size > 0
    W1, before = (weights.W[group], begin) if gated else (networks.W1, 0)
    deviates = begin < end and data.deviations[0].size > 0
    if begin == end or deviates:
        for m in range(n_nodes):
            z = Z[m]
            for i in range(size):
                z[i] = ZERO
    elif XT.shape[0] > 0:
        gather(X, rows, start, size, XT)
        products_by_lane(XT, W1, size, Z)
    else:
        products_by_row(X, rows, start, size, W1, before, begin, end, Z)
    for k in range(weights.lanes.shape[0] if deviates else 0):
        lanes, of_usual = weights.lanes[k], weights.of_usual[group, k]
        products_by_deviation(data.deviations, rows, start, size, group, lanes, of_usual, own.wide)
        add_lanes(own.wide, k * WIDE, size, Z, square)
    begin, end = _positions_of(weights.begins.size, group, n_groups)
    if begin < end:
        place, share = own.place[group], own.share[group]
        locate(X, rows, start, size, n_straight, weights.begins, begin, end, place, share)
        width, curves = end - begin, weights.curves
        n_left, k = curves.shape[0], 0
        while n_left > 0:
            n = _at_once(n_left)
            if n == 1:
                look_up(place, share, size, width, curves[k], own.V)
                add_lanes(own.V, k * LANES, size, Z, square)
            elif n == 2:
                look_up_two(place, share, size, width, curves[k], curves[k + 1], own.wide)
                add_lanes(own.wide, k * LANES, size, Z, square)
            else:
                look_up_three(
                    place, share, size, width, curves[k], curves[k + 1], curves[k + 2], own.wide,
                    own.V,
                )  # fmt: skip
                add_lanes(own.wide, k * LANES, size, Z, square)
                add_lanes(own.V, (k + 2) * LANES, size, Z, square)
            n_left, k = n_left - n, k + n


@in_order
def backwards(data, start, size, group, networks, by_W1, weights, block, room, own, located):
    """Add up the gradient by weights of a group of straight inputs, for a block of rows.

    Without runs also that by curves, for positions that this thread may have located just now.
    """
    X, rows, n_groups = data.X, data.rows, weights.of_usual.shape[0]
    n_straight = X.shape[1] - weights.begins.size
    begin, end = _straight_of(n_straight, group, n_groups)
    gated = networks.gates.size > 0
    gW1, before = (weights.by_weights[group], begin) if gated else (by_W1, 0)
    XT, D, square = room.XT[block], room.D[block], own.sums[2:]
    if begin < end and data.deviations[0].size > 0:
        for k in range(weights.lanes.shape[0]):
            to_lanes(D, k * WIDE, size, own.wide, square)
            by_lanes, by_usual = weights.by_lanes[k], weights.by_usual[group, k]
            scatter(data.deviations, rows, start, size, group, own.wide, by_lanes, by_usual)
    elif begin < end and XT.shape[0] > 0:
        gradient_by_lane(XT, D, size, gW1)
    elif begin < end:
        gradient_by_row(X, rows, start, size, D, before, begin, end, gW1)
    begin, end = _positions_of(weights.begins.size, group, n_groups)
    if begin < end and data.runs[0].size == 0:
        place, share = own.place[group], own.share[group]
        if not located:
            locate(X, rows, start, size, n_straight, weights.begins, begin, end, place, share)
        for k in range(weights.by_curves.shape[0]):
            V = room.V[k, block * BLOCK : (block + 1) * BLOCK]
            spread(place, share, size, end - begin, V, weights.by_curves[k])


@in_order
def backwards_in_runs(data, batch, group, first, weights, room):
    """Add up the gradient by curves along a group of positions, for a whole batch."""
    begin, end = _positions_of(weights.begins.size, group, weights.of_usual.shape[0])
    order, shares, ends, intervals = data.runs
    if begin < end and order.size > 0:
        o, s, e, t = order[batch], shares[batch], ends[batch], intervals[batch]
        by_curves = weights.by_curves
        V, n_left, k = room.V, by_curves.shape[0], 0
        while n_left > 0:
            n = _at_once(n_left)
            if n == 1:
                add_runs(o, s, e, t, first, begin, end, V[k], by_curves[k])
            elif n == 2:
                add_runs_two(
                    o, s, e, t, first, begin, end, V[k], V[k + 1], by_curves[k], by_curves[k + 1]
                )
            else:
                add_runs_three(
                    o, s, e, t, first, begin, end, V[k], V[k + 1], V[k + 2],
                    by_curves[k], by_curves[k + 1], by_curves[k + 2],
                )  # fmt: skip
            n_left, k = n_left - n, k + n


@in_order
def renew_columns(
    networks, optimiser, by_W1, n_hidden, group, n_groups, usual, weights, straight, parameters,
    begins, closes, ends, step, sums,
):  # fmt: skip
    """Update the parameters of a group of columns, and work gates into weights.

    When a pass begins, the parameters of gated networks are laid out and nothing is updated; at
    every look they are also written back.
    """
    gated, n_positions, n_nets = networks.gates.size > 0, weights.begins.size, networks.b2.shape[0]
    n_straight = networks.W1.shape[1] - n_positions
    begin, end = _straight_of(n_straight, group, n_groups)
    if begin < end and gated:
        own, node_gates = straight.weights[group], straight.node_gates[group]
        gates, W, gW = straight.gates[group], weights.W[group], weights.by_weights[group]
        if begins:
            enter_straight(networks, optimiser, begin, end, own, node_gates, gates, not ends)
        if closes:
            collect(weights.by_lanes, weights.by_usual[group], begin, begin, end, usual, gW)
            size = end - begin
            renew_straight(optimiser, n_nets, n_hidden, size, own, node_gates, gates, gW, step)
        open_straight(n_hidden, end - begin, own, node_gates, gates, W)
        lay_out(W, begin, begin, end, usual, weights.lanes, weights.of_usual[group])
        if closes and ends:
            leave_straight(networks, optimiser, begin, end, own, node_gates, gates)
    elif begin < end:
        if closes:
            collect(weights.by_lanes, weights.by_usual[group], 0, begin, end, usual, by_W1)
            update_weights(optimiser, networks, begin, end, step)
        lay_out(networks.W1, 0, begin, end, usual, weights.lanes, weights.of_usual[group])
    begin, end = _positions_of(n_positions, group, n_groups)
    if begin < end:
        if begins:
            enter(networks, optimiser, n_hidden, begin, end, parameters, not ends, sums[2:])
        if closes:
            by_curves = weights.by_curves
            renew_curves(
                networks, optimiser, n_hidden, begin, end, parameters, by_curves, step, sums
            )
        open_curves(networks, n_hidden, begin, end, parameters, weights.curves, sums)
        if closes and ends:
            leave(networks, optimiser, begin, end, parameters, sums[2:])
