"""The parameters of curves, with the nodes as vector lanes: from them to curves, and their updates.

During a pass the parameters along positions stand as the curves do, eight nodes side by side, next
to their moments. A position is then renewed in one go while its numbers are in cache, and threads
that renew neighbouring groups of positions share no cache lines but the one between them.
"""

from typing import NamedTuple

from trisect.network.contract import Floats
from trisect.network.fast.compiler import ZERO, in_order
from trisect.network.fast.lanes import LANES, load, number, put, splat, store, turn
from trisect.network.fast.node_curves import STRIDE
from trisect.network.fast.optimiser import BENDS, GATES, NODE_GATES, W1, update_lanes

__all__ = [
    "OF_BEND",
    "OF_NODE",
    "OF_SHARED",
    "CurveParameters",
    "enter",
    "leave",
    "open_curves",
    "renew_curves",
]

# Numbers of a parameter: itself and its two moments. A shared gate has its gradient beside them.
OF_BEND, OF_NODE, OF_SHARED = 3, 6, 4
GATE, SLOPE = 3, 3


class CurveParameters(NamedTuple):
    """Parameters along positions, each followed by its moments, zero in lanes without a node."""

    bends: Floats
    """(n_lane_groups, n_intervals, OF_BEND, LANES)"""
    of_nodes: Floats
    """Weights, then gates of the nodes, (n_lane_groups, n_positions, OF_NODE, LANES)."""
    shared: Floats
    """Gates that all nodes of a network share, with eight networks as lanes, and the gradient by
    them, (., n_positions, OF_SHARED, LANES)."""
    penalties: Floats
    """Weights of the squares of weights, gates and bends of nodes, (n_lane_groups, 3, LANES)."""
    of_shared: Floats
    """Weights of the squares of shared gates, (., LANES)."""


@in_order
def _to_lanes(source, base, width, n_rows, first, last, lanes, which, n_which, square):
    """Copy numbers of up to eight rows of a matrix to lanes, one lane for each row."""
    step = n_which * LANES
    for k in range(n_rows, LANES):
        store(square, k * LANES, splat(ZERO))
    t = first
    while t + LANES <= last:
        for k in range(n_rows):
            store(square, k * LANES, load(source, base + k * width + t))
        turn(square, 0, LANES, lanes, t * step + which * LANES, step)
        t += LANES
    while t < last:
        for k in range(n_rows):
            put(lanes, t * step + which * LANES + k, number(source, base + k * width + t))
        for k in range(n_rows, LANES):
            put(lanes, t * step + which * LANES + k, ZERO)
        t += 1


@in_order
def _from_lanes(lanes, which, n_which, target, base, width, n_rows, first, last, square):
    """Copy lanes back."""
    step = n_which * LANES
    t = first
    while t + LANES <= last:
        turn(lanes, t * step + which * LANES, step, square, 0, LANES)
        for k in range(n_rows):
            store(target, base + k * width + t, load(square, k * LANES))
        t += LANES
    while t < last:
        for k in range(n_rows):
            put(target, base + k * width + t, number(lanes, t * step + which * LANES + k))
        t += 1


@in_order
def enter(networks, optimiser, n_hidden, begin, end, parameters, learns, square):
    """Lay out the parameters along positions ``begin`` to ``end``, with moments if it learns."""
    (n_nodes, n_features), n_intervals = networks.W1.shape, networks.line.size
    n_nets, n_straight = networks.b2.shape[0], n_features - (networks.first.size - 1)
    first, last = networks.first[begin], networks.first[end]
    for k in range(parameters.bends.shape[0]):
        node = k * LANES
        n_rows = min(LANES, n_nodes - node)
        bends, own = parameters.bends[k], parameters.of_nodes[k]
        base, wide = node * n_features + n_straight, node * n_intervals
        _to_lanes(networks.bends, wide, n_intervals, n_rows, first, last, bends, 0, OF_BEND, square)
        _to_lanes(networks.W1, base, n_features, n_rows, begin, end, own, 0, OF_NODE, square)
        _to_lanes(
            networks.node_gates, base, n_features, n_rows, begin, end, own, GATE, OF_NODE, square
        )
        for moment in range(1, 3 if learns else 1):
            flat = optimiser.moment1 if moment == 1 else optimiser.moment2
            at = optimiser.parts[BENDS * n_nets, 0] + wide
            _to_lanes(flat, at, n_intervals, n_rows, first, last, bends, moment, OF_BEND, square)
            at = optimiser.parts[W1 * n_nets, 0] + base
            _to_lanes(flat, at, n_features, n_rows, begin, end, own, moment, OF_NODE, square)
            at, which = optimiser.parts[NODE_GATES * n_nets, 0] + base, GATE + moment
            _to_lanes(flat, at, n_features, n_rows, begin, end, own, which, OF_NODE, square)
        for row in range(LANES if learns else 0):
            net = (node + min(row, n_rows - 1)) // n_hidden
            parameters.penalties[k, 0, row] = optimiser.penalties[W1 * n_nets + net]
            parameters.penalties[k, 1, row] = optimiser.penalties[NODE_GATES * n_nets + net]
            parameters.penalties[k, 2, row] = optimiser.penalties[BENDS * n_nets + net]
    for k in range(parameters.shared.shape[0]):
        net = k * LANES
        n_rows, shared = min(LANES, n_nets - net), parameters.shared[k]
        base = net * n_features + n_straight
        _to_lanes(
            networks.gates, base, n_features, n_rows, begin, end, shared, 0, OF_SHARED, square
        )
        for moment in range(1, 3 if learns else 1):
            flat = optimiser.moment1 if moment == 1 else optimiser.moment2
            at = optimiser.parts[GATES * n_nets, 0] + base
            _to_lanes(flat, at, n_features, n_rows, begin, end, shared, moment, OF_SHARED, square)
        for row in range(LANES if learns else 0):
            of_net = net + min(row, n_rows - 1)
            parameters.of_shared[k, row] = optimiser.penalties[GATES * n_nets + of_net]
        for j in range(begin, end):
            store(shared, (j * OF_SHARED + SLOPE) * LANES, splat(ZERO))


@in_order
def leave(networks, optimiser, begin, end, parameters, square):
    """Write parameters and moments along positions ``begin`` to ``end`` back."""
    (n_nodes, n_features), n_intervals = networks.W1.shape, networks.line.size
    n_nets, n_straight = networks.b2.shape[0], n_features - (networks.first.size - 1)
    first, last = networks.first[begin], networks.first[end]
    for which in range(3):
        flat = optimiser.parameters
        if which > 0:
            flat = optimiser.moment1 if which == 1 else optimiser.moment2
        for k in range(parameters.bends.shape[0]):
            node = k * LANES
            n_rows = min(LANES, n_nodes - node)
            bends, own = parameters.bends[k], parameters.of_nodes[k]
            base = node * n_features + n_straight
            at = optimiser.parts[BENDS * n_nets, 0] + node * n_intervals
            _from_lanes(bends, which, OF_BEND, flat, at, n_intervals, n_rows, first, last, square)
            at = optimiser.parts[W1 * n_nets, 0] + base
            _from_lanes(own, which, OF_NODE, flat, at, n_features, n_rows, begin, end, square)
            at = optimiser.parts[NODE_GATES * n_nets, 0] + base
            _from_lanes(
                own, GATE + which, OF_NODE, flat, at, n_features, n_rows, begin, end, square
            )
        for k in range(parameters.shared.shape[0]):
            net = k * LANES
            at = optimiser.parts[GATES * n_nets, 0] + net * n_features + n_straight
            n_rows, shared = min(LANES, n_nets - net), parameters.shared[k]
            _from_lanes(shared, which, OF_SHARED, flat, at, n_features, n_rows, begin, end, square)


@in_order
def _shared_gates(shared, j, first_node, n_nodes, n_hidden, sums):
    """Return the shared gate of a position for each of eight nodes."""
    if n_hidden == n_nodes:
        return splat(shared[0, j, 0, 0])
    for m in range(first_node, min(first_node + LANES, n_nodes)):
        net = m // n_hidden
        sums[0, m - first_node] = shared[net // LANES, j, 0, net % LANES]
    return load(sums, 0)


@in_order
def open_curves(networks, n_hidden, begin, end, parameters, curves, sums):
    """Work gates and centres into the curves along positions ``begin`` to ``end``."""
    first, line, center = networks.first, networks.line, networks.center
    for j in range(begin, end):
        for k in range(curves.shape[0]):
            curve, bends, own = curves[k], parameters.bends[k], parameters.of_nodes[k]
            node, at = k * LANES, j * OF_NODE * LANES
            shared = _shared_gates(parameters.shared, j, node, networks.b1.size, n_hidden, sums)
            gate, weight = shared * load(own, at + GATE * LANES), load(own, at)
            start = splat(ZERO)
            for t in range(first[j], first[j + 1]):
                rise = gate * (weight * splat(line[t]) + load(bends, t * OF_BEND * LANES))
                store(curve, t * STRIDE + LANES, rise)
                start = start + splat(-center[t]) * rise
            for t in range(first[j], first[j + 1]):
                store(curve, t * STRIDE, start)
                start = start + load(curve, t * STRIDE + LANES)


@in_order
def renew_curves(networks, optimiser, n_hidden, begin, end, parameters, by_curves, step, sums):
    """Update the parameters along some positions by the gradient by curves; clear it."""
    first, line, center = networks.first, networks.line, networks.center
    n_nets, n_nodes = networks.b2.shape[0], networks.b1.size
    of_gates = optimiser.paces[NODE_GATES * n_nets]
    of_shared = optimiser.paces[GATES * n_nets]
    of_bends = optimiser.paces[BENDS * n_nets]
    of_weights = optimiser.paces[W1 * n_nets]
    for j in range(begin, end):
        by_shared = ZERO
        for k in range(by_curves.shape[0]):
            slopes, bends, own = by_curves[k], parameters.bends[k], parameters.of_nodes[k]
            node, at, penalties = k * LANES, j * OF_NODE * LANES, parameters.penalties[k]
            shared = _shared_gates(parameters.shared, j, node, n_nodes, n_hidden, sums)
            weight, own_gate = load(own, at), load(own, at + GATE * LANES)
            gate = shared * own_gate
            by_start = splat(ZERO)
            for t in range(first[j], first[j + 1]):
                by_start = by_start + load(slopes, t * STRIDE)
            after, by_weight, by_gate = splat(ZERO), splat(ZERO), splat(ZERO)
            for t in range(first[j + 1] - 1, first[j] - 1, -1):
                # A rise lifts all that comes after it, and lowers the start by the centre.
                g = load(slopes, t * STRIDE + LANES) + after + splat(-center[t]) * by_start
                after = after + load(slopes, t * STRIDE)
                within = weight * splat(line[t]) + load(bends, t * OF_BEND * LANES)
                by_gate = by_gate + g * within
                by_weight = by_weight + g * splat(line[t])
                store(slopes, t * STRIDE, g)
            store(sums, 0, by_gate)
            store(sums, LANES, own_gate)
            for lane in range(min(LANES, n_nodes - node)):
                if n_nets > 1 and (node + lane) % n_hidden == 0:
                    by_shared = ZERO
                by_shared += sums[0, lane] * sums[1, lane]
                if n_nets > 1:
                    net = (node + lane) // n_hidden
                    parameters.shared[net // LANES, j, SLOPE, net % LANES] = by_shared
            update_lanes(own, at, gate * by_weight, load(penalties, 0), of_weights, step)
            by_gate = by_gate * shared
            update_lanes(own, at + GATE * LANES, by_gate, load(penalties, LANES), of_gates, step)
            l2 = load(penalties, 2 * LANES)
            for t in range(first[j], first[j + 1]):
                by_bend = gate * load(slopes, t * STRIDE)
                update_lanes(bends, t * OF_BEND * LANES, by_bend, l2, of_bends, step)
                store(slopes, t * STRIDE, splat(ZERO))
                store(slopes, t * STRIDE + LANES, splat(ZERO))
        if n_nets == 1:
            parameters.shared[0, j, SLOPE, 0] = by_shared
        for k in range(parameters.shared.shape[0]):
            gates, at, l2 = (
                parameters.shared[k],
                j * OF_SHARED * LANES,
                load(parameters.of_shared, k * LANES),
            )
            update_lanes(gates, at, load(gates, at + SLOPE * LANES), l2, of_shared, step)
