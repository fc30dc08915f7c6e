"""Held-back rows, and repeated instances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.growth import (
    Instances,
    hold_out,
    hold_out_merged,
    merge_repeats,
    whole_copies,
)
from trisect.scaling import SCALES


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


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    copies=st.lists(st.integers(1, 30), min_size=2, max_size=40),
    share=st.floats(0.01, 0.9),
    unit=st.sampled_from([1.0, 0.1, 7.0]),
    known=st.sampled_from(["weights", "rows"]),
    seed=st.integers(0, 1000),
)
def test_copies_are_held_back_by_their_share(copies, share, unit, known, seed):
    # Weights say it alone if the smallest is one copy; else the rows that were merged do.
    rng, copies = np.random.default_rng(seed), np.array([1, *copies])
    y, count = np.zeros(len(copies), int), np.ones_like(copies)
    weight = unit * copies
    if known == "rows":
        count, weight = copies, weight * rng.uniform(0.5, 1.5, len(copies))
    train, validation, kept, held = hold_out_merged(y, weight, count, share, rng)
    np.testing.assert_allclose(kept + held, 1)
    assert sorted(train) == np.flatnonzero(kept).tolist()
    assert sorted(validation) == np.flatnonzero(held).tolist()
    assert (np.abs(held - share) * copies < 1).all(), "each gives its share"
    total = copies.sum()
    if len(copies) < min(9, 1 / share):
        np.testing.assert_allclose(held, share)
    else:
        wanted = min(max(round(share * total), 1), total - 1)
        assert (held * copies).sum() == pytest.approx(wanted)
        np.testing.assert_allclose(held * copies, np.rint(held * copies), atol=1e-9)


def test_single_copies_are_held_back_like_rows():
    y = np.repeat([0, 1, 2], [40, 9, 11])
    rows = hold_out(y, 1 / 9, np.random.default_rng(0))
    for weight in (np.ones(60), np.where(y == 0, 0.3, 8.0)):
        merged = hold_out_merged(y, weight, np.ones(60, int), 1 / 9, np.random.default_rng(0))
        for part, same in zip(rows, merged[:2], strict=True):
            assert np.array_equal(part, same)
        assert set(merged[2]) == {0, 1}, "nothing is divided"


def test_fractions_of_copies_are_held_back_by_lot():
    # Two copies are twice as likely to give one as one copy is, whatever comes first.
    copies, held = np.repeat([1, 2], 30), np.zeros(60)
    for seed in range(300):
        rng = np.random.default_rng(seed)
        part = hold_out_merged(np.zeros(60, int), 1.0 * copies, copies, 0.1, rng)[3]
        held += part * copies / 300
    assert held[:30].mean() == pytest.approx(0.1, abs=0.02)
    assert held[30:].mean() == pytest.approx(0.2, abs=0.02)
    assert held[:30].min() > 0.02 and held[30:].max() < 0.35


@pytest.mark.parametrize("least", [1, 2, 5, 12])
def test_weights_and_rows_say_the_same(least):
    rng = np.random.default_rng(least)
    copies = np.concatenate([rng.integers(least, 30, size=20), [least]])
    y = np.zeros(21, int)
    by_weight = hold_out_merged(y, 0.3 * copies, np.ones(21, int), 1 / 9, np.random.default_rng(0))
    by_rows = hold_out_merged(y, 1.0 * copies, copies, 1 / 9, np.random.default_rng(0))
    for one, other in zip(by_weight, by_rows, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(("n", "share"), [(1, 1 / 9), (8, 1 / 9), (1, 0.6), (4, 0.2)])
@pytest.mark.parametrize("count", [1, 7])
def test_few_different_instances_give_their_share_each(n, share, count):
    y, counts = np.zeros(n, int), np.full(n, count)
    train, validation, kept, held = hold_out_merged(
        y, 1.0 * counts, counts, share, np.random.default_rng(0)
    )
    assert sorted(train) == sorted(validation) == list(range(n))
    np.testing.assert_allclose(held, share)
    np.testing.assert_allclose(kept, 1 - share)


@pytest.mark.parametrize(("n", "share"), [(9, 1 / 9), (20, 1 / 9), (2, 0.6), (5, 0.2)])
def test_more_different_instances_are_held_back_whole(n, share):
    y, count = np.zeros(n, int), np.ones(n, int)
    for weight in (np.ones(n), np.linspace(1, 3.3, n) ** 0.5, 1 + 2e-16 * np.arange(n)):
        held = hold_out_merged(y, weight, count, share, np.random.default_rng(0))[3]
        assert set(held) == {0, 1}


def test_one_repeated_row_does_not_divide_a_whole_class():
    y, count = np.zeros(900, int), np.ones(900, int)
    count[0] = 2
    held = hold_out_merged(y, 1.0 * count, count, 0.001, np.random.default_rng(0))[3]
    assert (held * count).sum() == 1


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    parts=st.lists(st.floats(0, 9), min_size=1, max_size=20),
    seed=st.integers(0, 1000),
)
def test_copies_are_rounded_with_the_right_sum(parts, seed):
    parts = np.array(parts)
    y = np.random.default_rng(seed).integers(0, 2, len(parts))
    copies = whole_copies(y, parts)
    assert np.array_equal(copies > 0, parts > 0) and (np.abs(copies - parts) <= 1).all()
    for label in np.unique(y):
        own, total = copies[y == label], parts[y == label].sum()
        least = np.count_nonzero(own) if (own <= 1).all() else 0
        assert own.sum() == pytest.approx(max(total, least), abs=0.5 + (parts < 1).sum())
        if (parts[parts > 0] >= 1).all():
            assert own.sum() == round(total)


@pytest.mark.parametrize("weight", [[1.0, 2.3456789], [1e-320, 1.0]])
def test_weights_that_are_no_copies_leave_the_rows_to_be_counted(weight):
    # Of ten instances with forty rows each, a tenth of the rows is held back.
    weight, count = np.repeat(weight, 5), np.full(10, 40)
    held = hold_out_merged(np.zeros(10, int), weight, count, 0.1, np.random.default_rng(0))[3]
    np.testing.assert_allclose(held, 0.1)


def _merged(X, y, weight):
    rows, total, _ = merge_repeats(X, y, weight)
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
    rows, total, count = merge_repeats(X, y, weight)
    order = rng.permutation(60)
    rows2, total2, count2 = merge_repeats(X[order], y[order], weight[order])
    assert np.array_equal(X[rows], X[order][rows2])
    assert np.array_equal(y[rows], y[order][rows2])
    assert np.array_equal(total, total2) and np.array_equal(count, count2)
    assert count.sum() == 60


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
