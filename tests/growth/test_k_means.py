"""k-means finds what scikit-learn's finds."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from trisect.growth.k_means import k_means, nearest


def _points(seed, n_rows, n_features):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n_rows, n_features)) + 2 * rng.integers(0, 3, size=(n_rows, 1))
    return np.rint(1e6 * (points - points.mean(axis=0)))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("n_rows", "n_features", "k", "n_starts"),
    [(2000, 8, 5, 1), (300, 20, 3, 1), (60, 2, 5, 10), (5, 1, 2, 10)],
)
def test_the_labels_are_those_of_scikit_learn(n_rows, n_features, k, n_starts, seed):
    points = _points(seed, n_rows, n_features)
    centres = k_means(points, k, n_starts, np.random.RandomState(seed))
    model = KMeans(k, n_init=n_starts, random_state=seed).fit(points)
    spread = np.square(points - centres[nearest(points, centres)]).sum()
    if n_starts == 1:
        np.testing.assert_array_equal(nearest(points, centres), model.labels_)
    assert spread <= model.inertia_ * (1 + 1e-9)


def test_results_do_not_depend_on_threads_or_layout():
    points = _points(0, 8000, 40)
    with threadpool_limits(1):
        alone = k_means(points, 5, 1, np.random.RandomState(0))
    with threadpool_limits(2):
        other = k_means(np.asfortranarray(points), 5, 1, np.random.RandomState(0))
    np.testing.assert_array_equal(alone, other)


def test_every_distinct_point_can_be_a_centre():
    points = np.repeat([[-9.0], [0.0], [9.0]], 4, axis=0)
    for seed in range(20):
        centres = k_means(points, 3, 1, np.random.RandomState(seed))
        assert sorted(centres.ravel().tolist()) == [-9.0, 0.0, 9.0]


def test_the_best_of_several_starts_is_kept():
    points = _points(3, 80, 2)
    spreads = []
    for n_starts in (1, 10):
        centres = k_means(points, 5, n_starts, np.random.RandomState(1))
        spreads.append(np.square(points - centres[nearest(points, centres)]).sum())
    assert spreads[1] <= spreads[0]
