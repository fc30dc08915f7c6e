"""STWDSFNNClassifier: accuracy on real data, fitted attributes, and growing on."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import cross_val_score, train_test_split

from trisect import CostMatrix, STWDSFNNClassifier

QUICK = {"node_updates": 30, "joint_updates": 100, "polish_updates": 60}
QUICK |= {"l2": 0.01, "scale": "standard", "random_state": 0}


def _ring(n=500, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return X, (np.square(X).sum(axis=1) > 1.4).astype(int)


def _model(**options):
    return STWDSFNNClassifier(**(QUICK | options))


@pytest.mark.parametrize(
    ("load", "least"), [(load_breast_cancer, 0.95), (load_iris, 0.92), (load_wine, 0.93)]
)
def test_accuracy_with_default_parameters(load, least):
    X, y = load(return_X_y=True)
    scores = cross_val_score(STWDSFNNClassifier(random_state=0), X, y, cv=5)
    assert scores.mean() > least


def test_paper_growth_learns_an_easy_problem():
    X, y = load_breast_cancer(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, random_state=0)
    model = STWDSFNNClassifier("paper", random_state=0).fit(X, y)
    # Better than the majority, but far from what refined growth reaches.
    assert model.score(X_test, y_test) > 0.7


def test_fitted_attributes():
    X, y = _ring()
    model = _model(max_levels=4).fit(X, y)
    n = model.n_hidden_
    assert [part.shape for part in model.coefs_] == [(2, n), (n, 2)]
    assert [part.shape for part in model.intercepts_] == [(n,), (2,)]
    assert model.classes_.tolist() == [0, 1] and model.n_features_in_ == 2
    assert not hasattr(model, "feature_names_in_")
    assert len(model.cost_matrices_) == 4 >= len(model.levels_)
    assert model.levels_[model.best_level_].n_hidden == n


def test_probabilities_follow_from_the_fitted_attributes():
    X, y = _ring()
    model = _model(max_levels=4, activation="tanh").fit(X, y)
    scaled = model.scaling_.transform(X)
    hidden = np.tanh(scaled @ model.coefs_[0] + model.intercepts_[0])
    logits = (hidden @ model.coefs_[1] + model.intercepts_[1]).astype(np.float64)
    expected = 1 / (1 + np.exp(logits[:, 0] - logits[:, 1]))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expected, atol=1e-5)
    assert np.array_equal(model.predict(X), (model.predict_proba(X)[:, 1] > 0.5).astype(int))


def test_random_costs_follow_the_seed():
    X, y = _ring()
    thresholds = [
        [(c.alpha, c.beta) for c in _model(random_state=seed).fit(X, y).cost_matrices_]
        for seed in (0, 0, 1)
    ]
    assert thresholds[0] == thresholds[1] != thresholds[2]


@pytest.mark.parametrize("growth", ["refined", "paper"])
def test_costs_that_are_given(growth):
    X, y = _ring()
    matrix = CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])
    as_array = [[0, 0.2, 0.8], [0.6, 0.1, 0]]
    models = [
        _model(growth=growth, max_levels=3, max_epochs=3, costs=costs).fit(X, y)
        for costs in (matrix, as_array, [matrix], np.array(as_array))
    ]
    for model in models:
        assert model.cost_matrices_[0] == matrix == model.levels_[0].costs
        assert model.cost_matrices_ == models[0].cost_matrices_
        assert len(model.cost_matrices_) == 3


def test_unit_costs():
    X, y = _ring()
    units = {"unit_test_costs": [2, 3, 5], "unit_delay_costs": [7, 1, 1]}
    model = _model(max_levels=3, **units).fit(X, y)
    wrong = [level.n_misclassified for level in model.levels_]
    assert len(wrong) == 3
    assert model.levels_[-1].test_cost == 2 * wrong[0] + 3 * wrong[1] + 5 * wrong[2]
    assert model.levels_[-1].delay_cost == max(7 * wrong[0], wrong[1], wrong[2])


def test_identical_rows_as_granules_end_paper_growth_at_one_node():
    # Different instances make granules of one, which are pure: nothing is deferred.
    X, y = _ring(300)
    model = _model(growth="paper", granules="rows", max_epochs=3).fit(X, y)
    (level,) = model.levels_
    assert level.n_misclassified > 0
    assert (level.n_bnd, level.result_cost, model.n_hidden_) == (0, 0, 1)


@pytest.mark.parametrize("granules", ["kmeans", "bins"])
@pytest.mark.parametrize("growth", ["refined", "paper"])
def test_one_granule_holds_all_that_is_misclassified(granules, growth):
    X, y = _ring(300)
    model = _model(
        growth=growth,
        granules=granules,
        n_granules=1,
        max_levels=3,
        max_epochs=3,
        selection="last",
        polish_updates=0,
    )
    model.fit(X, y, X_val=X, y_val=y)
    level = model.levels_[0]
    wrong = level.network.logits(model.scaling_.transform(X)).argmax(axis=1) != y
    assert level.n_misclassified == wrong.sum() > 0
    p, costs = y[wrong].mean(), level.costs
    if p >= costs.alpha:
        loss = costs.pn * (1 - p)
    elif p <= costs.beta:
        loss = costs.np * p
    else:
        loss = 2 * (costs.bp * p + costs.bn * (1 - p))
    assert level.result_cost == pytest.approx(wrong.sum() * loss)


def test_granules_by_a_function():
    X, y = _ring(300)
    calls = []

    def halves(X, random_state):
        calls.append(len(X))
        return X[:, 0] > 0

    model = _model(granules=halves, max_levels=2).fit(X, y)
    assert calls == [level.n_misclassified for level in model.levels_]


def test_the_boundary_penalty_raises_the_result_cost():
    X, y = _ring()
    costs = [[0, 0.02, 0.9], [0.9, 0.02, 0]]
    levels = [
        _model(costs=costs, max_levels=2, boundary_penalty=penalty).fit(X, y).levels_[0]
        for penalty in (1.0, 3.0)
    ]
    assert levels[0].n_bnd == levels[1].n_bnd > 0
    assert levels[0].result_cost < levels[1].result_cost <= 3 * levels[0].result_cost


class TestWarmStart:
    def test_keeps_the_levels_and_adds_to_them(self):
        X, y = _ring()
        model = _model(max_levels=2, warm_start=True, polish_updates=0).fit(X, y)
        first, scaling = list(model.levels_), model.scaling_
        model.set_params(max_levels=5).fit(X, y)
        assert len(model.levels_) == 5 and model.scaling_ is scaling
        for before, now in zip(first, model.levels_, strict=False):
            assert now.network is before.network
            assert now.n_misclassified == before.n_misclassified
            assert (now.alpha, now.beta) == (before.alpha, before.beta)
        assert [level.n_hidden for level in model.levels_] == [1, 2, 3, 4, 5]

    def test_begins_with_what_was_wrong_or_unsure(self):
        X, y = _ring()
        model = _model(max_levels=2, warm_start=True, polish_updates=0)
        model.fit(X, y, X_val=X[:50], y_val=y[:50])
        last = model.levels_[-1]
        p = last.network.probabilities(model.scaling_.transform(X))[:, 1]
        hard = ((p > 0.5) != y) | ((p > last.beta) & (p < last.alpha))
        model.set_params(max_levels=3).fit(X, y, X_val=X[:50], y_val=y[:50])
        assert model.levels_[-1].n_hard == hard.sum()

    def test_helps(self):
        X, y = _ring(1000)
        model = _model(max_levels=1, warm_start=True, joint_updates=300).fit(X, y)
        before = model.score(X, y)
        model.set_params(max_levels=6).fit(X, y)
        assert model.score(X, y) > before + 0.1

    def test_costs_and_thresholds_are_those_of_one_chain(self):
        X, y = _ring()
        model = _model(max_levels=2, warm_start=True).fit(X, y)
        model.set_params(max_levels=5).fit(X, y)
        wrong = np.array([level.n_misclassified for level in model.levels_])
        expected = np.cumsum(wrong * np.linspace(1, 50, 5))
        np.testing.assert_allclose([level.test_cost for level in model.levels_], expected)
        alphas = [c.alpha for c in model.cost_matrices_]
        betas = [c.beta for c in model.cost_matrices_]
        assert len(alphas) == 5
        assert (np.diff(alphas) <= 1e-12).all() and (np.diff(betas) >= -1e-12).all()

    def test_with_nothing_to_add_keeps_the_levels(self):
        X, y = _ring()
        model = _model(max_levels=2, warm_start=True).fit(X, y)
        counts = [level.n_misclassified for level in model.levels_]
        assert [level.n_misclassified for level in model.fit(X, y).levels_] == counts

    def test_may_have_new_data(self):
        X, y = _ring()
        model = _model(max_levels=2, warm_start=True).fit(X, y)
        model.set_params(max_levels=4).fit(*_ring(800, seed=1))
        assert model.levels_[-1].n_instances > model.levels_[0].n_instances

    def test_off_starts_again(self):
        X, y = _ring()
        model = _model(max_levels=3).fit(X, y)
        once = model.predict_proba(X)
        assert np.array_equal(model.fit(X, y).predict_proba(X), once)

    def test_needs_room(self):
        X, y = _ring()
        model = _model(max_levels=3, warm_start=True).fit(X, y)
        assert len(model.levels_) == 3
        with pytest.raises(ValueError, match=r"3 levels .* more than max_levels=2"):
            model.set_params(max_levels=2).fit(X, y)

    def test_needs_the_same_features(self):
        X, y = _ring()
        model = _model(max_levels=2, warm_start=True).fit(X, y)
        with pytest.raises(ValueError, match="warm_start needs the features"):
            model.fit(np.column_stack([X, X]), y)

    def test_needs_the_same_classes(self):
        X, y = _ring()
        model = _model(max_levels=2, warm_start=True).fit(X, y)
        for other in (y + 5, np.where(X[:, 0] > 2, 2, y)):
            with pytest.raises(ValueError, match="warm_start needs the classes"):
                model.fit(X, other)
        model.set_params(max_levels=3).fit(X, y)
        assert model.classes_.tolist() == [0, 1]

    def test_needs_the_same_activation(self):
        X, y = _ring()
        model = _model(max_levels=2, warm_start=True, activation="tanh").fit(X, y)
        with pytest.raises(ValueError, match=r"warm_start needs the .* activation"):
            model.set_params(activation="relu").fit(X, y)

    def test_is_not_for_paper_growth(self):
        X, y = _ring()
        model = _model(growth="paper", max_levels=2, max_epochs=2, warm_start=True).fit(X, y)
        with pytest.raises(ValueError, match="only with growth='refined'"):
            model.fit(X, y)
