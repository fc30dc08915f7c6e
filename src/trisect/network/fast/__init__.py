"""The fast engine."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.network.contract import Batches, Curves, Networks, Optimiser, Rows
from trisect.network.fast.sweep import BLOCK, FEW_FEATURES, sweep
from trisect.network.parameters import parts_of

__all__ = ["logits", "summed_losses", "train", "train_curves"]

Floats = NDArray[np.float32]


class _Buffers(NamedTuple):
    XT: Floats
    Z: Floats
    A: Floats
    slope: Floats
    S: Floats
    G: Floats
    E: Floats
    curves: Floats
    bends: Floats
    gbends: Floats
    losses: NDArray[np.float64]
    sums: bool


def _empty(*shape: int) -> Floats:
    return np.empty(shape, dtype=np.float32)


_NO_CURVES = Curves(np.empty((0, 0), np.uint8), _empty(0, 0), _empty(0, 0))
_NO_OPTIMISER = Optimiser(
    _empty(0), _empty(0), _empty(0), _empty(0), np.empty((0, 2), np.int64), _empty(0)
)


def _run(
    rows: Rows,
    batches: Batches,
    networks: Networks,
    theta: float,
    optimiser: Optimiser = _NO_OPTIMISER,
    curves: Curves = _NO_CURVES,
    out: Floats | None = None,
    sums: bool = True,
) -> NDArray[np.float64]:
    n_nodes, n_features = networks.W1.shape
    n_groups, n_classes = networks.b2.shape
    tail = optimiser.parameters.size - curves.values.size
    by_lane = curves.values.size or n_features <= FEW_FEATURES
    buffers = _Buffers(
        _empty(n_features if by_lane else 1, BLOCK),
        _empty(n_nodes, BLOCK),
        _empty(n_nodes, BLOCK),
        _empty(n_nodes, BLOCK),
        _empty(n_classes, BLOCK),
        _empty(n_classes, BLOCK),
        _empty(len(curves.values), BLOCK),
        _empty(*curves.values.shape),
        optimiser.parameters[tail:].reshape(curves.values.shape),
        optimiser.gradient[tail:].reshape(curves.values.shape),
        np.zeros(n_groups),
        sums,
    )
    if optimiser is _NO_OPTIMISER:
        gradient = networks
    else:
        gradient = parts_of(
            optimiser.gradient[:tail], n_groups, n_features, n_classes, networks.activation
        )
    sweep(
        rows, batches, networks, np.float32(theta), optimiser, gradient, curves, buffers,
        _empty(0, 0, 0) if out is None else out,
    )  # fmt: skip
    return buffers.losses


def train(rows, batches, networks, optimiser, theta, sums=True):
    return _run(rows, batches, networks, theta, optimiser, sums=sums)


def _once(n: int) -> Batches:
    return Batches(np.zeros(1, np.int64), n, _empty(0), 0)


def summed_losses(rows, networks, theta):
    return _run(rows, _once(len(rows.rows)), networks, theta)


def logits(X, rows, networks):
    out = _empty(len(networks.b2), len(rows), networks.b2.shape[1])
    if len(rows):
        data = Rows(X, np.empty(0, np.int32), _empty(0), rows, _empty(0, 0))
        _run(data, _once(len(rows)), networks, 0.0, out=out)
    return out


def train_curves(curves, y, weight, batches, networks, optimiser):
    n_classes = networks.b2.shape[1]
    rows = Rows(_empty(0, 0), y, weight, np.arange(len(y), dtype=np.int32), _empty(0, n_classes))
    _run(rows, batches, networks, 0.0, optimiser, curves, sums=False)
