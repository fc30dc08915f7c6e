"""Read-outs: what the first nodes of a network say on their own.

Level i of a fitted network is its first i nodes with output weights of their own, so that
walking the levels evaluates no node twice.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import CostMatrix
from trisect.growth.data import TrainingData
from trisect.growth.selection import standard_error
from trisect.network import Network, Part

__all__ = ["ReadOuts", "fit_read_outs", "stacked_read_outs"]

TRAINING_ROWS = 15_000
# Rows that strictness is chosen on, of the training and of the validation part each.
STRICTNESS_ROWS = 20_000
L2 = 0.1
NEWTON_STEPS = 25
# By how much surer than the last level an early level must be, as a difference of logits.
STRICTNESS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, np.inf)
# Extra cost of a walk that counts as none, as a share of the cost without one; and by how many
# standard errors it has to stay below that. With one, walks cost up to 1.65 times as much.
TOLERANCE, ERRORS = 0.01, 2.0
# False acceptance, false rejection and review: a walk has to be safe under each of these.
REFERENCE_COSTS = tuple(
    CostMatrix.from_review(false_accept=accept, false_reject=reject, review=1)
    for accept, reject in ((3, 3), (5, 10), (20, 20))
)


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


def fit_read_outs(network: Network, data: TrainingData) -> ReadOuts:
    """Fit a logistic read-out to each prefix of a network of two classes.

    The last level reads out what the network itself does. Early levels are made strict
    enough to cost next to nothing: under each of three sets of reference costs, the extra
    cost of the walk on training and validation rows, plus two standard errors, stays within
    a hundredth of the cost of the whole network's decisions.

    Parameters
    ----------
    network : Network
        The network that was kept.
    data : TrainingData
        Scaled data of two classes.

    Returns
    -------
    ReadOuts
        The read-outs.
    """
    k = network.n_hidden
    weights, biases = np.zeros((k, k)), np.zeros(k)
    train = data.train.head(TRAINING_ROWS)
    hidden = network.hidden(train.X).astype(np.float64)
    theta = np.zeros(1)
    for i in range(k - 1):
        theta = _logistic(hidden[:, : i + 1], train, np.append(theta[:-1], [0.0, theta[-1]]))
        weights[i, : i + 1], biases[i] = theta[:-1], theta[-1]
    weights[-1], biases[-1] = network.W2[:, 1] - network.W2[:, 0], network.b2[1] - network.b2[0]
    read_outs = ReadOuts(
        weights.astype(np.float32), biases.astype(np.float32), np.zeros((k, 2), np.float32)
    )
    parts = [part.head(STRICTNESS_ROWS) for part in (data.train, data.validation)]
    margins = np.concatenate([read_outs.margins(network.hidden(p.X)) for p in parts], axis=1)
    positive = np.concatenate([p.y for p in parts]) == 1
    weight = np.concatenate([p.weight for p in parts]).astype(np.float64)
    return read_outs._replace(strictness=_strictness(margins, positive, weight / weight.sum()))


def _logistic(hidden: NDArray, part: Part, start: NDArray) -> NDArray[np.float64]:
    """Fit a logistic regression with a ridge by Newton's method; the bias comes last."""
    A = np.column_stack([hidden, np.ones(len(hidden))])
    ridge = np.append(np.full(hidden.shape[1], L2), 1e-9)
    theta, target, weight = start, (part.y == 1).astype(np.float64), part.weight
    for _ in range(NEWTON_STEPS):
        p = 0.5 * (1.0 + np.tanh(0.5 * (A @ theta)))
        gradient = A.T @ (weight * (p - target)) + ridge * theta
        curvature = weight * np.maximum(p * (1.0 - p), 1e-9)
        step = np.linalg.solve((A * curvature[:, None]).T @ A + np.diag(ridge), gradient)
        largest = np.abs(step).max()
        # A full step may overshoot where probabilities saturate.
        theta = theta - step * min(1.0, 5.0 / max(largest, 1e-12))
        if largest < 1e-6:
            break
    return theta


def _strictness(
    margins: NDArray, positive: NDArray[np.bool_], share: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Choose how strict early levels are, from the last of them to the first."""
    k = len(margins)
    strictness = np.zeros((k, 2), dtype=np.float32)
    walks = [_WalkCosts(costs, margins[-1], positive, share) for costs in REFERENCE_COSTS]
    for i in range(k - 2, -1, -1):
        for side in (1, 0):
            for candidate in STRICTNESS:
                trials = [walk.with_side(margins[i], side, candidate) for walk in walks]
                if all(w.harmless(t) for w, t in zip(walks, trials, strict=True)):
                    break
            strictness[i, side] = candidate
            for walk, charges in zip(walks, trials, strict=True):
                walk.charges = charges
    return strictness


class _WalkCosts:
    """What a walk from some level on costs each instance, under one set of costs."""

    def __init__(
        self,
        costs: CostMatrix,
        margin: NDArray,
        positive: NDArray[np.bool_],
        share: NDArray[np.float64],
    ) -> None:
        self._share = share
        alpha, beta = costs.thresholds
        self._thresholds = (np.log(alpha / (1 - alpha)), np.log(beta / (1 - beta)))
        self._of_decision = tuple(
            costs.charge(positive, np.full(len(positive), region, np.int8)) for region in (1, -1)
        )
        p = 1.0 / (1.0 + np.exp(-np.clip(margin, -60, 60)))
        self._whole = costs.charge(positive, costs.decide(p))
        self.charges = self._whole

    def with_side(self, margin: NDArray, side: int, strictness: float) -> NDArray[np.float64]:
        """Return the charges if a level decides on one side first, at some strictness."""
        threshold = self._thresholds[side]
        if side == 0:
            decided = margin >= threshold + strictness
        else:
            decided = margin <= threshold - strictness
        return np.where(decided, self._of_decision[side], self.charges)

    def harmless(self, charges: NDArray[np.float64]) -> bool:
        """Whether the extra cost, with two standard errors, counts as none."""
        extra = charges - self._whole
        bound = extra @ self._share + ERRORS * standard_error(extra, self._share)
        return bool(bound <= TOLERANCE * (self._whole @ self._share))
