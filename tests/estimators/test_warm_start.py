"""Growing on from the network that a fit before has kept."""

import numpy as np
import pytest

from trisect import STWDSFNNClassifier
from trisect.growth import PaperGrowth, RefinedGrowth

QUICK = {"node_updates": 30, "joint_updates": 100, "polish_updates": 60, "l2": 0.01}
PAPER = PaperGrowth(max_epochs=3)


def _ring(n=500, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return X, (np.square(X).sum(axis=1) > 1.4).astype(int)


X, Y = _ring()


def refined(**options):
    return RefinedGrowth(**(QUICK | options))


def _model(growth=None, **options):
    options = {"scale": "standard", "random_state": 0} | options
    return STWDSFNNClassifier(refined() if growth is None else growth, **options)


def _started(max_levels=2, **options):
    return _model(max_levels=max_levels, warm_start=True, **options).fit(X, Y)


class Levels:
    """A callback that notes the levels and nodes of the estimators handed over."""

    def __init__(self):
        self.n_levels, self.n_hidden = [], []

    def setup(self, estimator, context): ...

    def teardown(self, estimator, context): ...

    def on_fit_task_begin(self, estimator, context): ...

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        if context.task_name == "level":
            self.n_levels.append(len(fitted_estimator.levels_))
            self.n_hidden.append(fitted_estimator.n_hidden_)
        return False


def test_keeps_the_levels_and_adds_to_them():
    model = _started(growth=refined(polish_updates=0, selection="last"), costs="random")
    first, scaling = list(model.levels_), model.scaling_
    model.set_params(max_levels=5).fit(X, Y)
    assert len(model.levels_) > 2 and model.scaling_ is scaling
    for before, now in zip(first, model.levels_, strict=False):
        assert (now.alpha, now.beta) == (before.alpha, before.beta)
    assert model.levels_[0].n_misclassified == first[0].n_misclassified
    # The network that was kept sorts all instances anew, and what it defers is passed on.
    assert model.levels_[1].n_instances == model.levels_[0].n_instances
    assert model.levels_[2].n_instances == model.levels_[1].n_bnd
    assert [level.n_hidden for level in model.levels_] == list(range(1, len(model.levels_) + 1))


def test_begins_with_what_the_kept_network_leaves_undecided():
    # Granules of one row are pure, so that what is wrong is decided, and what is unsure is not.
    options = {"growth": refined(polish_updates=0), "granules": "rows", "keep_sets": True}
    model = _model(max_levels=2, warm_start=True, **options)
    model.fit(X, Y, X_val=X[:50], y_val=Y[:50])
    p = model.network_.probabilities(model.scaling_.transform(X))[:, 1]
    kept = model.best_level_ + 1
    model.set_params(max_levels=kept + 2).fit(X, Y, X_val=X[:50], y_val=Y[:50])
    costs = model.cost_matrices_[kept - 1]
    undecided = ((p > 0.5) == Y) & (p > costs.beta) & (p < costs.alpha)
    assert model.levels_[kept].n_instances == undecided.sum() > 0
    settled = model.settlement_.levels
    assert np.array_equal(settled > kept, undecided) and (settled >= kept).all()


def test_goes_on_from_the_level_that_was_kept():
    # Levels that cost much to evaluate: the first is kept of all that were grown.
    model = _model(
        max_levels=3, warm_start=True, costs=[[0, 1, 10], [10, 1, 0]], unit_test_costs=[9] * 6
    ).fit(X, Y)
    assert len(model.levels_) == 3 and model.n_hidden_ == 1
    heard = Levels()
    model.set_params(max_levels=5).set_callbacks(heard).fit(X, Y)
    assert heard.n_levels == heard.n_hidden == list(range(2, len(model.levels_) + 1))


def test_helps():
    model = _started(1, growth=refined(joint_updates=300))
    before = model.score(X, Y)
    model.set_params(max_levels=6).fit(X, Y)
    assert model.score(X, Y) > before + 0.1


def test_keeps_what_was_settled():
    model = _started(growth=refined(l2="auto", polish_updates=0, thin=False), scale="auto")
    settled = (model.scaling_, model.activation_, model.l2_)
    model.set_params(max_levels=3).fit(X, Y)
    assert (model.scaling_, model.activation_, model.l2_) == settled


def test_costs_and_thresholds_are_those_of_one_chain():
    model = _started().set_params(max_levels=5).fit(X, Y)
    wrong = np.array([level.n_misclassified for level in model.levels_])
    expected = np.cumsum(wrong * np.linspace(1, 50, 5))
    np.testing.assert_allclose([level.test_cost for level in model.levels_], expected)
    assert len(model.cost_matrices_) == 5
    alphas = [level.alpha for level in model.levels_]
    betas = [level.beta for level in model.levels_]
    assert (np.diff(alphas) <= 1e-12).all() and (np.diff(betas) >= -1e-12).all()


def test_with_nothing_to_add_keeps_the_levels():
    model = _started(growth=refined(selection="last"))
    counts = [level.n_misclassified for level in model.levels_]
    assert [level.n_misclassified for level in model.fit(X, Y).levels_] == counts


def test_may_have_new_data():
    more = _ring(800, seed=1)
    model = _started().set_params(max_levels=4).fit(*more)
    assert len(model.settlement_.levels) == 800
    trained = 800 - sum(round(n / 9) for n in np.bincount(more[1]))
    assert (model.settlement_.levels > 0).sum() == trained


def test_off_starts_again():
    model = _model(max_levels=3).fit(X, Y)
    once = model.predict_proba(X)
    assert np.array_equal(model.fit(X, Y).predict_proba(X), once)


def test_needs_room():
    model = _started(3)
    assert len(model.levels_) == 3
    with pytest.raises(ValueError, match=r"3 levels .* more than max_levels=2"):
        model.set_params(max_levels=2).fit(X, Y)


def test_needs_the_same_features():
    with pytest.raises(ValueError, match="warm_start needs the features"):
        _started().fit(np.column_stack([X, X]), Y)


def test_needs_the_same_classes():
    model = _started()
    for other in (Y + 5, np.where(X[:, 0] > 2, 2, Y)):
        with pytest.raises(ValueError, match="warm_start needs the classes"):
            model.fit(X, other)
    model.set_params(max_levels=3).fit(X, Y)
    assert model.classes_.tolist() == [0, 1]


def test_needs_the_same_activation():
    model = _started(activation="tanh")
    with pytest.raises(ValueError, match=r"warm_start needs the .* activation"):
        model.set_params(activation="relu").fit(X, Y)


def test_is_not_for_paper_growth():
    model = _started(growth=PAPER)
    with pytest.raises(ValueError, match="only with growth='refined'"):
        model.fit(X, Y)


def test_needs_the_same_positive_class():
    model = _started()
    with pytest.raises(ValueError, match="warm_start needs the positive class"):
        model.set_params(pos_label=0).fit(X, Y)


@pytest.mark.parametrize("pos_label", [0, 1])
def test_the_positive_class_may_be_either(pos_label):
    model = _started(1, pos_label=pos_label, growth=refined(joint_updates=300))
    before = model.score(X, Y)
    model.set_params(max_levels=6).fit(X, Y)
    assert model.score(X, Y) > before + 0.1


@pytest.mark.parametrize("options", [{"max_levels": 1}, {"activation": "relu"}])
def test_a_refused_fit_leaves_the_model_as_it_was(options):
    model = _started(activation="tanh")
    before = model.decide(X)
    costs = [[0, 0.02, 0.9], [0.9, 0.02, 0]]
    with pytest.raises(ValueError, match="warm_start"):
        model.set_params(costs=costs, **options).fit(X, Y)
    assert np.array_equal(model.decide(X), before)
