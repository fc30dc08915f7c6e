"""Probabilities and decisions of unscaled instances, block by block.

Few rows are evaluated by NumPy, many by compiled code; both give the same bits.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.network import Levels, Network, engine_for, side_by_side
from trisect.scaling.scaling import Scaling

__all__ = ["scaled_probabilities", "scaled_walk"]

# Blocks of rows that are converted or scaled before they are evaluated: 2^17 cells in single
# precision stay in the second cache; a block of wide rows has at least 512.
BLOCK_CELLS = 1 << 17
FEWEST_ROWS = 1 << 9


def _blocks(n_rows: int, n_inputs: int) -> list[slice]:
    step = max(BLOCK_CELLS // n_inputs, FEWEST_ROWS)
    return [slice(start, start + step) for start in range(0, n_rows, step)]


def scaled_probabilities(
    network: Network, scaling: Scaling, X: NDArray[Any]
) -> NDArray[np.float64] | None:
    """Scale instances and compute their class probabilities, without a copy of X.

    Parameters
    ----------
    network : Network
        The network.
    scaling : Scaling
        The scaling in front of it.
    X : ndarray of shape (n_instances, n_features)
        Features, in single or double precision.

    Returns
    -------
    ndarray of shape (n_instances, n_classes) or None
        Probabilities; None if a feature is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.network import Network
    >>> from trisect.scaling import fit_scaling, scaled_probabilities
    >>> X = np.array([[1.0], [3.0]])
    >>> scaling = fit_scaling(X, "standard", np.random.default_rng(0))
    >>> node = Network(np.ones((1, 1)), np.zeros(1), np.array([[0.0, 1.0]]), np.zeros(2), "relu")
    >>> scaled_probabilities(node, scaling, X).round(4)
    array([[0.5   , 0.5   ],
           [0.2689, 0.7311]])
    """
    out = np.empty((len(X), network.n_classes))
    networks = side_by_side([network])
    engine = engine_for("probabilities", len(X) * scaling.n_outputs)
    for block in _blocks(len(X), scaling.n_outputs):
        if not engine.probabilities(X[block], scaling.inputs, networks, out[block]):
            return None
    return out


def scaled_walk(
    levels: Levels, scaling: Scaling, X: NDArray[Any]
) -> tuple[NDArray[np.int8], NDArray[np.intp], NDArray[np.float32]]:
    """Scale instances and decide each at the first level that is sure of it.

    Parameters
    ----------
    levels : Levels
        Nodes and thresholds of the levels.
    scaling : Scaling
        The scaling in front of them.
    X : ndarray of shape (n_instances, n_features)
        Finite features.

    Returns
    -------
    regions : ndarray of int8
        1 accepts, -1 rejects, 0 is still unsure after the last level.
    decided_at : ndarray of int
        Number of the level that decided, from 1; 0 for none.
    margins : ndarray of float32
        Logit of the positive class less that of the other, at the last level seen.
    """
    regions = np.zeros(len(X), dtype=np.int8)
    decided_at = np.zeros(len(X), dtype=np.intp)
    margins = np.empty(len(X), dtype=np.float32)
    n_cells = len(X) * scaling.n_outputs
    scaler, walker = engine_for("scale", n_cells), engine_for("walk", n_cells)
    for block in _blocks(len(X), scaling.n_outputs):
        scaled = np.empty((len(X[block]), scaling.n_outputs), dtype=np.float32)
        scaler.scale(X[block], scaling.inputs, scaled)
        walker.walk(scaled, levels, regions[block], decided_at[block], margins[block])
    return regions, decided_at, margins
