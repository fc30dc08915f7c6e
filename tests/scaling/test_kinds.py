"""Scaling: closed forms, columns that cause trouble, and independence of the layout."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.scaling import SCALES, fit_scaling, kinds
from trisect.scaling.kinds import MAX_KNOTS
from trisect.scaling.positions import MOST_INTERVALS
from trisect.scaling.scaling import LIMIT

SCALED = sorted({*SCALES} - {"none"})


def _fit(X, kind):
    return fit_scaling(X, kind, np.random.default_rng(0))


def _data(seed=0, n=500):
    rng = np.random.default_rng(seed)
    return np.column_stack(
        [
            rng.normal(5, 3, n),
            rng.exponential(2, n),
            rng.standard_cauchy(n),
            rng.integers(0, 3, n),
            np.full(n, 7.25),
        ]
    )


def test_standard_is_mean_and_deviation():
    X = _data()
    expected = (X[:, :2] - X[:, :2].mean(axis=0)) / X[:, :2].std(axis=0)
    np.testing.assert_allclose(_fit(X, "standard").transform(X)[:, :2], expected, atol=1e-5)


def test_robust_is_median_and_quartiles():
    X = _data()[:, :3]
    low, middle, high = np.quantile(X, [0.25, 0.5, 0.75], axis=0)
    expected = (X - middle) / ((high - low) / 1.3489795)
    expected = expected.clip(-LIMIT, LIMIT)
    np.testing.assert_allclose(_fit(X, "robust").transform(X), expected, rtol=1e-5, atol=1e-5)


def test_robust_has_a_normal_column_at_deviation_one():
    X = np.random.default_rng(0).normal(3, 10, size=(20_000, 1))
    assert _fit(X, "robust").transform(X).std() == pytest.approx(1, abs=0.03)


def test_robust_falls_back_to_the_deviation():
    X = np.zeros((100, 1))
    X[:10] = 5.0
    scaled = _fit(X, "robust").transform(X)
    assert scaled[0, 0] == pytest.approx(5 / X.std()) and scaled[50, 0] == 0


def test_none_leaves_values():
    X = _data()
    assert np.array_equal(_fit(X, "none").transform(X), X.astype(np.float32))


@pytest.mark.parametrize("kind", ["standard", "quantile"])
def test_mean_zero_and_deviation_one(kind):
    X = _data()[:, :4]
    X = X[:, [0, 1, 3]]
    scaled = _fit(X, kind).transform(X).astype(np.float64)
    np.testing.assert_allclose(scaled.mean(axis=0), 0, atol=1e-5)
    np.testing.assert_allclose(scaled.std(axis=0), 1, atol=1e-5)


def test_quantile_makes_a_heavy_tail_nearly_normal():
    X = np.random.default_rng(0).standard_cauchy((20_000, 1))
    scaled = np.sort(_fit(X, "quantile").transform(X)[:, 0])
    for share, value in [(0.1, -1.2816), (0.25, -0.6745), (0.5, 0.0), (0.9, 1.2816)]:
        assert scaled[int(share * 20_000)] == pytest.approx(value, abs=0.08)


def test_quantile_interpolates_between_knots_and_is_flat_outside():
    X = _data()[:, :3]
    scaling = _fit(X, "quantile")
    new = np.random.default_rng(1).normal(scale=50, size=(300, 3))
    for j in range(3):
        used = scaling.counts[j]
        expected = np.interp(new[:, j], scaling.knots[j, :used], scaling.values[j, :used])
        np.testing.assert_allclose(scaling.transform(new)[:, j], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", SCALES)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), n=st.integers(2, 300))
def test_scaling_never_turns_the_order_around(kind, seed, n):
    rng = np.random.default_rng(seed)
    X = rng.standard_t(1, size=(n, 1)) * 10.0 ** rng.integers(-5, 6)
    X = np.concatenate([X, rng.choice(X[:, 0], size=(n, 1))])
    scaled = _fit(X, kind).transform(X)
    order = np.argsort(X[:, 0])
    assert np.isfinite(scaled).all()
    assert (np.diff(scaled[order, 0]) >= 0).all()
    assert (scaled.min() < scaled.max()) == (X.min() < X.max())


def test_at_most_32_knots_which_rise():
    X = _data(n=5_000)
    scaling = _fit(X, "quantile")
    assert MAX_KNOTS == 32
    assert scaling.knots.shape == scaling.values.shape == (5, 32)
    assert scaling.counts.tolist() == [32, 32, 32, 3, 1]
    for j, used in enumerate(scaling.counts):
        assert (np.diff(scaling.knots[j, :used]) > 0).all()
        assert (np.diff(scaling.values[j, :used]) > 0).all()


def test_a_shared_value_stands_for_the_middle_of_its_ranks():
    # Two values in equal shares lie as far below as above the centre.
    X = np.repeat([[0.0], [9.0]], 50, axis=0)
    scaled = _fit(X, "quantile").transform(X)
    np.testing.assert_allclose(scaled, np.repeat([[-1.0], [1.0]], 50, axis=0), rtol=1e-6)


@pytest.mark.parametrize("kind", ["standard", "robust", "quantile"])
@pytest.mark.parametrize("value", [0.0, 0.1, -7.25, 1e30, 1e-300])
def test_a_constant_column_becomes_zero(kind, value):
    X = np.full((97, 1), value)
    assert not _fit(X, kind).transform(X).any()


@pytest.mark.parametrize("kind", SCALES)
@pytest.mark.parametrize("size", [1e30, 1e300, 1e-30])
def test_extreme_magnitudes_stay_finite(kind, size):
    X = np.random.default_rng(0).normal(size=(400, 2)) * size
    scaled = _fit(X, kind).transform(X)
    assert np.isfinite(scaled).all()


@pytest.mark.parametrize("kind", SCALED)
@pytest.mark.parametrize("size", [1e30, 1e300, 1e-30])
def test_magnitudes_do_not_matter(kind, size):
    X = np.random.default_rng(0).normal(size=(400, 2))
    scaled, unit = (_fit(x, kind).transform(x) for x in (X * size, X))
    np.testing.assert_allclose(scaled, unit, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", SCALED)
def test_new_values_far_outside_stay_bounded(kind):
    X = _data()
    new = np.full((2, 5), [[1e30], [-1e30]])
    bound = MOST_INTERVALS if kind == "curves" else LIMIT
    assert np.abs(_fit(X, kind).transform(new)).max() <= bound


@pytest.mark.parametrize("kind", SCALES)
def test_one_extreme_row_is_clipped(kind):
    X = np.zeros((1000, 1))
    X[0] = 1e30
    assert np.isfinite(_fit(X, kind).transform(X)).all()


@pytest.mark.parametrize("kind", SCALES)
def test_precision_and_layout_do_not_matter(kind):
    X = _data().astype(np.float32)
    expected = _fit(X, kind).transform(X)
    assert expected.dtype == np.float32 and expected.flags.c_contiguous
    for same in (X.astype(np.float64), np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2]):
        np.testing.assert_allclose(_fit(same, kind).transform(same), expected, atol=1e-6)
        assert np.array_equal(_fit(X, kind).transform(same), expected)


@pytest.mark.parametrize("kind", SCALES)
def test_whole_numbers_are_numbers(kind):
    X = np.random.default_rng(0).integers(-50, 50, size=(200, 3))
    expected = _fit(X.astype(float), kind).transform(X.astype(float))
    assert np.array_equal(_fit(X, kind).transform(X), expected)


@pytest.mark.parametrize("kind", SCALES)
def test_rows(kind):
    X = _data()
    scaling = _fit(X, kind)
    rows = np.array([5, 400, 5])
    assert np.array_equal(scaling.transform(X, rows), scaling.transform(X)[rows])


@pytest.mark.parametrize("kind", SCALES)
def test_a_stored_scaling_scales_alike_and_stores_nothing_derived(kind):
    X = _data()
    scaling = _fit(X, kind)
    before = len(pickle.dumps(scaling))
    expected = scaling.transform(X)
    stored = pickle.dumps(scaling)
    assert len(stored) == before
    assert np.array_equal(pickle.loads(stored).transform(X), expected)


@pytest.mark.parametrize("max_knots", [3, 24, 32, 64])
def test_the_number_of_knots_is_one_constant(max_knots, monkeypatch):
    monkeypatch.setattr(kinds, "MAX_KNOTS", max_knots)
    X = _data(n=2000)
    scaling = _fit(X, "quantile")
    assert scaling.knots.shape[1] == max_knots >= scaling.counts.max() > max_knots // 2
    scaled = scaling.transform(X)
    for k, column in enumerate(scaling.columns):
        used = scaling.counts[k]
        expected = np.interp(X[:, column], scaling.knots[k, :used], scaling.values[k, :used])
        np.testing.assert_allclose(scaled[:, k], expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", SCALES)
def test_number_of_features(kind):
    assert _fit(_data(), kind).n_features == 5


@pytest.mark.parametrize("kind", SCALES)
def test_the_given_array_is_left_alone(kind):
    X = _data()
    before = X.copy()
    _fit(X, kind).transform(X)
    assert np.array_equal(X, before)
