"""Awkward data: a clear error, or a sound fit."""

import numpy as np
import pytest
from sklearn.base import clone

from trisect import STWDSFNNClassifier
from trisect.growth import PaperGrowth, RefinedGrowth
from trisect.network import ACTIVATIONS, DISTRIBUTIONS
from trisect.scaling import SCALES

QUICK = {
    "refined": RefinedGrowth(node_updates=20, joint_updates=60, polish_updates=40),
    "paper": PaperGrowth(delta=None, max_epochs=4),
}
PATIENT = {
    "refined": RefinedGrowth(node_updates=20, joint_updates=300, polish_updates=40),
    "paper": PaperGrowth(theta=0, delta=None, learning_rate=0.02, max_epochs=200),
}
GROWTHS = list(QUICK)


def _model(growth="refined", budget=QUICK, **options):
    model = STWDSFNNClassifier(clone(budget[growth]), max_levels=2, random_state=0)
    return model.set_params(**options)


def _data(n=200, n_features=3, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, n_features))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


def _sound(model, X):
    """Check what holds for every fit, and return the probabilities."""
    p = model.predict_proba(X)
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert all(np.isfinite(part).all() for part in model.coefs_ + model.intercepts_)
    assert set(model.predict(X)) <= set(model.classes_.tolist())
    for level in model.levels_:
        assert level.n_pos + level.n_bnd + level.n_neg == level.n_instances
        assert np.isfinite(level.validation_score)
    return p


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "int64", "uint64", "float16", "float32", "float64", "bool"]
)
def test_any_numeric_dtype(growth, dtype):
    X, y = _data()
    X = (20 * X + 100).clip(0, 250) / 2 if dtype != "bool" else X > 0
    X = X.astype(dtype)
    expected = _model(growth).fit(X.astype(np.float64), y)
    found = _model(growth).fit(X, y)
    assert np.array_equal(_sound(found, X), expected.predict_proba(X.astype(np.float64)))


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize(
    "form",
    [np.asfortranarray, lambda X: np.repeat(X, 2, axis=1)[:, ::2], np.ndarray.tolist],
    ids=["columns", "strides", "lists"],
)
def test_layout_does_not_matter(growth, form):
    X, y = _data(3000)
    expected, found = (_model(growth).fit(same, y).predict_proba(same) for same in (X, form(X)))
    assert np.array_equal(found, expected)


X40, Y40 = _data(40)
SPOILED = np.where(np.arange(40) == 3, np.nan, X40[:, 1])


# What scikit-learn's checks spoil is not repeated here.
@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y": np.full(40, "yes")}, r"only one class: \['yes'\]"),
        ({"sample_weight": Y40}, r"only one class: \[1\]"),
        ({"sample_weight": np.ones(39)}, "sample_weight"),
        ({"sample_weight": -np.ones(40)}, "egative"),
        ({"sample_weight": SPOILED}, "NaN"),
        ({"X_val": X40}, "both X_val and y_val"),
        ({"y_val": Y40}, "both X_val and y_val"),
        ({"X_val": X40[:, :2], "y_val": Y40}, "X has 2 features, but"),
        ({"X_val": X40, "y_val": Y40[:-1]}, "inconsistent numbers of samples"),
        ({"X_val": np.column_stack([X40[:, :2], SPOILED]), "y_val": Y40}, "NaN"),
        ({"X_val": X40, "y_val": Y40 + 6}, r"classes that y does not: \[6, 7\]"),
    ],
)
def test_data_that_cannot_be_learnt_from_are_refused(growth, arguments, message):
    with pytest.raises(ValueError, match=message):
        _model(growth).fit(**{"X": X40, "y": Y40} | arguments)


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit_test_costs": [1.0, -2.0]}, "unit_test_costs must hold 2 numbers"),
        ({"unit_delay_costs": [1.0]}, "unit_delay_costs must hold 2 numbers"),
        ({"costs": [[[0, 0.2, 0.8], [0.6, 0.1, 0]]] * 3}, "more levels"),
        (
            {"costs": [[0.9, 0.9, 0.8], [0.6, 0.1, 0]]},
            r"\(NP = 0\.8\) must cost more",
        ),
        ({"class_weight": {0: 0, 1: 0}}, "no instance a weight above zero"),
    ],
)
def test_costs_and_weights_that_make_no_sense_are_refused(growth, options, message):
    with pytest.raises(ValueError, match=message):
        _model(growth, **options).fit(X40, Y40)


@pytest.mark.parametrize("growth", GROWTHS)
def test_two_rows_are_told_apart(growth):
    X, y = np.array([[0.0], [1.0]]), ["a", "b"]
    model = _model(growth, PATIENT, growth__l2=1e-4).fit(X, y)
    assert model.predict(X).tolist() == ["a", "b"]


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("scale", ["auto", *SCALES])
def test_constant_columns_change_nothing_much(growth, scale):
    X, y = _data()
    X[:, 2] = 3.0
    assert _sound(_model(growth, PATIENT, scale=scale).fit(X, y), X)[:, 1].std() > 0.1


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("validate", ["given", "held back"])
def test_only_constant_columns_give_the_class_shares(growth, validate):
    X, y = np.full((200, 2), 5.0), np.repeat([0, 1], [150, 50])
    given = {"X_val": X, "y_val": y} if validate == "given" else {}
    model = _model(growth, PATIENT).fit(X, y, **given)
    p = _sound(model, X)
    assert model.levels_[0].n_instances == (200 if given else 177), "every copy counts"
    assert np.ptp(p[:, 1]) == 0
    assert p[0, 1] == pytest.approx(0.25, abs=0.05)


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("scale", ["auto", *SCALES])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_huge_values(growth, scale, dtype):
    X, y = _data()
    X = (X * [1e30, 1.0, 1e-30]).astype(dtype)
    X[0, 1] = 1e30
    model = _model(growth, scale=scale).fit(X, y)
    _sound(model, X)
    assert np.isfinite(model.predict_proba(np.full((2, 3), 3e38, dtype=dtype))).all()


def test_huge_values_are_learnt_like_small_ones():
    X, y = _data(600)
    scores = [_model(budget=PATIENT).fit(X * size, y).score(X * size, y) for size in (1, 1e30)]
    assert min(scores) > 0.95 and scores[0] == pytest.approx(scores[1], abs=0.02)


def _contradictions(share):
    """Two points, a hundred times each; of the first a share is positive, of the second 0.7."""
    X, first = np.repeat([[0.0], [1.0]], 100, axis=0), round(100 * share)
    return X, np.concatenate([np.arange(100) < first, np.arange(100) < 70]).astype(int)


def _shares(model, X):
    p = _sound(model, X)[:, 1]
    return p[[0, -1]]


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("validate", ["given", "held back"])
@pytest.mark.parametrize("share", [0.2, 0.4])
def test_contradicting_duplicates_get_their_share(growth, validate, share):
    X, y = _contradictions(share)
    given = {"X_val": X, "y_val": y} if validate == "given" else {}
    model = _model(growth, PATIENT, growth__l2=1e-3).fit(X, y, **given)
    assert model.levels_[0].n_instances == (200 if given else 178), "every copy counts"
    assert _shares(model, X) == pytest.approx([share, 0.7], abs=0.06)


@pytest.mark.parametrize("growth", GROWTHS)
def test_frequencies_as_weights_get_their_share(growth):
    X, y = _contradictions(0.2)
    points, labels, frequencies = [[0.0], [0.0], [1.0], [1.0]], [0, 1, 0, 1], [80, 20, 30, 70]
    model = _model(growth, PATIENT, growth__l2=1e-3)
    model.fit(points, labels, frequencies, X_val=X, y_val=y)
    assert _shares(model, X) == pytest.approx([0.2, 0.7], abs=0.06)


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize(
    "labels", [["no", "yes"], [False, True], [-1.0, 1.0], [10**12, 10**12 + 1], ["2", "10"]]
)
def test_labels_of_any_kind(growth, labels):
    X, y = _data()
    labels = np.unique(labels)
    expected = _model(growth).fit(X, y)
    model = _model(growth).fit(X, labels[y])
    assert model.classes_.tolist() == labels.tolist()
    assert model.predict(X).dtype == labels.dtype
    assert np.array_equal(model.predict(X), labels[expected.predict(X)])


def test_validation_data_of_one_class_are_enough():
    X, y = _data()
    _sound(_model().fit(X, y, X_val=X[y == 1], y_val=y[y == 1]), X)


def test_validation_data_are_used_and_never_trained_on():
    X, y = _data(400)
    last = {"growth__selection": "last", "growth__polish_updates": 0, "growth__thin": False}
    model = _model(**last).fit(X, y, X_val=X[:50], y_val=y[:50])
    assert model.levels_[0].n_instances == 400
    p = model.predict_proba(X[:50])[np.arange(50), y[:50]]
    score = model.levels_[-1].validation_score
    assert score == pytest.approx(np.log(p).mean(), rel=1e-4)


@pytest.mark.parametrize("growth", GROWTHS)
def test_a_chain_that_does_not_nest(growth):
    wide, narrow = [[0, 0.1, 0.9], [0.9, 0.1, 0]], [[0, 0.4, 0.9], [0.9, 0.4, 0]]
    _model(growth, costs=[wide, narrow, narrow], max_levels=3).fit(X40, Y40)
    with pytest.raises(ValueError, match="does not nest between level 1 and level 2"):
        _model(growth, costs=[narrow, wide, wide], max_levels=3).fit(X40, Y40)


def test_more_than_two_classes_need_refined_growth():
    X, _ = _data(300)
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    with pytest.raises(ValueError, match=r"Only binary classification is supported.*3 classes"):
        _model("paper").fit(X, y)
    assert _sound(_model(budget=PATIENT).fit(X, y), X).shape == (300, 3)


def test_many_classes():
    X = np.random.default_rng(0).normal(size=(1200, 2))
    y = np.floor(4 * np.clip(X[:, 0] + 2, 0, 3.99)).astype(int)
    model = _model(budget=PATIENT, max_levels=4).fit(X, y)
    assert _sound(model, X).shape == (1200, len(np.unique(y)))
    assert model.score(X, y) > 3 / len(np.unique(y))


def test_a_class_with_one_instance():
    X, y = _data(100)
    y[0] = 2
    assert _sound(_model().fit(X, y), X).shape == (100, 3)


@pytest.mark.parametrize("share", [0.001, 0.5, 0.999])
@pytest.mark.parametrize("n", [4, 200])
def test_any_validation_fraction(share, n):
    X, _ = _data(n)
    _sound(_model(validation_fraction=share).fit(X, np.arange(n) % 2), X)


@pytest.mark.parametrize("batch_size", [1, 7, 10**6])
def test_any_batch_size(batch_size):
    X, y = _data(60)
    _sound(_model(growth__batch_size=batch_size).fit(X, y), X)


@pytest.mark.parametrize("growth", GROWTHS)
def test_many_features_and_few_rows(growth):
    X = np.random.default_rng(0).normal(size=(12, 700))
    _sound(_model(growth).fit(X, np.arange(12) % 2), X)


@pytest.mark.parametrize("growth", GROWTHS)
def test_given_arrays_are_left_alone(growth):
    X, y = _data(3000)
    weight = np.random.default_rng(0).uniform(0, 2, size=3000)
    given = [X, y, weight, X[:100].copy(), y[:100].copy()]
    copies = [array.copy() for array in given]
    for array in given:
        array.flags.writeable = False
    _model(growth).fit(*given).predict_proba(X)
    assert all(np.array_equal(a, b) for a, b in zip(given, copies, strict=True))


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("initialisation", DISTRIBUTIONS)
def test_every_activation_learns(activation, growth, initialisation):
    X, y = _data(600)
    model = _model(growth, PATIENT, activation=activation, initialisation=initialisation)
    # A single node may start where its activation is flat, so two seeds have a go.
    scores = [model.set_params(random_state=seed).fit(X, y).score(X, y) for seed in (0, 1)]
    assert max(scores) > 0.9


def test_predictions_do_not_depend_on_the_company():
    X, y = _data(300)
    model = _model().fit(X, y)
    big = np.tile(X, (300, 1))
    p = model.predict_proba(big)
    assert np.array_equal(p[:300], model.predict_proba(X))
    assert np.array_equal(p, np.tile(p[:300], (300, 1)))
