"""The rows of the paper's tables: its grids, our limits, and every one of them fits."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect.estimators.sizes import RULES, hidden_nodes
from trisect_experiments.datasets import load_dataset
from trisect_experiments.datasets.uci import RECIPES
from trisect_experiments.fitting import fit_one
from trisect_experiments.models import package_code
from trisect_experiments.plan import make_plan
from trisect_experiments.run import run
from trisect_experiments.store import ResultStore
from trisect_experiments.wu2023 import MODELS
from trisect_experiments.wu2023.published import published

DATA = load_dataset("breast-cancer")
NODES = {"m1-SFNN-R": 6, "m2-SFNN-R": 5, "m3-SFNN-R": 8}
NETWORKS = [name for name in MODELS if "-SFNN" in name]


def test_grids_are_the_papers():
    svc = MODELS["SVC"].space(8)
    assert len(svc) == 3 * 9 * 9
    assert {c["C"] for c in svc} == {c["gamma"] for c in svc} == {2.0**k for k in range(-4, 5)}
    assert {c["kernel"] for c in svc} == {"poly", "rbf", "sigmoid"}
    forest = MODELS["RF"].space(8)
    assert [c["max_features"] for c in forest] == ["log2", "sqrt", 0.6, 1.0]
    assert {c["n_estimators"] for c in forest} == {100}
    trees = "100 trees, where the paper searches 100 to 1,000"
    assert MODELS["RF"].limits == (trees, "searched on at most 1,000 rows")
    knn = MODELS["KNN"].space(8)
    assert len(knn) == 20 and {c["metric"] for c in knn} == {"euclidean", "cosine"}
    assert {c["n_neighbors"] for c in knn} == set(range(10, 101, 10))


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_search_one_grid(name):
    grid = 1 if name.endswith("(refined)") else 12
    searched = 4 if name in ("GS-SFNN", "PSO-SFNN") else grid
    assert len(MODELS[name].configurations(20)) == searched
    assert len(MODELS[name].space(20)) == grid and MODELS[name].uses_validation


@pytest.mark.parametrize("name", MODELS)
def test_every_model_beats_the_majority_on_an_easy_problem(name):
    plan = make_plan([DATA], [MODELS[name]], folds=[0], limit=None if name == "SVC" else 1)
    with ResultStore(":memory:") as store:
        assert run(plan, store).failed == 0, store.results()[0].error
        (result,) = plan.outcome(store.results())
    assert result.accuracy > DATA.majority_rate and result.auc > 0.9
    assert np.isfinite(result.nodes) == (name in [*NETWORKS, "MLP"])


@pytest.mark.parametrize("name", NODES)
def test_static_networks_have_the_nodes_of_their_rule(name):
    (job,) = make_plan([DATA], [MODELS[name]], folds=[0], limit=1).jobs
    assert fit_one(job, DATA).nodes == NODES[name]


@pytest.mark.parametrize("name", NETWORKS)
def test_a_fit_can_be_repeated(name):
    (job,) = make_plan([DATA], [MODELS[name]], folds=[1], limit=1).jobs
    first, again = (fit_one(job, DATA) for _ in range(2))
    assert (first.accuracy, first.auc, first.nodes) == (again.accuracy, again.auc, again.nodes)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("dataset", set(RECIPES) - {"PCB"})
def test_rules_give_every_node_count_of_the_paper(rule, dataset):
    nodes = published("static", dataset, f"{rule}-SFNN-R")["nodes"].mean
    assert hidden_nodes(rule, RECIPES[dataset].n_features, 2) == nodes


def test_cosine_neighbours_are_the_cosine_neighbours():
    ours = MODELS["KNN"].build({"n_neighbors": 10, "metric": "cosine"}, 0).fit(DATA.X, DATA.y)
    plain = make_pipeline(
        StandardScaler(), KNeighborsClassifier(n_neighbors=10, metric="cosine")
    ).fit(DATA.X, DATA.y)
    np.testing.assert_array_equal(ours.predict_proba(DATA.X), plain.predict_proba(DATA.X))


def test_code_versions_name_what_a_result_depends_on():
    assert MODELS["RF"].code() == package_code("scikit-learn")
    assert MODELS["LightGBM"].code().startswith("lightgbm ")
    assert MODELS["STWD-SFNN (refined)"].code().startswith("trisect ")
