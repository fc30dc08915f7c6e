"""Gates of straight inputs: the way from parameters to weights, and back."""

from trisect.network.fast.compiler import ZERO, in_order
from trisect.network.fast.lanes import LANES, load, splat, store

__all__ = ["close_straight", "open_straight"]


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
