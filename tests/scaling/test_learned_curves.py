"""Learned curves, against interpolation and what they are for."""

import numpy as np
import pytest

from trisect import SFNNClassifier
from trisect.growth import TrainingData
from trisect.network import Part
from trisect.scaling import fit_scaling, learn_curves, learned_curves
from trisect.scaling.learned_curves import between_knots


def _rng(seed=0):
    return np.random.default_rng(seed)


def _columns(n=600):
    """Columns of many values, of few, of two, and of one; some beyond what was fitted."""
    rng = _rng()
    few, two = rng.integers(0, 5, n), rng.integers(0, 2, n)
    return np.column_stack([rng.gamma(1, size=n), few, two, np.ones(n)]).astype(np.float64)


def test_between_knots_lies_what_interpolation_says():
    X = _columns()
    scaling = fit_scaling(X[:300], "evidence", _rng(), X[:300, 0] > 1)
    left, share = between_knots(scaling, X)
    assert share.min() >= 0 and share.max() <= 1
    for k, j in enumerate(scaling.columns):
        knots, values = (a[k, : scaling.counts[k]] for a in (scaling.knots, scaling.values))
        ahead = values[np.minimum(left[k] + 1, len(values) - 1)]
        found = values[left[k]] * (1 - share[k]) + ahead * share[k]
        np.testing.assert_allclose(found, np.interp(X[:, j], knots, values), atol=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_a_wave_becomes_a_slope(seed):
    X = _rng().uniform(-3, 3, size=(4000, 2))
    positive = np.sin(3 * X[:, 0]) > 0
    given = fit_scaling(X, "quantile", _rng())
    learned = learn_curves(given, X, positive, None, _rng(seed))
    for name in ("columns", "knots", "counts"):
        assert np.array_equal(getattr(learned, name), getattr(given, name))
    assert learned.kind == "learned" and learned.n_features == 2
    image = learned.transform(X)
    np.testing.assert_allclose(image.mean(axis=0), 0, atol=1e-4)
    np.testing.assert_allclose(image.std(axis=0), 1, atol=1e-4)
    # The ranks of the first column said little of the class, bent they do.
    before, after = (s.transform(X)[:, 0] for s in (given, learned))
    assert abs(np.corrcoef(before, positive)[0, 1]) < 0.4
    assert abs(np.corrcoef(after, positive)[0, 1]) > 0.7


def test_rare_values_are_not_thrown_far_out():
    for seed in range(12):
        rng = _rng(seed)
        X = rng.integers(0, 2, size=(20_000, 2)).astype(np.float64)
        X[:3, 0] = 5
        positive = rng.random(20_000) < 0.2 + 0.6 * X[:, 1]
        assert np.abs(fit_scaling(X, "learned", rng, positive).transform(X)).max() < 200


def test_the_unit_of_weights_does_not_matter():
    X = _columns()
    weight = np.where(X[:, 1] > 2, 2.0, 1.0)
    one, other = (
        fit_scaling(X, "learned", _rng(), X[:, 0] > 1, unit * weight).values for unit in (1, 1e-3)
    )
    np.testing.assert_allclose(one, other, atol=1e-3)


def test_stiff_curves_stay_as_they_are(monkeypatch):
    X = _columns()
    evidence = fit_scaling(X, "evidence", _rng(), X[:, 0] > 1)
    monkeypatch.setattr(learned_curves, "STIFFNESS", 1e6)
    stiff = learn_curves(evidence, X, X[:, 0] > 1, None, _rng())
    for k, used in enumerate(evidence.counts[:2]):
        bent, straight = stiff.values[k, :used], evidence.values[k, :used]
        assert np.corrcoef(bent, straight)[0, 1] > 0.999


def _contradicting():
    """A winding class, and the same rows again with the other class."""
    X = np.tile(_rng().uniform(-1, 1, size=(1000, 1)), (2, 1))
    first = np.arange(2000) < 1000
    wave = (X[:, 0] > 0) ^ (np.abs(X[:, 0]) > 0.5)
    return X, wave ^ first, wave, first


def test_weights_decide_between_contradicting_halves():
    X, positive, wave, first = _contradicting()
    quantile = fit_scaling(X, "quantile", _rng())
    likeness = []
    for favoured in (first, ~first):
        learned = learn_curves(quantile, X, positive, np.where(favoured, 1.9, 0.1), _rng())
        likeness.append(abs(np.corrcoef(learned.transform(X)[:, 0], wave)[0, 1]))
    even = learn_curves(quantile, X, positive, None, _rng())
    assert min(likeness) > abs(np.corrcoef(even.transform(X)[:, 0], wave)[0, 1]) + 0.3


def test_weights_reach_the_learning_by_all_ways():
    X, positive, _, first = _contradicting()
    weight = np.where(first, 1.9, 0.1).astype(np.float32)
    even = np.ones(2000, dtype=np.float32)
    evidence = fit_scaling(X, "evidence", _rng(), positive, weight)
    parts = [Part(X, positive.astype(np.int32), w, 2) for w in (weight, even)]
    one, other = (TrainingData(part, part).learn_curves(evidence, _rng()).values for part in parts)
    assert not np.allclose(one, other, atol=0.1)
    direct = learn_curves(evidence, X, positive, weight, _rng()).values
    again = fit_scaling(X, "learned", _rng(), positive, weight).values
    assert np.array_equal(one, direct) and np.array_equal(again, direct)


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
@pytest.mark.parametrize("n_rows", [5, 700])
def test_constant_columns_and_few_rows_give_numbers(dtype, n_rows):
    X = np.round(_columns(n_rows) * 3).astype(dtype)
    scaling = fit_scaling(X, "learned", _rng(), X[:, 0] > 2)
    image = scaling.transform(X)
    assert np.isfinite(image).all()
    np.testing.assert_allclose(image[:, 3], 0, atol=1e-6)


@pytest.mark.parametrize("positive", [np.zeros(50, bool), np.ones(50, bool)])
def test_one_class_gives_numbers(positive):
    X = np.arange(50.0)[:, None]
    assert np.isfinite(fit_scaling(X, "learned", _rng(), positive).transform(X)).all()


def test_the_order_of_memory_does_not_matter():
    X = _columns()
    one, other = (
        fit_scaling(order(X), "learned", _rng(), X[:, 0] > 1).values
        for order in (np.ascontiguousarray, np.asfortranarray)
    )
    assert np.array_equal(one, other)


def test_learned_curves_need_two_classes():
    with pytest.raises(ValueError, match="which instances are positive"):
        fit_scaling(np.ones((3, 1)), "learned", _rng())
    with pytest.raises(ValueError, match="weighs two classes; y has 3"):
        SFNNClassifier(scale="learned").fit(_columns(90), np.arange(90) % 3)


def test_a_straight_scaling_has_no_curves_to_learn():
    X = _columns()
    with pytest.raises(ValueError, match="'standard' has no curves"):
        learn_curves(fit_scaling(X, "standard", _rng()), X, X[:, 0] > 1, None, _rng())
