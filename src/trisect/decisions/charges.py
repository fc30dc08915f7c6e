"""The books: what decisions cost once the truth is known, and how sure that sum is."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions.costs import CostMatrix
from trisect.decisions.instance_costs import InstanceCosts, as_costs
from trisect.decisions.regions import BND, NEG, POS, as_probabilities, threshold_regions

# More different costs than this are resampled one by one.
_FEW_AMOUNTS = 64


class CostInterval(NamedTuple):
    """An interval around a measured cost."""

    low: float
    high: float


def cheapest_regions(p: ArrayLike, costs: CostMatrix | InstanceCosts) -> NDArray[np.int8]:
    """Take the cheapest action for each probability.

    Parameters
    ----------
    p : array-like of shape (n_instances,)
        Probability that each instance is positive.
    costs : CostMatrix or InstanceCosts
        Costs for all instances or for each. Where deferring is never worth it, the
        decision is two-way, with gamma.

    Returns
    -------
    ndarray of int8
        POS (1), BND (0) or NEG (-1) for each instance.

    Examples
    --------
    >>> from trisect.decisions import CostMatrix, cheapest_regions
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    >>> cheapest_regions([0.1, 0.5, 0.8], costs)
    array([-1,  0,  1], dtype=int8)
    """
    p = as_probabilities(p)
    costs = as_costs(costs, p.size)
    alpha = np.where(costs.defers, costs.alpha, costs.gamma)
    beta = np.where(costs.defers, costs.beta, costs.gamma)
    return threshold_regions(p, alpha, beta)


def charge(
    positive: ArrayLike, regions: ArrayLike, costs: CostMatrix | InstanceCosts
) -> NDArray[np.float64]:
    """Charge each instance what its decision cost, in the user's unit.

    Parameters
    ----------
    positive : array-like of bool of shape (n_instances,)
        Whether each instance is truly positive.
    regions : array-like of shape (n_instances,)
        Region of each instance: POS, BND or NEG.
    costs : CostMatrix or InstanceCosts
        Costs for all instances or for each.

    Returns
    -------
    ndarray of shape (n_instances,)

    Examples
    --------
    >>> from trisect.decisions import CostMatrix, charge
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    >>> charge([True, True, False, False], [1, -1, 0, 1], costs)
    array([ 0., 10.,  1.,  5.])
    """
    truth, regions = np.asarray(positive, dtype=bool), np.asarray(regions)
    if truth.ndim != 1 or truth.shape != regions.shape:
        raise ValueError(
            "The truth and the regions must be one-dimensional and equally long, "
            f"got shapes {truth.shape} and {regions.shape}."
        )
    if not np.isin(regions, (NEG, BND, POS)).all():
        raise ValueError("regions must be POS (1), BND (0) or NEG (-1).")
    costs = as_costs(costs, len(truth))
    rows, columns = np.where(truth, 0, 1), 1 - regions.astype(np.intp)
    if isinstance(costs, CostMatrix):
        return costs.amounts()[rows, columns]
    return costs.amounts[np.arange(len(truth)), rows, columns]


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
        What each instance cost, as `charge` returns it.
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
