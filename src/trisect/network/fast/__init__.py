"""The fast engine: loops that numba compiles, in single precision.

Compiled code is kept on disk; without it a fit waits for the compiler. So there are few
kernels, each compiled for one set of types: one for all that a fit computes (`sweep`), and
three that only large batches need (`evaluation`). This module brings arrays into the form
that they expect.

Rows are handled in blocks that stay in cache. Inside a block every buffer has the rows as
its last axis, so that rows are the vector lanes.
"""

import math
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from trisect.network.contract import (
    NO_DEVIATIONS,
    Batches,
    Deviations,
    Floats,
    InputMap,
    Levels,
    Networks,
    Nodes,
    Optimiser,
    Rows,
)
from trisect.network.fast import evaluation
from trisect.network.fast.buffers import aligned, blocks
from trisect.network.fast.claims import new_counters
from trisect.network.fast.columns import BLOCK, Room, Weights, n_groups_of, needs_block
from trisect.network.fast.compiler import announced
from trisect.network.fast.curve_updates import OF_BEND, OF_NODE, OF_SHARED, CurveParameters
from trisect.network.fast.deviations import WIDE
from trisect.network.fast.gates import NUMBERS, StraightParameters
from trisect.network.fast.helpers import Help
from trisect.network.fast.lanes import LANES
from trisect.network.fast.optimiser import paces_of
from trisect.network.fast.sweep import EVALUATED_PARTS, SPAN, Own, sweep
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


# Tasks of a phase at most: parts of rows.
MOST_TASKS = EVALUATED_PARTS
# Raw values that are converted at once: a megabyte, which stays in cache.
BLOCK_CELLS = 1 << 17
# Shapes of networks for which a thread keeps buffers: rivals for a node, and all nodes.
SHAPES = 2


def _empty(*shape: int) -> Floats:
    return np.empty(shape, dtype=np.float32)


_NO_NUMBERS = np.empty(0, dtype=np.int32)
_NO_PARTS = np.empty((0, 2), dtype=np.int64)
_NO_LOGITS = _empty(0, 0, 0)
_NO_OPTIMISER = Optimiser(
    _empty(0), _empty(0), _empty(0), _empty(0), _NO_PARTS, _empty(0), _empty(0)
)
_NO_BATCHES = Batches(np.empty(0, dtype=np.int64), 0, _empty(0), 0)
_NOTHING_KEPT = _empty(0, 0)


Buffers = tuple[NDArray[Any], ...]


class _Scratch(threading.local):
    """The buffers of a thread, for the shapes that they were last needed for.

    A fit calls the kernel some hundred times on networks of two shapes that take turns, for a
    fraction of a millisecond each, so that memory and views would be a tenth of its time.
    """

    def __init__(self) -> None:
        self.kept: dict[tuple[Any, ...], Any] = {}

    def get(self, name: str, make: Callable[..., Any], *shape: Any) -> Any:
        """Return the buffers that have been made for a shape, or make them."""
        key = (name, *shape)
        found = self.kept.pop(key, None)
        if found is None:
            found = make(*shape)
            others = [other for other in self.kept if other[0] == name]
            for oldest in others[: len(others) + 1 - SHAPES]:
                del self.kept[oldest]
        self.kept[key] = found  # the last to go
        return found


_scratch = _Scratch()


class _Shape(NamedTuple):
    """All that the sizes of buffers depend on."""

    n_nodes: int
    n_features: int
    n_groups: int
    n_classes: int
    n_positions: int
    n_intervals: int
    gated: bool
    n_ranges: int
    """Of inputs that come as deviations from a usual row, or 0."""

    @classmethod
    def of(cls, networks: Networks, deviations: Deviations) -> Self:
        n_positions, n_intervals = len(networks.first) - 1, networks.line.size
        gated = networks.gates.size > 0
        (n_nodes, n_features), (n_groups, n_classes) = networks.W1.shape, networks.b2.shape
        n_ranges = deviations.starts.shape[1] - 1
        return cls(
            n_nodes, n_features, n_groups, n_classes, n_positions, n_intervals, gated, n_ranges
        )

    @property
    def n_straight(self) -> int:
        return self.n_features - self.n_positions

    @property
    def straight_width(self) -> int:
        """Straight inputs of a group at most."""
        if needs_block(self.n_straight):
            return self.n_straight
        return -(-self.n_straight // (self.n_column_groups * LANES)) * LANES

    @property
    def n_lane_groups(self) -> int:
        return -(-self.n_nodes // LANES) if self.n_positions else 0

    @property
    def n_column_groups(self) -> int:
        return self.n_ranges or n_groups_of(self.n_straight, self.n_positions)


def _own(shape: _Shape) -> tuple[Buffers, Buffers]:
    """Allocate the buffers of a thread for a block of rows."""
    [lanes], [wide], [sums] = blocks(LANES, BLOCK), blocks(WIDE, BLOCK), blocks(LANES, 2 + LANES)
    lanes[:], wide[:], sums[:] = 0.0, 0.0, 0.0  # Lanes without a node are computed too.
    n_nodes, n_classes = shape.n_nodes, shape.n_classes
    Z, A, slope, S, G = blocks(BLOCK, n_nodes, n_nodes, n_nodes, n_classes, n_classes)
    positions = (shape.n_column_groups, BLOCK, -(-shape.n_positions // shape.n_column_groups))
    place, share = np.empty(positions, dtype=np.uint32), _empty(*positions)
    own = Own(Z, A, slope, S, G, place, share, lanes, wide, sums)
    return tuple(own), _room(shape, 1)


def _room(shape: _Shape, n_blocks: int) -> Buffers:
    n_groups, n_nodes = shape.n_column_groups, shape.n_nodes
    n_copied = shape.n_straight if needs_block(shape.n_straight) else 0
    XT, Z, D = blocks(BLOCK, *(n_blocks * n for n in (n_copied, n_groups * n_nodes, n_nodes)))
    [V] = blocks(LANES, shape.n_lane_groups * n_blocks * BLOCK)
    room = Room(
        XT.reshape(n_blocks, n_copied, BLOCK),
        Z.reshape(n_blocks, n_groups, n_nodes, BLOCK),
        D.reshape(n_blocks, n_nodes, BLOCK),
        V.reshape(shape.n_lane_groups, n_blocks * BLOCK, LANES),
    )
    return tuple(room)


def _weights(shape: _Shape) -> Buffers:
    of_gated = (shape.n_column_groups if shape.gated else 0, shape.n_nodes, shape.straight_width)
    by_interval = (shape.n_lane_groups, shape.n_intervals, 2, LANES)
    n_all = shape.n_lane_groups * shape.n_intervals
    curves, by_curves = (memory.reshape(by_interval) for memory in blocks(2 * LANES, n_all, n_all))
    by_curves[:] = 0.0
    n_wide = -(-shape.n_nodes // WIDE) if shape.n_ranges else 0
    n_all = n_wide * shape.n_straight
    lanes, by_lanes = (
        memory.reshape(n_wide, shape.n_straight, WIDE) for memory in blocks(WIDE, n_all, n_all)
    )
    lanes[:], by_lanes[:] = 0.0, 0.0
    of_usual, by_usual = np.zeros((2, shape.n_column_groups, n_wide, WIDE), dtype=np.float32)
    W, by_weights = aligned(*of_gated), aligned(*of_gated)
    by_weights[:] = 0.0
    begins = np.empty(shape.n_positions, dtype=np.uint32)
    weights = Weights(begins, W, by_weights, curves, by_curves, lanes, by_lanes, of_usual, by_usual)
    return tuple(weights)


def _straight_parameters(shape: _Shape) -> Buffers:
    n_groups = shape.n_column_groups if shape.gated else 0
    heights = (shape.n_nodes, shape.n_nodes, shape.n_groups)
    shapes = ((n_groups, NUMBERS, height, shape.straight_width) for height in heights)
    return tuple(StraightParameters(*(aligned(*of) for of in shapes)))


def _curve_parameters(shape: _Shape) -> Buffers:
    n_lane_groups = shape.n_lane_groups
    n_net_groups = -(-shape.n_groups // LANES) if n_lane_groups else 0
    shapes = (
        (n_lane_groups, shape.n_intervals, OF_BEND),
        (n_lane_groups, shape.n_positions, OF_NODE),
        (n_net_groups, shape.n_positions, OF_SHARED),
        (n_lane_groups, 3),
        (n_net_groups,),
    )
    memory = blocks(LANES, *(math.prod(of) for of in shapes))
    parts = (part.reshape(*of, LANES) for part, of in zip(memory, shapes, strict=True))
    return tuple(CurveParameters(*parts))


def _rest(shape: _Shape) -> Floats:
    n_rest = shape.n_nodes + (shape.n_nodes + shape.n_groups) * shape.n_classes
    return np.zeros((SPAN // BLOCK, n_rest), dtype=np.float32)


def _sweep(
    rows: Rows,
    watched: Rows | None,
    networks: Networks,
    theta: float = 0.0,
    batches: Batches = _NO_BATCHES,
    optimiser: Optimiser = _NO_OPTIMISER,
    out: Floats = _NO_LOGITS,
    kept: Floats = _NOTHING_KEPT,
) -> NDArray[np.float64]:
    learns, n_helpers = batches is not _NO_BATCHES, n_threads() - 1
    shape = _Shape.of(networks, rows.deviations)
    by_W1 = networks.W1
    if learns:
        by_W1 = optimiser.gradient[: by_W1.size].reshape(by_W1.shape)
    looks = batches.looks_or_last()
    losses = np.zeros((len(looks), EVALUATED_PARTS, len(networks.b2)))
    if watched is None:
        watched = rows._replace(rows=_NO_NUMBERS)
    elif watched.deviations.usual is not rows.deviations.usual:
        watched = watched._replace(deviations=NO_DEVIATIONS)
    own, alone = _scratch.get("own", _own, shape)
    room = alone
    if learns:
        room = _scratch.get("room", _room, shape, -(-min(batches.size, SPAN) // BLOCK))
    weights = _scratch.get("weights", _weights, shape)
    weights[0][:] = networks.first[:-1]
    # The dispatcher takes three times as long to recognise named tuples as plain ones.
    work = (
        _plain(rows), _plain(watched), (batches.starts, batches.size, paces_of(batches), looks),
        tuple(networks), np.float32(theta), tuple(optimiser), by_W1, weights,
        _scratch.get("straight", _straight_parameters, shape),
        _scratch.get("curves", _curve_parameters, shape), room,
        (_scratch.get("rest", _rest, shape), out, losses, kept), new_counters(MOST_TASKS),
    )  # fmt: skip
    helping = Help(_help, shape, work, n_helpers + 1)
    try:
        if n_helpers:
            helping.ask(n_helpers)
        sweep(*work, own, alone, (0, n_helpers + 1))
    except BaseException:
        _scratch.kept.clear()  # Helpers may still be at work in these.
        raise
    finally:
        helping.close()
    return np.stack([parts.sum(axis=0) for parts in losses])


def _plain(rows: Rows) -> tuple[Any, ...]:
    return (*rows[:-2], tuple(rows.deviations), tuple(rows.runs))


def _help(number: int, shape: _Shape, work: tuple[Any, ...], n_threads: int) -> None:
    sweep(*work, *_scratch.get("own", _own, shape), (number, n_threads))


def train(
    rows: Rows,
    batches: Batches,
    networks: Networks,
    optimiser: Optimiser,
    theta: float,
    watched: Rows | None = None,
    kept: Floats | None = None,
) -> NDArray[np.float64]:
    """Update the networks once for each batch."""
    kept = _NOTHING_KEPT if kept is None else kept
    return _sweep(rows, watched, networks, theta, batches, optimiser, kept=kept)


def summed_losses(rows: Rows, networks: Networks, theta: float) -> NDArray[np.float64]:
    """Sum the weighted focal losses of the rows, for each group."""
    return _sweep(rows, rows, networks, theta)[0]


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
    curves, scores = evaluation.curves_of(nodes), (weights, biases)
    return all(
        evaluation.probabilities(raw, inputs, nodes, curves, scores, room, out[block])
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
