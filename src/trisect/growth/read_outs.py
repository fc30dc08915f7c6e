"""Read-outs: what the first nodes of a network say on their own.

Level i of a fitted network is its first i nodes with output weights of their own, so that
walking the levels evaluates no node twice.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.growth.data import TrainingData
from trisect.growth.strictness import STRICTNESS_ROWS, Witness, choose_strictness
from trisect.network import Network, Part

__all__ = ["ReadOuts", "fit_read_outs", "stacked_read_outs"]

TRAINING_ROWS = 15_000
L2 = 0.1
NEWTON_STEPS = 25
SMALL_STEP = 1e-3


class ReadOuts(NamedTuple):
    """Output weights of every level, for the margin of class 1 over class 0.

    Parameters
    ----------
    weights : ndarray of float32 of shape (n_hidden, n_hidden)
        Row i holds the weights of level i + 1, which reads the first i + 1 nodes; the rest
        of the row is zero.
    biases : ndarray of float32 of shape (n_hidden,)
        Bias of each level.
    strictness : ndarray of float32 of shape (n_hidden, 2)
        By how much the margin of a level must exceed the threshold of accepting, and fall
        below that of rejecting, before it decides; zero at the last level.
    """

    weights: NDArray[np.float32]
    biases: NDArray[np.float32]
    strictness: NDArray[np.float32]

    @property
    def n_levels(self) -> int:
        """Number of levels, which is that of nodes."""
        return len(self.biases)

    def margins(self, hidden: NDArray) -> NDArray:
        """Compute the margins of all levels from the values of the nodes.

        Parameters
        ----------
        hidden : ndarray of shape (n_instances, n_hidden)
            Values of the hidden nodes.

        Returns
        -------
        ndarray of shape (n_levels, n_instances)
            The margins.
        """
        return self.weights @ hidden.T + self.biases[:, None]


def stacked_read_outs(network: Network, biases: Sequence[NDArray]) -> ReadOuts:
    """Read the levels of a stack of nodes, each under an output bias of its own.

    Parameters
    ----------
    network : Network
        The stack.
    biases : sequence of ndarray of shape (2,)
        Output biases of each level.

    Returns
    -------
    ReadOuts
        The levels of the paper's growth, none stricter than another.
    """
    k = network.n_hidden
    weights = np.tril(np.broadcast_to(network.W2[:, 1] - network.W2[:, 0], (k, k)))
    margin_biases = np.array([b[1] - b[0] for b in biases], dtype=np.float32)
    return ReadOuts(weights.astype(np.float32), margin_biases, np.zeros((k, 2), np.float32))


def fit_read_outs(
    network: Network, data: TrainingData, rehearsal: Network, rehearsed: TrainingData
) -> ReadOuts:
    """Fit a logistic read-out to each prefix of a network of two classes.

    The last level reads out what the network itself does. Early levels are made strict enough
    to cost next to nothing, see `choose_strictness`. Two walks witness that: the network's on
    all rows, which it may know by heart, and its rehearsal's on validation rows, which are new
    to it.

    Parameters
    ----------
    network : Network
        The network that was kept.
    data : TrainingData
        Data of two classes, scaled for it.
    rehearsal : Network
        What the network was before it learned from validation rows.
    rehearsed : TrainingData
        The same data, scaled for the rehearsal.

    Returns
    -------
    ReadOuts
        The read-outs.
    """

    def of_network() -> tuple[ReadOuts, Witness]:
        parts = _some(data)
        hidden = [network.hidden(part.X) for part in parts]
        read_outs = _least_loss(network, hidden[0], parts[0])
        margins = [read_outs.margins(values) for values in hidden]
        positive, weight = (np.concatenate(c) for c in zip(*map(_told, parts), strict=True))
        return read_outs, Witness(np.concatenate(margins, axis=1), positive, weight)

    def of_rehearsal() -> Witness:
        train, validation = _some(rehearsed)
        head = train.head(TRAINING_ROWS)
        read_outs = _least_loss(rehearsal, rehearsal.hidden(head.X), head)
        margins = read_outs.margins(rehearsal.hidden(validation.X))
        return Witness(margins, *_told(validation))

    read_outs, known = of_network()
    return read_outs._replace(strictness=choose_strictness([known, of_rehearsal()]))


def _told(part: Part) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    return part.y == 1, part.weight


def _some(data: TrainingData) -> tuple[Part, Part]:
    return data.train.head(STRICTNESS_ROWS), data.validation.head(STRICTNESS_ROWS)


def _least_loss(network: Network, hidden: NDArray, part: Part) -> ReadOuts:
    """Fit the read-outs to training instances and the values of the nodes for them."""
    k, train = network.n_hidden, part.head(TRAINING_ROWS)
    weights, biases = np.zeros((k, k)), np.zeros(k)
    # A row of ones for the bias, then one for each node but the last.
    columns = np.ones((k, len(train)))
    columns[1:] = hidden[: len(train), :-1].T
    theta = np.zeros(1)
    for i in range(k - 1):
        theta = _logistic(columns[: i + 2], train, np.append(theta, 0.0))
        biases[i], weights[i, : i + 1] = theta[0], theta[1:]
    weights[-1], biases[-1] = network.W2[:, 1] - network.W2[:, 0], network.b2[1] - network.b2[0]
    return ReadOuts(
        weights.astype(np.float32), biases.astype(np.float32), np.zeros((k, 2), np.float32)
    )


def _logistic(columns: NDArray[np.float64], part: Part, start: NDArray) -> NDArray[np.float64]:
    """Fit a logistic regression with a ridge by Newton's method; the bias comes first."""
    ridge = np.append(1e-9, np.full(len(columns) - 1, L2))
    theta, target, weight = start, (part.y == 1).astype(np.float64), part.weight
    for _ in range(NEWTON_STEPS):
        p = 0.5 * (1.0 + np.tanh(0.5 * (theta @ columns)))
        gradient = columns @ (weight * (p - target)) + ridge * theta
        curvature = weight * np.maximum(p * (1.0 - p), 1e-9)
        step = np.linalg.solve((columns * curvature) @ columns.T + np.diag(ridge), gradient)
        largest = np.abs(step).max()
        # A full step may overshoot where probabilities saturate.
        theta = theta - step * min(1.0, 5.0 / max(largest, 1e-12))
        # What a small step leaves to do is about the square of it.
        if largest < SMALL_STEP:
            break
    return theta
