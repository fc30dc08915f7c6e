"""Fixed thresholds: the draw, the rule for few mistakes, and when growth ends."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_moons
from sklearn.model_selection import train_test_split

from trisect import CostMatrix, STWDSFNNClassifier, TWDSFNNClassifier
from trisect.decisions import default_costs
from trisect.estimators.twd_sfnn import draw_costs
from trisect.growth import PaperGrowth, RefinedGrowth

COSTS = CostMatrix(pp=0, bp=0.1, np=0.9, pn=0.9, bn=0.1, nn=0)
QUICK = RefinedGrowth(joint_updates=150, node_updates=50, polish_updates=0, l2=0.1)
GROWTHS = pytest.mark.parametrize(
    "growth", [QUICK, PaperGrowth(max_epochs=30)], ids=["refined", "paper"]
)
X, Y = make_moons(600, noise=0.3, random_state=0)
SPLIT = train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)


def test_thresholds_of_the_drawn_costs_are_the_drawn_ones():
    for seed in range(1000):
        costs = draw_costs(np.random.default_rng(seed))
        drawn = np.sort(np.random.default_rng(seed).uniform(size=3))
        np.testing.assert_allclose([costs.beta, costs.gamma, costs.alpha], drawn, rtol=1e-9)


def test_drawn_costs_are_those_of_the_definition():
    matrices = [draw_costs(np.random.default_rng(seed)).amounts for seed in range(1000)]
    amounts = np.array(matrices)
    accept_negative = amounts[:, 1, 0]
    assert set(accept_negative) == set(range(1, 11))
    assert not amounts[:, 0, 0].any() and not amounts[:, 1, 2].any()
    assert (amounts[:, 0, 1] < amounts[:, 0, 2]).all()
    assert (amounts[:, 1, 1] < accept_negative).all()


class Begun:
    """A callback that notes which tasks began."""

    def __init__(self):
        self.tasks = []

    def setup(self, estimator, context): ...

    def teardown(self, estimator, context): ...

    def on_fit_task_begin(self, estimator, context):
        self.tasks.append(context.task_name)

    def on_fit_task_end(self, estimator, context):
        return False


def _model(growth=QUICK, **options):
    options = {"scale": "standard", "random_state": 0} | options
    return TWDSFNNClassifier(growth, **options)


@GROWTHS
def test_all_levels_share_their_thresholds(growth):
    model = _model(growth, max_levels=4, costs="random", random_state=1).fit(X, Y)
    assert len(model.cost_matrices_) == 4
    assert {level.costs for level in model.levels_} == {model.cost_matrices_[0]}


def _drawn(X=X, y=Y, seed=0):
    return _model(costs="random", max_levels=2, random_state=seed).fit(X, y).cost_matrices_[0]


def test_random_thresholds_depend_on_the_seed_alone():
    assert _drawn() == _drawn() == _drawn(X[:-1], Y[:-1]) != _drawn(seed=1)


def test_costs_are_a_mistake_of_one_and_a_review_of_a_fifth_by_default():
    assert _model(max_levels=2).fit(X, Y).cost_matrices_ == [default_costs()] * 2


@pytest.mark.parametrize("costs", [COSTS, COSTS.amounts, COSTS.amounts.tolist(), [COSTS]])
def test_thresholds_may_be_given(costs):
    model = _model(costs=costs, max_levels=2).fit(X, Y)
    assert len(model.cost_matrices_) == 2
    assert {matrix.thresholds for matrix in model.cost_matrices_} == {COSTS.thresholds}


NEVER = CostMatrix.from_review(false_accept=5, false_reject=10, review=4)


@GROWTHS
@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([COSTS, COSTS], "One cost matrix serves all levels, but 2 were given"),
        ([[5, 1, 0], [0, 1, 5]], "wrong action must cost more"),
        ([[0, 1], [1, 0]], r"got an array of shape \(2, 2\)"),
    ],
)
def test_impossible_costs_are_refused_before_training(growth, costs, message):
    heard = Begun()
    with pytest.raises(ValueError, match=message):
        _model(growth, max_levels=3, costs=costs).set_callbacks(heard).fit(X, Y)
    assert "level" not in heard.tasks


@GROWTHS
@pytest.mark.parametrize("costs", [NEVER, [NEVER]])
def test_costs_that_never_defer_leave_growth_to_the_default_ones(growth, costs):
    model = _model(growth, max_levels=3, costs=costs).fit(X, Y)
    assert model.cost_matrices_ == [default_costs()] * 3
    assert model.costs_ == NEVER
    assert 0 not in model.decide(X)
    p = model.predict_proba(X)[:, 1]
    np.testing.assert_array_equal(model.decide(X), np.where(p >= NEVER.gamma, 1, -1))


def test_costs_that_never_defer_have_one_level():
    [level] = _model(max_levels=1, costs=NEVER).fit(X, Y).levels_
    assert level.n_bnd == 0


@GROWTHS
@pytest.mark.parametrize("seed", range(4))
def test_growth_ends_where_nothing_is_deferred(growth, seed):
    model = _model(growth, max_levels=5, costs="random", random_state=seed).fit(X, Y)
    deferred = [level.n_bnd for level in model.levels_]
    assert all(deferred[:-1]) and deferred[-1] == 0


def test_no_more_mistakes_than_granules_are_decided_two_ways():
    # Three ways would defer what is unsure; with granules enough for all, nothing is.
    costs = CostMatrix(pp=0, bp=0.001, np=0.9, pn=0.9, bn=0.001, nn=0)
    few, many = (
        _model(costs=costs, max_levels=3, n_granules=n).fit(X, Y).levels_ for n in (5, 600)
    )
    assert few[0].n_bnd > 0 and len(few) > 1
    assert many[0].n_bnd == 0 and len(many) == 1


@pytest.mark.parametrize(("alpha", "beta", "ends"), [(0.999, 0.001, 4), (0.5001, 0.4999, 1)])
def test_wide_thresholds_grow_on_and_narrow_ones_end_at_once(alpha, beta, ends):
    bp, bn = (1 - alpha) / 2, beta / 2
    costs = CostMatrix(pp=0, bp=bp, np=bp + (1 - beta) / 2, pn=bn + alpha / 2, bn=bn, nn=0)
    assert (costs.alpha, costs.beta) == pytest.approx((alpha, beta))
    model = _model(costs=costs, max_levels=4, n_granules=1, activation="tanh")
    assert len(model.fit(X, Y).levels_) == ends


def test_it_differs_from_the_sequence_in_its_decisions_only():
    assert TWDSFNNClassifier().get_params() == STWDSFNNClassifier().get_params()
    common = {"max_levels": 1, "scale": "standard", "costs": COSTS, "random_state": 0}
    networks = [
        estimator(QUICK, **common).fit(X, Y).network_
        for estimator in (TWDSFNNClassifier, STWDSFNNClassifier)
    ]
    np.testing.assert_array_equal(networks[0].W1, networks[1].W1)


def test_warm_start_keeps_the_thresholds():
    costs = CostMatrix(pp=0, bp=0.001, np=0.9, pn=0.9, bn=0.001, nn=0)
    model = _model(costs=costs, max_levels=2, warm_start=True).fit(X, Y)
    model.set_params(max_levels=4).fit(X, Y)
    assert model.cost_matrices_ == [costs] * 4
    drawn = _model(costs="random", max_levels=2, warm_start=True).fit(X, Y)
    before = drawn.cost_matrices_[0]
    assert drawn.set_params(max_levels=3).fit(X, Y).cost_matrices_ == [before] * 3


def test_it_learns():
    X, X_test, y, y_test = SPLIT
    model = TWDSFNNClassifier(random_state=0).fit(X, y)
    assert model.score(X_test, y_test) > 0.93
    assert 1 <= model.n_hidden_ <= 10 and model.fit_seconds_ > 0
