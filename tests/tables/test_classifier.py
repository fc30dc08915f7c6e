"""Raw tables to decisions."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from trisect import (
    CostMatrix,
    STWDSFNNClassifier,
    TableClassifier,
    TableEncoder,
    ThreeWayClassifier,
    decide,
    decide_sequentially,
)
from trisect.growth import RefinedGrowth
from trisect.metrics import three_way_cost_scorer
from trisect.tables import TableWarning

# Which class is accepted is tested elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore:To accept means")

QUICK = STWDSFNNClassifier(
    RefinedGrowth(node_updates=20, joint_updates=200, polish_updates=60),
    max_levels=2,
    scale="standard",
)
LINEAR = LogisticRegression(solver="newton-cholesky")
COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)


def credit(n=600, seed=0):
    """Clients whose job, age and gaps tell whether they pay."""
    rng = np.random.default_rng(seed)
    job, age = rng.choice(["nurse", "clerk", "cook", "pilot"], n), rng.integers(18, 90, n)
    town = rng.integers(0, 30, n)
    score = 2.0 * (job == "nurse") - 1.5 * (job == "cook") + (age - 50) / 20 + (town % 3 - 1)
    pays = rng.random(n) < 1 / (1 + np.exp(-2 * score))
    X = pd.DataFrame({
        "client": [f"K{i:05d}" for i in range(n)],
        "job": job,
        "age": np.where(rng.random(n) < 0.1, np.nan, age),
        "town": [f"T{t}" for t in town],
        "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D"),
    })  # fmt: skip
    return X, np.where(pays, "pays", "owes")


X, Y = credit()
TRAIN, TEST = slice(0, 400), slice(400, 600)


@pytest.fixture(scope="module")
def fitted():
    return TableClassifier(QUICK, COSTS, random_state=0).fit(X[TRAIN], Y[TRAIN])


def test_a_raw_table_is_learnt(fitted):
    p = fitted.predict_proba(X[TEST])[:, 1]
    assert fitted.classes_.tolist() == ["owes", "pays"]
    assert roc_auc_score(Y[TEST] == "pays", p) > 0.85
    assert set(fitted.predict(X[TEST])) == {"owes", "pays"}
    assert fitted.feature_names_in_.tolist() == list(X.columns) and fitted.n_features_in_ == 5
    assert "client" in str(fitted.report_columns_)


def test_decisions_are_those_of_the_classifier_on_the_numbers(fitted):
    numbers = fitted.encoder_.transform(X[TEST])
    inner = fitted.estimator_
    assert np.array_equal(fitted.decide(X[TEST]), inner.decide(numbers))
    assert np.array_equal(fitted.decide_classes(X[TEST]), inner.decide_classes(numbers))
    walk = fitted.decide_sequentially(X[TEST], final="decide")
    assert np.array_equal(walk.regions, inner.decide_sequentially(numbers, final="decide").regions)
    assert set(walk.regions.tolist()) == {-1, 1}
    other = [[0, 1, 3], [3, 1, 0]]
    assert np.array_equal(fitted.decide(X[TEST], other), inner.decide(numbers, other))


def test_costs_and_the_positive_class_reach_the_classifier():
    model = TableClassifier(QUICK, COSTS, pos_label="owes", random_state=0).fit(X[TRAIN], Y[TRAIN])
    assert model.costs_ == COSTS and model.pos_label_ == model.estimator_.pos_label_ == "owes"
    accepted = model.decide(X[TEST]) == 1
    assert (Y[TEST][accepted] == "owes").mean() > 0.7


def test_a_classifier_that_does_not_decide_is_wrapped():
    forest = RandomForestClassifier(20)
    model = TableClassifier(forest, COSTS, random_state=0).fit(X[TRAIN], Y[TRAIN])
    assert isinstance(model.estimator_, ThreeWayClassifier) and model.costs_ == COSTS
    assert model.estimator_.estimator_.random_state == 0 and forest.random_state is None
    assert set(model.decide(X[TEST]).tolist()) == {-1, 0, 1}
    assert not hasattr(model, "decide_sequentially")


def test_the_seed_fixes_the_fit(fitted):
    again = clone(fitted).fit(X[TRAIN], Y[TRAIN])
    assert np.array_equal(again.predict_proba(X[TEST]), fitted.predict_proba(X[TEST]))


def test_parameters_are_kept_apart(fitted):
    assert not hasattr(clone(fitted), "estimator_")
    assert fitted.get_params()["estimator__max_levels"] == 2
    assert QUICK.costs is None, "the estimator given is not touched"


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_cross_validation_of_frames(library):
    model = TableClassifier(LINEAR, COSTS, random_state=0)
    frame = X if library is pd.DataFrame else pl.from_pandas(X)
    scores = cross_val_score(model, frame, Y, cv=3, scoring=three_way_cost_scorer)
    assert ((scores < 0) & (scores > -1.5)).all()
    assert (cross_val_score(model, frame, Y, cv=3, scoring="roc_auc") > 0.8).all()


def test_a_search_names_the_parameters_of_the_classifier():
    search = GridSearchCV(
        TableClassifier(LINEAR, random_state=0), {"estimator__C": [0.01, 1.0]}, cv=2
    )
    assert search.fit(X, Y).best_score_ > 0.7
    assert set(decide(search, X).tolist()) <= {-1, 0, 1}


def test_validation_data_are_tables_too():
    model = TableClassifier(QUICK, random_state=0)
    model.fit(X[TRAIN], Y[TRAIN], X_val=X[TEST], y_val=Y[TEST])
    assert model.estimator_.levels_[0].n_instances == 400, "no row was held back"


def test_weights_reach_the_classifier_and_the_evidence():
    weight = np.where(np.arange(400) < 200, 1.0, 0.001)
    some = TableClassifier(LINEAR, random_state=0).fit(X[TRAIN], Y[TRAIN], weight)
    all_alike = TableClassifier(LINEAR, random_state=0).fit(X[TRAIN], Y[TRAIN])
    town = [m.encoder_.columns_[3].values["T3"] for m in (some, all_alike)]
    assert town[0] != town[1]
    assert not np.allclose(some.predict_proba(X[TEST]), all_alike.predict_proba(X[TEST]))


def test_unseen_categories_are_reported(fitted):
    with pytest.warns(TableWarning, match="200 cells of 'job'"):
        fitted.predict(X[TEST].assign(job="astronaut"))


def test_pickle_keeps_everything(fitted):
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.predict_proba(X[TEST]), fitted.predict_proba(X[TEST]))


def test_a_failed_fit_leaves_the_classifier_as_it_was(fitted):
    before = fitted.predict_proba(X[TEST])
    with pytest.raises(ValueError, match="left out"):
        fitted.fit(X[["client"]], Y)
    assert np.array_equal(fitted.predict_proba(X[TEST]), before)


def test_more_than_two_classes():
    three = np.where(X["age"].fillna(50) > 70, "old", Y)
    model = TableClassifier(QUICK, random_state=0).fit(X[TRAIN], three[TRAIN])
    assert model.predict_proba(X[TEST]).shape == (200, 3)
    assert [n for n in model.encoder_.get_feature_names_out() if n.startswith("town")] == [
        "town for old", "town for owes", "town for pays",
    ]  # fmt: skip


def test_labels_that_are_missing_are_refused():
    spoilt = Y.astype(object)
    spoilt[3] = None
    with pytest.raises(ValueError, match="y has 1 missing label"):
        TableClassifier(QUICK).fit(X, spoilt)


def test_a_pipeline_that_ends_in_a_decider_decides():
    model = make_pipeline(
        TableEncoder(random_state=0), clone(QUICK).set_params(random_state=0, costs=COSTS)
    )
    model.fit(X[TRAIN], Y[TRAIN])
    whole = TableClassifier(QUICK, COSTS, random_state=0).fit(X[TRAIN], Y[TRAIN])
    assert np.array_equal(decide(model, X[TEST]), whole.decide(X[TEST]))
    walk = decide_sequentially(model, X[TEST])
    assert np.array_equal(walk.regions, whole.decide_sequentially(X[TEST]).regions)


def test_a_pipeline_without_levels_says_so():
    model = make_pipeline(TableEncoder(random_state=0), LINEAR)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X[TRAIN], Y[TRAIN])
    assert set(decide(model, X[TEST], COSTS).tolist()) == {-1, 0, 1}
    with pytest.raises(ValueError, match="has no costs of its own"):
        decide(model, X[TEST])
    with pytest.raises(TypeError, match="no levels to walk through"):
        decide_sequentially(model, X[TEST])
