"""Probabilities of unscaled instances, block by block."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.network.compilation import announce_compilation
from trisect.network.parameters import Network, side_by_side, softmax
from trisect.scaling.kinds import Scaling

__all__ = ["scaled_probabilities"]

BLOCK_ROWS = 1 << 15


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
    from trisect.network import kernels

    out = np.empty((len(X), network.n_classes))
    linear = len(scaling.center) and not len(scaling.columns)
    if linear and network.n_classes == 2 and network.n_features <= kernels.FEW_FEATURES:
        announce_compilation(kernels.two_class_probabilities)
        activation, W1, b1, W2, b2 = side_by_side([network])
        bounds = (scaling.center, scaling.factor, scaling.limit)
        nothing = kernels.two_class_probabilities(X, *bounds, activation, W1, b1, W2, b2[0], out)
        return out if nothing == 0 else None
    announce_compilation(kernels.forward)
    for start in range(0, len(X), BLOCK_ROWS):
        rows = slice(start, start + BLOCK_ROWS)
        if not np.isfinite(X[rows].sum(dtype=np.float64)) and not np.isfinite(X[rows]).all():
            return None
        out[rows] = softmax(network.logits(scaling.transform(X[rows])).astype(np.float64))
    return out
