"""Held-back rows, and repeated instances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.growth import Instances, hold_out, merge_repeats
from trisect.network import SCALES


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    counts=st.lists(st.integers(0, 60), min_size=2, max_size=5),
    share=st.floats(0.01, 0.9),
    seed=st.integers(0, 1000),
)
def test_hold_out_splits_every_class_by_its_share(counts, share, seed):
    y = np.repeat(np.arange(len(counts)), counts)
    if not len(y):
        return
    train, validation = hold_out(y, share, np.random.default_rng(seed))
    if max(counts) < 2:
        assert np.array_equal(train, validation)
        assert sorted(train) == list(range(len(y)))
        return
    assert sorted(np.concatenate([train, validation])) == list(range(len(y)))
    for label, count in enumerate(counts):
        held = int((y[validation] == label).sum())
        if count > 1:
            assert held == min(max(round(share * count), 1), count - 1)
        else:
            assert held == 0


def test_hold_out_leaves_each_class_something_to_train_on():
    y = np.array([0, 0, 1, 1, 1])
    train, _ = hold_out(y, 1 / 9, np.random.default_rng(0))
    assert set(y[train]) == {0, 1}


def test_hold_out_is_in_random_order():
    y = np.zeros(1000, dtype=int)
    train, validation = hold_out(y, 0.3, np.random.default_rng(0))
    for rows in (train, validation):
        assert abs(np.corrcoef(rows, np.arange(len(rows)))[0, 1]) < 0.2


def test_hold_out_depends_on_the_seed_only():
    y = np.repeat([0, 1], 50)
    splits = [hold_out(y, 0.2, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert np.array_equal(splits[0][1], splits[1][1])
    assert not np.array_equal(splits[0][1], splits[2][1])


def _merged(X, y, weight):
    rows, total = merge_repeats(X, y, weight)
    return {(*X[r], y[r]): w for r, w in zip(rows.tolist(), total.tolist(), strict=True)}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 1000), n=st.integers(1, 40), n_features=st.integers(1, 3))
def test_merging_equals_a_dictionary(seed, n, n_features):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(n, n_features)).astype(float)
    y, weight = rng.integers(0, 2, size=n), rng.integers(0, 4, size=n).astype(float)
    if not weight.any():
        return
    expected = {}
    for row, label, w in zip(X.tolist(), y.tolist(), weight.tolist(), strict=True):
        if w:
            expected[(*row, label)] = expected.get((*row, label), 0.0) + w
    assert _merged(X, y, weight) == expected


def test_merging_keeps_contradicting_labels_apart():
    X = np.zeros((4, 2))
    assert _merged(X, np.array([0, 1, 0, 1]), np.ones(4)) == {(0, 0, 0): 2, (0, 0, 1): 2}


def test_merging_does_not_depend_on_the_order():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, size=(60, 2)).astype(float), rng.integers(0, 2, size=60)
    weight = rng.integers(1, 4, size=60).astype(float)
    rows, total = merge_repeats(X, y, weight)
    order = rng.permutation(60)
    rows2, total2 = merge_repeats(X[order], y[order], weight[order])
    assert np.array_equal(X[rows], X[order][rows2])
    assert np.array_equal(y[rows], y[order][rows2])
    assert np.array_equal(total, total2)


@pytest.mark.parametrize("kind", SCALES)
def test_scaled_instances_carry_their_classes_and_weights(kind):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 3)), rng.integers(0, 2, size=90).astype(np.int32)
    weight = rng.uniform(0.5, 2, size=90).astype(np.float32)
    train, validation = hold_out(y, 1 / 9, rng)
    instances = Instances(X, y, weight, train, X, y, weight, validation, 2)
    scaling = instances.fit_scaling(kind, rng)
    for rows, examples in zip((train, validation), instances.scaled(scaling), strict=True):
        assert np.array_equal(examples.X, scaling.transform(X)[rows])
        assert np.array_equal(examples.y, y[rows])
        assert np.array_equal(examples.weight, weight[rows])
    short = instances.scaled(scaling, 4)
    assert [len(examples) for examples in short] == [4, 4]


def test_scaling_is_fitted_to_training_rows_only():
    X = np.zeros((10, 1))
    X[5:] = 100.0
    X[:5, 0] = np.arange(5)
    y, weight = np.zeros(10, np.int32), np.ones(10, np.float32)
    instances = Instances(X, y, weight, np.arange(5), X, y, weight, np.arange(5, 10), 2)
    assert instances.fit_scaling("standard", np.random.default_rng(0)).center.item() == 2
