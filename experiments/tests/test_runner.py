"""Only what is missing is computed, and selection never sees a test fold."""

import numpy as np
import pytest
from entrants import BAYES, BROKEN, CAPPED, COUNTING, TREE, Counting
from sklearn.tree import DecisionTreeClassifier

from trisect_experiments.datasets import load_dataset
from trisect_experiments.fitting import ROC_GRID
from trisect_experiments.plan import make_plan
from trisect_experiments.protocol import evaluate, folds
from trisect_experiments.records import TIMES, Result
from trisect_experiments.runner import Silent, run
from trisect_experiments.selection import best_on_validation
from trisect_experiments.store import ResultStore

DATA = load_dataset("breast-cancer")


@pytest.fixture
def store(tmp_path):
    with ResultStore(tmp_path / "results.sqlite") as opened:
        yield opened


def without_times(frame):
    return frame.drop(columns=list(TIMES)).astype(str).to_dict("records")


def test_a_result_is_what_a_reader_would_compute_by_hand(store):
    run(make_plan([DATA], [TREE], folds=[4]), store)
    split = list(folds(DATA.y))[4]
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    tree.fit(DATA.X[split.train], DATA.y[split.train])
    p = tree.predict_proba(DATA.X[split.test])
    result = store.results()[1]
    assert result.key.parameters == {"max_depth": 2} and result.n_train == split.train.size
    assert (result.accuracy, result.weighted_f1, result.auc) == evaluate(
        DATA.y[split.test], tree.predict(DATA.X[split.test]), p
    )
    assert result.validation_accuracy == tree.score(
        DATA.X[split.validation], DATA.y[split.validation]
    )
    roc = np.array(result.details["roc"])
    assert roc.shape == ROC_GRID.shape and np.all(np.diff(roc) >= 0) and roc[-1] == 1


def test_a_second_run_computes_nothing_and_a_larger_plan_the_difference(store):
    assert run(make_plan([DATA], [TREE], folds=[0, 1]), store).computed == 6
    assert run(make_plan([DATA], [TREE], folds=[0, 1]), store).computed == 0
    assert run(make_plan([DATA], [TREE, BAYES], folds=[0, 1, 2]), store).computed == 9


def test_processes_agree_with_one_process_bit_for_bit(store):
    plan = make_plan([DATA], [TREE, CAPPED, BAYES], folds=[0, 1, 2])
    run(plan, store)
    with ResultStore(":memory:") as other:
        run(plan, other, n_jobs=2)
        assert without_times(other.frame()) == without_times(store.frame())


def test_a_failure_is_recorded_and_stops_nothing(store):
    plan = make_plan([DATA], [BROKEN, TREE], folds=[0])
    summary = run(plan, store)
    assert (summary.computed, summary.failed) == (4, 1)
    (failure,) = plan.failures(store.results())
    assert failure.error.startswith("RuntimeError: this model cannot be built")
    assert [r.key.model for r in plan.outcome(store.results())] == ["tree"]
    assert run(plan, store).computed == 0
    assert run(plan, store, retry_failed=True).computed == 1


def test_a_capped_search_ends_in_a_larger_fit_of_its_winner(store):
    plan = make_plan([DATA], [CAPPED], folds=[0])
    assert len(plan.jobs) == 3 and plan.n_fits == 4
    assert run(plan, store).computed == 4
    searched = [r for r in store if "search" in r.key.protocol]
    (reported,) = plan.outcome(store.results())
    assert [r.n_train for r in searched] == [100] * 3 and reported.n_train == 200
    assert reported.key.configuration == best_on_validation(searched).key.configuration
    assert run(plan, store).computed == 0


def test_selection_sees_validation_scores_only():
    key = make_plan([DATA], [TREE], folds=[0]).jobs[0].key
    scores = [(0.9, 0.1, 0.5), (0.1, 0.8, 0.5), (0.2, 0.8, 0.6), (0.3, float("nan"), 1.0)]
    results = [
        Result(key, accuracy=test, auc=test, validation_accuracy=accuracy, validation_auc=auc)
        for test, accuracy, auc in scores
    ]
    assert best_on_validation(results) is results[2]
    assert best_on_validation([Result(key, error="x")]) is None


def test_a_listener_hears_every_event(store):
    heard = []

    class Ear(Silent):
        def planned(self, total, missing):
            heard.append(("planned", total, missing))

        def dispatched(self, job):
            heard.append(("dispatched", job.key.fold))

        def finished(self, result):
            assert store.get(result.key) is not None, "told before it was on disk"
            heard.append(("finished", result.key.fold))

        def ended(self, summary):
            heard.append(("ended", summary.computed))

    run(make_plan([DATA], [BAYES], folds=[0], limit=1), store)
    run(make_plan([DATA], [BAYES], folds=[0, 1], limit=1), store, listener=Ear())
    assert heard == [("planned", 2, 1), ("dispatched", 1), ("finished", 1), ("ended", 1)]


def test_a_quick_look_searches_part_of_the_same_sample():
    few = {job.key for job in make_plan([DATA], [TREE], limit=1).jobs}
    all_of_them = {job.key for job in make_plan([DATA], [TREE]).jobs}
    assert few < all_of_them and len(few) == 10 and len(all_of_them) == 30


def test_a_fold_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="Fold 10 does not exist: there are 10, 0 to 9"):
        make_plan([DATA], [TREE], folds=[10])


def test_missing_cells_are_filled_inside_the_fold(store):
    X = DATA.X.copy()
    X[::3, 0] = np.nan
    holes = type(DATA)("holes", X, DATA.y, DATA.feature_names)
    assert run(make_plan([holes], [BAYES], folds=[0], limit=1), store).failed == 0


def test_a_growing_network_is_warmed_up_once_and_leaves_its_levels(store):
    run(make_plan([DATA], [COUNTING], folds=[0, 1]), store)
    assert Counting.fits == [100, 455, 455], "one small untimed fit, then the two that count"
    first = store.results()[0]
    assert first.nodes == 2
    assert first.details["levels"] == [
        {"alpha": 0.9, "accuracy": first.accuracy},
        {"alpha": 0.8, "accuracy": first.accuracy},
    ]
