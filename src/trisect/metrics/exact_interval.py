"""Exact intervals around shares."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv

__all__ = ["exact_interval"]

Floats = NDArray[np.float64]


def exact_interval(successes: ArrayLike, n: ArrayLike, alpha: float) -> tuple[Floats, Floats]:
    """Bound a share from one sample of fixed size: the interval of Clopper and Pearson.

    Parameters
    ----------
    successes, n : array-like of int
        Successes and trials.
    alpha : float
        Probability that the interval misses the share.

    Returns
    -------
    low, high : ndarray

    Examples
    --------
    >>> from trisect.metrics import exact_interval
    >>> low, high = exact_interval(0, 12, alpha=0.05)
    >>> float(low), round(float(high), 3)
    (0.0, 0.265)
    """
    k, n = np.asarray(successes), np.asarray(n)
    with np.errstate(invalid="ignore"):
        low = np.where(k > 0, betaincinv(k, n - k + 1, alpha / 2), 0.0)
        high = np.where(k < n, betaincinv(k + 1, n - k, 1 - alpha / 2), 1.0)
    return low, high
