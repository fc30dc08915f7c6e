"""One training step in plain NumPy and double precision, against which the kernels count.

The loss of a batch is (sum of weighted focal losses + l2 / 2 |parameters|^2) / size.
"""

from dataclasses import dataclass, fields

import numpy as np

from trisect.network import ACTIVATIONS


@dataclass
class Parameters:
    """W1 (nodes, features), b1, W2 (nodes, classes) and b2 of one network."""

    W1: np.ndarray
    b1: np.ndarray
    W2: np.ndarray
    b2: np.ndarray

    @classmethod
    def of(cls, network):
        return cls(*(getattr(network, f.name).astype(np.float64) for f in fields(cls)))

    @classmethod
    def like(cls, other):
        return cls(*(np.zeros_like(part) for part in other.parts()))

    def parts(self):
        return [getattr(self, f.name) for f in fields(self)]


def logits(parameters, X, activation, offset=0.0):
    hidden = ACTIVATIONS[activation].value(X @ parameters.W1.T + parameters.b1)
    return hidden @ parameters.W2 + parameters.b2 + offset


def log_softmax(scores):
    shifted = scores - scores.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def loss(parameters, X, y, weight, activation, theta=0.0, l2=0.0, offset=0.0):
    """The regularised loss of a batch, and the plain sum of its focal losses."""
    log_p = log_softmax(logits(parameters, X, activation, offset))[np.arange(len(y)), y]
    data = float(-(weight * (1.0 - np.exp(log_p)) ** theta * log_p).sum())
    squares = sum(float(np.square(part).sum()) for part in parameters.parts())
    return (data + 0.5 * l2 * squares) / len(y), data


def gradient(parameters, X, y, weight, activation, theta=0.0, l2=0.0, offset=0.0):
    """The derivative of `loss` by every parameter."""
    function, size = ACTIVATIONS[activation], len(y)
    Z = X @ parameters.W1.T + parameters.b1
    A = function.value(Z)
    log_all = log_softmax(A @ parameters.W2 + parameters.b2 + offset)
    log_p = log_all[np.arange(size), y]
    p = np.exp(log_p)
    # d/d log p of -(1 - p)^theta log p; its first term vanishes with theta.
    by_log_p = -((1.0 - p) ** theta)
    if theta:
        by_log_p += theta * (1.0 - p) ** (theta - 1.0) * p * log_p
    truth = np.zeros_like(log_all)
    truth[np.arange(size), y] = 1.0
    G = (weight * by_log_p)[:, None] * (truth - np.exp(log_all))
    D = (G @ parameters.W2.T) * function.slope(Z)
    data = [D.T @ X, D.sum(axis=0), A.T @ G, G.sum(axis=0)]
    return Parameters(
        *((d + l2 * part) / size for d, part in zip(data, parameters.parts(), strict=True))
    )


class Adam:
    """Adam with its usual constants, on a set of parameters."""

    def __init__(self, parameters):
        self.moment1, self.moment2 = Parameters.like(parameters), Parameters.like(parameters)
        self.step = 0

    def update(self, parameters, slope, rate):
        self.step += 1
        for part, g, m, v in zip(
            parameters.parts(),
            slope.parts(),
            self.moment1.parts(),
            self.moment2.parts(),
            strict=True,
        ):
            m *= 0.9
            m += 0.1 * g
            v *= 0.999
            v += 0.001 * g * g
            corrected = m / (1.0 - 0.9**self.step)
            spread = np.sqrt(v / (1.0 - 0.999**self.step))
            part -= rate * corrected / (spread + 1e-8)
