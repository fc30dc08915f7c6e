"""Each generator has the geometry that its docstring promises, whatever the seed."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from trisect_experiments.datasets import load_dataset
from trisect_experiments.datasets.generators import (
    GENERATORS,
    make_checkerboard,
    make_imbalanced_overlap,
    make_parity,
    make_ring,
)


@pytest.mark.parametrize("name", GENERATORS)
def test_seeded_sized_and_labelled(name):
    make = GENERATORS[name]
    X, y = make(777, 3)
    again, y_again = make(777, 3)
    assert X.shape[0] == y.size == 777 and set(np.unique(y)) == {0, 1}
    assert np.array_equal(X, again) and np.array_equal(y, y_again)
    assert not np.array_equal(X, make(777, 4)[0])
    assert load_dataset(name, n_samples=50).n_rows == 50


def test_the_ring_covers_its_area():
    _, y = make_ring(40_000, 1)
    assert (y == 0).mean() == pytest.approx(np.pi * (0.8**2 - 0.4**2) / 4, abs=0.01)


def test_neighbouring_cells_differ():
    X, y = make_checkerboard(4_000, 0, cells=4)
    left = (X[:, 0] < 0.25) & (X[:, 1] < 0.25)
    right = (X[:, 0] > 0.25) & (X[:, 0] < 0.5) & (X[:, 1] < 0.25)
    assert set(y[left]) == {0} and set(y[right]) == {1}


def test_no_column_of_parity_tells_anything_alone():
    X, y = make_parity(20_000, 0, n_signs=3, n_noise=3)
    for column in X.T:
        assert abs(roc_auc_score(y == 0, column) - 0.5) < 0.02


def test_overlap_has_the_auc_of_its_distance():
    X, y = make_imbalanced_overlap(40_000, 0, rare=0.2, distance=1.5)
    assert (y == 0).sum() == 8_000
    assert roc_auc_score(y == 0, X[:, 0]) == pytest.approx(norm.cdf(1.5 / np.sqrt(2)), abs=0.01)
