"""Evaluation whose results are the same in every bit, in plain NumPy.

A decision must not depend on which other rows share its batch, nor on whether compiled code
evaluates it. So all that leads to a decision is a fixed sequence of elementwise additions,
multiplications, divisions and comparisons, each rounded once as IEEE 754 prescribes: no
matrix products, whose order of summation depends on their shape, no fused operations, and
no library functions that round as they please. `trisect.network.fast.evaluation` carries out
the same operations in the same order. A product of weights and inputs is a sum over groups
of four inputs, (a + b) + (c + d), from the first to the last.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.network.activations import (
    LEAK,
    LEAKY_RELU,
    RELU,
    SELU,
    SELU_ALPHA,
    SELU_SCALE,
    SIGMOID,
    TANH,
)
from trisect.network.contract import Floats, InputMap, Levels, Nodes, Reals

__all__ = [
    "exp",
    "hidden",
    "knots_below",
    "positive_probabilities",
    "probabilities",
    "scale",
    "walk",
]

F = np.float32
ZERO, ONE, TWO = F(0.0), F(1.0), F(2.0)
# The exponential of Cephes: a power of two, times a polynomial for the rest.
LOG2E, LN2_HIGH, LN2_LOW = F(1.4426950408889634), F(0.693359375), F(-2.12194440e-4)
EXP_LOWEST, EXP_HIGHEST = F(-87.0), F(88.0)
E0, E1, E2 = F(1.9875691500e-4), F(1.3981999507e-3), F(8.3334519073e-3)
E3, E4, E5 = F(4.1665795894e-2), F(1.6666665459e-1), F(5.0000001201e-1)
HALF = F(0.5)
EXPONENT_SHIFT, EXPONENT_BIAS = np.int32(23), np.int32(127)
# Blocks whose temporary arrays stay in cache; 2^14 to 2^18 cells took the same time.
BLOCK_CELLS = 1 << 16


def exp(x: Floats) -> Floats:
    """Compute exp(x) with x clipped to [-87, 88]; relative error below 2e-7."""
    x = np.minimum(np.maximum(x, EXP_LOWEST), EXP_HIGHEST)
    n = np.floor(x * LOG2E + HALF)
    r = x - n * LN2_HIGH - n * LN2_LOW
    tail = ((((E0 * r + E1) * r + E2) * r + E3) * r + E4) * r + E5
    power = (n.astype(np.int32) + EXPONENT_BIAS) << EXPONENT_SHIFT
    return (tail * r * r + r + ONE) * power.view(np.float32)


def _activate(activation: int, z: Floats) -> Floats:
    if activation == RELU:
        return np.maximum(z, ZERO)
    if activation == LEAKY_RELU:
        return z * np.where(z > ZERO, ONE, F(LEAK))
    if activation == SELU:
        below = F(SELU_ALPHA) * exp(np.minimum(z, ZERO)) - F(SELU_ALPHA)
        return F(SELU_SCALE) * np.where(z > ZERO, z, below)
    if activation == TANH:
        return ONE - TWO / (exp(TWO * z) + ONE)
    sigmoid = ONE / (exp(-z) + ONE)
    return sigmoid if activation == SIGMOID else z * sigmoid


def hidden(nodes: Nodes, inputs: Floats) -> Floats:
    """Evaluate nodes on inputs of shape (n_inputs, n_rows).

    Parameters
    ----------
    nodes : Nodes
        The nodes.
    inputs : ndarray of float32 of shape (n_inputs, n_rows)
        Straight inputs, then positions.

    Returns
    -------
    ndarray of float32 of shape (n_nodes, n_rows)
        What comes out of the nodes.
    """
    activation, W1, b1, first, starts, rises = nodes
    z = np.repeat(b1[:, None], inputs.shape[1], axis=1)
    w, n_straight = W1[:, :, None], W1.shape[1]
    fours = n_straight // 4 * 4
    for j in range(0, fours, 4):
        half = w[:, j] * inputs[j] + w[:, j + 1] * inputs[j + 1]
        z += half + (w[:, j + 2] * inputs[j + 2] + w[:, j + 3] * inputs[j + 3])
    for j in range(fours, n_straight):
        z += w[:, j] * inputs[j]
    for j, position in enumerate(inputs[n_straight:]):
        interval = position.astype(np.int64)
        share = position - interval.astype(np.float32)
        interval += first[j]
        z += starts[:, interval] + rises[:, interval] * share
    return _activate(activation, z)


def _output(hidden: Floats, weights: Reals, bias: np.floating) -> Floats:
    score = np.full(hidden.shape[1], bias)
    for a, w in zip(hidden, weights, strict=True):
        score += w * a
    return score


def knots_below(x: NDArray[np.float64], knots: NDArray[np.float64]) -> NDArray[np.intp]:
    """Find the last knot that is not above each value, or the first.

    Parameters
    ----------
    x : ndarray of shape (n_curves, n_rows)
        Finite values.
    knots : ndarray of shape (n_curves, width)
        Rising to infinity; the width is a power of two.

    Returns
    -------
    ndarray of int of shape (n_curves, n_rows)
        Number of the knot in its curve.
    """
    n_curves, width = knots.shape
    flat, first = knots.ravel(), width * np.arange(n_curves)[:, None]
    found = np.repeat(first, x.shape[1], axis=1)
    step = width // 2
    while step:
        found += step * (x >= flat[found + step])
        step //= 2
    return found - first


def _inputs(X: NDArray[Any], inputs: InputMap) -> Floats:
    """Compute inputs of shape (n_inputs, n_rows)."""
    columns = np.ascontiguousarray(X.T)
    out = np.empty((inputs.n_inputs, len(X)), dtype=np.float32)
    n_straight = len(inputs.center)
    if n_straight:
        straight = (columns - inputs.center[:, None]) * inputs.factor[:, None]
        out[:n_straight] = np.minimum(np.maximum(straight, -inputs.limit), inputs.limit)
    if len(inputs.columns):
        x = np.maximum(columns[inputs.columns], inputs.knots[:, :1])
        low = knots_below(x, inputs.knots)
        low += inputs.knots.shape[1] * np.arange(len(low))[:, None]
        knots, values, slopes = inputs.knots.ravel(), inputs.values.ravel(), inputs.slopes.ravel()
        out[n_straight:] = values[low] + (x - knots[low]) * slopes[low]
    return out


def _blocks(n_rows: int, width: int) -> list[slice]:
    step = max(BLOCK_CELLS // max(width, 1), 1)
    return [slice(start, start + step) for start in range(0, n_rows, step)]


# Overflow is not an error here: results are clipped, or finite by the limits of a scaling.
_quiet = np.errstate(over="ignore", invalid="ignore", under="ignore")


@_quiet
def scale(X: NDArray[Any], inputs: InputMap, out: Floats) -> None:
    """Write the inputs of raw rows."""
    for block in _blocks(len(X), inputs.n_inputs):
        out[block] = _inputs(X[block], inputs).T


@_quiet
def probabilities(
    X: NDArray[Any],
    inputs: InputMap,
    nodes: Nodes,
    scores: tuple[Floats, Floats],
    out: NDArray[np.float64],
) -> bool:
    """Write the class probabilities of raw rows."""
    W2, b2 = scores
    for block in _blocks(len(X), max(inputs.n_inputs, len(nodes.b1))):
        if not np.isfinite(X[block]).all():
            return False
        A = hidden(nodes, _inputs(X[block], inputs))
        if W2.shape[1] == 2:
            margin = _output(A, W2[:, 1] - W2[:, 0], b2[1] - b2[0])
            out[block, 1] = positive_probabilities(margin)
            out[block, 0] = positive_probabilities(-margin)
            continue
        logits = [_output(A, w, b) for w, b in zip(W2.T, b2, strict=True)]
        highest = logits[0]
        for score in logits[1:]:
            highest = np.maximum(highest, score)
        shares = [exp(score - highest).astype(np.float64) for score in logits]
        total = np.zeros(len(highest))
        for share in shares:
            total += share
        for c, share in enumerate(shares):
            out[block, c] = share / total
    return True


@_quiet
def walk(
    X: NDArray[Any],
    inputs: InputMap,
    nodes: Nodes,
    levels: Levels,
    regions: NDArray[np.int8],
    decided_at: NDArray[np.intp],
    margins: Floats,
) -> None:
    """Decide raw rows level by level."""
    for block in _blocks(len(X), max(inputs.n_inputs, len(nodes.b1))):
        x = _inputs(X[block], inputs)
        waiting = np.arange(block.start, block.start + x.shape[1])
        A = np.empty((0, x.shape[1]), dtype=np.float32)
        for i, (weights, bias) in enumerate(zip(levels.weights, levels.biases, strict=True)):
            own = slice(i, i + 1)
            node = nodes._replace(
                W1=nodes.W1[own], b1=nodes.b1[own], starts=nodes.starts[own], rises=nodes.rises[own]
            )
            A = np.concatenate([A, hidden(node, x)])
            margin = _output(A, weights[: i + 1], bias)
            accepted = margin >= levels.upper[i]
            decided = accepted | (margin <= levels.lower[i])
            margins[waiting] = margin
            regions[waiting] = 2 * accepted.astype(np.int8) - decided
            decided_at[waiting] = (i + 1) * decided
            if decided.all():
                break
            x, A, waiting = x[:, ~decided], A[:, ~decided], waiting[~decided]


@_quiet
def positive_probabilities(margins: Floats) -> NDArray[np.float64]:
    """Turn margins into probabilities of the positive class, as `probabilities` does."""
    e = exp(-np.abs(margins))
    less = (e / (ONE + e)).astype(np.float64)
    return np.where(margins > ZERO, 1.0 - less, less)
