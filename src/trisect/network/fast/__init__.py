"""The fast engine: loops that numba compiles, in single precision.

Compiled code is kept on disk; without it a fit waits for the compiler. So there are few
kernels, each compiled for one set of types: one for all that a fit computes (`sweep`), and
three that only large batches need (`evaluation`). This module brings arrays into the form
that they expect.

Rows are handled in blocks that stay in cache. Inside a block every buffer has the rows as
its last axis, so that rows are the vector lanes.
"""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.network.contract import (
    Batches,
    Floats,
    InputMap,
    Levels,
    Networks,
    Nodes,
    Optimiser,
    Rows,
)
from trisect.network.fast import evaluation
from trisect.network.fast.buffers import blocks
from trisect.network.fast.claims import new_counters
from trisect.network.fast.compiler import announced
from trisect.network.fast.helpers import ask
from trisect.network.fast.lanes import LANES
from trisect.network.fast.sweep import (
    BATCH_PARTS,
    BLOCK,
    EVALUATED_PARTS,
    Own,
    Shared,
    needs_block,
    sweep,
)
from trisect.network.parameters import parts_of
from trisect.network.threads import n_threads

__all__ = [
    "logits",
    "prepare",
    "probabilities",
    "scale",
    "summed_losses",
    "train",
    "walk",
]


# Raw values that are converted at once: a megabyte, which stays in cache.
BLOCK_CELLS = 1 << 17


def _empty(*shape: int) -> Floats:
    return np.empty(shape, dtype=np.float32)


_NO_NUMBERS = np.empty(0, dtype=np.int32)
_NO_PARTS = np.empty((0, 2), dtype=np.int64)
_NO_LOGITS = _empty(0, 0, 0)
_NO_OPTIMISER = Optimiser(
    _empty(0), _empty(0), _empty(0), _empty(0), _NO_PARTS, _empty(0), _empty(0)
)
_NO_BATCHES = Batches(np.empty(0, dtype=np.int64), 0, _empty(0), 0)


class _Scratch(threading.local):
    """The buffers of a thread, and the shapes of networks that they are for."""

    own: tuple[Any, tuple[NDArray[Any], ...]] = (None, ())
    shared: tuple[Any, tuple[NDArray[Any], ...]] = (None, ())


_scratch = _Scratch()


def _shape_of(networks: Networks) -> tuple[int, ...]:
    """Return all that the sizes of buffers depend on."""
    (n_nodes, n_features), (n_groups, n_classes) = networks.W1.shape, networks.b2.shape
    n_positions, n_intervals = len(networks.first) - 1, networks.line.size
    gated = networks.gates.size > 0
    return n_nodes, n_features, n_groups, n_classes, n_positions, n_intervals, gated


def _own_buffers(shape: tuple[int, ...]) -> tuple[NDArray[Any], ...]:
    """Return the buffers of this thread, new ones if networks have another shape than before.

    A fit calls the kernel some hundred times on networks of one shape, for a fraction of a
    millisecond each, so that memory and views would be a tenth of its time.
    """
    if _scratch.own[0] != shape:
        n_nodes, n_features, _, n_classes, n_positions, _, _ = shape
        n_straight = n_features - n_positions
        by_lane = n_straight if needs_block(n_straight) else 0
        [lanes] = blocks(LANES, BLOCK)
        # Lanes without a node stay zero.
        lanes[:] = 0.0
        buffers = Own(
            *blocks(BLOCK, by_lane, n_nodes, n_nodes, n_nodes, n_classes, n_classes),
            lanes,
            np.empty((BLOCK, n_positions), dtype=np.uint32),
            _empty(BLOCK, n_positions),
            np.zeros((2, LANES), dtype=np.float32),
        )
        _scratch.own = shape, tuple(buffers)
    return _scratch.own[1]


def _shared_buffers(shape: tuple[int, ...], networks: Networks) -> tuple[NDArray[Any], ...]:
    """Return the buffers that this thread shares with its helpers."""
    if _scratch.shared[0] != shape:
        n_nodes, n_features, n_groups, n_classes, n_positions, n_intervals, gated = shape
        n_straight = n_features - n_positions
        n_lane_groups = -(-n_nodes // LANES) if n_positions else 0
        [curves] = blocks(2 * LANES, n_lane_groups * n_intervals)
        [by_curves] = blocks(2 * LANES, BATCH_PARTS * n_lane_groups * n_intervals)
        by_curves[:] = 0.0
        n_rest = n_nodes + n_nodes * n_classes + n_groups * n_classes
        buffers = Shared(
            np.empty(n_positions, dtype=np.uint32),
            _empty(n_nodes, n_straight) if gated else _empty(0, n_straight),
            np.zeros((n_lane_groups, n_intervals, LANES), dtype=np.float32),
            curves.reshape(n_lane_groups, n_intervals, 2, LANES),
            np.zeros((BATCH_PARTS, n_nodes, n_straight), dtype=np.float32),
            by_curves.reshape(BATCH_PARTS, n_lane_groups, n_intervals, 2, LANES),
            np.zeros((BATCH_PARTS, n_rest), dtype=np.float32),
        )
        _scratch.shared = shape, tuple(buffers)
    begins = _scratch.shared[1][0]
    begins[:] = networks.first[:-1]
    return _scratch.shared[1]


def _sweep(
    rows: Rows,
    watched: Rows | None,
    networks: Networks,
    theta: float = 0.0,
    batches: Batches = _NO_BATCHES,
    optimiser: Optimiser = _NO_OPTIMISER,
    out: Floats = _NO_LOGITS,
) -> NDArray[np.float64]:
    gradient = networks if batches is _NO_BATCHES else parts_of(optimiser.gradient, networks)
    losses = np.zeros((EVALUATED_PARTS, len(networks.b2)))
    shape = _shape_of(networks)
    if watched is None:
        watched = rows._replace(rows=_NO_NUMBERS)
    # The dispatcher takes three times as long to recognise named tuples as plain ones.
    work = (
        tuple(rows), tuple(watched), tuple(batches), tuple(networks), np.float32(theta),
        tuple(optimiser), tuple(gradient),
    )  # fmt: skip
    together = _shared_buffers(shape, networks), (out, losses), new_counters()
    helpers = n_threads() - 1
    try:
        if helpers > 0:
            ask(helpers, _help, shape, work, together)
        sweep(*work, _own_buffers(shape), *together)
    except BaseException:
        # Helpers may still be at work in these.
        _scratch.shared = None, ()
        raise
    return losses.sum(axis=0)


def _help(shape: tuple[int, ...], work: tuple[Any, ...], together: tuple[Any, ...]) -> None:
    sweep(*work, _own_buffers(shape), *together)


def train(
    rows: Rows,
    batches: Batches,
    networks: Networks,
    optimiser: Optimiser,
    theta: float,
    watched: Rows | None = None,
) -> NDArray[np.float64]:
    """Update the networks once for each batch."""
    return _sweep(rows, watched, networks, theta, batches, optimiser)


def summed_losses(rows: Rows, networks: Networks, theta: float) -> NDArray[np.float64]:
    """Sum the weighted focal losses of the rows, for each group."""
    return _sweep(rows, rows, networks, theta)


def logits(X: Floats, rows: NDArray[np.int32], networks: Networks) -> Floats:
    """Compute logits of shape (n_groups, n_rows, n_classes)."""
    n_groups, n_classes = networks.b2.shape
    out = _empty(n_groups, len(rows), n_classes)
    data = Rows(X, _NO_NUMBERS, _empty(0), rows, _empty(0, n_classes))
    _sweep(data, data, networks, out=out)
    return out


def _in_doubles(X: NDArray[Any]) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Go through raw rows in the one form that kernels are compiled for.

    Rows that have it come as they are, others in copies of a block each.
    """
    suits = X.dtype == np.float64 and X.flags.carray
    step = max(len(X) if suits else BLOCK_CELLS // X.shape[1], 1)
    for start in range(0, max(len(X), 1), step):
        block = slice(start, start + step)
        yield block, X[block] if suits else np.array(X[block], dtype=np.float64, order="C")


def scale(X: NDArray[Any], inputs: InputMap, out: Floats) -> None:
    """Write the inputs of raw rows into ``out``."""
    room = evaluation.room_for(inputs.n_inputs, _NO_NODES, 0)
    for block, raw in _in_doubles(X):
        evaluation.scale(raw, inputs, room, out[block])


def probabilities(
    X: NDArray[Any],
    inputs: InputMap,
    nodes: Nodes,
    scores: tuple[Floats, Floats],
    out: NDArray[np.float64],
) -> bool:
    """Write the class probabilities of raw rows; return False if a value is not finite."""
    weights, biases = np.ascontiguousarray(scores[0].T), scores[1]
    if len(biases) == 2:
        weights, biases = weights[1:] - weights[:1], biases[1:] - biases[:1]
    room = evaluation.room_for(inputs.n_inputs, nodes, len(biases))
    return all(
        evaluation.probabilities(raw, inputs, nodes, (weights, biases), room, out[block])
        for block, raw in _in_doubles(X)
    )


def walk(
    X: NDArray[Any],
    inputs: InputMap,
    nodes: Nodes,
    levels: Levels,
    regions: NDArray[np.int8],
    decided_at: NDArray[np.intp],
    margins: Floats,
) -> None:
    """Decide every raw row at the first level that is sure of it."""
    room = evaluation.room_for(inputs.n_inputs, nodes, 1)
    for block, raw in _in_doubles(X):
        evaluation.walk(
            raw, inputs, nodes, levels, room, regions[block], decided_at[block], margins[block]
        )


def prepare(task: str) -> None:
    """Load or compile the code of a task, and log a line in the latter case.

    Parameters
    ----------
    task : {"train", "scale", "probabilities", "walk"}
        What will have to be done.
    """
    announced(_ON_NO_ROWS[task])


_NO_GATES = (*(_empty(0, 0),) * 3, np.zeros(1, dtype=np.int64), _empty(0), _empty(0))
_NOTHING = Networks(0, _empty(1, 1), _empty(1), _empty(1, 2), _empty(1, 2), *_NO_GATES)
_NO_NODES = Nodes(
    0, _empty(1, 1), _empty(1), np.zeros(1, dtype=np.int64), _empty(1, 0), _empty(1, 0)
)
_NO_ROWS = np.empty((0, 1))
_STRAIGHT = InputMap(
    np.zeros(1), np.ones(1), 1.0, np.empty(0, dtype=np.int64), *(np.empty((0, 1)),) * 3
)
_NO_LEVELS = Levels(_empty(1, 1), _empty(1), _empty(1), _empty(1))
_ON_NO_ROWS: dict[str, Callable[[], object]] = {
    "train": lambda: logits(_empty(0, 1), np.empty(0, dtype=np.int32), _NOTHING),
    "scale": lambda: scale(_NO_ROWS, _STRAIGHT, _empty(0, 1)),
    "probabilities": lambda: probabilities(
        _NO_ROWS, _STRAIGHT, _NO_NODES, (_empty(1, 2), _empty(2)), np.empty((0, 2))
    ),
    "walk": lambda: walk(
        _NO_ROWS,
        _STRAIGHT,
        _NO_NODES,
        _NO_LEVELS,
        np.empty(0, dtype=np.int8),
        np.empty(0, dtype=np.intp),
        _empty(0),
    ),
}
