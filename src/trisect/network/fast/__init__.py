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
from trisect.network.fast.compiler import announced
from trisect.network.fast.node_curves import LANES
from trisect.network.fast.sweep import BLOCK, needs_block, sweep
from trisect.network.parameters import parts_of

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


_NO_PARTS = np.empty((0, 2), dtype=np.int64)
_NO_LOGITS = _empty(0, 0, 0)
_NO_OPTIMISER = Optimiser(
    _empty(0), _empty(0), _empty(0), _empty(0), _NO_PARTS, _empty(0), _empty(0)
)


_scratch = threading.local()


def _buffers_for(networks: Networks) -> tuple[NDArray[Any], ...]:
    """Return the buffers of this thread, new ones if networks have another shape than before.

    A fit calls the kernel some hundred times on networks of one shape, for a fraction of a
    millisecond each, so that memory and views would be a tenth of its time.
    """
    (n_nodes, n_features), n_classes = networks.W1.shape, networks.W2.shape[1]
    n_positions, n_intervals = len(networks.first) - 1, networks.line.size
    gated = networks.gates.size > 0
    shape = (n_nodes, n_features, n_classes, n_positions, n_intervals, gated)
    if getattr(_scratch, "shape", None) != shape:
        n_straight = n_features - n_positions
        n_lanes = -(-n_nodes // LANES) * LANES
        of_gates = (n_nodes, n_straight) if gated else (0, 0)
        by_lane = n_straight if needs_block(n_straight) else 0
        curves = (2, n_lanes // LANES, n_intervals, LANES)
        of_block = blocks(BLOCK, by_lane, n_lanes, n_nodes, n_nodes, n_classes, n_classes)
        of_block[1][:] = 0.0  # lanes without a node stay zero
        _scratch.buffers = (
            *of_block,
            np.zeros(of_gates, dtype=np.float32),
            np.zeros(of_gates, dtype=np.float32),
            np.zeros(curves, dtype=np.float32),
            np.zeros(curves, dtype=np.float32),
            np.empty(n_positions, dtype=np.uint32),
            np.empty((BLOCK, n_positions), dtype=np.uint32),
            _empty(BLOCK, n_positions),
        )
        _scratch.shape = shape
    _scratch.buffers[-3][:] = networks.first[:-1]
    return _scratch.buffers


def _sweep(
    rows: Rows,
    batches: Batches,
    networks: Networks,
    theta: float = 0.0,
    optimiser: Optimiser = _NO_OPTIMISER,
    out: Floats = _NO_LOGITS,
    sums: bool = True,
) -> NDArray[np.float64]:
    updates = optimiser is not _NO_OPTIMISER
    gradient = parts_of(optimiser.gradient, networks) if updates else networks
    losses = np.zeros(len(networks.b2))
    # The dispatcher takes three times as long to recognise named tuples as plain ones.
    sweep(
        tuple(rows), tuple(batches), tuple(networks), np.float32(theta), tuple(optimiser),
        tuple(gradient), _buffers_for(networks), (updates, sums, out, losses),
    )  # fmt: skip
    return losses


def _all_at_once(n_rows: int) -> Batches:
    return Batches(np.zeros(min(n_rows, 1), dtype=np.int64), n_rows, _empty(0), 0)


def train(
    rows: Rows,
    batches: Batches,
    networks: Networks,
    optimiser: Optimiser,
    theta: float,
    sums: bool = True,
) -> NDArray[np.float64]:
    """Update the networks once for each batch."""
    return _sweep(rows, batches, networks, theta, optimiser, sums=sums)


def summed_losses(rows: Rows, networks: Networks, theta: float) -> NDArray[np.float64]:
    """Sum the weighted focal losses of the rows, for each group."""
    return _sweep(rows, _all_at_once(len(rows.rows)), networks, theta)


def logits(X: Floats, rows: NDArray[np.int32], networks: Networks) -> Floats:
    """Compute logits of shape (n_groups, n_rows, n_classes)."""
    n_groups, n_classes = networks.b2.shape
    out = _empty(n_groups, len(rows), n_classes)
    data = Rows(X, np.empty(0, dtype=np.int32), _empty(0), rows, _empty(0, n_classes))
    _sweep(data, _all_at_once(len(rows)), networks, out=out)
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
