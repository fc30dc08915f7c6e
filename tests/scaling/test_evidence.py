"""The evidence of a column, against closed forms."""

import numpy as np
import pytest

from trisect.scaling import fit_scaling
from trisect.scaling.evidence import PRIOR_INSTANCES, evidence_curves


def _fit(X, positive, weight=None):
    return fit_scaling(X, "evidence", np.random.default_rng(0), positive, weight)


def test_few_values_have_the_smoothed_log_odds_of_their_instances():
    x = np.repeat([0.0, 1.0, 5.0], [400, 300, 300])
    positive = np.concatenate([np.arange(400) < 40, np.arange(300) < 150, np.arange(300) < 270])
    curves = evidence_curves(x[:, None], positive, None, 32)
    p = (np.array([40, 150, 270]) + PRIOR_INSTANCES * 0.46) / (
        np.array([400, 300, 300]) + PRIOR_INSTANCES
    )
    odds = np.log(p / (1 - p))
    shares = np.array([0.4, 0.3, 0.3])
    centred = odds - shares @ odds
    expected = centred / np.sqrt(shares @ centred**2)
    assert curves["knots"][0, :3].tolist() == [0, 1, 5]
    np.testing.assert_allclose(curves["values"][0, :3], expected)


def test_an_instance_between_two_knots_counts_for_both():
    # 33 and more values make knots of quantiles; here the line between them is straight.
    x = np.linspace(0, 1, 5001)
    positive = np.random.default_rng(0).random(5001) < x
    scaled = _fit(x[:, None], positive).transform(x[:, None])
    inner = (x > 0.1) & (x < 0.9)
    odds = np.log(x[inner] / (1 - x[inner]))
    assert np.corrcoef(scaled[inner, 1], odds)[0, 1] > 0.99


def test_a_column_that_goes_both_ways_gets_an_input_that_goes_one_way():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 1))
    positive = np.abs(X[:, 0]) > 1
    plain, evidence = _fit(X, positive).transform(X).T
    assert abs(np.corrcoef(plain, positive)[0, 1]) < 0.05
    assert np.corrcoef(evidence, positive)[0, 1] > 0.9


def test_columns_of_one_or_two_values_get_one_input_only():
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [np.ones(200), rng.integers(0, 2, 200), rng.integers(0, 3, 200), rng.normal(size=200)]
    )
    scaling = _fit(X, X[:, 1] > 0)
    assert scaling.columns.tolist() == [0, 1, 2, 3, 2, 3]
    assert scaling.n_features == 4
    assert scaling.n_outputs == scaling.transform(X).shape[1] == 6
    assert scaling.counts.max() <= 32


def test_a_weight_is_a_repetition():
    rng = np.random.default_rng(0)
    X, positive = rng.integers(0, 9, size=(300, 2)).astype(float), rng.random(300) < 0.3
    weight = rng.integers(1, 4, size=300)
    mean = weight.mean()
    once = evidence_curves(X, positive, weight / mean, 32)
    again = np.repeat(np.arange(300), weight)
    many = evidence_curves(X[again], positive[again], None, 32)
    # The prior counts in mean weights, so only its size relative to the data differs.
    np.testing.assert_allclose(once["values"], many["values"], atol=0.15)


def test_the_first_inputs_are_quantile_scaling():
    X = np.random.default_rng(0).gamma(2, size=(500, 3))
    quantile = fit_scaling(X, "quantile", np.random.default_rng(0)).transform(X)
    assert np.array_equal(_fit(X, X[:, 0] > 1).transform(X)[:, :3], quantile)


@pytest.mark.parametrize("positive", [np.zeros(50, bool), np.ones(50, bool)])
def test_one_class_says_nothing(positive):
    X = np.arange(50.0)[:, None]
    scaled = _fit(X, positive).transform(X)
    assert np.isfinite(scaled).all()
    np.testing.assert_allclose(scaled[:, 1], 0, atol=1e-3)


def test_evidence_needs_classes():
    with pytest.raises(ValueError, match="which instances are positive"):
        fit_scaling(np.ones((3, 1)), "evidence", np.random.default_rng(0))
