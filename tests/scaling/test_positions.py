"""Positions between knots: closed forms, and columns that cause trouble."""

import numpy as np
import pytest

from trisect.network.threads import using_threads
from trisect.scaling.positions import INTERVALS_IF_MANY, MANY, MOST_INTERVALS, position_curves


def test_few_values_are_knots_themselves():
    X = np.array([[3.0], [1.0], [7.0], [7.0], [1.0]])
    scaling = position_curves(X)
    assert scaling.knots.tolist() == [[1.0, 3.0, 7.0]]
    np.testing.assert_allclose(scaling.transform(X).ravel(), [1, 0, 2, 2, 0], atol=1e-6)


def test_many_values_have_knots_at_quantiles():
    X = np.random.default_rng(0).exponential(size=(5000, 1))
    scaling = position_curves(X)
    expected = np.quantile(X, np.linspace(0, 1, MOST_INTERVALS + 1))
    np.testing.assert_allclose(scaling.knots[0], expected)


@pytest.mark.parametrize(
    ("n_columns", "most"), [(MANY, MOST_INTERVALS), (MANY + 1, INTERVALS_IF_MANY)]
)
def test_many_columns_have_fewer_knots_each(n_columns, most):
    X = np.random.default_rng(0).normal(size=(200, n_columns))
    assert (np.diff(position_curves(X).positions.first) == most).all()


@pytest.mark.parametrize("n_threads", [1, 2])
def test_rows_that_are_not_named_do_not_count(n_threads):
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(400, 70)), 1)
    X[:, ::3] = X[:, ::3] > 0
    rows = np.sort(rng.choice(400, 150, replace=False))
    expected = position_curves(X[rows])
    with using_threads(n_threads):
        found = position_curves(X, rows)
    for name in ("columns", "knots", "values", "counts"):
        assert np.array_equal(getattr(found, name), getattr(expected, name))
    assert np.array_equal(found.positions.line, expected.positions.line)
    assert np.array_equal(found.positions.center, expected.positions.center)


@pytest.mark.parametrize("values", [6, 40, 5000], ids=["few", "shared", "many"])
def test_the_centre_of_an_interval_is_the_mean_progress_through_it(values):
    rng = np.random.default_rng(0)
    column = np.floor(values * rng.beta(0.3, 2.0, size=3000))
    scaling = position_curves(column[:, None])
    knots = scaling.knots[0]
    progress = np.clip((column[:, None] - knots[:-1]) / np.diff(knots), 0.0, 1.0)
    assert len(knots) > 2
    np.testing.assert_allclose(scaling.positions.center, progress.mean(axis=0), rtol=1e-6)


def test_a_column_of_hardly_more_than_one_value_is_straight():
    column = np.zeros((3000, 1))
    column[:60, 0] = np.arange(1, 61)
    scaling = position_curves(column)
    assert scaling.knots.tolist() == [[0.0, 60.0]]
    assert scaling.positions.n_positions == 0


def test_a_position_never_reaches_the_number_of_intervals():
    X = np.random.default_rng(0).normal(size=(300, 2))
    scaling = position_curves(X)
    beyond = np.array([[-1e300, 1e300], [X[:, 0].max(), X[:, 1].min()]])
    positions = scaling.transform(beyond)
    assert (positions >= 0).all() and (positions.astype(int) < MOST_INTERVALS).all()
    np.testing.assert_allclose(positions, [[0, MOST_INTERVALS], [MOST_INTERVALS, 0]], rtol=1e-6)


def test_columns_of_two_values_come_first_and_are_standardised():
    rng = np.random.default_rng(0)
    flag = (rng.random(400) < 0.2) * 5.0
    X = np.column_stack([rng.normal(size=400), flag, np.full(400, 2.0)])
    scaling = position_curves(X)
    assert scaling.columns.tolist() == [1, 2, 0]
    assert scaling.positions.n_positions == 1
    scaled = scaling.transform(X)
    np.testing.assert_allclose(scaled[:, 0], (flag - flag.mean()) / flag.std(), rtol=1e-5)
    assert not scaled[:, 1].any()


def test_the_common_line_has_mean_zero_and_deviation_one():
    X = np.random.default_rng(0).standard_cauchy((4000, 1))
    scaling = position_curves(X)
    knots = scaling.positions
    values = np.concatenate([[0.0], np.cumsum(knots.line, dtype=np.float64)])
    line = np.interp(scaling.transform(X).ravel(), np.arange(len(values)), values)
    assert line.std() == pytest.approx(1, abs=1e-3)
    # The centre is the mean progress, so a centred line is zero on average.
    assert line.mean() == pytest.approx((knots.line * knots.center).sum(), abs=1e-4)
    assert (knots.line > 0).all()


def test_no_column_that_bends():
    scaling = position_curves(np.array([[0.0], [1.0]]))
    assert scaling.positions.n_positions == 0 and scaling.positions.line.size == 0
