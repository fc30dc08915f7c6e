"""Decisions steer growth: what is deferred, where, at what cost, and which level is kept."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from problems import ring

from trisect import CostMatrix, STWDSFNNClassifier, TWDSFNNClassifier
from trisect.decisions import BND, unit_costs
from trisect.growth import PaperGrowth, RefinedGrowth
from trisect.growth.selection import validated_costs
from trisect.network import Part, softmax

REFINED = RefinedGrowth(
    joint_updates=150, node_updates=50, polish_updates=0, l2=0.01, selection="last"
)
PAPER = PaperGrowth(max_epochs=20, delta=None)
MISTAKE_5_10 = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)


def noisy_band(n=2400, seed=0):
    """The label is the side of the first column, but a coin decides where it is near zero."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, 2))
    coin = np.abs(X[:, 0]) < 0.25
    return X, np.where(coin, rng.integers(0, 2, size=n), X[:, 0] > 0).astype(int), coin


class Networks:
    """A callback that keeps the network of every level."""

    def __init__(self):
        self.kept = []

    def setup(self, estimator, context): ...

    def teardown(self, estimator, context): ...

    def on_fit_task_begin(self, estimator, context): ...

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        if context.task_name == "level":
            self.kept.append(fitted_estimator.network_)
        return False


@cache
def _fitted(growth_name, costs=None, estimator=STWDSFNNClassifier):
    """A model with its sets and the networks of its levels, on the noisy band."""
    X, y, _ = noisy_band(900)
    X_val, y_val, _ = noisy_band(300, seed=1)
    networks = Networks()
    model = estimator(
        {"refined": REFINED, "paper": PAPER}[growth_name],
        max_levels=5, costs=costs, scale="standard", activation="tanh", keep_sets=True,
        random_state=0,
    )  # fmt: skip
    model.set_callbacks(networks).fit(X, y, X_val=X_val, y_val=y_val)
    return model, networks.kept


MODELS = pytest.mark.parametrize(
    ("growth", "costs", "estimator"),
    [
        ("refined", None, STWDSFNNClassifier),
        ("refined", MISTAKE_5_10, STWDSFNNClassifier),
        ("refined", "random", STWDSFNNClassifier),
        ("refined", MISTAKE_5_10, TWDSFNNClassifier),
        ("paper", None, STWDSFNNClassifier),
        ("paper", MISTAKE_5_10, TWDSFNNClassifier),
    ],
)


@MODELS
def test_the_universe_of_a_level_is_what_the_level_before_deferred(growth, costs, estimator):
    model, _ = _fitted(growth, costs, estimator)
    levels = model.levels_
    assert levels[0].n_instances == 900
    for before, after in pairwise(levels):
        assert after.n_instances == before.n_bnd <= before.n_instances
        assert np.isin(after.sets.M_N, _universes(model)[after.n_hidden - 1]).all()
    assert levels[-1].n_bnd == 0
    assert [level.n_bnd > 0 for level in levels[:-1]] == [True] * (len(levels) - 1)


def _universes(model):
    """The rows of each universe, from the level that settled each row."""
    settled = model.settlement_.levels
    return [np.flatnonzero(settled >= i + 1) for i in range(len(model.levels_))]


@MODELS
def test_the_sets_of_every_level_agree_with_the_settlement(growth, costs, estimator):
    model, _ = _fitted(growth, costs, estimator)
    settled = model.settlement_
    for number, (level, rows) in enumerate(
        zip(model.levels_, _universes(model), strict=True), start=1
    ):
        s = level.sets
        assert sorted([*s.P_L, *s.B_L, *s.N_L]) == sorted(s.M_N)
        decided = np.concatenate([s.P_N, s.N_N, s.P_L, s.N_L])
        assert sorted(decided) == np.flatnonzero(settled.levels == number).tolist()
        assert np.isin(s.M_N, rows).all() and len(rows) == level.n_instances
        for found, code in ((s.P_N, 1), (s.N_N, -1), (s.P_L, 2), (s.N_L, -2)):
            assert (settled.codes[found] == code).all()
        assert len(s.P_N) + len(s.P_L) == level.n_pos
        assert len(s.N_N) + len(s.N_L) == level.n_neg
        assert len(s.M_N) == len(s.granules) == len(s.p) == level.n_misclassified


@MODELS
def test_process_costs_are_those_of_the_shrinking_universe(growth, costs, estimator):
    model, _ = _fitted(growth, costs, estimator)
    units, test, delay = unit_costs(5), 0.0, 0.0
    for i, level in enumerate(model.levels_):
        s = level.sets
        (pp, bp, np_), (pn, bn, nn) = level.costs.amounts
        test, delay = test + units[i] * len(s.M_N), max(delay, units[i] * len(s.M_N))
        assert (level.test_cost, level.delay_cost) == pytest.approx((test, delay))
        of_row, risk = dict(zip(s.M_N, s.p, strict=True)), 0.0
        for rows, positive, negative in (
            (s.P_L, pp, pn), (s.B_L, 2 * bp, 2 * bn), (s.N_L, np_, nn),
        ):  # fmt: skip
            risk += sum(positive * of_row[r] + negative * (1 - of_row[r]) for r in rows)
        assert level.result_cost == pytest.approx(risk)


@pytest.mark.parametrize("costs", [None, MISTAKE_5_10, "random"])
def test_the_network_of_a_level_says_which_of_its_universe_is_wrong_and_unsure(costs):
    model, networks = _fitted("refined", costs)
    X, y, _ = noisy_band(900)
    X = model.scaling_.transform(X)
    for level, network, rows in zip(model.levels_, networks, _universes(model), strict=True):
        p = softmax(network.logits(X[rows]))
        wrong = p.argmax(axis=1) != y[rows]
        unsure = (p[:, 1] > level.beta) & (p[:, 1] < level.alpha) & ~wrong
        assert sorted(level.sets.M_N) == rows[wrong].tolist()
        last = level.n_hidden == model.max_levels
        assert level.n_bnd == len(level.sets.B_L) + (0 if last else unsure.sum())


def test_a_settlement_takes_two_bytes_per_row():
    model, _ = _fitted("refined")
    assert sum(part.nbytes for part in model.settlement_) == 2 * 900
    assert [part.shape for part in model.settlement_] == [(900,), (900,)]


def test_rows_held_back_or_without_weight_are_settled_nowhere():
    X, y, _ = noisy_band(900)
    weight = np.ones(900)
    weight[100:200] = 0
    model = STWDSFNNClassifier(REFINED, max_levels=3, keep_sets=True, random_state=0)
    model.fit(X, y, sample_weight=weight)
    settled = model.settlement_
    assert not settled.levels[100:200].any() and not settled.codes[100:200].any()
    assert (settled.levels > 0).sum() == model.levels_[0].n_instances == 800 - round(800 / 9)
    by_network = np.flatnonzero(~settled.by_granule & (settled.levels > 0))
    # What the network settled it got right, so the rows are those of the table.
    assert np.array_equal(settled.regions[by_network] == 1, y[by_network] == 1)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_deferred_lies_in_the_noisy_region(seed):
    X, y, coin = noisy_band(seed=seed)
    growth = RefinedGrowth(joint_updates=400, polish_updates=0, l2=0.01)
    model = STWDSFNNClassifier(
        growth, max_levels=6, scale="standard", activation="tanh", costs=MISTAKE_5_10,
        random_state=seed,
    ).fit(X, y)  # fmt: skip
    in_band = [coin[rows].mean() for rows in _universes(model)]
    assert len(in_band) == 6 and in_band[0] < 0.3
    assert min(np.diff(in_band)) > -0.02 and in_band[-1] > 0.8
    X_new, _, coin_new = noisy_band(4000, seed=seed + 10)
    deferred = model.decide(X_new) == BND
    assert coin_new[deferred].mean() > 0.85 and deferred[coin_new].mean() > 0.9


def test_dearer_mistakes_never_defer_less_on_the_same_network():
    model, _ = _fitted("refined")
    X, _, _ = noisy_band(2000, seed=3)
    for regions_of in (model.decide, lambda X, c: model.decide_sequentially(X, c).regions):
        deferred = [
            regions_of(X, CostMatrix.from_review(false_accept=k, false_reject=2 * k, review=1))
            == BND
            for k in (1.6, 2, 3, 5, 10, 30, 100, 1000)
        ]
        assert deferred[0].sum() < deferred[-1].sum()
        assert all((more >= less).all() for less, more in pairwise(deferred))


def _validated(networks, model, costs):
    X, y, _ = noisy_band(300, seed=1)
    part = Part(
        model.scaling_.transform(X), y.astype(np.int32), np.ones(300, np.float32), n_classes=2
    )
    return validated_costs([network.logits(part.X) for network in networks], part, costs)


@pytest.mark.parametrize("unit_tests", [None, [0.0] * 6, [0.01] * 6, [0.2] * 6])
def test_the_level_kept_has_the_least_validated_cost(unit_tests):
    costs = CostMatrix.from_review(false_accept=20, false_reject=4, review=1)
    X, y = ring(900)
    X_val, y_val, _ = noisy_band(300, seed=1)
    networks = Networks()
    model = STWDSFNNClassifier(
        RefinedGrowth(joint_updates=150, node_updates=50, polish_updates=0, l2=0.01),
        max_levels=6, costs=costs, unit_test_costs=unit_tests, scale="standard", random_state=0,
    )  # fmt: skip
    model.set_callbacks(networks).fit(X, y, X_val=X_val, y_val=y_val)
    spent = _validated(networks.kept, model, costs)
    spent += np.cumsum([0.0] * 6 if unit_tests is None else unit_tests)[: len(spent)]
    assert len(spent) > 3 and len(np.unique(spent)) > 1
    assert model.best_level_ == np.argmin(spent)
    assert np.array_equal(model.network_.W1, networks.kept[model.best_level_].W1)


def test_dearer_levels_never_make_the_network_larger():
    X, y = ring(900)
    sizes = [
        STWDSFNNClassifier(
            RefinedGrowth(joint_updates=150, node_updates=50, polish_updates=0, l2=0.01),
            max_levels=6, costs=MISTAKE_5_10, unit_test_costs=[price] * 6, scale="standard",
            random_state=0,
        ).fit(X, y).n_hidden_
        for price in (0.0, 0.02, 0.2, 5.0)
    ]  # fmt: skip
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > sizes[-1] == 1


def test_without_costs_of_the_user_the_loss_decides():
    X, y = ring(600)
    options = {"max_levels": 4, "scale": "standard", "random_state": 0}
    growth = RefinedGrowth(joint_updates=150, node_updates=50, polish_updates=0, l2=0.01)
    for costs in (None, "random"):
        # Unit costs alone are in no unit that a loss could be added to.
        model = STWDSFNNClassifier(growth, costs=costs, unit_test_costs=[9] * 4, **options)
        scores = [level.validation_score for level in model.fit(X, y).levels_]
        assert model.best_level_ == np.argmax(scores) > 0
