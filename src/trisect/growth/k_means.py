"""k-means for a handful of centres, without the overhead of an estimator.

Points and centres are whole numbers, so that sums and products of them are exact: results do not
depend on how a library of linear algebra orders its sums, or on its threads.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["k_means", "nearest"]

MOST_STEPS = 300
# Squared shift of all centres that counts as none, as a share of the mean variance.
TOLERANCE = 1e-4


def k_means(
    points: NDArray[np.float64], k: int, n_starts: int, random_state: np.random.RandomState
) -> NDArray[np.float64]:
    """Find centres by Lloyd's algorithm, from the best of some starts by k-means++.

    It draws what `sklearn.cluster.KMeans` draws and stops where that stops, so that it finds
    the same centres, but for their rounding. All starts are carried out together.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
        Points around zero, at least k of them distinct: whole numbers, no norm far above 1e7.
    k : int
        Number of centres.
    n_starts : int
        Number of starts.
    random_state : numpy.random.RandomState
        Source of all randomness.

    Returns
    -------
    ndarray of shape (k, n_features)
        The centres, in whole numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.growth.k_means import k_means
    >>> points = np.array([[-6.0], [-2.0], [8.0]])
    >>> sorted(k_means(points, 2, 1, np.random.RandomState(0)).ravel().tolist())
    [-4.0, 8.0]
    """
    # By columns, because products with their transpose are several times as fast then.
    points = np.asfortranarray(points)
    norms = np.square(points).sum(axis=1)
    close = TOLERANCE * norms.mean() / points.shape[1]
    centres = _starts(points, norms, k, n_starts, random_state)
    for _ in range(MOST_STEPS):
        members = nearest(points, centres)[:, None] == np.arange(k)[:, None]
        sizes = members.sum(axis=2)[..., None]
        # A centre that has lost all its points stays where it is.
        moved = np.where(sizes, np.rint(members @ points / np.maximum(sizes, 1)), centres)
        shifts = np.square(moved - centres).sum(axis=(1, 2))
        centres = moved
        if (shifts <= close).all():
            break
    spreads = _from_centres(points, centres).min(axis=1).sum(axis=1)
    return centres[spreads.argmin()]


def nearest(points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.intp]:
    """Find the nearest centre of each point, the first of several.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
        Points.
    centres : ndarray of shape (..., k, n_features)
        Centres of one run, or of several.

    Returns
    -------
    ndarray of int of shape (..., n_points)
        Number of the centre.
    """
    return _from_centres(points, centres).argmin(axis=-2)


def _from_centres(points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute squared distances, less the squared norm of each point."""
    distances = (-2.0 * centres) @ points.T
    distances += np.square(centres).sum(axis=-1)[..., None]
    return distances


def _starts(
    points: NDArray[np.float64],
    norms: NDArray[np.float64],
    k: int,
    n_starts: int,
    random_state: np.random.RandomState,
) -> NDArray[np.float64]:
    """Choose points as centres by k-means++, the best of a few candidates for each."""
    n_candidates = 2 + int(np.log(k))
    draws = random_state.random_sample((n_starts, 1 + (k - 1) * n_candidates))
    each = np.arange(n_starts)

    def squared_distances(chosen: NDArray[np.intp]) -> NDArray[np.float64]:
        return _from_centres(points, points[chosen]) + norms

    chosen = np.empty((n_starts, k), dtype=np.intp)
    chosen[:, 0] = draws[:, 0] * len(points)
    closest = squared_distances(chosen[:, 0])
    for c in range(1, k):
        first = 1 + (c - 1) * n_candidates
        upto = closest.cumsum(axis=1)
        drawn = draws[:, first : first + n_candidates] * upto[:, -1:]
        candidates = (upto[:, None] < drawn[..., None]).sum(axis=2)
        closer = np.minimum(closest[:, None], squared_distances(candidates))
        best = closer.sum(axis=2).argmin(axis=1)
        chosen[:, c], closest = candidates[each, best], closer[each, best]
    return points[chosen]
