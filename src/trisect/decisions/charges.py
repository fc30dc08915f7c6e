"""What decisions cost: the risk of a level, and intervals around measured costs."""

from __future__ import annotations  # NumPy loads numpy.random when it is named

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions.checks import as_probabilities, as_regions
from trisect.decisions.given_costs import as_cost_matrix
from trisect.decisions.regions import BND

# With at most this many different charges, one multinomial draw replaces a resample.
_FEW_AMOUNTS = 64


class CostInterval(NamedTuple):
    """An interval around a measured cost."""

    low: float
    high: float


def expected_losses(p: ArrayLike, costs: Any) -> NDArray[np.float64]:
    """Compute the expected loss of accepting, deferring and rejecting.

    Parameters
    ----------
    p : array-like of shape (n_instances,)
        Conditional probability that each instance is positive.
    costs : CostMatrix, array-like of shape (2, 3) or dict
        Costs of the level, see `as_costs`.

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
    return np.column_stack((p, 1 - p)) @ as_cost_matrix(costs).amounts


def result_cost(
    p: ArrayLike,
    regions: ArrayLike,
    costs: Any,
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
    costs : CostMatrix, array-like of shape (2, 3) or dict
        Costs of the level, see `as_costs`.
    boundary_penalty : float, default=2.0
        Factor, at least 1, on the loss of each deferred instance. An expected gain is
        reduced by as much as a loss of the same size is raised.
    sample_weight : array-like of shape (n_instances,), optional
        How often each instance counts; once by default.

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
    regions = as_regions(regions)
    losses = expected_losses(p, costs)
    if regions.shape != losses.shape[:1]:
        raise ValueError(f"{len(losses)} probabilities were given for {regions.size} regions.")
    columns = 1 - regions.astype(np.intp)
    taken = np.take_along_axis(losses, columns[:, None], axis=1)[:, 0]
    taken += np.where(regions == BND, (boundary_penalty - 1) * np.abs(taken), 0.0)
    if sample_weight is not None:
        weight = np.asarray(sample_weight)
        if weight.shape != taken.shape:
            raise ValueError(f"{weight.size} weights were given for {len(taken)} probabilities.")
        taken *= weight
    return float(np.sum(taken))


def bootstrap_interval(
    charges: ArrayLike,
    *,
    n_resamples: int = 2000,
    confidence: float = 0.95,
    random_state: Any = 0,
) -> CostInterval:
    """Bound the mean cost of an instance by resampling the instances.

    Parameters
    ----------
    charges : array-like of shape (n_instances,)
        What each instance cost, as `CostMatrix.charge` returns it.
    n_resamples : int, default=2000
        Number of bootstrap samples.
    confidence : float, default=0.95
        Share of the resampled means inside the interval.
    random_state : None, int or numpy.random.Generator, default=0
        Seed of the resampling.

    Returns
    -------
    CostInterval
        ``low`` and ``high`` of the mean; multiply by the number of instances for a sum.

    Examples
    --------
    >>> from trisect.decisions import bootstrap_interval
    >>> low, high = bootstrap_interval([0, 0, 0, 1, 5] * 40)
    >>> low < 1.2 < high
    True
    """
    values = np.asarray(charges, dtype=np.float64)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise ValueError("charges must be a non-empty list of finite numbers.")
    if not (n_resamples >= 1 and 0 < confidence < 1):
        raise ValueError("n_resamples must be at least 1 and confidence between 0 and 1.")
    rng = np.random.default_rng(random_state)
    amounts, counts = np.unique(values, return_counts=True)
    n = len(values)
    if len(amounts) <= _FEW_AMOUNTS:
        means = rng.multinomial(n, counts / n, size=n_resamples) @ amounts / n
    else:
        means = np.array([values[rng.integers(n, size=n)].mean() for _ in range(n_resamples)])
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail]).tolist()
    return CostInterval(low, high)
