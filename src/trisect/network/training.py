"""Training: batches, learning rates, early stopping with the best parameters kept."""

from __future__ import annotations  # NumPy loads numpy.random when it is named

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from trisect.network.contract import NO_RUNS, Batches, Networks, Optimiser, Rows
from trisect.network.engine import get_engine
from trisect.network.parameters import PARTS, Network, pack, parts_of, side_by_side, unpack
from trisect.network.part import Part
from trisect.network.runs import first_rows

__all__ = ["Training", "adam_from_rest", "batch_starts", "mean_losses", "train"]

WARM_UP = 0.05
FINAL_SHARE = 0.01
VALIDATION_ROWS = 20_000
# The penalty of gates relative to that of weights, and the pace of shared gates.
STIFFNESS = {"node_gates": 3.0, "gates": 16.0}
GATES_PACE = 3.0

Monitor = Callable[[], bool]


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
    gates : {"all", "own", "none"}
        Which gates are trained: all, only those of the nodes' own, or none.
    bends : float
        Penalty of the bends of curves relative to that of weights; stiff curves are lines.
    """

    updates: int
    learning_rate: float
    decay: bool = True
    theta: float = 0.0
    batch_size: int = 512
    checks: int = 20
    patience: int | None = None
    gates: str = "all"
    bends: float = 6.0

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
    part: Part,
    training: Training,
    rng: np.random.Generator,
    *,
    l2: float | Sequence[float] = 0.0,
    validation: Part | None = None,
    monitor: Monitor | None = None,
) -> tuple[list[Network], NDArray[np.float64]]:
    """Train networks of the same shape side by side.

    Instances are taken in the order in which they come, so they should have been
    shuffled; only the batches are shuffled anew in each pass.

    Parameters
    ----------
    networks : sequence of Network
        Where to start; they are left as they are.
    part : Part
        Instances to train on. If it has an offset, the networks add to that.
    training : Training
        The optimiser's settings.
    rng : numpy.random.Generator
        Source of the batches' order.
    l2 : float or sequence of float, default=0
        Weight of the squared parameters, for all networks or for each.
    validation : Part, optional
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
    engine, n_groups = get_engine(), len(networks)
    watched = None if validation is None else _rows(validation.head(VALIDATION_ROWS))
    watched_weight = 0.0 if watched is None else _weight(watched)
    flat, like = pack(networks), side_by_side(networks)
    optimiser = adam_from_rest(flat, like, l2, training)
    rates, starts = training.rates(), batch_starts(len(part), training, rng)
    lowest, stale = np.full(n_groups, np.inf), 0
    # The parameters with which each network did best.
    best: list[NDArray[np.float32] | None] = [None] * n_groups
    parts = parts_of(flat, like)
    data = _rows(part)
    if data.runs.size != training.batch_size:
        data = data._replace(runs=NO_RUNS)
    edges = np.unique(np.linspace(0, training.updates, training.checks + 1).astype(np.int64))
    # All looks are one call, which nothing interrupts, unless training may end at any of them.
    alone = monitor is not None or training.patience is not None
    calls = list(pairwise(edges)) if alone else [(edges[0], edges[-1])]
    for begin, end in calls:
        looks = edges[(edges > begin) & (edges <= end)] - begin
        batches = Batches(
            starts[begin:end], training.batch_size, rates[begin:end], int(begin), looks
        )
        kept = None if watched is None else np.empty((len(looks), len(flat)), dtype=flat.dtype)
        losses = engine.train(data, batches, parts, optimiser, training.theta, watched, kept)
        if kept is not None:
            for parameters, found in zip(kept, losses / watched_weight, strict=True):
                better = found < lowest
                best = [parameters if b else old for b, old in zip(better, best, strict=True)]
                lowest = np.where(better, found, lowest)
                stale = 0 if better.any() else stale + 1
        if monitor is not None and monitor():
            break
        if training.patience is not None and stale >= training.patience:
            break
    if watched is not None:
        return [
            before if found is None else unpack(found, like, networks)[group]
            for group, (before, found) in enumerate(zip(networks, best, strict=True))
        ], lowest
    begin = edges[edges < end][-1]
    seen = np.minimum(starts[begin:end] + training.batch_size, len(part)) - starts[begin:end]
    return unpack(flat, like, networks), losses[-1] / seen.sum()


def mean_losses(networks: Sequence[Network], part: Part, theta: float = 0.0) -> NDArray[np.float64]:
    """Compute the weighted mean loss of networks of the same shape.

    Parameters
    ----------
    networks : sequence of Network
        The networks.
    part : Part
        Scaled instances.
    theta : float, default=0
        Exponent of the focal loss.

    Returns
    -------
    ndarray of shape (n_networks,)
        One mean loss per network.
    """
    return _mean_losses(_rows(part), side_by_side(networks), theta)


def _mean_losses(rows: Rows, networks: Networks, theta: float) -> NDArray[np.float64]:
    return get_engine().summed_losses(rows, networks, theta) / _weight(rows)


def _weight(rows: Rows) -> float:
    return rows.weight[rows.rows].sum(dtype=np.float64)


def _rows(part: Part) -> Rows:
    """Put a part in the engines' terms."""
    rows = np.arange(len(part), dtype=np.int32) if part.rows is None else part.rows
    offset = part.offset
    if offset is None:
        offset = np.empty((0, part.n_classes), dtype=np.float32)
    return Rows(part.X, part.y, part.weight, rows, offset, part.deviations, part.runs)


def batch_starts(n_rows: int, training: Training, rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose where each batch begins: all batches once in random order, again and again."""
    firsts = first_rows(n_rows, training.batch_size)
    passes = -(-training.updates // len(firsts))
    order = np.tile(firsts, (passes, 1))
    return rng.permuted(order, axis=1).ravel()[: training.updates]


def adam_from_rest(
    parameters: NDArray[np.float32],
    like: Networks,
    l2: float | Sequence[float],
    training: Training,
) -> Optimiser:
    """Set Adam up for packed networks, each of which has a weight of the squares of its own."""
    n_groups = len(like.b2)
    sizes = [getattr(like, name).size // n_groups for name in PARTS]
    edges = np.cumsum([0, *np.repeat(sizes, n_groups)])
    stiffness_of = STIFFNESS | {"bends": training.bends}
    stiffness = [stiffness_of.get(name, 1.0) for name in PARTS]
    penalties = np.outer(stiffness, np.broadcast_to(l2, n_groups))
    pace_of = {
        "gates": GATES_PACE if training.gates == "all" else 0.0,
        "node_gates": 0.0 if training.gates == "none" else 1.0,
    }
    paces = [pace_of.get(name, 1.0) for name in PARTS]
    gradient, moment1, moment2 = (np.zeros_like(parameters) for _ in range(3))
    return Optimiser(
        parameters,
        gradient,
        moment1,
        moment2,
        np.array(list(pairwise(edges.tolist())), dtype=np.int64),
        penalties.astype(np.float32).ravel(),
        np.repeat(paces, n_groups).astype(np.float32),
    )
