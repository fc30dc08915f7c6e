"""The network models of the registry: the paper's tables, one grid for all, picklable."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from trisect_experiments import fitting
from trisect_experiments.datasets import load_dataset
from trisect_experiments.fitting import fit_one
from trisect_experiments.models import MODELS, models_of, trisect_code
from trisect_experiments.models.network import NETWORK
from trisect_experiments.plan import make_plan
from trisect_experiments.published import TABLES, published

NODES = {"m1-SFNN-R": 6, "m2-SFNN-R": 5, "m3-SFNN-R": 8, "STWD-SFNN-NK": 1}


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("static", ["m1-SFNN-R", "m2-SFNN-R", "m3-SFNN-R", "STWD-SFNN"]),
        ("dynamic", ["GS-SFNN", "PSO-SFNN", "TWD-SFNN-R", "STWD-SFNN-NK", "STWD-SFNN"]),
        ("classic", ["SVC", "RF", "KNN", "STWD-SFNN"]),
        ("twd-5fold", ["TWD-SFNN-R", "STWD-SFNN"]),
    ],
)
def test_tables_hold_the_papers_models_in_its_order(table, names):
    assert [model.name for model in models_of(table)] == names


@pytest.mark.parametrize("table", TABLES)
def test_every_model_of_a_table_has_published_figures(table):
    for model in models_of(table):
        assert published(table, "EOL", model.name), model.name


@pytest.mark.parametrize("model", NETWORK, ids=lambda model: model.name)
def test_all_search_six_activations_and_two_initialisations(model):
    grid = model.space(20)
    assert len(grid) == 12
    assert len(model.configurations(20)) == (4 if model.name == "PSO-SFNN" else 12)
    assert len({c["activation"] for c in grid}) == 6
    assert {c["initialisation"] for c in grid} == {"uniform", "normal"}
    assert model.uses_validation and model.network and model.code() == trisect_code()


@pytest.mark.parametrize("model", NETWORK, ids=lambda model: model.name)
def test_entries_travel_to_workers(model):
    copy = pickle.loads(pickle.dumps(model))
    configuration = model.configurations(5)[3]
    assert str(copy.build(configuration, 1)) == str(model.build(configuration, 1))
    assert model.build(configuration, 1).get_params()["random_state"] == 1


def test_limits_are_stated():
    assert MODELS["PSO-SFNN"].caps() == (
        "PSO-SFNN: 5 particles, 20 iterations, 4 of its 12 configurations."
    )
    assert "one node" in MODELS["STWD-SFNN-NK"].caps()
    assert MODELS["STWD-SFNN"].caps() == ""


@pytest.mark.parametrize("name", NODES)
def test_nodes_of_the_fixed_sizes(name):
    data = load_dataset("breast-cancer")
    (job,) = make_plan([data], [MODELS[name]], folds=[0], limit=1).jobs
    result = fit_one(job.key, job.model, data.X, data.y, 10)
    assert not result.failed and result.nodes == NODES[name]


def test_a_fit_does_not_depend_on_the_one_before():
    # Rows are divided once for several fits, so two that differ in one thing must not share.
    tables = [load_dataset("xor", n_samples=n) for n in (300, 320)]
    plan = make_plan(tables, [MODELS["KNN"]], folds=[0, 1], limit=1)
    start = (0, 0, 0, 10, None)
    others = [(1, 0, 0, 10, None), (0, 1, 0, 10, None), (0, 0, 7, 10, None)]
    others += [(0, 0, 0, 5, None), (0, 0, 0, 10, 100)]

    def fit(table, fold, seed, n_splits, cap):
        data = tables[table]
        job = next(j for j in plan.jobs if (j.key.data, j.key.fold) == (data.fingerprint, fold))
        key = job.key._replace(seed=seed)
        result = fit_one(key, job.model, data.X, data.y, n_splits, cap)
        return result.accuracy, result.auc, result.validation_auc, result.n_train

    expected = {}
    for division in (start, *others):
        fitting._LAST_PARTS.clear()
        expected[division] = fit(*division)
    assert len(set(expected.values())) == len(expected), "each division shows in the scores"
    for other in others:
        assert fit(*start) == expected[start]
        assert fit(*other) == expected[other]


def test_threads_may_fit_at_the_same_time():
    data = load_dataset("xor", n_samples=200)
    jobs = 10 * make_plan([data], [MODELS["KNN"]], folds=range(5), limit=1).jobs
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda job: fit_one(job.key, job.model, data.X, data.y, 10), jobs))
    assert not [result.error for result in results if result.failed]
    assert len({(r.key.fold, r.accuracy, r.auc) for r in results}) == 5


@pytest.mark.parametrize("model", NETWORK, ids=lambda model: model.name)
def test_results_are_reproducible(model):
    data = load_dataset("breast-cancer")
    (job,) = make_plan([data], [model], folds=[1], limit=1).jobs
    first, again = (fit_one(job.key, model, data.X, data.y, 10) for _ in range(2))
    assert (first.accuracy, first.auc, first.nodes) == (again.accuracy, again.auc, again.nodes)
