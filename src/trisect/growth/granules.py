"""Granules: groups of similar instances that are decided together."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from trisect.growth.k_means import k_means, nearest

__all__ = ["GRANULES", "granulate"]

Labels: TypeAlias = NDArray[np.intp]

# k-means is fitted to at most this many rows; the others join the nearest centre.
_SAMPLE_ROWS = 10_000
_BLOCK_ROWS = 65_536
# With so few rows, one start of k-means is often poor and ten cost next to nothing.
_FEW_ROWS = 100
# Steps of a grid this fine have squares well above the rounding of float64.
_GRID = 1e7


def _kmeans_granules(X: NDArray[Any], n_granules: int, random_state: Any) -> Labels:
    """Group rows around at most n_granules centres found by k-means++."""
    seed = _legacy_random_state(random_state)
    sample = X
    if len(X) > _SAMPLE_ROWS:
        chosen = np.random.default_rng(seed).choice(len(X), _SAMPLE_ROWS, replace=False)
        sample = X[np.sort(chosen)]
    sample = np.asarray(sample, dtype=np.float64)
    largest = np.abs(sample).max() or 1.0
    scaled = sample / largest
    centre = scaled.mean(axis=0)
    scaled -= centre
    factor = _GRID / (np.linalg.norm(scaled, axis=1).max() or 1.0)

    # There are never more centres than distinct rows. On the grid, rows are either equal or far
    # enough apart for its arithmetic.
    points = np.rint(scaled * factor)
    k = _count_distinct(points, at_most=n_granules)
    if k == 1:
        return np.zeros(len(X), dtype=np.intp)
    starts = 10 if len(points) <= _FEW_ROWS else 1
    centres = k_means(points, k, starts, check_random_state(seed))
    if len(X) == len(sample):
        return nearest(points, centres)
    labels = np.empty(len(X), dtype=np.intp)
    for start in range(0, len(X), _BLOCK_ROWS):
        block = slice(start, start + _BLOCK_ROWS)
        others = np.asarray(X[block], dtype=np.float64) / largest - centre
        labels[block] = nearest(np.rint(others * factor), centres)
    return labels


def _row_granules(X: NDArray[Any], n_granules: int, random_state: Any) -> Labels:
    """Group identical rows, however many groups that makes."""
    order = np.lexsort(X.T)
    ordered = X[order]
    starts = np.any(ordered[1:] != ordered[:-1], axis=1)
    labels = np.zeros(len(X), dtype=np.intp)
    labels[order[1:]] = np.cumsum(starts)
    return labels


def _bin_granules(X: NDArray[Any], n_granules: int, random_state: Any) -> Labels:
    """Cut each feature into n_granules bins of equal width and group equal rows."""
    from sklearn.preprocessing import KBinsDiscretizer

    varying = X[:, X.min(axis=0) < X.max(axis=0)]
    if n_granules == 1 or varying.shape[1] == 0:
        return np.zeros(len(X), dtype=np.intp)
    bins = KBinsDiscretizer(n_granules, encode="ordinal", strategy="uniform", subsample=None)
    binned = bins.fit_transform(varying)
    # Few values are bins already.
    for j, column in enumerate(varying.T):
        if _count_distinct(column[:, None], at_most=n_granules + 1) <= n_granules:
            binned[:, j] = column
    return _row_granules(binned, n_granules, random_state)


GRANULES: dict[str, Callable[[NDArray[Any], int, Any], Labels]] = {
    "kmeans": _kmeans_granules,
    "rows": _row_granules,
    "bins": _bin_granules,
}
"""The kinds of granules that have a name."""


def granulate(
    X: ArrayLike,
    granules: str | Callable[[NDArray[Any], int, NDArray[Any] | None, Any], ArrayLike] = "kmeans",
    n_granules: int = 5,
    random_state: Any = None,
    *,
    level: int = 1,
    parents: NDArray[Any] | None = None,
) -> Labels:
    """Assign each instance to a granule.

    Parameters
    ----------
    X : array-like of shape (n_instances, n_features)
        Dense, finite features.
    granules : {"kmeans", "rows", "bins"} or callable, default="kmeans"
        "kmeans" clusters with k-means++; "rows" groups identical rows; "bins" groups rows
        that fall into the same bin of every feature, where a feature with no more values
        than bins keeps its values. A callable takes ``(X, level, parents, random_state)``
        and returns one label of any type per instance.
    n_granules : int, default=5
        Number of clusters for "kmeans", or of distinct rows if there are fewer; number
        of bins per feature for "bins".
    random_state : None, int, numpy.random.Generator or numpy.random.RandomState
        Seed of the clusters.
    level : int, default=1
        Number of the level, for a callable.
    parents : ndarray of int of shape (n_instances,), optional
        Granules of the level before, which are divided further; a negative number stands
        for instances that were in none.

    Returns
    -------
    ndarray of int
        Granule of each instance, numbered from 0 without gaps.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.growth import granulate
    >>> labels = granulate([[0.0], [0.1], [5.0]], n_granules=2, random_state=0)
    >>> bool(labels[0] == labels[1] != labels[2])
    True
    >>> granulate([[1, 2], [0, 2], [1, 2]], granules="rows").tolist()
    [1, 0, 1]
    >>> granulate([[1, 2], [0, 2], [1, 2]], granules="rows", parents=np.array([0, 0, 1])).tolist()
    [1, 0, 2]
    """
    X = np.asarray(X)
    if X.ndim != 2 or X.shape[1] == 0:
        raise ValueError(f"X must have rows and at least one feature, got shape {X.shape}.")
    if n_granules < 1:
        raise ValueError(f"n_granules must be at least 1, got {n_granules!r}.")
    if isinstance(granules, str) and granules not in GRANULES:
        raise ValueError(f"granules must be one of {sorted(GRANULES)} or callable: {granules!r}.")
    if len(X) == 0:
        return np.zeros(0, dtype=np.intp)
    if isinstance(granules, str):
        labels = _within_parents(X, GRANULES[granules], n_granules, random_state, parents)
    else:
        labels = np.asarray(granules(X, level, parents, random_state))
    if labels.shape != (len(X),):
        raise ValueError(f"Expected {len(X)} granule labels, got shape {labels.shape}.")
    return np.unique(labels, return_inverse=True)[1].astype(np.intp, copy=False)


def _within_parents(
    X: NDArray[Any],
    kind: Callable[[NDArray[Any], int, Any], Labels],
    n_granules: int,
    random_state: Any,
    parents: NDArray[Any] | None,
) -> Labels:
    """Form granules of one kind within each parent, or among all instances."""
    if parents is None:
        return kind(X, n_granules, random_state)
    groups = np.unique(parents, return_inverse=True)[1]
    labels, first = np.zeros(len(X), dtype=np.intp), 0
    for group in range(groups.max() + 1):
        members = np.flatnonzero(groups == group)
        found = kind(X[members], n_granules, random_state)
        labels[members] = first + found
        first += found.max() + 1
    return labels


def _count_distinct(rows: NDArray[Any], at_most: int) -> int:
    """Count distinct rows up to a limit."""
    for part in (rows[:256], rows):
        count, left = 0, part
        while len(left) and count < at_most:
            left = left[np.any(left != left[0], axis=1)]
            count += 1
        if count == at_most:
            break
    return count


def _legacy_random_state(random_state: Any) -> Any:
    """Return a source of randomness that scikit-learn accepts, which excludes Generator."""
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    return random_state
