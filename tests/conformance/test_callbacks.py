"""scikit-learn's callbacks: the task tree, scores along the way, and interruption."""

import numpy as np
import pytest
from sklearn.callback import ProgressBar, ScoringMonitor
from sklearn.model_selection import GridSearchCV

from trisect import STWDSFNNClassifier, TWDSFNNClassifier
from trisect.growth import PaperGrowth, RefinedGrowth

REFINED = RefinedGrowth(node_updates=20, joint_updates=60, polish_updates=60, l2=0.01)
PAPER = PaperGrowth(max_epochs=6, l2=0.01, delta=None)
# Deferring costs little here, so that the paper's growth needs several levels.
CHEAP = [[0, 0.02, 0.9], [0.9, 0.02, 0]]


def _model(growth=REFINED, estimator=STWDSFNNClassifier, **options):
    options = {"max_levels": 3, "scale": "standard", "random_state": 0} | options
    return estimator(growth, **options)


def _several_levels(growth):
    return _model(growth, max_levels=4, costs=CHEAP, n_granules=1)


@pytest.fixture(scope="module")
def data():
    X = np.random.default_rng(0).normal(size=(400, 2))
    return X, (np.square(X).sum(axis=1) > 1.4).astype(int)


class Recorder:
    """Writes down every hook, and stops where it is told to."""

    def __init__(self, stop=lambda context: False):
        self.events, self.estimators, self._stop = [], [], stop

    def setup(self, estimator, context):
        self.events.append(("setup", context.task_name))

    def teardown(self, estimator, context):
        self.events.append(("teardown", context.task_name))

    def on_fit_task_begin(self, estimator, context, *, X=None, y=None):
        assert X is not None and y is not None
        parent = None if context.parent is None else context.parent.task_name
        self.events.append(("begin", context.task_name, context.task_id, parent))

    def on_fit_task_end(self, estimator, context, *, X=None, y=None, fitted_estimator=None):
        self.events.append(("end", context.task_name, context.task_id))
        if context.task_name == "level":
            self.estimators.append(fitted_estimator)
        return self._stop(context)

    def count(self, kind, name):
        return sum(event[:2] == (kind, name) for event in self.events)


@pytest.mark.parametrize(
    ("growth", "parents"), [(REFINED, {"level", "polish"}), (PAPER, {"level"})]
)
def test_the_task_tree_is_fit_then_levels_and_polish_then_epochs(data, growth, parents):
    recorder = Recorder()
    model = _model(growth).set_callbacks(recorder).fit(*data)
    events = recorder.events
    assert events[0] == ("setup", "fit") and events[-1] == ("teardown", "fit")
    assert events[1] == ("begin", "fit", 0, None) and events[-2] == ("end", "fit", 0)
    levels = [event for event in events if event[:2] == ("begin", "level")]
    assert levels == [("begin", "level", i, "fit") for i in range(len(model.levels_))]
    epochs = {event[3] for event in events if event[:2] == ("begin", "epoch")}
    assert epochs == parents
    assert recorder.count("begin", "polish") == recorder.count("end", "polish") == len(parents) - 1
    for name in ("fit", "level", "epoch"):
        assert recorder.count("begin", name) == recorder.count("end", name) > 0


def test_a_callback_does_not_change_the_fit(data):
    X, _ = data
    plain, watched = _model().fit(*data), _model().set_callbacks(Recorder()).fit(*data)
    assert np.array_equal(plain.predict_proba(X), watched.predict_proba(X))


@pytest.mark.parametrize("growth", [REFINED, PAPER], ids=["refined", "paper"])
def test_each_level_hands_over_an_estimator_that_predicts(data, growth):
    X, _ = data
    recorder = Recorder()
    model = _several_levels(growth).set_callbacks(recorder).fit(*data)
    assert len(recorder.estimators) == len(model.levels_) > 1
    for i, estimator in enumerate(recorder.estimators):
        assert estimator.n_hidden_ == i + 1
        assert len(estimator.levels_) == i + 1 and estimator.best_level_ == i
        assert estimator.levels_[-1].n_hidden == i + 1
        assert np.array_equal(estimator.levels_[-1].costs, model.levels_[i].costs)
        np.testing.assert_allclose(estimator.predict_proba(X).sum(axis=1), 1.0)
        assert np.array_equal(estimator.decide_sequentially(X).regions, estimator.decide(X))


def test_the_levels_handed_over_know_what_was_settled(data):
    recorder = Recorder()
    growth = RefinedGrowth(node_updates=9, joint_updates=20, thin=False)
    model = _model(growth, scale="auto", max_levels=2)
    model.set_callbacks(recorder).fit(*data)
    for estimator in recorder.estimators:
        assert estimator.scaling_ is model.scaling_
        assert (estimator.activation_, estimator.l2_) == (model.activation_, model.l2_)


def test_one_pair_of_thresholds_is_watched_too(data):
    model = _model(estimator=TWDSFNNClassifier)
    recorder = Recorder(lambda c: c.task_name == "epoch")
    model.set_callbacks(recorder).fit(*data)
    assert recorder.count("end", "polish") == 1
    # The polish trains one or two sizes to choose, and then the one that is kept on all rows.
    assert recorder.count("end", "epoch") - len(model.levels_) in (2, 3)
    recorder = Recorder(lambda c: c.task_name == "level")
    model.set_callbacks(recorder).fit(*data)
    assert len(model.levels_) == 1 and recorder.count("begin", "polish") == 0


@pytest.mark.parametrize("growth", [REFINED, PAPER], ids=["refined", "paper"])
def test_a_callback_may_stop_growth(data, growth):
    assert len(_several_levels(growth).fit(*data).levels_) > 1
    recorder = Recorder(lambda c: c.task_name == "level")
    model = _several_levels(growth).set_callbacks(recorder).fit(*data)
    assert len(model.levels_) == recorder.count("end", "level") == 1
    assert recorder.count("begin", "polish") == 0, "it asked for an end"
    assert model.predict(data[0]).shape == (400,)


def test_a_callback_may_end_the_training_of_a_level_and_the_polish(data):
    recorder = Recorder(lambda c: c.task_name == "epoch")
    model = _model().set_callbacks(recorder).fit(*data)
    assert len(model.levels_) == 3 and recorder.count("end", "epoch") == 3 + 3


def test_an_error_in_a_callback_or_in_the_data_still_tears_down(data):
    def fail(context):
        raise RuntimeError("enough")

    recorder = Recorder(fail)
    with pytest.raises(RuntimeError, match="enough"):
        _model().set_callbacks(recorder).fit(*data)
    assert recorder.events[-1] == ("teardown", "fit")
    with pytest.raises(ValueError, match="one class"):
        _model().set_callbacks(recorder).fit(data[0], np.zeros(400))
    assert recorder.events[-1] == ("teardown", "fit")


def test_scoring_monitor_sees_every_level(data):
    X, y = data
    monitor = ScoringMonitor(scoring="accuracy")
    model = _model().set_callbacks(monitor).fit(X, y)
    rows = monitor.get_logs().data
    levels = [row["accuracy"] for row in rows if row["task_name"] == "level"]
    assert len(levels) == len(model.levels_)
    assert levels[-1] > levels[0]
    final = [row["accuracy"] for row in rows if row["task_name"] == "fit"]
    assert final == [model.score(X, y)]


def test_progress_bar_within_a_search(data, capsys):
    search = GridSearchCV(_model(), {"activation": ["tanh", "relu"]}, cv=2, error_score="raise")
    search.set_callbacks(ProgressBar(max_propagation_depth=None)).fit(*data)
    assert "STWDSFNNClassifier" in capsys.readouterr().out


def test_warm_start_reports_only_new_levels(data):
    model = _model(max_levels=2, warm_start=True).fit(*data)
    recorder, kept = Recorder(), model.best_level_ + 1
    model.set_params(max_levels=4).set_callbacks(recorder).fit(*data)
    assert recorder.count("begin", "level") == len(model.levels_) - kept
    counts = list(range(kept + 1, len(model.levels_) + 1))
    assert [len(e.levels_) for e in recorder.estimators] == counts
    for estimator in recorder.estimators:
        walk = estimator.decide_sequentially(data[0])
        assert np.array_equal(walk.regions, estimator.decide(data[0]))
