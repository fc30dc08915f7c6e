"""Which instances train and which validate, and how both are scaled."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from trisect.growth import TrainingData, split
from trisect.growth.data import hold_out
from trisect.network import Part
from trisect.network.contract import NO_DEVIATIONS, NO_RUNS
from trisect.scaling import SCALES


def _part(n=90, seed=0, **fields):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 3)), rng.integers(0, 2, size=n).astype(np.int32)
    return Part(X, y, rng.uniform(0.5, 2, size=n).astype(np.float32), 2, **fields)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    counts=st.lists(st.integers(1, 60), min_size=1, max_size=5),
    share=st.floats(0.01, 0.9),
    seed=st.integers(0, 1000),
)
def test_every_class_gives_its_share(counts, share, seed):
    assume(max(counts) > 1)
    y = np.repeat(np.arange(len(counts)), counts)
    train, validation = hold_out(y, share, np.random.default_rng(seed))
    assert sorted(np.concatenate([train, validation])) == list(range(len(y)))
    expected = [min(max(round(share * count), 1), count - 1) for count in counts]
    assert np.bincount(y[validation], minlength=len(counts)).tolist() == expected


def test_a_class_is_never_held_back_whole():
    y = np.repeat([0, 1, 2], [1, 2, 3])
    train, _ = hold_out(y, 0.99, np.random.default_rng(0))
    assert sorted(y[train]) == [0, 1, 2]


def test_single_instances_train_and_validate():
    train, validation = hold_out(np.arange(4), 1 / 9, np.random.default_rng(0))
    assert np.array_equal(train, validation) and sorted(train) == [0, 1, 2, 3]


def test_rows_come_in_random_order():
    y = np.zeros(1000, dtype=int)
    for rows in hold_out(y, 0.3, np.random.default_rng(0)):
        assert abs(np.corrcoef(rows, np.arange(len(rows)))[0, 1]) < 0.2


def test_the_seed_decides_who_is_held_back():
    y = np.repeat([0, 1], 50)
    splits = [hold_out(y, 0.2, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert np.array_equal(splits[0][1], splits[1][1])
    assert not np.array_equal(splits[0][1], splits[2][1])


def test_a_split_selects_rows_and_copies_nothing():
    given = _part()
    data = split(given, 1 / 9, np.random.default_rng(0))
    assert data.train.X is data.validation.X is given.X
    assert sorted(np.concatenate([data.train.rows, data.validation.rows])) == list(range(90))


def test_validation_data_that_are_given_are_used_whole():
    given, other = _part(), _part(20, seed=1)
    data = split(given, 1 / 9, np.random.default_rng(0), other)
    assert data.train.X is given.X and sorted(data.train.rows) == list(range(90))
    assert data.validation.X is other.X and sorted(data.validation.rows) == list(range(20))


def test_rows_that_repeat_stay_apart_at_every_size():
    for n in (60, 6000):
        y = np.repeat([0, 1], n // 2).astype(np.int32)
        data = split(
            Part(np.zeros((n, 1)), y, np.ones(n, np.float32), 2), 0.1, np.random.default_rng(0)
        )
        assert (len(data.train), len(data.validation)) == (0.9 * n, 0.1 * n)


@pytest.mark.parametrize("kind", SCALES)
def test_scaled_parts_carry_their_classes_and_weights(kind):
    given = _part(mass=np.arange(1.0, 91.0))
    data = split(given, 1 / 9, np.random.default_rng(0))
    scaling = data.fit_scaling(kind, np.random.default_rng(0))
    scaled = data.scaled(scaling)
    for part, before in ((scaled.train, data.train), (scaled.validation, data.validation)):
        assert part.rows is None and len(part) == len(before)
        assert np.array_equal(part.X, scaling.transform(given.X)[before.rows])
        assert np.array_equal(part.y, given.y[before.rows])
        assert np.array_equal(part.weight, given.weight[before.rows])
    assert np.array_equal(scaled.train.mass, given.mass[data.train.rows])
    few = data.scaled(scaling, at_most=4)
    assert np.array_equal(few.train.X, scaled.train.X[:4]) and len(few.validation) == 4


def test_the_scaling_is_fitted_to_the_training_rows():
    X = np.concatenate([np.arange(5.0), np.full(5, 100.0)])[:, None]
    part = Part(X, np.zeros(10, np.int32), np.ones(10, np.float32), 2)
    data = TrainingData(part.select(np.arange(5)), part.select(np.arange(5, 10)))
    assert data.fit_scaling("standard", np.random.default_rng(0)).center.item() == 2


def _bits(n=300, n_features=200, share=0.05):
    rng = np.random.default_rng(0)
    X = (rng.random((n, n_features)) < share).astype(float)
    X[-40:, 3] = 0.5  # a value that the first rows do not have
    return Part(X, rng.integers(0, 2, size=n).astype(np.int32), np.ones(n, np.float32), 2)


@pytest.mark.parametrize("kind", ["standard", "curves"])
def test_both_parts_and_what_they_become_deviate_from_the_same_usual_row(kind):
    bits = _bits()
    data = TrainingData(bits.head(250), bits.select(np.arange(250, 300)))
    scaled = data.scaled(data.fit_scaling(kind, np.random.default_rng(0)))
    found = scaled.prepared(64)
    usual = found.train.deviations.usual
    assert len(usual) == 200 and found.validation.deviations.usual is usual
    together = found.together(np.random.default_rng(0))
    assert together.deviations.usual is usual
    deviating = usual != together.X
    assert np.array_equal(np.diff(together.deviations.starts[:, [0, -1]])[:, 0], deviating.sum(1))
    assert not len(scaled.together(np.random.default_rng(0)).deviations.usual)


def test_rows_that_validate_the_training_are_the_same_part():
    bits = _bits()
    scaled = TrainingData(bits, bits).prepared(64)
    assert scaled.train is scaled.validation


def test_numbers_are_neither_compressed_nor_put_in_runs():
    data = TrainingData(_part(), _part(seed=1))
    found = data.prepared(64)
    assert found.train.deviations is NO_DEVIATIONS and found.train.runs is NO_RUNS
    assert found.validation is data.validation
