"""The estimator among scikit-learn's tools and other people's data frames."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate

from trisect import STWDSFNNClassifier
from trisect.growth import PaperGrowth, RefinedGrowth

REFINED = RefinedGrowth(node_updates=20, joint_updates=60, polish_updates=60, l2=0.1)


def _model(growth=REFINED, **options):
    options = {"max_levels": 2, "scale": "standard", "random_state": 0} | options
    return STWDSFNNClassifier(growth, **options)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


def _same(a, b, X):
    return np.array_equal(a.predict_proba(X), b.predict_proba(X))


def test_clone_has_the_parameters_and_nothing_fitted(data):
    model = _model(costs=[[0, 0.2, 0.8], [0.6, 0.1, 0]], class_weight={0: 1, 1: 2})
    copy = clone(model.fit(*data))
    given, copied = model.get_params(), copy.get_params()
    assert copied.pop("growth") is not given.pop("growth")
    assert copied == given
    assert not [name for name in vars(copy) if name.endswith("_")]


def test_the_estimator_has_nineteen_parameters_and_growth_its_own():
    assert len(STWDSFNNClassifier().get_params(deep=False)) == 19
    nested = set(STWDSFNNClassifier(REFINED).get_params()) - set(STWDSFNNClassifier().get_params())
    assert nested == {f"growth__{name}" for name in REFINED.get_params()}


@pytest.mark.parametrize("growth", [REFINED, PaperGrowth(max_epochs=5)], ids=["refined", "paper"])
def test_pickle_keeps_everything(data, growth):
    X, _ = data
    model = _model(growth).fit(*data)
    again = pickle.loads(pickle.dumps(model))
    assert _same(model, again, X)
    assert again.levels_frame().equals(model.levels_frame())


def test_grid_search(data):
    grid = {"activation": ["tanh", "relu"], "growth__n_candidates": [1, 3]}
    search = GridSearchCV(_model(), grid, cv=2, error_score="raise").fit(*data)
    assert search.best_score_ > 0.85 and len(search.cv_results_["params"]) == 4
    assert search.best_estimator_.growth.n_candidates in (1, 3) and REFINED.n_candidates == 2


def test_search_between_ways_to_grow(data):
    grid = {"growth": ["paper", REFINED, PaperGrowth(max_epochs=5)]}
    search = GridSearchCV(_model(), grid, cv=2, error_score="raise").fit(*data)
    assert len(search.cv_results_["params"]) == 3


@pytest.mark.slow
def test_cross_validation_in_processes_equals_that_in_one(data):
    one = cross_val_score(_model(), *data, cv=2, scoring="neg_log_loss")
    two = cross_val_score(_model(), *data, cv=2, scoring="neg_log_loss", n_jobs=2)
    assert np.array_equal(one, two)


def test_within_other_estimators(data):
    X, y = data
    for outer in (BaggingClassifier(_model(), 2, random_state=0), CalibratedClassifierCV(_model())):
        assert outer.fit(X, y).score(X, y) > 0.85


@pytest.mark.parametrize("library", [pd, pl])
def test_frames_give_their_names(data, library):
    X, y = data
    frame = library.DataFrame(dict(zip(["one", "two", "three"], X.T, strict=True)))
    model = _model().fit(frame, library.Series(y))
    assert model.feature_names_in_.tolist() == ["one", "two", "three"]
    assert np.array_equal(model.predict_proba(frame), _model().fit(X, y).predict_proba(X))
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame[["two", "one", "three"]])


def test_mixed_columns_of_a_frame(data):
    X, y = data
    frame = pd.DataFrame({"f": X[:, 0].astype("float32"), "i": (9 * X[:, 1]).astype("int64")})
    frame["b"] = X[:, 2] > 0
    expected = _model().fit(frame.to_numpy(dtype=float), y)
    assert np.array_equal(
        _model().fit(frame, y).predict_proba(frame),
        expected.predict_proba(frame.to_numpy(dtype=float)),
    )


def test_names_of_validation_data_must_match(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["one", "two", "three"])
    with pytest.raises(ValueError, match="feature names should match"):
        _model().fit(frame, y, X_val=frame.rename(columns={"one": "uno"}), y_val=y)


def test_levels_as_a_frame(data):
    model = _model().fit(*data)
    frame = model.levels_frame()
    assert frame.index.tolist() == list(range(1, len(model.levels_) + 1))
    assert frame["alpha"].tolist() == [level.alpha for level in model.levels_]
    assert (frame[["n_pos", "n_bnd", "n_neg"]].sum(axis=1) == frame["n_instances"]).all()


def test_weights_arrive_by_metadata_routing(data):
    X, y = data
    weight = np.where(X[:, 2] > 0, 1.0, 0.01)
    with config_context(enable_metadata_routing=True):
        requesting = _model().set_fit_request(sample_weight=True)
        requesting.set_score_request(sample_weight=True)
        routed = cross_validate(
            requesting, X, y, cv=2, params={"sample_weight": weight}, return_estimator=True,
            return_indices=True, error_score="raise",
        )  # fmt: skip
    for model, rows in zip(routed["estimator"], routed["indices"]["train"], strict=True):
        assert _same(model, _model().fit(X[rows], y[rows], weight[rows]), X)
        assert not _same(model, _model().fit(X[rows], y[rows]), X)


@pytest.mark.parametrize(
    ("growth", "name", "value"),
    [
        (None, "growth", "wild"),
        (None, "growth", None),
        (None, "growth", RefinedGrowth),
        (None, "max_levels", 2.5),
        (None, "boundary_penalty", 0.5),
        (None, "validation_fraction", 1.0),
        (None, "scale", "log"),
        (RefinedGrowth, "theta", -1),
        (RefinedGrowth, "learning_rate", 0),
        (RefinedGrowth, "n_candidates", 0),
        (RefinedGrowth, "selection", "first"),
        (PaperGrowth, "delta", "inverse"),
        (PaperGrowth, "delta", [1.0, 2.0]),
        (PaperGrowth, "l2", "auto"),
    ],
)
def test_invalid_parameters_are_named(data, growth, name, value):
    model = _model(**{name: value}) if growth is None else _model(growth(**{name: value}))
    owner = STWDSFNNClassifier if growth is None else growth
    with pytest.raises(ValueError, match=f"'{name}' parameter of {owner.__name__}"):
        model.fit(*data)


@pytest.mark.parametrize("name", ["l2", "theta", "delta", "max_epochs", "selection", "verbose"])
def test_parameters_of_growth_are_not_those_of_the_estimator(name):
    with pytest.raises(TypeError, match=name):
        STWDSFNNClassifier(**{name: 1})
