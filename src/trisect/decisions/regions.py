"""The regions of accepted, deferred and rejected instances, from thresholds."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions.checks import as_probabilities

POS: Final = np.int8(1)
"""Region of the accepted instances."""
BND: Final = np.int8(0)
"""Region of the deferred instances, the boundary."""
NEG: Final = np.int8(-1)
"""Region of the rejected instances."""


def three_way_regions(p: ArrayLike, alpha: float, beta: float) -> NDArray[np.int8]:
    """Accept from alpha upwards, reject from beta downwards, defer in between.

    Parameters
    ----------
    p : array-like
        Conditional probability that each instance is positive.
    alpha, beta : float
        Thresholds with ``beta < alpha``.

    Returns
    -------
    ndarray of int8
        POS (1), BND (0) or NEG (-1) for each instance.

    Examples
    --------
    >>> from trisect.decisions import three_way_regions
    >>> three_way_regions([0.1, 0.5, 0.8], alpha=0.8, beta=0.1)
    array([-1,  0,  1], dtype=int8)
    """
    if not beta < alpha:
        raise ValueError(f"beta must be below alpha, got beta={beta!r} and alpha={alpha!r}.")
    return threshold_regions(p, alpha, beta)


def threshold_regions(p: ArrayLike, alpha: ArrayLike, beta: ArrayLike) -> NDArray[np.int8]:
    """Decide with any pair of thresholds, or with one pair per instance.

    Unlike `three_way_regions`, this allows equal thresholds, which defer nothing.
    Accepting is tried first.

    Parameters
    ----------
    p : array-like
        Conditional probability that each instance is positive.
    alpha, beta : float or array-like
        Accept from alpha upwards; reject what remains from beta downwards.

    Returns
    -------
    ndarray of int8
        POS (1), BND (0) or NEG (-1) for each instance.

    Examples
    --------
    >>> from trisect.decisions import threshold_regions
    >>> threshold_regions([0.1, 0.5, 0.8], alpha=0.5, beta=0.5)
    array([-1,  1,  1], dtype=int8)
    """
    p = as_probabilities(p)
    accept = p >= np.asarray(alpha)
    return accept.astype(np.int8) - (~accept & (p <= np.asarray(beta))).astype(np.int8)


def two_way_regions(p: ArrayLike, gamma: float) -> NDArray[np.int8]:
    """Accept from gamma upwards and reject below, deferring nothing.

    Parameters
    ----------
    p : array-like
        Conditional probability that each instance is positive.
    gamma : float
        Threshold.

    Returns
    -------
    ndarray of int8
        POS (1) or NEG (-1) for each instance.

    Examples
    --------
    >>> from trisect.decisions import two_way_regions
    >>> two_way_regions([0.1, 0.5, 0.8], gamma=0.5)
    array([-1,  1,  1], dtype=int8)
    """
    return np.where(as_probabilities(p) >= gamma, POS, NEG)
