"""STWDSFNNClassifier: accuracy on real data, fitted attributes, and growing on."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import cross_val_score, train_test_split

from trisect import CostMatrix, STWDSFNNClassifier
from trisect.growth import PaperGrowth, RefinedGrowth

QUICK = {"node_updates": 30, "joint_updates": 100, "polish_updates": 60, "l2": 0.01}
PAPER = PaperGrowth(max_epochs=3)
MATRIX = CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])


def _ring(n=500, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return X, (np.square(X).sum(axis=1) > 1.4).astype(int)


X, Y = _ring()


def refined(**options):
    return RefinedGrowth(**(QUICK | options))


def _model(growth=None, **options):
    options = {"scale": "standard", "random_state": 0} | options
    return STWDSFNNClassifier(refined() if growth is None else growth, **options)


@pytest.mark.parametrize(
    ("load", "least"), [(load_breast_cancer, 0.95), (load_iris, 0.92), (load_wine, 0.93)]
)
def test_accuracy_with_default_parameters(load, least):
    X, y = load(return_X_y=True)
    scores = cross_val_score(STWDSFNNClassifier(random_state=0), X, y, cv=3)
    assert scores.mean() > least


def test_paper_growth_learns_an_easy_problem():
    X, y = load_breast_cancer(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, random_state=0)
    model = STWDSFNNClassifier("paper", random_state=0).fit(X, y)
    # Better than the majority, but far from what refined growth reaches.
    assert model.score(X_test, y_test) > 0.7


@pytest.mark.parametrize(("name", "growth"), [("refined", RefinedGrowth), ("paper", PaperGrowth)])
def test_a_name_is_the_growth_with_its_defaults(name, growth):
    by_name, by_object = (_model(g, max_levels=2).fit(X, Y) for g in (name, growth()))
    assert np.array_equal(by_name.predict_proba(X), by_object.predict_proba(X))


def test_a_fit_leaves_its_growth_alone():
    growth = refined()
    before = growth.get_params()
    model = _model(growth).fit(X, Y)
    assert model.growth is growth and growth.get_params() == before
    assert set(vars(growth)) == set(before)


def test_fitted_attributes():
    model = _model(max_levels=4).fit(X, Y)
    n = model.n_hidden_
    assert [part.shape for part in model.coefs_] == [(2, n), (n, 2)]
    assert [part.shape for part in model.intercepts_] == [(n,), (2,)]
    assert model.classes_.tolist() == [0, 1] and model.n_features_in_ == 2
    assert not hasattr(model, "feature_names_in_")
    assert len(model.cost_matrices_) == 4 >= len(model.levels_)
    assert model.levels_[model.best_level_].n_hidden == n
    assert model.l2_ == 0.01 and model.fit_seconds_ > 0


def test_probabilities_follow_from_the_fitted_attributes():
    model = _model(max_levels=4, activation="tanh").fit(X, Y)
    scaled = model.scaling_.transform(X)
    hidden = np.tanh(scaled @ model.coefs_[0] + model.intercepts_[0])
    logits = (hidden @ model.coefs_[1] + model.intercepts_[1]).astype(np.float64)
    expected = 1 / (1 + np.exp(logits[:, 0] - logits[:, 1]))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expected, atol=1e-5)
    assert np.array_equal(model.predict(X), (model.predict_proba(X)[:, 1] > 0.5).astype(int))


def test_random_costs_follow_the_seed():
    thresholds = [
        [(c.alpha, c.beta) for c in _model(random_state=seed).fit(X, Y).cost_matrices_]
        for seed in (0, 0, 1)
    ]
    assert thresholds[0] == thresholds[1] != thresholds[2]


@pytest.mark.parametrize("growth", [refined(), PAPER], ids=["refined", "paper"])
def test_costs_that_are_given(growth):
    array = MATRIX.to_array()
    models = [
        _model(growth, max_levels=3, costs=costs).fit(X, Y)
        for costs in (MATRIX, array.tolist(), [MATRIX], array)
    ]
    for model in models:
        assert model.cost_matrices_[0] == MATRIX == model.levels_[0].costs
        assert model.cost_matrices_ == models[0].cost_matrices_
        assert len(model.cost_matrices_) == 3


def test_unit_costs():
    units = {"unit_test_costs": [2, 3, 5], "unit_delay_costs": [7, 1, 1]}
    model = _model(max_levels=3, **units).fit(X, Y)
    wrong = [level.n_misclassified for level in model.levels_]
    assert len(wrong) == 3
    assert model.levels_[-1].test_cost == 2 * wrong[0] + 3 * wrong[1] + 5 * wrong[2]
    assert model.levels_[-1].delay_cost == max(7 * wrong[0], wrong[1], wrong[2])


def test_identical_rows_as_granules_end_paper_growth_at_one_node():
    # Different instances make granules of one, which are pure: nothing is deferred.
    model = _model(PAPER, granules="rows").fit(X, Y)
    [level] = model.levels_
    assert level.n_misclassified > 0
    assert (level.n_bnd, level.result_cost, model.n_hidden_) == (0, 0, 1)


@pytest.mark.parametrize("granules", ["kmeans", "bins"])
@pytest.mark.parametrize(
    "growth", [refined(selection="last", polish_updates=0), PAPER], ids=["refined", "paper"]
)
def test_one_granule_holds_all_that_is_misclassified(granules, growth):
    model = _model(growth, granules=granules, n_granules=1, max_levels=3, costs=MATRIX)
    model.fit(X, Y, X_val=X, y_val=Y)
    level = model.levels_[0]
    wrong = level.network.logits(model.scaling_.transform(X)).argmax(axis=1) != Y
    assert level.n_misclassified == wrong.sum() > 0
    p = Y[wrong].mean()
    risks = {
        "accept": MATRIX.pn * (1 - p),
        "defer": 2 * (MATRIX.bp * p + MATRIX.bn * (1 - p)),
        "reject": MATRIX.np * p,
    }
    action = "accept" if p >= MATRIX.alpha else "reject" if p <= MATRIX.beta else "defer"
    assert level.result_cost == pytest.approx(wrong.sum() * risks[action])


def test_granules_by_a_function():
    calls = []

    def halves(X, random_state):
        calls.append(len(X))
        return X[:, 0] > 0

    model = _model(granules=halves, max_levels=2).fit(X, Y)
    assert calls == [level.n_misclassified for level in model.levels_]


def test_the_boundary_penalty_multiplies_the_cost_of_deferring():
    # One granule with both classes in it, which such costs defer.
    costs = [[0, 0.02, 0.9], [0.9, 0.02, 0]]
    once, thrice = (
        _model(costs=costs, max_levels=2, n_granules=1, boundary_penalty=penalty).fit(X, Y)
        for penalty in (1.0, 3.0)
    )
    assert once.levels_[0].result_cost > 0
    assert thrice.levels_[0].result_cost == pytest.approx(3 * once.levels_[0].result_cost)


def _started(max_levels=2, **options):
    return _model(max_levels=max_levels, warm_start=True, **options).fit(X, Y)


class TestWarmStart:
    def test_keeps_the_levels_and_adds_to_them(self):
        model = _started(growth=refined(polish_updates=0))
        first, scaling = list(model.levels_), model.scaling_
        model.set_params(max_levels=5).fit(X, Y)
        assert len(model.levels_) == 5 and model.scaling_ is scaling
        for before, now in zip(first, model.levels_, strict=False):
            assert now.network is before.network
            assert now.n_misclassified == before.n_misclassified
            assert (now.alpha, now.beta) == (before.alpha, before.beta)
        assert [level.n_hidden for level in model.levels_] == [1, 2, 3, 4, 5]

    def test_begins_with_what_was_wrong_or_unsure(self):
        model = _model(refined(polish_updates=0), max_levels=2, warm_start=True)
        model.fit(X, Y, X_val=X[:50], y_val=Y[:50])
        last = model.levels_[-1]
        p = last.network.probabilities(model.scaling_.transform(X))[:, 1]
        hard = ((p > 0.5) != Y) | ((p > last.beta) & (p < last.alpha))
        model.set_params(max_levels=3).fit(X, Y, X_val=X[:50], y_val=Y[:50])
        assert model.levels_[-1].n_hard == hard.sum()

    def test_helps(self):
        model = _started(1, growth=refined(joint_updates=300))
        before = model.score(X, Y)
        model.set_params(max_levels=6).fit(X, Y)
        assert model.score(X, Y) > before + 0.1

    def test_keeps_what_was_settled(self):
        model = _started(growth=refined(l2="auto", polish_updates=0), scale="auto")
        settled = (model.scaling_, model.activation_, model.l2_)
        model.set_params(max_levels=3).fit(X, Y)
        assert (model.scaling_, model.activation_, model.l2_) == settled

    def test_costs_and_thresholds_are_those_of_one_chain(self):
        model = _started().set_params(max_levels=5).fit(X, Y)
        wrong = np.array([level.n_misclassified for level in model.levels_])
        expected = np.cumsum(wrong * np.linspace(1, 50, 5))
        np.testing.assert_allclose([level.test_cost for level in model.levels_], expected)
        alphas = [c.alpha for c in model.cost_matrices_]
        betas = [c.beta for c in model.cost_matrices_]
        assert len(alphas) == 5
        assert (np.diff(alphas) <= 1e-12).all() and (np.diff(betas) >= -1e-12).all()

    def test_with_nothing_to_add_keeps_the_levels(self):
        model = _started()
        counts = [level.n_misclassified for level in model.levels_]
        assert [level.n_misclassified for level in model.fit(X, Y).levels_] == counts

    def test_may_have_new_data(self):
        model = _started().set_params(max_levels=4).fit(*_ring(800, seed=1))
        assert model.levels_[-1].n_instances > model.levels_[0].n_instances

    def test_off_starts_again(self):
        model = _model(max_levels=3).fit(X, Y)
        once = model.predict_proba(X)
        assert np.array_equal(model.fit(X, Y).predict_proba(X), once)

    def test_needs_room(self):
        model = _started(3)
        assert len(model.levels_) == 3
        with pytest.raises(ValueError, match=r"3 levels .* more than max_levels=2"):
            model.set_params(max_levels=2).fit(X, Y)

    def test_needs_the_same_features(self):
        with pytest.raises(ValueError, match="warm_start needs the features"):
            _started().fit(np.column_stack([X, X]), Y)

    def test_needs_the_same_classes(self):
        model = _started()
        for other in (Y + 5, np.where(X[:, 0] > 2, 2, Y)):
            with pytest.raises(ValueError, match="warm_start needs the classes"):
                model.fit(X, other)
        model.set_params(max_levels=3).fit(X, Y)
        assert model.classes_.tolist() == [0, 1]

    def test_needs_the_same_activation(self):
        model = _started(activation="tanh")
        with pytest.raises(ValueError, match=r"warm_start needs the .* activation"):
            model.set_params(activation="relu").fit(X, Y)

    def test_is_not_for_paper_growth(self):
        model = _started(growth=PAPER)
        with pytest.raises(ValueError, match="only with growth='refined'"):
            model.fit(X, Y)
