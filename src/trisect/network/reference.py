"""The reference engine: the equations of the network in plain NumPy and double precision.

The logits of an instance x are f = W2^T a(W1 x + b1) + b2, its loss is the focal loss
-w (1 - p)^theta log p with p the softmax of f at the true class, and an update minimises
(sum of the losses + l2 / 2 |parameters|^2) / size of the batch by a step of Adam.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.network.activations import ACTIVATIONS
from trisect.network.contract import Batches, Curves, Floats, Networks, Optimiser, Rows
from trisect.network.exact import probabilities, scale, walk
from trisect.network.parameters import parts_of

__all__ = [
    "logits",
    "probabilities",
    "scale",
    "summed_losses",
    "train",
    "train_curves",
    "walk",
]

KEEP1, KEEP2, EPSILON = 0.9, 0.999, 1e-8
LEAST_SHARE = 1e-300

_ACTIVATIONS = {activation.code: activation for activation in ACTIVATIONS.values()}

Array = NDArray[Any]


def forward(network: Networks, X: Array) -> tuple[Array, Array, Array]:
    """Compute what goes into the nodes, what comes out, and the logits."""
    Z = X @ network.W1.T + network.b1
    A = _ACTIVATIONS[network.activation].value(Z)
    return Z, A, A @ network.W2 + network.b2


def log_softmax(scores: Array) -> Array:
    """Compute the logarithms of the class probabilities."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def loss(scores: Array, y: Array, weight: Array, theta: float) -> float:
    """Sum the weighted focal losses."""
    log_p = log_softmax(scores)[np.arange(len(y)), y]
    return float(-(weight * (-np.expm1(log_p)) ** theta * log_p).sum())


def loss_gradient(scores: Array, y: Array, weight: Array, theta: float) -> Array:
    """Differentiate `loss` by the logits."""
    log_all, true = log_softmax(scores), (np.arange(len(y)), y)
    log_p = log_all[true]
    p, q = np.exp(log_p), np.maximum(-np.expm1(log_p), LEAST_SHARE)
    by_log_p = theta * q ** (theta - 1.0) * p * log_p - q**theta
    truth = np.zeros_like(log_all)
    truth[true] = 1.0
    return (weight * by_log_p)[:, None] * (truth - np.exp(log_all))


def backward(network: Networks, X: Array, Z: Array, A: Array, G: Array) -> tuple[Networks, Array]:
    """Turn the gradient G by the logits into that by the parameters and that by the nodes."""
    D = (G @ network.W2.T) * _ACTIVATIONS[network.activation].slope(Z)
    by_parameters = Networks(network.activation, D.T @ X, D.sum(axis=0), A.T @ G, G.sum(axis=0))
    return by_parameters, D


def adam(optimiser: Optimiser, step: int, rate: float, size: int) -> None:
    """Update all parameters by the gradient of a batch, and clear it."""
    parameters, gradient, moment1, moment2, parts, penalties = optimiser
    l2 = np.repeat(penalties.astype(np.float64), parts[:, 1] - parts[:, 0])
    g = (gradient + l2 * parameters) / size
    m = KEEP1 * moment1 + (1.0 - KEEP1) * g
    v = KEEP2 * moment2 + (1.0 - KEEP2) * g * g
    parameters -= rate / (1.0 - KEEP1**step) * m / (np.sqrt(v / (1.0 - KEEP2**step)) + EPSILON)
    moment1[:], moment2[:], gradient[:] = m, v, 0.0


def groups(networks: Networks) -> Iterator[tuple[slice, Networks]]:
    """Take networks apart: the nodes of each, and its parameters in double precision."""
    n_groups = len(networks.b2)
    n_hidden = len(networks.b1) // n_groups
    for group in range(n_groups):
        own = slice(group * n_hidden, (group + 1) * n_hidden)
        parts = (networks.W1[own], networks.b1[own], networks.W2[own], networks.b2[group])
        yield own, Networks(networks.activation, *(part.astype(np.float64) for part in parts))


def _batches(batches: Batches, n_rows: int) -> Iterator[tuple[slice, int, float]]:
    for k, (start, rate) in enumerate(zip(batches.starts, batches.rates, strict=True)):
        stop = min(start + batches.size, n_rows)
        yield slice(start, stop), batches.step + k + 1, float(rate)


def train(
    rows: Rows,
    batches: Batches,
    networks: Networks,
    optimiser: Optimiser,
    theta: float,
    sums: bool = True,
) -> NDArray[np.float64]:
    """Update the networks once for each batch."""
    gradient = parts_of(optimiser.gradient, *_shape(networks))
    losses = np.zeros(len(networks.b2))
    for batch, step, rate in _batches(batches, len(rows.rows)):
        chosen = rows.rows[batch]
        X, y, weight = rows.X[chosen], rows.y[chosen], rows.weight[chosen]
        for group, (own, network) in enumerate(groups(networks)):
            Z, A, scores = forward(network, X)
            if len(rows.offset):
                scores = scores + rows.offset[batch]
            losses[group] += loss(scores, y, weight, theta) if sums else 0.0
            G = loss_gradient(scores, y, weight, theta)
            slope, _ = backward(network, X, Z, A, G)
            gradient.W1[own], gradient.b1[own] = slope.W1, slope.b1
            gradient.W2[own], gradient.b2[group] = slope.W2, slope.b2
        adam(optimiser, step, rate, len(chosen))
    return losses


def train_curves(
    curves: Curves,
    y: NDArray[np.int32],
    weight: Floats,
    batches: Batches,
    networks: Networks,
    optimiser: Optimiser,
) -> None:
    """Train a network of two classes and the curves in front of it together."""
    left, share, values = curves
    curve = np.arange(len(values))[:, None]
    tail = optimiser.parameters.size - values.size
    bends = optimiser.parameters[tail:].reshape(values.shape)
    by_bends = optimiser.gradient[tail:].reshape(values.shape)
    gradient = parts_of(optimiser.gradient[:tail], *_shape(networks))
    for batch, step, rate in _batches(batches, len(y)):
        knot, s = left[:, batch].astype(np.intp), share[:, batch].astype(np.float64)
        bent = values.astype(np.float64) + bends
        X = (bent[curve, knot] * (1.0 - s) + bent[curve, knot + 1] * s).T
        [(_, network)] = groups(networks)
        Z, A, scores = forward(network, X)
        G = loss_gradient(scores, y[batch], weight[batch], 0.0)
        slope, D = backward(network, X, Z, A, G)
        gradient.W1[:], gradient.b1[:] = slope.W1, slope.b1
        gradient.W2[:], gradient.b2[0] = slope.W2, slope.b2
        by_inputs = (D @ network.W1).T
        np.add.at(by_bends, (curve, knot), by_inputs * (1.0 - s))
        np.add.at(by_bends, (curve, knot + 1), by_inputs * s)
        adam(optimiser, step, rate, len(X))


def summed_losses(rows: Rows, networks: Networks, theta: float) -> NDArray[np.float64]:
    """Sum the weighted focal losses of the rows, for each group."""
    X, y, weight = rows.X[rows.rows], rows.y[rows.rows], rows.weight[rows.rows]
    offset = rows.offset if len(rows.offset) else 0.0
    scores = (forward(network, X)[2] + offset for _, network in groups(networks))
    return np.array([loss(own, y, weight, theta) for own in scores])


def logits(X: Floats, rows: NDArray[np.int32], networks: Networks) -> Floats:
    """Compute logits of shape (n_groups, n_rows, n_classes)."""
    found = [forward(network, X[rows])[2] for _, network in groups(networks)]
    return np.array(found, dtype=np.float32)


def _shape(networks: Networks) -> tuple[int, int, int, int]:
    (n_groups, n_classes), n_features = networks.b2.shape, networks.W1.shape[1]
    return n_groups, n_features, n_classes, networks.activation
