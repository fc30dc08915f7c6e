"""The costs of the process: tests and delays, beside the cost of the results."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def test_costs(m: ArrayLike, u: ArrayLike) -> NDArray[np.float64]:
    """Add up the test costs: each level pays for the instances that it tests.

    Parameters
    ----------
    m : array-like of shape (n_levels,)
        Number of instances handed to the three-way decision at each level.
    u : array-like
        Unit test cost of each level; those beyond the last level are not used.

    Returns
    -------
    ndarray of shape (n_levels,)
        Test cost after each level.

    Examples
    --------
    >>> from trisect.decisions import test_costs
    >>> test_costs([3, 2], [1, 2, 3])
    array([3., 7.])
    """
    return np.cumsum(_level_costs(m, u))


def delay_costs(m: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
    """Return the largest delay cost so far: delays overlap, so they do not add up.

    Parameters
    ----------
    m : array-like of shape (n_levels,)
        Number of instances handed to the three-way decision at each level.
    v : array-like
        Unit delay cost of each level; those beyond the last level are not used.

    Returns
    -------
    ndarray of shape (n_levels,)
        Delay cost after each level.

    Examples
    --------
    >>> from trisect.decisions import delay_costs
    >>> delay_costs([3, 2, 1], [1, 2, 3])
    array([3., 4., 4.])
    """
    return np.maximum.accumulate(_level_costs(m, v))


def unit_costs(n_levels: int) -> NDArray[np.float64]:
    """Return unit costs that rise evenly from 1 at the first level to 50 at the last.

    Examples
    --------
    >>> from trisect.decisions import unit_costs
    >>> unit_costs(3)
    array([ 1. , 25.5, 50. ])
    """
    return np.linspace(1.0, 50.0, n_levels)


def resolve_unit_costs(
    given: ArrayLike | None, n_levels: int, name: str, default: ArrayLike
) -> NDArray[np.float64]:
    """Return one unit cost per level, as given in the parameter `name` or by default.

    Costs beyond the last level are not used.
    """
    values = np.asarray(default if given is None else given, dtype=np.float64)
    sound = values.ndim == 1 and len(values) >= n_levels
    if not (sound and np.isfinite(values).all() and (values >= 0).all()):
        raise ValueError(
            f"{name} must hold {n_levels} numbers, one for each level, finite and not "
            f"negative; got {given!r}."
        )
    return values[:n_levels]


def _level_costs(counts: ArrayLike, units: ArrayLike) -> NDArray[np.float64]:
    counts = np.asarray(counts, dtype=np.float64)
    units = np.asarray(units, dtype=np.float64)
    if counts.ndim != 1 or units.ndim != 1 or len(units) < len(counts):
        raise ValueError(
            f"Each level needs a unit cost: got counts of shape {counts.shape} "
            f"and unit costs of shape {units.shape}."
        )
    if not (np.all(counts >= 0) and np.all(units >= 0)):
        raise ValueError("Counts and unit costs must not be negative or NaN.")
    return counts * units[: len(counts)]
