"""Regions of accepted, deferred and rejected instances, and what they cost."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions.costs import CostMatrix

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
    p = as_probabilities(p)
    return (p >= alpha).astype(np.int8) - (p <= beta).astype(np.int8)


def threshold_regions(p: ArrayLike, alpha: ArrayLike, beta: ArrayLike) -> NDArray[np.int8]:
    """Decide with any pair of thresholds, of which the one for accepting goes first.

    Unlike `three_way_regions`, equal thresholds are allowed and defer nothing, and there
    may be a pair for each instance.

    Parameters
    ----------
    p : array-like
        Conditional probability that each instance is positive.
    alpha, beta : float or array-like
        Accept from alpha upwards; of the others, reject from beta downwards.

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
    """Accept from gamma upwards and reject below: nothing is deferred.

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


def expected_losses(p: ArrayLike, costs: CostMatrix) -> NDArray[np.float64]:
    """Compute the expected loss of accepting, deferring and rejecting.

    Parameters
    ----------
    p : array-like of shape (n_instances,)
        Conditional probability that each instance is positive.
    costs : CostMatrix
        Costs of the level.

    Returns
    -------
    ndarray of shape (n_instances, 3)
        Columns accept, defer, reject, in the unit of the costs.

    Examples
    --------
    >>> from trisect.decisions import CostMatrix, expected_losses
    >>> costs = CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])
    >>> expected_losses([0, 0.5, 1], costs)
    array([[0.6 , 0.1 , 0.  ],
           [0.3 , 0.15, 0.4 ],
           [0.  , 0.2 , 0.8 ]])
    """
    p = as_probabilities(p)
    return np.column_stack((p, 1 - p)) @ costs.amounts()


def result_cost(
    p: ArrayLike,
    regions: ArrayLike,
    costs: CostMatrix,
    boundary_penalty: float = 2.0,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Sum the expected losses of the actions taken: the risk of a level.

    Parameters
    ----------
    p : array-like of shape (n_instances,)
        Conditional probability that each instance is positive.
    regions : array-like of shape (n_instances,)
        Region of each instance: POS, BND or NEG.
    costs : CostMatrix
        Costs of the level.
    boundary_penalty : float, default=2.0
        Factor, at least 1, on the loss of each deferred instance.
    sample_weight : array-like of shape (n_instances,), optional
        How often each instance counts; once by default.

    Returns
    -------
    float

    Examples
    --------
    One instance is rejected and two are deferred:

    >>> from trisect.decisions import CostMatrix, result_cost
    >>> costs = CostMatrix.from_array([[0, 0.1506, 0.9021], [0.4592, 0.1249, 0]])
    >>> round(result_cost([0, 0.5, 0.5], [-1, 0, 0], costs), 4)
    0.551
    """
    if not boundary_penalty >= 1:
        raise ValueError(f"boundary_penalty must be at least 1, got {boundary_penalty!r}.")
    regions = np.asarray(regions)
    if not np.isin(regions, (NEG, BND, POS)).all():
        raise ValueError("regions must be POS (1), BND (0) or NEG (-1).")
    losses = expected_losses(p, costs)
    if regions.shape != losses.shape[:1]:
        raise ValueError(f"{len(losses)} probabilities were given for {regions.size} regions.")
    columns = 1 - regions.astype(np.intp)
    taken = np.take_along_axis(losses, columns[:, None], axis=1)[:, 0]
    taken *= np.where(regions == BND, boundary_penalty, 1.0)
    if sample_weight is not None:
        weight = np.asarray(sample_weight)
        if weight.shape != taken.shape:
            raise ValueError(f"{weight.size} weights were given for {len(taken)} probabilities.")
        taken *= weight
    return float(np.sum(taken))


def as_probabilities(p: ArrayLike) -> NDArray[np.float64]:
    """Return p as an array, or say that it does not hold probabilities."""
    values = np.asarray(p, dtype=np.float64)
    if not np.all((values >= 0) & (values <= 1)):
        raise ValueError("Probabilities must lie in [0, 1] and not be NaN.")
    return values
