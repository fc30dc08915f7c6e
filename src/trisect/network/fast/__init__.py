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
    Curves,
    Floats,
    InputMap,
    Levels,
    Networks,
    Optimiser,
    Rows,
)
from trisect.network.fast import evaluation
from trisect.network.fast.buffers import blocks
from trisect.network.fast.compiler import announced
from trisect.network.fast.sweep import BLOCK, needs_block, sweep
from trisect.network.parameters import parts_of

__all__ = [
    "logits",
    "prepare",
    "probabilities",
    "scale",
    "summed_losses",
    "train",
    "train_curves",
    "walk",
]


# Raw values that are converted at once: a megabyte, which stays in cache.
BLOCK_CELLS = 1 << 17


def _empty(*shape: int) -> Floats:
    return np.empty(shape, dtype=np.float32)


_NO_CURVES = Curves(np.empty((0, 0), dtype=np.uint8), _empty(0, 0), _empty(0, 0))
_NO_PARTS = np.empty((0, 2), dtype=np.int64)
_NO_BENDS = (_empty(0, 0), _empty(0, 0), _empty(0, 0))
_NO_LOGITS = _empty(0, 0, 0)
_NO_OPTIMISER = Optimiser(_empty(0), _empty(0), _empty(0), _empty(0), _NO_PARTS, _empty(0))


_scratch = threading.local()


def _blocks_for(shape: tuple[int, ...]) -> list[Floats]:
    """Return the buffers of this thread, new ones if they have another shape than before.

    A fit calls the kernel some hundred times on networks of one shape, for a fraction of a
    millisecond each, so that memory and views would be a tenth of its time.
    """
    if getattr(_scratch, "shape", None) != shape:
        _scratch.blocks, _scratch.shape = blocks(BLOCK, *shape), shape
    return _scratch.blocks


def _sweep(
    rows: Rows,
    batches: Batches,
    networks: Networks,
    theta: float = 0.0,
    optimiser: Optimiser = _NO_OPTIMISER,
    curves: Curves = _NO_CURVES,
    out: Floats = _NO_LOGITS,
    sums: bool = True,
) -> NDArray[np.float64]:
    n_nodes, n_features = networks.W1.shape
    n_groups, n_classes = networks.b2.shape
    updates, n_curves = optimiser is not _NO_OPTIMISER, len(curves.values)
    tail, bends = optimiser.parameters.size - curves.values.size, _NO_BENDS
    if n_curves:
        shape = curves.values.shape
        bent, by_bends = (flat[tail:].reshape(shape) for flat in optimiser[:2])
        bends = (bent, by_bends, _empty(*shape))
    gradient = networks
    if updates:
        flat = optimiser.gradient[:tail]
        gradient = parts_of(flat, n_groups, n_features, n_classes, networks.activation)
    n_inputs = n_features if n_curves or needs_block(n_features) else 0
    buffers = _blocks_for((n_inputs, n_nodes, n_nodes, n_nodes, n_classes, n_classes, n_curves))
    losses = np.zeros(n_groups)
    # The dispatcher takes three times as long to recognise named tuples as plain ones.
    sweep(
        tuple(rows), tuple(batches), tuple(networks), np.float32(theta), tuple(optimiser),
        tuple(gradient), tuple(curves), (*buffers, *bends), (updates, sums, out, losses),
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


def train_curves(
    curves: Curves,
    y: NDArray[np.int32],
    weight: Floats,
    batches: Batches,
    networks: Networks,
    optimiser: Optimiser,
) -> None:
    """Train a network of two classes and the curves in front of it together."""
    rows = Rows(_empty(0, 0), y, weight, np.arange(len(y), dtype=np.int32), _empty(0, 2))
    _sweep(rows, batches, networks, 0.0, optimiser, curves, sums=False)


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
    room = evaluation.room_for(inputs.n_inputs, 0, 0)
    for block, raw in _in_doubles(X):
        evaluation.scale(raw, inputs, room, out[block])


def probabilities(
    X: NDArray[Any], inputs: InputMap, networks: Networks, out: NDArray[np.float64]
) -> bool:
    """Write the class probabilities of raw rows; return False if a value is not finite."""
    weights, biases = np.ascontiguousarray(networks.W2.T), networks.b2[0]
    if len(biases) == 2:
        weights, biases = weights[1:] - weights[:1], biases[1:] - biases[:1]
    room = evaluation.room_for(inputs.n_inputs, len(networks.b1), len(biases))
    return all(
        evaluation.probabilities(raw, inputs, networks, (weights, biases), room, out[block])
        for block, raw in _in_doubles(X)
    )


def walk(
    X: NDArray[Any],
    inputs: InputMap,
    levels: Levels,
    regions: NDArray[np.int8],
    decided_at: NDArray[np.intp],
    margins: Floats,
) -> None:
    """Decide every raw row at the first level that is sure of it."""
    room = evaluation.room_for(inputs.n_inputs, len(levels.b1), 1)
    for block, raw in _in_doubles(X):
        evaluation.walk(
            raw, inputs, levels, room, regions[block], decided_at[block], margins[block]
        )


def prepare(task: str) -> None:
    """Load or compile the code of a task, and log a line in the latter case.

    Parameters
    ----------
    task : {"train", "scale", "probabilities", "walk"}
        What will have to be done.
    """
    announced(_ON_NO_ROWS[task])


_NOTHING = Networks(0, _empty(1, 1), _empty(1), _empty(1, 2), _empty(1, 2))
_NO_ROWS = np.empty((0, 1))
_STRAIGHT = InputMap(
    np.zeros(1), np.ones(1), 1.0, np.empty(0, dtype=np.int64), *(np.empty((0, 1)),) * 3
)
_NO_LEVELS = Levels(0, _empty(1, 1), _empty(1), _empty(1, 1), _empty(1), _empty(1), _empty(1))
_ON_NO_ROWS: dict[str, Callable[[], object]] = {
    "train": lambda: logits(_empty(0, 1), np.empty(0, dtype=np.int32), _NOTHING),
    "scale": lambda: scale(_NO_ROWS, _STRAIGHT, _empty(0, 1)),
    "probabilities": lambda: probabilities(_NO_ROWS, _STRAIGHT, _NOTHING, np.empty((0, 2))),
    "walk": lambda: walk(
        _NO_ROWS,
        _STRAIGHT,
        _NO_LEVELS,
        np.empty(0, dtype=np.int8),
        np.empty(0, dtype=np.intp),
        _empty(0),
    ),
}
