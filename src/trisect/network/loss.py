"""The focal loss, and the weight delta that it gives to each class."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["DELTAS", "class_balance", "focal_losses"]

DELTAS = ("frequency", "inverse")
"""The ways to weight the classes that are known by name."""


def focal_losses(logits: NDArray, y: NDArray, theta: float = 0.0) -> NDArray:
    """Compute ``-(1 - p)^theta log p`` with p the probability of the true class.

    Parameters
    ----------
    logits : ndarray of shape (..., n_instances, n_classes)
        Outputs before softmax.
    y : ndarray of int of shape (n_instances,)
        Classes, from 0.
    theta : float, default=0
        How strongly easy instances are discounted; 0 is the cross-entropy.

    Returns
    -------
    ndarray of shape (..., n_instances)
        One loss per instance.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.network import focal_losses
    >>> focal_losses(np.array([[0.0, 0.0]]), np.array([1])).round(4)
    array([0.6931])
    """
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_total = np.log(np.exp(shifted).sum(axis=-1))
    index = np.broadcast_to(y[:, None], (*logits.shape[:-1], 1))
    log_p = np.take_along_axis(shifted, index, axis=-1)[..., 0] - log_total
    if theta == 0:
        return -log_p
    return -((-np.expm1(log_p)) ** theta) * log_p


def class_balance(
    y: NDArray, n_classes: int, delta: str | Sequence[float] | None, weight: NDArray | None = None
) -> NDArray[np.float64]:
    """Compute the weight of each class in the loss.

    Parameters
    ----------
    y : ndarray of int
        Classes, from 0.
    n_classes : int
        Number of classes.
    delta : {"frequency", "inverse"}, sequence of float, or None
        "frequency" weights a class by its share, which favours the majority;
        "inverse" by the inverse of its share; None treats all alike; a sequence
        gives the weights. All but the last are scaled so that the mean weight of
        an instance is one.
    weight : ndarray, optional
        Weights of the instances.

    Returns
    -------
    ndarray of shape (n_classes,)
        One weight per class.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.network import class_balance
    >>> class_balance(np.array([0, 0, 0, 1]), 2, "inverse").round(4)
    array([0.6667, 2.    ])
    """
    if delta is None:
        return np.ones(n_classes)
    if not isinstance(delta, str):
        given = np.array(delta, dtype=np.float64)
        if given.shape != (n_classes,) or not (np.isfinite(given) & (given >= 0)).all():
            raise ValueError(
                f"delta must hold one weight for each of the {n_classes} classes, finite "
                f"and not negative, got {delta!r}."
            )
        return given
    shares = np.bincount(y, weights=weight, minlength=n_classes).astype(np.float64)
    shares /= shares.sum()
    if delta == "frequency":
        return shares / np.square(shares).sum()
    present = shares > 0
    inverse = np.divide(1.0, shares, out=np.zeros(n_classes), where=present)
    return inverse / present.sum()
