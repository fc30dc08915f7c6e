"""The reference engine: the equations of the network in plain NumPy and double precision.

The logits of an instance x are f = W2^T a(W1 x + b1) + b2, where W1 of a gated network is
the product of weights and gates, and positions enter by their progress; its loss is the focal loss
-w (1 - p)^theta log p with p the softmax of f at the true class, and an update minimises
(sum of the losses + l2 / 2 |parameters|^2) / size of the batch by a step of Adam.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.network.activations import ACTIVATIONS
from trisect.network.contract import Batches, Floats, Networks, Optimiser, Rows
from trisect.network.exact import probabilities, scale, walk
from trisect.network.parameters import parts_of

__all__ = [
    "logits",
    "probabilities",
    "scale",
    "summed_losses",
    "train",
    "walk",
]

KEEP1, KEEP2, EPSILON = 0.9, 0.999, 1e-8
LEAST_SHARE = 1e-300

OF_NODES = ("W1", "b1", "W2", "node_gates", "bends")
OF_GROUPS = ("b2", "gates")

_ACTIVATIONS = {activation.code: activation for activation in ACTIVATIONS.values()}

Array = NDArray[Any]


def forward(network: Networks, X: Array) -> tuple[Array, Array, Array]:
    """Compute what goes into the nodes, what comes out, and the logits."""
    Z = X @ weights(network).T + network.b1
    A = _ACTIVATIONS[network.activation].value(Z)
    return Z, A, A @ network.W2 + network.b2


def encoded(network: Networks, X: Array) -> Array:
    """Write positions as their progress through each interval, centred."""
    n_straight = X.shape[1] - len(network.first) + 1
    counts = np.diff(network.first)
    number = np.arange(len(network.line)) - np.repeat(network.first[:-1], counts)
    positions = np.repeat(X[:, n_straight:], counts, axis=1)
    progress = np.clip(positions - number, 0.0, 1.0) - network.center
    return np.concatenate([X[:, :n_straight], progress], axis=1)


def ungated(network: Networks) -> tuple[Array, Array]:
    """Compute weights of encoded inputs without their gates; also the input of each."""
    n_features = network.W1.shape[1]
    n_straight = n_features - len(network.first) + 1
    of_interval = np.repeat(np.arange(n_straight, n_features), np.diff(network.first))
    rises = network.W1[:, of_interval] * network.line + network.bends
    input_of = np.concatenate([np.arange(n_straight), of_interval])
    return np.concatenate([network.W1[:, :n_straight], rises], axis=1), input_of


def weights(network: Networks) -> Array:
    """Compute the weights of encoded inputs."""
    if not network.gates.size:
        return network.W1
    within, input_of = ungated(network)
    return within * (network.node_gates * network.gates)[:, input_of]


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


def backward(network: Networks, X: Array, Z: Array, A: Array, G: Array) -> Networks:
    """Turn the gradient G by the logits into that by the parameters."""
    D = (G @ network.W2.T) * _ACTIVATIONS[network.activation].slope(Z)
    slope = network._replace(W1=D.T @ X, b1=D.sum(axis=0), W2=A.T @ G, b2=G.sum(axis=0))
    if not network.gates.size:
        return slope
    within, input_of = ungated(network)
    by_gates = np.zeros_like(network.W1)
    np.add.at(by_gates.T, input_of, (slope.W1 * within).T)
    by_within = slope.W1 * (network.node_gates * network.gates)[:, input_of]
    n_straight = X.shape[1] - len(network.line)
    by_lines = np.zeros_like(network.W1)
    factor = np.concatenate([np.ones(n_straight), network.line])
    np.add.at(by_lines.T, input_of, (by_within * factor).T)
    return slope._replace(
        W1=by_lines,
        bends=by_within[:, n_straight:],
        node_gates=by_gates * network.gates,
        gates=(by_gates * network.node_gates).sum(axis=0),
    )


def adam(optimiser: Optimiser, step: int, rate: float, size: int) -> None:
    """Update all parameters by the gradient of a batch, and clear it."""
    parameters, gradient, moment1, moment2, parts, penalties, paces = optimiser
    sizes = parts[:, 1] - parts[:, 0]
    l2, pace = (np.repeat(part.astype(np.float64), sizes) for part in (penalties, paces))
    g = (gradient + l2 * parameters) / size
    m = KEEP1 * moment1 + (1.0 - KEEP1) * g
    v = KEEP2 * moment2 + (1.0 - KEEP2) * g * g
    step_size = pace * rate / (1.0 - KEEP1**step)
    parameters -= step_size * m / (np.sqrt(v / (1.0 - KEEP2**step)) + EPSILON)
    moment1[:], moment2[:], gradient[:] = m, v, 0.0


def groups(networks: Networks) -> Iterator[tuple[slice, Networks]]:
    """Take networks apart: the nodes of each, and its parameters in double precision."""
    n_groups = len(networks.b2)
    n_hidden = len(networks.b1) // n_groups
    for group in range(n_groups):
        own = slice(group * n_hidden, (group + 1) * n_hidden)
        of_nodes = {name: getattr(networks, name)[own] for name in OF_NODES}
        of_groups = {name: getattr(networks, name)[group : group + 1] for name in OF_GROUPS}
        doubles = {name: part.astype(float) for name, part in (of_nodes | of_groups).items()}
        doubles["b2"] = doubles["b2"][0]
        yield own, networks._replace(**doubles)


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
    watched: Rows | None = None,
    kept: Floats | None = None,
) -> NDArray[np.float64]:
    """Update the networks once for each batch."""
    gradient = parts_of(optimiser.gradient, networks)
    looks = batches.looks_or_last()
    losses = np.zeros((len(looks), len(networks.b2)))
    for k, (batch, step, rate) in enumerate(_batches(batches, len(rows.rows))):
        chosen = rows.rows[batch]
        X, y, weight = encoded(networks, rows.X[chosen]), rows.y[chosen], rows.weight[chosen]
        look = np.searchsorted(looks, k, side="right")
        for group, (own, network) in enumerate(groups(networks)):
            Z, A, scores = forward(network, X)
            if len(rows.offset):
                scores = scores + rows.offset[batch]
            losses[look, group] += loss(scores, y, weight, theta) if watched is None else 0.0
            G = loss_gradient(scores, y, weight, theta)
            slope = backward(network, X, Z, A, G)
            for name in OF_NODES:
                getattr(gradient, name)[own] = getattr(slope, name)
            for name in OF_GROUPS:
                getattr(gradient, name)[group : group + 1] = getattr(slope, name)
        adam(optimiser, step, rate, len(chosen))
        if k + 1 == looks[look]:
            if watched is not None:
                losses[look] = summed_losses(watched, networks, theta)
            if kept is not None:
                kept[look] = optimiser.parameters
    return losses


def summed_losses(rows: Rows, networks: Networks, theta: float) -> NDArray[np.float64]:
    """Sum the weighted focal losses of the rows, for each group."""
    X = encoded(networks, rows.X[rows.rows])
    y, weight = rows.y[rows.rows], rows.weight[rows.rows]
    offset = rows.offset if len(rows.offset) else 0.0
    scores = (forward(network, X)[2] + offset for _, network in groups(networks))
    return np.array([loss(own, y, weight, theta) for own in scores])


def logits(X: Floats, rows: NDArray[np.int32], networks: Networks) -> Floats:
    """Compute logits of shape (n_groups, n_rows, n_classes)."""
    inputs = encoded(networks, X[rows])
    found = [forward(network, inputs)[2] for _, network in groups(networks)]
    return np.array(found, dtype=np.float32)
