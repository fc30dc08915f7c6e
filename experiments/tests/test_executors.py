"""Every executor keeps the same contract: one result per task, the same to the last bit."""

import os
import signal

import pytest
from entrants import BAYES, BROKEN, CAPPED, SLOW, TREE
from studies import without_times

from trisect_experiments.datasets import load_dataset
from trisect_experiments.executors import Dask, Local, Task
from trisect_experiments.plan import make_plan
from trisect_experiments.run import run
from trisect_experiments.store import ResultStore
from trisect_experiments.wu2023 import MODELS

DATA = load_dataset("breast-cancer")
# distributed warns about the deaths that are caused here, and about its threads at the end
DEATHS = pytest.mark.filterwarnings("ignore")


@pytest.fixture(
    params=[
        "one process",
        pytest.param("two processes", marks=pytest.mark.slow),
        pytest.param("dask", marks=[pytest.mark.slow, DEATHS]),
    ]
)
def executor(request):
    if request.param == "dask":
        return Dask(request.getfixturevalue("cluster"))
    return Local(1 if request.param == "one process" else 2)


def comparable(results):
    assert len({result.key for result in results}) == len(results)
    return sorted(map(without_times, results))


def test_one_result_per_task_and_always_the_same(executor):
    plan = make_plan([DATA], [TREE, CAPPED, BAYES, MODELS["m2-SFNN-R"]], folds=[0], limit=3)
    tasks = [Task(job, DATA) for job in plan.jobs]
    results = list(executor.map(iter(tasks)))
    assert comparable(results) == comparable(list(Local().map(tasks)))


def test_an_error_is_a_result_and_stops_nothing(executor):
    tasks = [Task(job, DATA) for job in make_plan([DATA], [BROKEN, TREE], folds=[0]).jobs]
    results = {result.key.model: result for result in executor.map(tasks)}
    assert "this model cannot be built" in results["broken"].error
    assert not results["tree"].failed


def test_tasks_are_drawn_when_there_is_room(executor):
    drawn = []

    def tasks():
        for job in make_plan([DATA], [TREE], folds=range(10)).jobs:
            drawn.append(job)
            yield Task(job, DATA)

    results = executor.map(tasks())
    next(results)
    assert len(drawn) <= 4 * executor.workers + 2
    assert len(list(results)) == 29


def test_no_tasks_no_results(executor):
    assert list(executor.map([])) == []


def test_a_place_has_a_size_and_a_name(executor):
    assert executor.workers in (1, 2)
    assert str(executor.workers) in str(executor)


@DEATHS
@pytest.mark.slow
def test_a_worker_may_die(cluster, tmp_path):
    distributed = pytest.importorskip("distributed")
    plan = make_plan([DATA], [SLOW, TREE, BAYES], folds=range(8))
    killed = []

    def kill_one(result):
        if not killed and len(store) >= 5:
            victim = sorted(client.run(os.getpid).values())[0]
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    with (
        distributed.Client(cluster, set_as_default=False) as client,
        ResultStore(tmp_path / "cluster.sqlite") as store,
        ResultStore(":memory:") as local,
    ):
        summary = run(plan, store, Dask(cluster), on_result=kill_one)
        assert killed and (summary.computed, summary.failed) == (plan.n_fits, 0)
        run(plan, local)
        assert comparable(store.results()) == comparable(local.results())


@DEATHS
def test_nobody_answers():
    pytest.importorskip("distributed")
    with pytest.raises(ConnectionError, match=r"No Dask scheduler answers at tcp://127.0.0.1:9"):
        Dask("tcp://127.0.0.1:9", timeout=0.2).workers  # noqa: B018
