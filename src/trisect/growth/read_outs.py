"""Read-outs: what the first nodes of a network say on their own.

Level i of a fitted network is its first i nodes with output weights of their own, so that
walking the levels evaluates no node twice.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import NEG, POS, CostMatrix
from trisect.growth.data import TrainingData
from trisect.network import Network, Part

__all__ = ["ReadOuts", "fit_read_outs", "stacked_read_outs"]

TRAINING_ROWS = 15_000
# Rows that strictness is chosen on, of the training and of the validation part each.
STRICTNESS_ROWS = 20_000
L2 = 0.1
NEWTON_STEPS = 25
SMALL_STEP = 1e-3
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

ALL = slice(None)


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
    parts = [part.head(STRICTNESS_ROWS) for part in (data.train, data.validation)]
    hidden = [network.hidden(part.X) for part in parts]
    train = parts[0].head(TRAINING_ROWS)
    # A row of ones for the bias, then one for each node but the last.
    columns = np.ones((k, len(train)))
    columns[1:] = hidden[0][: len(train), :-1].T
    theta = np.zeros(1)
    for i in range(k - 1):
        theta = _logistic(columns[: i + 2], train, np.append(theta, 0.0))
        biases[i], weights[i, : i + 1] = theta[0], theta[1:]
    weights[-1], biases[-1] = network.W2[:, 1] - network.W2[:, 0], network.b2[1] - network.b2[0]
    read_outs = ReadOuts(
        weights.astype(np.float32), biases.astype(np.float32), np.zeros((k, 2), np.float32)
    )
    margins = np.concatenate([read_outs.margins(values) for values in hidden], axis=1)
    positive = np.concatenate([p.y for p in parts]) == 1
    weight = np.concatenate([p.weight for p in parts]).astype(np.float64)
    return read_outs._replace(strictness=_strictness(margins, positive, weight / weight.sum()))


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


def _strictness(
    margins: NDArray, positive: NDArray[np.bool_], share: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Choose how strict early levels are, from the last of them to the first."""
    k = len(margins)
    strictness = np.zeros((k, 2), dtype=np.float32)
    walks = [_WalkCosts(costs, margins[-1], positive, share) for costs in REFERENCE_COSTS]
    for i in range(k - 2, -1, -1):
        for side in (1, 0):
            at_once = [walk.deciding_first(margins[i], side) for walk in walks]
            for candidate in STRICTNESS:
                changes = [change.at(candidate) for change in at_once]
                if all(w.harmless(c) for w, c in zip(walks, changes, strict=True)):
                    break
            strictness[i, side] = candidate
            for walk, change in zip(walks, changes, strict=True):
                walk.take(change)
    return strictness


class _Change(NamedTuple):
    """Instances that would cost something else if a level decided on one side first.

    ``beyond`` is by how much each exceeds the threshold, ``extra`` what it would cost more than
    with the whole network.
    """

    rows: NDArray[np.intp]
    beyond: NDArray[np.float64]
    extra: NDArray[np.float64]

    def at(self, strictness: float) -> "_Change":
        """Return the change at some strictness."""
        strict = self.beyond >= strictness
        return _Change(self.rows[strict], self.beyond[strict], self.extra[strict])


class _WalkCosts:
    """What a walk from some level on costs more than the whole network, under one set of costs.

    Few instances cost anything else, so that a change is judged by what it adds to three sums.
    """

    def __init__(
        self,
        costs: CostMatrix,
        margin: NDArray,
        positive: NDArray[np.bool_],
        share: NDArray[np.float64],
    ) -> None:
        alpha, beta = costs.thresholds
        self._thresholds = (np.log(alpha / (1 - alpha)), np.log(beta / (1 - beta)))
        p = 1.0 / (1.0 + np.exp(-np.clip(margin, -60, 60)))
        regions = costs.decide(p)
        if_positive, if_negative = costs.amounts[:, :, None]
        accepted, deferred, rejected = np.where(positive, if_positive, if_negative)
        whole = np.where(regions == POS, accepted, np.where(regions == NEG, rejected, deferred))
        self._of_decision = (accepted - whole, rejected - whole)
        self._allowed = TOLERANCE * (whole @ share)
        self._share, self._squared_share = share, np.square(share)
        self._sum_of_squares = self._squared_share.sum()
        self._extra = np.zeros(len(share))
        self._sums = np.zeros(3)

    def deciding_first(self, margin: NDArray, side: int) -> _Change:
        """Return what changes if a level decides on one side first, however sure it is."""
        threshold, extra = self._thresholds[side], self._of_decision[side]
        decided = margin >= threshold if side == 0 else margin <= threshold
        rows = np.flatnonzero(decided & (extra != self._extra))
        return _Change(rows, np.abs(margin[rows] - threshold), extra[rows])

    def harmless(self, change: _Change) -> bool:
        """Whether the extra cost after a change, with two standard errors, counts as none."""
        rows = change.rows
        added = self._summed(change.extra, rows) - self._summed(self._extra[rows], rows)
        mean, cross, squares = self._sums + added
        variance = squares - 2.0 * mean * cross + mean**2 * self._sum_of_squares
        return bool(mean + ERRORS * np.sqrt(max(variance, 0.0)) <= self._allowed)

    def take(self, change: _Change) -> None:
        """Carry out a change."""
        self._extra[change.rows] = change.extra
        self._sums = self._summed(self._extra)

    def _summed(
        self, extra: NDArray[np.float64], rows: NDArray[np.intp] | slice = ALL
    ) -> NDArray[np.float64]:
        """Sum extra costs by share, and them and their squares by squared share."""
        squared_share = self._squared_share[rows]
        return np.array(
            [extra @ self._share[rows], extra @ squared_share, np.square(extra) @ squared_share]
        )
