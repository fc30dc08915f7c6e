"""Probabilities and decisions of unscaled instances.

Few rows are evaluated by NumPy, many by compiled code; both give the same bits.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.network import Levels, Network, engine_for
from trisect.scaling.scaling import Scaling

__all__ = ["scaled_probabilities", "scaled_walk"]


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
    engine, scores = (
        engine_for("probabilities", len(X) * scaling.n_outputs),
        (network.W2, network.b2),
    )
    return out if engine.probabilities(X, scaling.inputs, network.nodes, scores, out) else None


def scaled_walk(
    network: Network, levels: Levels, scaling: Scaling, X: NDArray[Any]
) -> tuple[NDArray[np.int8], NDArray[np.intp], NDArray[np.float32]]:
    """Scale instances and decide each at the first level that is sure of it.

    Parameters
    ----------
    network : Network
        The network whose nodes the levels read.
    levels : Levels
        Read-outs and thresholds of the levels.
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
    engine = engine_for("walk", len(X) * scaling.n_outputs)
    engine.walk(X, scaling.inputs, network.nodes, levels, regions, decided_at, margins)
    return regions, decided_at, margins
