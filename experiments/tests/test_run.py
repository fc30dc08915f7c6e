"""Only what is missing is computed, and selection never sees a test fold."""

import pytest
from entrants import BAYES, BROKEN, CAPPED, TREE

from trisect_experiments.datasets import load_dataset
from trisect_experiments.plan import best_on_validation, make_plan
from trisect_experiments.records import Result
from trisect_experiments.run import run
from trisect_experiments.store import ResultStore

DATA = load_dataset("breast-cancer")


@pytest.fixture
def store():
    with ResultStore(":memory:") as opened:
        yield opened


def test_a_second_run_computes_nothing_and_a_larger_plan_the_difference(store):
    assert run(make_plan([DATA], [TREE], folds=[0, 1]), store).computed == 6
    assert run(make_plan([DATA], [TREE], folds=[0, 1]), store).computed == 0
    assert run(make_plan([DATA], [TREE, BAYES], folds=[0, 1, 2]), store).computed == 9


def test_a_failure_is_recorded_and_stops_nothing(store):
    plan = make_plan([DATA], [BROKEN, TREE], folds=[0])
    summary = run(plan, store)
    assert (summary.computed, summary.failed) == (4, 1)
    assert [r.key.model for r in plan.results(store.results()) if r.failed] == ["broken"]
    assert [r.key.model for r in plan.outcome(store.results())] == ["tree"]
    assert run(plan, store).computed == 0
    assert run(plan, store, retry_failed=True).computed == 1


def test_a_capped_search_ends_in_a_larger_fit_of_its_winner(store):
    plan = make_plan([DATA], [CAPPED], folds=[0])
    assert len(plan.jobs) == 3 and plan.n_fits == 4
    assert run(plan, store).computed == 4
    searched = [r for r in store.results() if "search" in r.key.protocol]
    (reported,) = plan.outcome(store.results())
    assert [r.n_train for r in searched] == [100] * 3 and reported.n_train == 200
    assert reported.key.configuration == best_on_validation(searched).key.configuration
    assert run(plan, store).computed == 0


def test_what_is_left_of_a_plan(store):
    plan = make_plan([DATA], [CAPPED, TREE], folds=[0, 1])
    assert len(plan.left(())) == plan.n_fits == 14
    run(make_plan([DATA], [CAPPED], folds=[0]), store)
    left = plan.left(store.keys())
    assert len(left) == 10 and {(job.key.model, job.key.fold) for job in left} == {
        ("capped", 1),
        ("tree", 0),
        ("tree", 1),
    }


def test_selection_sees_validation_scores_only():
    key = make_plan([DATA], [TREE], folds=[0]).jobs[0].key
    scores = [(0.9, 0.1, 0.5), (0.1, 0.8, 0.5), (0.2, 0.8, 0.6), (0.3, float("nan"), 1.0)]
    results = [
        Result(key, accuracy=test, auc=test, validation_accuracy=accuracy, validation_auc=auc)
        for test, accuracy, auc in scores
    ]
    assert best_on_validation(results) is results[2]
    assert best_on_validation([Result(key, error="x")]) is None


def test_every_result_is_told_once_it_is_on_disk(store):
    told = []

    def on_result(result):
        assert {result.key} <= store.keys()
        told.append((result.key.model, result.failed))

    run(make_plan([DATA], [BAYES], folds=[0], limit=1), store)
    run(make_plan([DATA], [BAYES, BROKEN], folds=[0], limit=1), store, on_result=on_result)
    assert told == [("broken", True)]


def test_a_fold_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="Fold 10 does not exist: there are 10, 0 to 9"):
        make_plan([DATA], [TREE], folds=[10])


def test_keys_name_the_protocol_that_the_scores_depend_on():
    (key,) = {job.key.code for job in make_plan([DATA], [TREE], folds=[0]).jobs}
    assert key.startswith("test 1, protocol ")
