"""STWDSFNNClassifier: accuracy on real data, costs, granules, and fitted attributes."""

from contextlib import ExitStack

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import cross_val_score, train_test_split
from threadpoolctl import threadpool_info, threadpool_limits

from trisect import CostMatrix, STWDSFNNClassifier
from trisect.decisions import default_costs, leading_to, nested
from trisect.estimators.one_thread import ALGEBRA_ON_ONE_THREAD
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


def _chain(X=X, y=Y, **options):
    return _model(max_levels=5, **options).fit(X, y).cost_matrices_


def test_random_costs_depend_on_the_seed_alone():
    chain = _chain(costs="random")
    assert chain == _chain(costs="random") != _chain(costs="random", random_state=1)
    assert chain == _chain(X[:-1], Y[:-1], costs="random")
    assert chain == _chain(np.column_stack([X, X]), Y, costs="random", granules="rows")
    assert chain == _chain(growth=PAPER, costs="random", validation_fraction=0.3)
    assert chain == _chain(X, np.where(X[:, 0] > 1, 2, Y), costs="random")


@pytest.mark.parametrize("growth", [refined(), PAPER], ids=["refined", "paper"])
def test_a_matrix_is_what_the_levels_lead_to(growth):
    amounts = MATRIX.amounts
    expected = [each.thresholds for each in leading_to(MATRIX, 3)]
    for costs in (MATRIX, amounts.tolist(), amounts):
        model = _model(growth, max_levels=3, costs=costs).fit(X, Y)
        assert model.costs_.thresholds == MATRIX.thresholds
        assert [each.thresholds for each in model.cost_matrices_] == expected
        levels = [level.costs.thresholds for level in model.levels_]
        assert levels == expected[: len(levels)]


def test_several_matrices_begin_a_chain():
    model = _model(max_levels=4, costs=[MATRIX, MATRIX]).fit(X, Y)
    assert model.cost_matrices_ == nested([MATRIX, MATRIX], 4)


def test_costs_are_a_mistake_of_one_and_a_review_of_a_fifth_by_default():
    model = _model(max_levels=3).fit(X, Y)
    assert model.cost_matrices_ == leading_to(default_costs(), 3)
    assert model.cost_matrices_ == _model(max_levels=3, random_state=5).fit(X, Y).cost_matrices_


def test_costs_in_another_unit_give_the_same_network():
    euro, cent = (
        _model(max_levels=4, costs=CostMatrix.from_review(
            false_accept=5 * unit, false_reject=10 * unit, review=unit
        )).fit(X, Y)
        for unit in (1, 100)
    )  # fmt: skip
    assert euro.best_level_ == cent.best_level_
    assert np.array_equal(euro.predict_proba(X), cent.predict_proba(X))


def _three_bands(seed, n=500):
    X = np.random.default_rng(seed).normal(size=(n, 4))
    score = X[:, 0] + X[:, 1]
    return X, np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))


def test_with_several_classes_the_loss_decides_whatever_the_costs():
    for seed in range(4):
        model = _model(refined(polish_updates=0), max_levels=5, costs=default_costs(3))
        scores = [level.validation_score for level in model.fit(*_three_bands(seed)).levels_]
        assert model.best_level_ == np.argmax(scores)


class Begun:
    """A callback that notes which levels began."""

    def __init__(self):
        self.tasks = []

    def setup(self, estimator, context): ...

    def teardown(self, estimator, context): ...

    def on_fit_task_begin(self, estimator, context):
        self.tasks.append(context.task_name)

    def on_fit_task_end(self, estimator, context):
        return False


@pytest.mark.parametrize("growth", [refined(), PAPER], ids=["refined", "paper"])
@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([[5, 1, 0], [0, 1, 5]], "wrong action must cost more"),
        ([[0, 1], [1, 0]], r"got an array of shape \(2, 2\)"),
        ([[0, -1, 3], [3, 1, 0]], "Deferring must not cost less"),
        ([[0, 1, np.nan], [3, 1, 0]], "finite"),
        ([MATRIX] * 4, "4 matrices were given for a chain of 3 levels"),
        (
            [MATRIX, CostMatrix(pp=0, bp=0.01, np=0.9, pn=0.9, bn=0.01, nn=0)],
            "does not nest between level 1 and level 2",
        ),
        (
            [CostMatrix.from_review(false_accept=5, false_reject=10, review=4)],
            "level 1 deferring is never worthwhile",
        ),
        ([], "costs must be a CostMatrix"),
    ],
)
def test_impossible_costs_are_refused_before_training(growth, costs, message):
    heard = Begun()
    with pytest.raises(ValueError, match=message):
        _model(growth, max_levels=3, costs=costs).set_callbacks(heard).fit(X, Y)
    assert "level" not in heard.tasks


@pytest.mark.parametrize("name", ["unit_test_costs", "unit_delay_costs"])
def test_impossible_unit_costs_are_refused_before_training(name):
    for units in ([1, 2], [1, 2, -3], [1, 2, np.nan]):
        heard = Begun()
        with pytest.raises(ValueError, match=f"{name} must hold 3 numbers"):
            _model(max_levels=3, **{name: units}).set_callbacks(heard).fit(X, Y)
        assert "level" not in heard.tasks


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
@pytest.mark.parametrize("growth", [refined(), PAPER], ids=["refined", "paper"])
def test_one_granule_holds_all_that_is_misclassified(granules, growth):
    model = _model(growth, granules=granules, n_granules=1, max_levels=3, keep_sets=True)
    model.fit(X, Y, X_val=X, y_val=Y)
    level = model.levels_[0]
    wrong = level.sets.M_N
    p = Y[wrong].mean()
    assert len(wrong) > 0 and level.sets.p == pytest.approx(np.full(len(wrong), p))
    (pp, bp, np_), (pn, bn, nn) = level.costs.amounts
    risks = [pp * p + pn * (1 - p), 2 * (bp * p + bn * (1 - p)), np_ * p + nn * (1 - p)]
    taken = [len(level.sets.P_L) > 0, len(level.sets.B_L) > 0, len(level.sets.N_L) > 0]
    assert taken == [p >= level.alpha, level.beta < p < level.alpha, p <= level.beta]
    assert level.result_cost == pytest.approx(len(wrong) * np.dot(taken, risks))


def test_granules_by_a_function():
    calls = []

    def halves(X, level, parents, random_state):
        calls.append((len(X), level, parents))
        return X[:, 0] > 0

    model = _model(granules=halves, max_levels=2).fit(X, Y)
    assert calls == [(level.n_misclassified, level.n_hidden, None) for level in model.levels_]


@pytest.mark.parametrize("granulation", ["anew", "inherited", "once"])
def test_granules_of_a_fit(granulation):
    costs = [[0, 0.001, 0.9], [0.9, 0.001, 0]]  # all that is not pure is deferred
    noisy = np.where(np.random.default_rng(0).random(len(Y)) < 0.3, 1 - Y, Y)
    model = _model(
        costs=costs, max_levels=4, granulation=granulation, keep_sets=True, activation="tanh"
    )
    levels = model.fit(X, noisy).levels_
    assert len(levels) == 4 and all(level.n_misclassified for level in levels)
    by_row = [dict(zip(s.M_N, s.granules, strict=True)) for s in (level.sets for level in levels)]
    refines = []
    for i, fine in enumerate(by_row):
        for coarse in by_row[:i]:
            pairs = {(fine[row], coarse[row]) for row in fine.keys() & coarse.keys()}
            refines.append(len(pairs) == len({child for child, _ in pairs}))
    assert all(refines) == (granulation != "anew")


def test_the_boundary_penalty_multiplies_the_cost_of_deferring():
    # One granule with both classes in it, which such costs defer.
    costs = [[0, 0.02, 0.9], [0.9, 0.02, 0]]
    once, thrice = (
        _model(costs=costs, max_levels=2, n_granules=1, boundary_penalty=penalty).fit(X, Y)
        for penalty in (1.0, 3.0)
    )
    assert once.levels_[0].result_cost > 0
    assert thrice.levels_[0].result_cost == pytest.approx(3 * once.levels_[0].result_cost)


@pytest.mark.parametrize("n_features", [6, 70])
def test_a_fit_does_not_depend_on_the_number_of_threads(n_features):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, n_features))
    X[:, 0] = X[:, 0] > 0
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    one, two, three = (
        STWDSFNNClassifier(max_levels=3, n_jobs=n_jobs, random_state=0).fit(X, y)
        for n_jobs in (None, 2, 3)
    )
    for other in (two, three):
        assert np.array_equal(one.predict_proba(X), other.predict_proba(X))
        assert np.array_equal(one.settlement_.levels, other.settlement_.levels)


def _threads_of_algebra():
    return {lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"}


def test_a_fit_leaves_linear_algebra_one_thread_and_gives_the_others_back(monkeypatch):
    class Spy(RefinedGrowth):
        def grow(self, *args, **kwargs):
            self.seen = _threads_of_algebra()
            return super().grow(*args, **kwargs)

    growth = Spy()
    monkeypatch.setattr(STWDSFNNClassifier, "_growth", lambda self: growth)
    X = np.random.default_rng(0).normal(size=(60, 2))
    with threadpool_limits(3, "blas"):
        STWDSFNNClassifier(max_levels=1, random_state=0).fit(X, X[:, 0] > 0)
        assert growth.seen == {1}
        assert _threads_of_algebra() == {3}


def test_fits_that_overlap_share_one_thread_of_linear_algebra():
    with threadpool_limits(3, "blas"):
        first, second = ExitStack(), ExitStack()
        first.enter_context(ALGEBRA_ON_ONE_THREAD)
        second.enter_context(ALGEBRA_ON_ONE_THREAD)
        first.close()
        assert _threads_of_algebra() == {1}
        second.close()
        assert _threads_of_algebra() == {3}
