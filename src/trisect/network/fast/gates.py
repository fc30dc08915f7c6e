"""Gates of straight inputs: the way from parameters to weights, and back, and their updates.

During a pass the parameters of each group of straight inputs stand together, next to their
gradients and moments. In rows of all inputs the processor of one thread would fetch, as it looks
ahead, what that of another is about to write.
"""

from typing import NamedTuple

from trisect.network.contract import Floats
from trisect.network.fast.compiler import ZERO, in_order
from trisect.network.fast.lanes import LANES, load, splat, store
from trisect.network.fast.optimiser import GATES, NODE_GATES, W1, update

__all__ = [
    "NUMBERS",
    "StraightParameters",
    "enter_straight",
    "leave_straight",
    "open_straight",
    "renew_straight",
]

# Numbers of a parameter: itself, its gradient and its two moments.
NUMBERS = 4


class StraightParameters(NamedTuple):
    """Parameters of the straight inputs of a gated network, by groups of these."""

    weights: Floats
    """(n_groups, NUMBERS, n_nodes, width)"""
    node_gates: Floats
    gates: Floats
    """(n_groups, NUMBERS, n_networks, width)"""


@in_order
def _enter(matrix, optimiser, first, begin, end, numbers, learns):
    n_features = matrix.shape[1]
    for m in range(numbers.shape[1]):
        at = first + m * n_features
        for j in range(begin, end):
            numbers[0, m, j - begin] = matrix[m, j]
            if learns:
                numbers[1, m, j - begin] = ZERO
                numbers[2, m, j - begin] = optimiser.moment1[at + j]
                numbers[3, m, j - begin] = optimiser.moment2[at + j]


@in_order
def _leave(optimiser, first, n_features, begin, end, numbers):
    for m in range(numbers.shape[1]):
        at = first + m * n_features
        for j in range(begin, end):
            optimiser.parameters[at + j] = numbers[0, m, j - begin]
            optimiser.moment1[at + j] = numbers[2, m, j - begin]
            optimiser.moment2[at + j] = numbers[3, m, j - begin]


@in_order
def _first(optimiser, kind, n_nets):
    """Return where the parameters of a kind begin, or zero if nothing is learned."""
    return optimiser.parts[kind * n_nets, 0] if optimiser.parts.size > 0 else 0


@in_order
def enter_straight(networks, optimiser, begin, end, weights, node_gates, gates, learns):
    """Put the parameters of inputs ``begin`` to ``end`` together, with moments if it learns."""
    n_nets = networks.b2.shape[0]
    first = _first(optimiser, W1, n_nets)
    _enter(networks.W1, optimiser, first, begin, end, weights, learns)
    first = _first(optimiser, NODE_GATES, n_nets)
    _enter(networks.node_gates, optimiser, first, begin, end, node_gates, learns)
    first = _first(optimiser, GATES, n_nets)
    _enter(networks.gates, optimiser, first, begin, end, gates, learns)


@in_order
def leave_straight(networks, optimiser, begin, end, weights, node_gates, gates):
    """Write parameters and moments of inputs ``begin`` to ``end`` back."""
    n_nets, n_features = networks.b2.shape[0], networks.W1.shape[1]
    _leave(optimiser, _first(optimiser, W1, n_nets), n_features, begin, end, weights)
    _leave(optimiser, _first(optimiser, NODE_GATES, n_nets), n_features, begin, end, node_gates)
    _leave(optimiser, _first(optimiser, GATES, n_nets), n_features, begin, end, gates)


@in_order
def open_straight(n_hidden, end, weights, node_gates, gates, W):
    """Work gates into the weights W of the first inputs of a group."""
    for m in range(W.shape[0]):
        own, shared, weight, w = node_gates[0, m], gates[0, m // n_hidden], weights[0, m], W[m]
        j = 0
        while j + LANES <= end:
            store(w, j, load(shared, j) * load(own, j) * load(weight, j))
            j += LANES
        while j < end:
            w[j] = shared[j] * own[j] * weight[j]
            j += 1


@in_order
def _update_rows(optimiser, kind, n_nets, numbers, end, step):
    n_rows = numbers.shape[1]
    for m in range(n_rows):
        part = kind * n_nets + m * n_nets // n_rows
        p, g, m1, m2 = numbers[0, m], numbers[1, m], numbers[2, m], numbers[3, m]
        l2, pace = optimiser.penalties[part], optimiser.paces[part]
        update(p[:end], g[:end], m1[:end], m2[:end], l2, pace, step)


@in_order
def renew_straight(optimiser, n_nets, n_hidden, end, weights, node_gates, gates, gW, step):
    """Update the parameters of a group by the gradient by weights; clear it."""
    for m in range(gW.shape[0]):
        own, shared, weight = node_gates[0, m], gates[0, m // n_hidden], weights[0, m]
        by_own, by_shared, by_weight = node_gates[1, m], gates[1, m // n_hidden], weights[1, m]
        g = gW[m]
        j = 0
        while j + LANES <= end:
            slope, o, s, w = load(g, j), load(own, j), load(shared, j), load(weight, j)
            store(by_weight, j, slope * s * o)
            store(by_own, j, slope * s * w)
            store(by_shared, j, load(by_shared, j) + slope * o * w)
            store(g, j, splat(ZERO))
            j += LANES
        while j < end:
            by_weight[j] = g[j] * shared[j] * own[j]
            by_own[j] = g[j] * shared[j] * weight[j]
            by_shared[j] += g[j] * own[j] * weight[j]
            g[j] = ZERO
            j += 1
    _update_rows(optimiser, W1, n_nets, weights, end, step)
    _update_rows(optimiser, NODE_GATES, n_nets, node_gates, end, step)
    _update_rows(optimiser, GATES, n_nets, gates, end, step)
