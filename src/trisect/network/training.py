"""Training: batches, learning rates, early stopping with the best parameters kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.network.activations import ACTIVATIONS
from trisect.network.contract import Batches, Networks, Optimiser, Rows
from trisect.network.engine import get_engine
from trisect.network.parameters import Network, pack, parts_of, side_by_side, unpack

__all__ = ["Examples", "Training", "adam_from_rest", "batch_starts", "train"]

WARM_UP = 0.05
FINAL_SHARE = 0.01
VALIDATION_ROWS = 20_000

Monitor = Callable[[], bool]


@dataclass(frozen=True, eq=False)
class Examples:
    """Scaled instances with their classes and weights, as the kernels read them.

    Parameters
    ----------
    X, y, weight : ndarray
        Features, classes from 0, and weights in the loss.
    n_classes : int
        Number of classes.
    mass : ndarray, optional
        What each instance weighs in a share of instances; by default all weigh the same.
    copies : ndarray of int, optional
        How many instances of the data each one stands for; one by default.
    """

    X: NDArray[np.float32]
    y: NDArray[np.int32]
    weight: NDArray[np.float32]
    n_classes: int
    mass: NDArray[np.float64] | None = None
    copies: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.y)

    def losses(self, networks: Sequence[Network], theta: float = 0.0) -> NDArray[np.float64]:
        """Compute the weighted mean loss of each network."""
        return self.losses_side_by_side(side_by_side(networks), theta)

    def losses_side_by_side(self, networks: Networks, theta: float) -> NDArray[np.float64]:
        """Compute the weighted mean losses of networks in the kernels' terms."""
        return get_engine().summed_losses(self._rows, networks, theta) / self.total_weight

    @cached_property
    def _rows(self) -> Rows:
        """All instances as an engine reads them."""
        order = np.arange(len(self), dtype=np.int32)
        offset = np.empty((0, self.n_classes), dtype=np.float32)
        return Rows(self.X, self.y, self.weight, order, offset)

    @cached_property
    def total_weight(self) -> np.float64:
        """Sum of the weights."""
        return self.weight.sum(dtype=np.float64)

    def head(self, n: int) -> "Examples":
        """Return the first n instances, without a copy."""
        return self.take(slice(n))

    def take(self, rows: Any) -> "Examples":
        """Return some of the instances."""
        return replace(
            self,
            X=self.X[rows],
            y=self.y[rows],
            weight=self.weight[rows],
            mass=None if self.mass is None else self.mass[rows],
            copies=None if self.copies is None else self.copies[rows],
        )

    @property
    def n_instances(self) -> int:
        """Number of instances of the data."""
        return len(self) if self.copies is None else int(self.copies.sum())

    def count(self, which: NDArray[Any]) -> int:
        """Count instances, of which a mask or row numbers are given."""
        if self.copies is not None:
            return int(self.copies[which].sum())
        return int(which.sum()) if which.dtype == bool else len(which)


@dataclass(frozen=True)
class Training:
    """How a network is trained.

    Parameters
    ----------
    updates : int
        Number of updates at most.
    learning_rate : float
        The highest learning rate of Adam.
    decay : bool
        Whether the rate warms up and then falls along a cosine, or stays as it is.
    theta : float
        Exponent of the focal loss.
    batch_size : int
        Instances per update.
    checks : int
        How often the validation loss is looked at.
    patience : int or None
        Stop after so many looks without an improvement.
    """

    updates: int
    learning_rate: float
    decay: bool = True
    theta: float = 0.0
    batch_size: int = 512
    checks: int = 20
    patience: int | None = None

    def rates(self) -> NDArray[np.float32]:
        """Compute the learning rate of every update."""
        if not self.decay:
            return np.full(self.updates, self.learning_rate, dtype=np.float32)
        t = (np.arange(self.updates) + 0.5) / self.updates
        fall = 0.5 * (1.0 + np.cos(np.pi * np.clip((t - WARM_UP) / (1.0 - WARM_UP), 0.0, 1.0)))
        share = np.where(t < WARM_UP, t / WARM_UP, FINAL_SHARE + (1.0 - FINAL_SHARE) * fall)
        return (self.learning_rate * share).astype(np.float32)


def train(
    networks: Sequence[Network],
    examples: Examples,
    training: Training,
    rng: np.random.Generator,
    *,
    l2: float | Sequence[float] = 0.0,
    rows: NDArray[np.int32] | None = None,
    offset: NDArray[np.float32] | None = None,
    validation: Examples | None = None,
    monitor: Monitor | None = None,
) -> tuple[list[Network], NDArray[np.float64]]:
    """Train networks of the same shape side by side.

    Instances are taken in the order in which they come, so they should have been
    shuffled; only the batches are shuffled anew in each pass.

    Parameters
    ----------
    networks : sequence of Network
        Where to start; they are left as they are.
    examples : Examples
        Instances to train on.
    training : Training
        The optimiser's settings.
    rng : numpy.random.Generator
        Source of the batches' order.
    l2 : float or sequence of float, default=0
        Weight of the squared parameters, for all networks or for each.
    rows : ndarray of int32, optional
        The instances to train on, all by default.
    offset : ndarray of shape (n_rows, n_classes), optional
        Logits of frozen nodes, to which the networks add theirs.
    validation : Examples, optional
        Data whose loss is watched; each network ends with its best parameters.
    monitor : callable, optional
        Called at every look; training stops when it returns True.

    Returns
    -------
    networks : list of Network
        The trained networks.
    losses : ndarray of shape (n_networks,)
        Best validation loss, or without validation data the mean training loss of
        the last updates.
    """
    engine, shape = get_engine(), networks[0]
    n_groups, n_classes = len(networks), shape.n_classes
    if rows is None:
        rows = np.arange(len(examples), dtype=np.int32)
    if offset is None:
        offset = np.empty((0, n_classes), dtype=np.float32)
    if validation is not None:
        validation = validation.head(VALIDATION_ROWS)
    flat = pack(networks)
    penalties = np.broadcast_to(np.asarray(l2, dtype=np.float32), n_groups)
    optimiser = adam_from_rest(flat, _parts(shape, n_groups), np.tile(penalties, 4))
    rates, starts = training.rates(), batch_starts(len(rows), training, rng)
    best, lowest = list(networks), np.full(n_groups, np.inf)
    stale = 0

    def current() -> list[Network]:
        return unpack(flat, n_groups, shape.n_features, n_classes, shape.activation)

    activation = ACTIVATIONS[shape.activation].code
    parts = parts_of(flat, n_groups, shape.n_features, n_classes, activation)
    data = Rows(examples.X, examples.y, examples.weight, rows, offset)
    edges = np.unique(np.linspace(0, training.updates, training.checks + 1).astype(int))
    for begin, end in pairwise(edges):
        batches = Batches(starts[begin:end], training.batch_size, rates[begin:end], int(begin))
        losses = engine.train(data, batches, parts, optimiser, training.theta, validation is None)
        if validation is not None:
            found = validation.losses_side_by_side(parts, training.theta)
            better = found < lowest
            if better.any():
                best = [
                    new if b else old for new, b, old in zip(current(), better, best, strict=True)
                ]
                lowest = np.where(better, found, lowest)
            stale = 0 if better.any() else stale + 1
        if monitor is not None and monitor():
            break
        if training.patience is not None and stale >= training.patience:
            break
    if validation is not None:
        return best, lowest
    seen = np.minimum(starts[begin:end] + training.batch_size, len(rows)) - starts[begin:end]
    return current(), losses / seen.sum()


def batch_starts(n_rows: int, training: Training, rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose where each batch begins: all batches once in random order, again and again."""
    firsts = np.arange(0, n_rows, training.batch_size)
    # A batch of a few instances would move the parameters as much as a full one.
    if len(firsts) > 1 and n_rows - firsts[-1] < training.batch_size // 4:
        firsts[-1] = n_rows - training.batch_size
    passes = -(-training.updates // len(firsts))
    order = np.tile(firsts, (passes, 1))
    return rng.permuted(order, axis=1).ravel()[: training.updates]


def adam_from_rest(
    parameters: NDArray[np.float32], parts: Sequence[tuple[int, int]], penalties: ArrayLike
) -> Optimiser:
    """Set Adam up for parameters, of which each part has its own weight of the squares."""
    gradient, moment1, moment2 = (np.zeros_like(parameters) for _ in range(3))
    return Optimiser(
        parameters,
        gradient,
        moment1,
        moment2,
        np.array(parts, dtype=np.int64),
        np.array(penalties, dtype=np.float32),
    )


def _parts(shape: Network, n_groups: int) -> list[tuple[int, int]]:
    """Find W1, b1, W2 and b2 of all groups in a flat vector, one kind after the other."""
    sizes = [shape.W1.size, shape.b1.size, shape.W2.size, shape.b2.size]
    edges = np.cumsum([0, *np.repeat(sizes, n_groups)])
    return list(pairwise(edges.tolist()))
