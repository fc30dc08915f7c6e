"""Gates: the way from parameters to weights and curves, and back, for some of the columns.

What a column's gradient and update need is in its own parameters, so columns can be handled
apart from each other.
"""

from trisect.network.fast.compiler import ZERO, in_order
from trisect.network.fast.lanes import LANES, load, splat, store, turn
from trisect.network.fast.node_curves import STRIDE

__all__ = ["close_positions", "close_straight", "open_positions", "open_straight"]


@in_order
def open_straight(networks, n_hidden, begin, end, W):
    """Work gates into the weights W of straight inputs ``begin`` to ``end``."""
    for m in range(W.shape[0]):
        own, shared = networks.node_gates[m], networks.gates[m // n_hidden]
        weight, w = networks.W1[m], W[m]
        j = begin
        while j + LANES <= end:
            store(w, j, load(shared, j) * load(own, j) * load(weight, j))
            j += LANES
        while j < end:
            w[j] = shared[j] * own[j] * weight[j]
            j += 1


@in_order
def close_straight(networks, gradient, n_hidden, begin, end, gW):
    """Turn the gradient by weights of straight inputs into that by parameters; clear it."""
    for m in range(gW.shape[0]):
        own, shared, weight = networks.node_gates[m], networks.gates[m // n_hidden], networks.W1[m]
        by_own, by_shared = gradient.node_gates[m], gradient.gates[m // n_hidden]
        by_weight, g = gradient.W1[m], gW[m]
        j = begin
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


@in_order
def open_positions(networks, n_hidden, begin, end, ungated, curves, sums):
    """Work gates and centres into the curves along positions ``begin`` to ``end``.

    ``ungated`` are the rises before gates; ``sums`` is room for some numbers of eight nodes, and
    for a square of eight nodes and intervals.
    """
    square = sums[2:]
    first, line, center = networks.first, networks.line, networks.center
    n_straight = networks.W1.shape[1] - (first.size - 1)
    for group in range(curves.shape[0]):
        within, curve = ungated[group], curves[group]
        nodes = range(group * LANES, min((group + 1) * LANES, networks.b1.size))
        for j in range(begin, end):
            k = n_straight + j
            for m in nodes:
                lane = m - group * LANES
                sums[0, lane] = networks.gates[m // n_hidden, k] * networks.node_gates[m, k]
            t = first[j]
            while t + LANES <= first[j + 1]:
                for m in nodes:
                    rise = splat(networks.W1[m, k]) * load(line, t) + load(networks.bends[m], t)
                    store(square, (m - group * LANES) * LANES, rise)
                turn(square, 0, LANES, within, t * LANES, LANES)
                t += LANES
            while t < first[j + 1]:
                for m in nodes:
                    rise = networks.W1[m, k] * line[t] + networks.bends[m, t]
                    within[t, m - group * LANES] = rise
                t += 1
            gate, start = load(sums, 0), splat(ZERO)
            for t in range(first[j], first[j + 1]):
                rise = gate * load(within, t * LANES)
                store(curve, t * STRIDE + LANES, rise)
                start = start + splat(-center[t]) * rise
            for t in range(first[j], first[j + 1]):
                store(curve, t * STRIDE, start)
                start = start + load(curve, t * STRIDE + LANES)


@in_order
def close_positions(networks, gradient, n_hidden, begin, end, ungated, by_curves, sums):
    """Turn the gradient by curves along some positions into that by parameters; clear it."""
    square = sums[2:]
    first, line, center = networks.first, networks.line, networks.center
    n_straight = networks.W1.shape[1] - (first.size - 1)
    for group in range(by_curves.shape[0]):
        within, slopes = ungated[group], by_curves[group]
        nodes = range(group * LANES, min((group + 1) * LANES, networks.b1.size))
        for j in range(begin, end):
            k = n_straight + j
            by_start = splat(ZERO)
            for t in range(first[j], first[j + 1]):
                by_start = by_start + load(slopes, t * STRIDE)
            after, by_weight, by_gate = splat(ZERO), splat(ZERO), splat(ZERO)
            for t in range(first[j + 1] - 1, first[j] - 1, -1):
                # A rise lifts all that comes after it, and lowers the start by the centre.
                g = load(slopes, t * STRIDE + LANES) + after + splat(-center[t]) * by_start
                after = after + load(slopes, t * STRIDE)
                by_gate = by_gate + g * load(within, t * LANES)
                by_weight = by_weight + g * splat(line[t])
                store(slopes, t * STRIDE, g)
                store(slopes, t * STRIDE + LANES, splat(ZERO))
            store(sums, 0, by_weight)
            store(sums, LANES, by_gate)
            for m in nodes:
                lane = m - group * LANES
                shared, own = networks.gates[m // n_hidden, k], networks.node_gates[m, k]
                gate = shared * own
                gradient.W1[m, k] = gate * sums[0, lane]
                gradient.node_gates[m, k] = sums[1, lane] * shared
                gradient.gates[m // n_hidden, k] += sums[1, lane] * own
                sums[0, lane] = gate
            t = first[j]
            while t + LANES <= first[j + 1]:
                turn(slopes, t * STRIDE, STRIDE, square, 0, LANES)
                for m in nodes:
                    lane = m - group * LANES
                    by_bends = splat(sums[0, lane]) * load(square, lane * LANES)
                    store(gradient.bends[m], t, by_bends)
                t += LANES
            while t < first[j + 1]:
                for m in nodes:
                    lane = m - group * LANES
                    gradient.bends[m, t] = sums[0, lane] * slopes[t, 0, lane]
                t += 1
            for t in range(first[j], first[j + 1]):
                store(slopes, t * STRIDE, splat(ZERO))
