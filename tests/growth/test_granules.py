"""Granules: the three named kinds, callables, and awkward rows."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from trisect.growth import GRANULES, granulate

BLOBS = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [50, 0], [0, 50]], 20, 0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_clusters_that_lie_apart_are_found(dtype):
    labels = granulate(BLOBS.astype(dtype), n_granules=3, random_state=0).reshape(3, 20)
    assert np.all(labels == labels[:, :1])
    assert sorted(labels[:, 0]) == [0, 1, 2]


@pytest.mark.parametrize("kind", sorted(GRANULES))
def test_numbers_have_no_gaps(kind):
    labels = granulate(BLOBS, kind, n_granules=4, random_state=0)
    assert labels.shape == (60,)
    assert np.array_equal(np.unique(labels), np.arange(labels.max() + 1))


@pytest.mark.parametrize(
    ("X", "most"),
    [
        (np.ones((9, 3)), 1),
        (np.repeat([[0.0], [1.0], [5.0]], 4, 0), 3),
        (np.arange(2.0)[:, None], 2),
        (np.array([[7.0]]), 1),
        (1e30 + np.arange(6.0)[:, None], 1),
        (np.array([[-1e308], [1e308], [0.0]]), 3),
        (np.array([[1e-300], [2e-300]]), 2),
    ],
    ids=["constant", "repeated", "two rows", "one row", "same to rounding", "huge", "tiny"],
)
def test_no_more_clusters_than_different_rows(X, most):
    labels = granulate(X, n_granules=5, random_state=0)
    assert labels.max() + 1 == most


def test_a_distinct_row_far_down_is_counted():
    X = np.zeros((1000, 2))
    X[-1] = 1
    assert granulate(X, n_granules=5, random_state=0).tolist() == [0] * 999 + [1]


def test_very_many_rows_are_clustered_too():
    # More rows than k-means looks at, and more than are assigned to centres at once.
    X = np.tile(BLOBS, (1200, 1))
    labels = granulate(X, n_granules=3, random_state=0).reshape(1200, 3, 20)
    assert np.all(labels == labels[:1, :, :1])
    assert sorted(labels[0, :, 0]) == [0, 1, 2]


def test_one_seed_gives_the_same_granules_whatever_the_threads():
    X = np.random.default_rng(1).normal(size=(12_000, 4))
    runs = []
    for threads in (1, 2, 1):
        with threadpool_limits(threads):
            runs.append(granulate(X, random_state=3))
    np.testing.assert_array_equal(runs[0], runs[1])
    np.testing.assert_array_equal(runs[0], runs[2])


def test_generator_and_random_state_are_sources():
    for source in (np.random.default_rng, np.random.RandomState):
        one, other = (granulate(BLOBS, random_state=source(5)) for _ in range(2))
        np.testing.assert_array_equal(one, other)


def test_identical_rows_share_a_granule():
    X = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [0.0, 1.0], [-0.0, 1.0]])
    labels = granulate(X, "rows")
    assert labels[0] == labels[2]
    assert labels[3] == labels[4]
    assert len(set(labels.tolist())) == 3


def test_bins_of_equal_width():
    X = np.array([[0, 7], [1, 7], [5, 7], [6, 7], [10, 7]])
    assert granulate(X, "bins", n_granules=2).tolist() == [0, 0, 1, 1, 1]
    assert granulate(X, "bins", n_granules=1).tolist() == [0] * 5
    assert granulate(np.ones((3, 2)), "bins").tolist() == [0] * 3


def test_a_callable_makes_its_own_granules():
    seen = []

    def by_sign(X, level, parents, random_state):
        seen.append((level, parents, random_state))
        return np.where(X[:, 0] > 0, "above", "below")

    assert granulate([[1.0], [-1.0], [2.0]], by_sign, random_state=9).tolist() == [0, 1, 0]
    assert seen == [(1, None, 9)]


def test_a_callable_must_label_every_row():
    with pytest.raises(ValueError, match=r"Expected 2 granule labels, got shape \(1,\)"):
        granulate([[1.0], [2.0]], lambda *arguments: [0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"granules": "clouds"}, r"one of \['bins', 'kmeans', 'rows'\]"),
        ({"n_granules": 0}, "n_granules must be at least 1"),
        ({"X": [1.0, 2.0]}, "X must have rows and at least one feature"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        granulate(**{"X": [[1.0], [2.0]]} | options)


@pytest.mark.parametrize("kind", sorted(GRANULES))
def test_no_rows(kind):
    assert granulate(np.empty((0, 3)), kind).shape == (0,)


def _refines(fine, coarse):
    return len(np.unique(np.stack([fine, coarse]), axis=1).T) == fine.max() + 1


@pytest.mark.parametrize("kind", sorted(GRANULES))
@pytest.mark.parametrize("seed", range(3))
def test_granules_within_parents_divide_them(kind, seed):
    rng = np.random.default_rng(seed)
    X, parents = rng.normal(size=(90, 2)).round(1), rng.integers(-1, 3, size=90)
    labels = granulate(X, kind, n_granules=2, random_state=0, parents=parents)
    assert _refines(labels, parents)
    assert np.unique(labels).tolist() == list(range(labels.max() + 1))
    for parent in range(-1, 3):
        inside = parents == parent
        alone = granulate(X[inside], kind, n_granules=2, random_state=0)
        assert np.array_equal(np.unique(labels[inside], return_inverse=True)[1], alone)


def test_few_values_are_bins_already():
    # Three values in three bins of equal width would put 0 and 1 together.
    X = np.array([[0.0], [1.0], [9.0], [1.0]])
    assert granulate(X, "bins", n_granules=3).tolist() == [0, 1, 2, 1]
    assert granulate(X, "bins", n_granules=2).tolist() == [0, 0, 1, 0]
