"""Updates by Adam."""

from typing import NamedTuple

import numpy as np

from trisect.network.contract import Batches, Floats
from trisect.network.fast.compiler import ONE, ZERO, F, in_order
from trisect.network.fast.lanes import LANES, load, not_below, root, rounded, splat, store, without
from trisect.network.parameters import PARTS

__all__ = [
    "BENDS",
    "GATES",
    "NODE_GATES",
    "W1",
    "Step",
    "paces_of",
    "update",
    "update_lanes",
    "update_rest",
    "update_weights",
]

NEGLIGIBLE = F(1e-25)
# What the means of gradients and of their squares keep in an update.
KEEP1, KEEP2 = 0.9, 0.999
W1, B1, B2, NODE_GATES, GATES, BENDS = (
    PARTS.index(name) for name in ("W1", "b1", "b2", "node_gates", "gates", "bends")
)


class Step(NamedTuple):
    """What an update needs to know beside the gradient."""

    rate: np.float32
    """Learning rate, divided by what the mean of gradients weighs so far."""
    scale: np.float32
    """One by what the mean of their squares weighs so far."""
    shrink: np.float32
    """One by the number of instances of the batch."""


def paces_of(batches: Batches) -> Floats:
    """Compute the rate and the scale of the step of each batch, (n_batches, 2)."""
    number = batches.step + 1 + np.arange(len(batches.rates))
    paces = np.empty((len(number), 2), dtype=np.float32)
    paces[:, 0] = batches.rates / (1.0 - KEEP1**number)
    paces[:, 1] = 1.0 / (1.0 - KEEP2**number)
    return paces


@in_order
def update(parameters, gradient, moment1, moment2, l2, pace, step):
    """One Adam update of some parameters of a part; clears their gradient.

    The gradient is a sum over the instances of a batch, and the regularised loss is
    (sum of losses + l2 / 2 * |parameters|^2) / number of instances.
    """
    if pace == ZERO:
        gradient[:] = ZERO
        return
    keep1, keep2, epsilon = F(KEEP1), F(KEEP2), F(1e-8)
    rate, scale, shrink = step.rate * pace, step.scale, step.shrink
    for k in range(parameters.size):
        g = (gradient[k] + l2 * parameters[k]) * shrink
        m = keep1 * moment1[k] + (ONE - keep1) * g
        v = keep2 * moment2[k] + (ONE - keep2) * g * g
        p = parameters[k] - rate * m / (np.sqrt(v * scale) + epsilon)
        # Numbers that fade out would end as denormals, which are very slow.
        moment1[k] = m if abs(m) > NEGLIGIBLE else ZERO
        moment2[k] = max(v, NEGLIGIBLE)
        parameters[k] = p if abs(p) > NEGLIGIBLE else ZERO
        gradient[k] = ZERO


@in_order
def _update_range(optimiser, part, first, last, step):
    update(
        optimiser.parameters[first:last], optimiser.gradient[first:last],
        optimiser.moment1[first:last], optimiser.moment2[first:last],
        optimiser.penalties[part], optimiser.paces[part], step,
    )  # fmt: skip


@in_order
def update_lanes(numbers, at, gradient, l2, pace, step):
    """Do the same for eight parameters, which have their moments behind them."""
    if pace == ZERO:
        return
    keep1, keep2, negligible = splat(F(KEEP1)), splat(F(KEEP2)), splat(NEGLIGIBLE)
    take1, take2 = splat(ONE - F(KEEP1)), splat(ONE - F(KEEP2))
    p = load(numbers, at)
    g = (rounded(gradient) + l2 * p) * splat(step.shrink)
    m = keep1 * load(numbers, at + LANES) + take1 * g
    v = keep2 * load(numbers, at + 2 * LANES) + take2 * g * g
    p = p - splat(step.rate * pace) * m / (root(v * splat(step.scale)) + splat(F(1e-8)))
    store(numbers, at, without(p, negligible))
    store(numbers, at + LANES, without(m, negligible))
    store(numbers, at + 2 * LANES, not_below(v, negligible))


@in_order
def update_weights(optimiser, networks, begin, end, step):
    """Update the weights of inputs ``begin`` to ``end`` of a network without gates."""
    n_nodes, n_features = networks.W1.shape
    n_nets, first = networks.b2.shape[0], optimiser.parts[W1 * networks.b2.shape[0], 0]
    for m in range(n_nodes):
        part, row = W1 * n_nets + m * n_nets // n_nodes, first + m * n_features
        _update_range(optimiser, part, row + begin, row + end, step)


@in_order
def update_rest(optimiser, n_groups, by_rest, step):
    """Update b1, W2 and b2 by the gradients of parts of a batch, in order; clear these."""
    first = optimiser.parts[B1 * n_groups, 0]
    for part in range(by_rest.shape[0]):
        for k in range(by_rest.shape[1]):
            optimiser.gradient[first + k] += by_rest[part, k]
            by_rest[part, k] = ZERO
    for part in range(B1 * n_groups, (B2 + 1) * n_groups):
        _update_range(optimiser, part, optimiser.parts[part, 0], optimiser.parts[part, 1], step)
