"""The registry holds the paper's grids, and every entry fits."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect_experiments.datasets import load_dataset
from trisect_experiments.models import MODELS, models_of, package_code, trisect_code
from trisect_experiments.models.classic import rf_space
from trisect_experiments.plan import make_plan
from trisect_experiments.runner import run
from trisect_experiments.store import ResultStore


def test_grids_are_the_papers():
    svc = MODELS["SVC"].space(8)
    assert len(svc) == 3 * 9 * 9
    assert {c["C"] for c in svc} == {c["gamma"] for c in svc} == {2.0**k for k in range(-4, 5)}
    assert {c["kernel"] for c in svc} == {"poly", "rbf", "sigmoid"}
    rf = rf_space(64)
    assert {c["max_features"] for c in rf} == {64, 6, 8, 38}
    assert {c["n_estimators"] for c in rf} == set(range(100, 1001, 100))
    searched = [c for c in rf if c["n_estimators"] == 100 and c["max_features"] < 64]
    assert MODELS["RF"].space(64) == searched and len(searched) == 3
    assert MODELS["RF"].space(1) == [{"n_estimators": 100, "max_features": 1}]
    knn = MODELS["KNN"].space(8)
    assert len(knn) == 20 and {c["metric"] for c in knn} == {"euclidean", "cosine"}
    assert {c["n_neighbors"] for c in knn} == set(range(10, 101, 10))


@pytest.mark.parametrize("name", MODELS)
def test_samples_are_seeded_distinct_and_nested(name):
    model = MODELS[name]
    sample = model.configurations(20, seed=1)
    assert sample == model.configurations(20, seed=1)
    assert len({str(c) for c in sample}) == len(sample)
    assert all(c in model.space(20) for c in sample)
    for c in model.configurations(20, seed=1, limit=1):
        assert c in sample


@pytest.mark.parametrize("name", MODELS)
def test_every_model_beats_the_majority_on_an_easy_problem(name):
    data = load_dataset("breast-cancer")
    plan = make_plan([data], [MODELS[name]], folds=[0], limit=None if name == "SVC" else 1)
    with ResultStore(":memory:") as store:
        assert run(plan, store).failed == 0, next(iter(store)).error
        (result,) = plan.outcome(store.results())
    assert result.accuracy > 0.85 and result.auc > 0.9
    assert np.isfinite(result.nodes) == MODELS[name].network


def test_cosine_neighbours_are_the_cosine_neighbours():
    data = load_dataset("breast-cancer")
    ours = MODELS["KNN"].build({"n_neighbors": 10, "metric": "cosine"}, 0).fit(data.X, data.y)
    plain = make_pipeline(
        StandardScaler(), KNeighborsClassifier(n_neighbors=10, metric="cosine")
    ).fit(data.X, data.y)
    np.testing.assert_array_equal(ours.predict_proba(data.X), plain.predict_proba(data.X))


def test_tables_list_their_models():
    assert [m.name for m in models_of("classic") if m.name in ("SVC", "RF", "KNN")] == [
        "SVC",
        "RF",
        "KNN",
    ]
    assert len(models_of("all")) == len(MODELS)
    with pytest.raises(ValueError, match="No table 'clasic'; the tables are classic"):
        models_of("clasic")


def test_caps_are_stated():
    assert MODELS["SVC"].caps() == (
        "SVC: stopped after 100,000 iterations, 12 of its 243 configurations, "
        "searched on at most 1,000 rows, fitted on at most 5,000 rows."
    )
    assert MODELS["LightGBM"].caps() == ""


def test_code_versions_name_what_a_result_depends_on():
    assert MODELS["RF"].code() == package_code("scikit-learn")
    assert MODELS["LightGBM"].code().startswith("lightgbm ")
    assert trisect_code().startswith("trisect ") and trisect_code() == trisect_code()
