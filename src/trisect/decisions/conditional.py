"""Conditional probability: the share of positive instances in an equivalence class."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def conditional_probability(
    labels: ArrayLike, positive: ArrayLike, sample_weight: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Compute, for each instance, the share of positive instances in its granule.

    Parameters
    ----------
    labels : array-like of shape (n_instances,)
        Granule of each instance, from 0.
    positive : array-like of bool of shape (n_instances,)
        Whether each instance is positive.
    sample_weight : array-like of shape (n_instances,), optional
        Weight of each instance in its share, equal by default.

    Returns
    -------
    ndarray of shape (n_instances,)
        Probability that an instance of the same granule is positive; NaN if its granule
        has no weight.

    Examples
    --------
    >>> from trisect.decisions import conditional_probability
    >>> conditional_probability([0, 1, 1], [False, True, False])
    array([0. , 0.5, 0.5])
    """
    labels, positive = np.asarray(labels, dtype=np.intp), np.asarray(positive, dtype=bool)
    if labels.ndim != 1 or labels.shape != positive.shape:
        raise ValueError(
            "labels and positive must be one-dimensional and equally long, "
            f"got shapes {labels.shape} and {positive.shape}."
        )
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    if weight is not None and (weight.shape != labels.shape or (weight < 0).any()):
        raise ValueError(
            f"sample_weight must hold one non-negative weight for each of {len(labels)} "
            f"instances, got {sample_weight!r}."
        )
    sizes = np.bincount(labels, weight)
    of_positive = None if weight is None else weight[positive]
    hits = np.bincount(labels[positive], of_positive, minlength=len(sizes))
    shares = np.divide(hits, sizes, out=np.full(len(sizes), np.nan), where=sizes > 0)
    return shares[labels]
