"""A fit is what a reader would compute by hand, whatever was fitted before it."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from entrants import BAYES, COUNTING, TREE, Counting
from sklearn.tree import DecisionTreeClassifier

from trisect.network import engine
from trisect_experiments import fitting
from trisect_experiments.datasets import load_dataset
from trisect_experiments.fitting import ROC_GRID, fit_one
from trisect_experiments.models.network import network_model
from trisect_experiments.plan import Job, make_plan
from trisect_experiments.protocol import divide, evaluate, folds

DATA = load_dataset("breast-cancer")


def job_of(data, model, fold=0):
    return make_plan([data], [model], folds=[fold]).jobs[0]


def test_a_result_is_what_a_reader_would_compute_by_hand():
    job = make_plan([DATA], [TREE], folds=[4]).jobs[1]
    result = fit_one(job, DATA)
    split = list(folds(DATA.y))[4]
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    tree.fit(DATA.X[split.train], DATA.y[split.train])
    p = tree.predict_proba(DATA.X[split.test])[:, 1]
    assert result.key.parameters == {"max_depth": 2} and result.n_train == split.train.size
    assert (result.accuracy, result.weighted_f1, result.auc) == evaluate(
        DATA.y[split.test], tree.predict(DATA.X[split.test]), p
    )
    assert result.validation_accuracy == tree.score(
        DATA.X[split.validation], DATA.y[split.validation]
    )
    roc = np.array(result.details["roc"])
    assert roc.shape == ROC_GRID.shape and np.all(np.diff(roc) >= 0) and roc[-1] == 1


def test_missing_cells_are_filled_inside_the_fold():
    X = DATA.X.copy()
    X[::3, 0] = np.nan
    holes = replace(DATA, X=X)
    assert not fit_one(job_of(holes, BAYES), holes).failed


def test_a_small_untimed_fit_comes_first_for_every_number_of_columns():
    narrow = replace(DATA, name="narrow", X=DATA.X[:, :3], feature_names=DATA.feature_names[:3])
    for data, fold in ((DATA, 0), (DATA, 1), (narrow, 0)):
        result = fit_one(job_of(data, COUNTING, fold), data)
    assert Counting.fits == [100, 455, 455, 100, 455]
    assert result.nodes == 2 and np.isnan([result.n_levels, result.walked_share]).all()


def test_all_kernels_are_compiled_before_the_first_fit_that_counts(monkeypatch):
    events = []

    def prepared(task):
        events.append(task)
        return engine.reference

    def build(configuration, seed):
        events.append("build")
        return plain.build(configuration, seed)

    plain = network_model("network", "sfnn", {"n_hidden": 1})
    monkeypatch.setattr(engine, "_fast_or_reference", prepared)
    monkeypatch.setattr(fitting, "_WARM", set())
    assert not fit_one(job_of(DATA, replace(plain, build=build)), DATA).failed
    warm_up, counted = "/".join(events).split("build/")[1:]
    assert {"train", "scale", "probabilities", "walk"} <= set(warm_up.split("/"))
    assert set(counted.split("/")) <= {"train"}, "few rows need no more"


@pytest.mark.parametrize(
    "other", [(1, 0, 0, 10, None), (0, 1, 0, 10, None), (0, 0, 7, 10, None), (0, 0, 0, 5, None),
              (0, 0, 0, 10, 100)],
)  # fmt: skip
def test_a_fit_does_not_depend_on_the_one_before(other):
    # Rows are divided once for several fits, so two that differ in one thing must not share.
    tables = [load_dataset("xor", n_samples=n) for n in (300, 320)]

    def fit(table, fold, seed, n_splits, cap):
        data = tables[table]
        key = job_of(data, BAYES, fold).key._replace(seed=seed)
        result = fit_one(Job(key, BAYES, n_splits, cap), data)
        parts = divide(data.X, data.y, n_splits, fold, seed, cap)
        plain = BAYES.build(key.parameters, seed).fit(parts.X_train, parts.y_train)
        p = plain.predict_proba(parts.X_test)[:, 1]
        scores = evaluate(parts.y_test, plain.predict(parts.X_test), p)
        assert (result.accuracy, result.weighted_f1, result.auc) == scores
        return scores

    start = (0, 0, 0, 10, None)
    assert fit(*start) != fit(*other), "the division shows in the scores"
    assert fit(*start) == fit(*start)


def test_threads_may_fit_at_the_same_time():
    data = load_dataset("xor", n_samples=200)
    jobs = 10 * make_plan([data], [BAYES], folds=range(5), limit=1).jobs
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda job: fit_one(job, data), jobs))
    assert not [result.error for result in results if result.failed]
    assert len({(r.key.fold, r.accuracy, r.auc) for r in results}) == 5
