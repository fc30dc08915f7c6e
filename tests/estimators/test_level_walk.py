"""Decisions of the network itself: at once, and level by level on shared nodes."""

from copy import copy

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from trisect import ClassCosts, CostMatrix, STWDSFNNClassifier
from trisect.decisions import default_costs, two_way_regions
from trisect.growth import PaperGrowth, RefinedGrowth
from trisect.network import Levels, fast, reference

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
MANY_COSTS = [
    CostMatrix.from_review(false_accept=accept, false_reject=reject, review=review)
    for accept, reject, review in [
        (5, 10, 1), (20, 20, 1), (3, 3, 1), (1, 100, 0.5), (100, 1, 0.5), (1, 1, 1e-9),
        (5, 10, 4), (5, 10, 0),
    ]
]  # fmt: skip


def _name(costs):
    return "-".join(f"{amount:g}" for amount in costs.amounts.ravel())


CHEAP = [[0, 0.002, 0.9], [0.9, 0.002, 0]]
FAST = {"joint_updates": 60, "node_updates": 30, "polish_updates": 60}


def grown(selection="best", **options):
    growth = RefinedGrowth(selection=selection, **FAST)
    return STWDSFNNClassifier(growth, random_state=0, **options)


@pytest.fixture(scope="module")
def data():
    X, y = load_breast_cancer(return_X_y=True)
    # A fifth of the labels is wrong, so that several levels are needed.
    flipped = np.random.default_rng(0).random(len(y)) < 0.2
    return X, np.where(flipped, 1 - y, y)


@pytest.fixture(scope="module")
def models(data):
    refined = grown("last", max_levels=4).fit(*data)
    paper = STWDSFNNClassifier(
        PaperGrowth(max_epochs=5, delta=None), max_levels=4, costs=CHEAP, n_granules=1,
        random_state=0,
    ).fit(*data)  # fmt: skip
    assert refined.n_hidden_ == 4 and paper.n_hidden_ > 1
    return {"refined": refined, "paper": paper}


BOTH = pytest.mark.parametrize("growth", ["refined", "paper"])


def by_hand(model, X, costs, final="defer"):
    """Read every level of every instance out, then look up who stops where."""
    scaled, read_outs = model.scaling_.transform(X), model.read_outs_
    margins = read_outs.margins(model.network_.hidden(scaled)).astype(float)
    alpha, beta = (np.log(p / (1 - p)) for p in costs.thresholds)
    regions, levels = np.zeros(len(X), dtype=int), np.zeros(len(X), dtype=int)
    for i, (margin, (above, below)) in enumerate(
        zip(margins, read_outs.strictness, strict=True), start=1
    ):
        here = np.where(margin >= alpha + above, 1, np.where(margin <= beta - below, -1, 0))
        if i == len(margins) and final == "decide":
            here = two_way_regions(1 / (1 + np.exp(-margin)), costs.gamma)
        now = (regions == 0) & (here != 0)
        regions[now], levels[now] = here[now], i
    return regions, levels


@BOTH
@pytest.mark.parametrize("final", ["decide", "defer"])
@pytest.mark.parametrize("costs", MANY_COSTS[:5], ids=_name)
def test_the_walk_is_that_of_every_level_read_out_everywhere(data, models, growth, final, costs):
    X, model = data[0], models[growth]
    walk = model.decide_sequentially(X, costs, final=final)
    regions, levels = by_hand(model, X, costs, final)
    np.testing.assert_array_equal(walk.regions, regions)
    np.testing.assert_array_equal(walk.levels, levels)
    assert walk.regions.dtype == np.int8


def test_the_costs_of_the_model_are_those_by_default(data, models):
    model = models["refined"]
    walk, given = (
        model.decide_sequentially(data[0]),
        model.decide_sequentially(data[0], model.costs_),
    )
    np.testing.assert_array_equal(walk.regions, given.regions)
    np.testing.assert_array_equal(walk.levels, given.levels)


def test_the_walk_is_scaled_as_the_network_is(data):
    model = grown("last", max_levels=3, scale="standard").fit(*data)
    regions, levels = by_hand(model, data[0], COSTS)
    walk = model.decide_sequentially(data[0], COSTS)
    np.testing.assert_array_equal(walk.regions, regions)
    np.testing.assert_array_equal(walk.levels, levels)


@BOTH
@pytest.mark.parametrize("costs", MANY_COSTS, ids=_name)
def test_a_walk_evaluates_no_node_twice(data, models, growth, costs):
    X, model = data[0], models[growth]
    walk = model.decide_sequentially(X, costs)
    assert walk.n_hidden.tolist() == [1] * model.n_hidden_
    reached = np.where(walk.levels == 0, model.n_hidden_, walk.levels)
    assert walk.nodes_evaluated == reached.sum() <= len(X) * model.n_hidden_


@BOTH
@pytest.mark.parametrize("costs", MANY_COSTS, ids=_name)
def test_levels_that_decide_nothing_early_decide_as_the_network_does(data, models, growth, costs):
    X, model = data[0], models[growth]
    strictness = np.full_like(model.read_outs_.strictness, np.inf)
    strictness[-1] = 0
    patient = copy(model)
    patient.read_outs_ = model.read_outs_._replace(strictness=strictness)
    walk = patient.decide_sequentially(X, costs)
    np.testing.assert_array_equal(walk.regions, model.decide(X, costs))
    np.testing.assert_array_equal(walk.probabilities, model.predict_proba(X)[:, 1])
    assert walk.nodes_evaluated == len(X) * model.n_hidden_
    assert set(walk.levels[walk.regions != 0]) <= {model.n_hidden_}


@BOTH
@pytest.mark.parametrize("costs", MANY_COSTS, ids=_name)
def test_what_reaches_the_last_level_is_decided_as_by_the_network(data, models, growth, costs):
    X, model = data[0], models[growth]
    walk, whole = model.decide_sequentially(X, costs), model.decide(X, costs)
    last = walk.last_levels == model.n_hidden_
    np.testing.assert_array_equal(walk.regions[last], whole[last])


@BOTH
def test_both_engines_walk_alike_to_the_last_bit(data, models, growth):
    model = models[growth]
    X, inputs = data[0], model.scaling_.inputs
    network, (weights, biases, strictness) = model.network_, model.read_outs_
    seen = set()
    for costs in MANY_COSTS[:5]:
        alpha, beta = (np.log(p / (1 - p)) for p in costs.thresholds)
        levels = Levels(
            weights, biases,
            (alpha + strictness[:, 0]).astype(np.float32),
            (beta - strictness[:, 1]).astype(np.float32),
        )  # fmt: skip
        found = []
        for engine in (reference, fast):
            regions, decided_at = np.zeros(len(X), np.int8), np.zeros(len(X), np.intp)
            margins = np.empty(len(X), np.float32)
            engine.walk(X, inputs, network.nodes, levels, regions, decided_at, margins)
            found.append((regions, decided_at, margins))
        for one, other in zip(*found, strict=True):
            np.testing.assert_array_equal(one, other)
        seen.update(found[0][0].tolist())
    assert seen == {-1, 0, 1}


def test_early_levels_save_nodes_where_the_case_is_clear(data, models):
    clear = CostMatrix.from_review(false_accept=1, false_reject=1, review=0.4)
    walk = models["refined"].decide_sequentially(data[0], clear)
    assert walk.nodes_evaluated < 0.9 * len(data[0]) * 4
    wary = CostMatrix.from_review(false_accept=1, false_reject=1, review=1e-9)
    assert models["refined"].decide_sequentially(data[0], wary).nodes_evaluated == 4 * len(data[0])


def test_test_and_delay_costs_are_those_of_the_levels_that_an_instance_went_through(data):
    units = {"unit_test_costs": [1, 2, 4, 8, 16], "unit_delay_costs": [3, 1, 1, 1, 1]}
    model = grown("last", max_levels=5, costs=COSTS, **units).fit(*data)
    k = model.n_hidden_
    walk = model.decide_sequentially(data[0], COSTS)
    per_instance = [sum([1, 2, 4, 8, 16][:reached]) for reached in walk.last_levels]
    np.testing.assert_array_equal(walk.instance_test_costs, per_instance)
    assert walk.test_cost == sum(per_instance)
    seen = [(walk.last_levels >= level).sum() for level in range(1, k + 1)]
    assert walk.n_seen.tolist() == seen
    assert walk.delay_cost == max(n * u for n, u in zip(seen, [3, 1, 1, 1, 1], strict=False))


def test_unit_costs_are_those_of_the_fit(data):
    model = grown(max_levels=2, unit_test_costs=[1, 2]).fit(*data)
    before = model.decide_sequentially(data[0], COSTS).test_cost
    model.set_params(unit_test_costs=None)
    assert model.decide_sequentially(data[0], COSTS).test_cost == before > 0


def test_without_unit_costs_a_walk_costs_nothing(data, models):
    walk = models["refined"].decide_sequentially(data[0], COSTS)
    assert walk.test_cost == walk.delay_cost == 0


@BOTH
def test_instances_are_decided_on_their_own(data, models, growth):
    X, model = data[0], models[growth]
    together = model.decide_sequentially(X, COSTS)
    tiled = model.decide_sequentially(np.tile(X, (40, 1)), COSTS)
    np.testing.assert_array_equal(tiled.regions, np.tile(together.regions, 40))
    np.testing.assert_array_equal(tiled.probabilities, np.tile(together.probabilities, 40))
    for start in range(0, len(X), 100):
        rows = slice(start, start + 100 if start else 1)
        part = model.decide_sequentially(X[rows], COSTS)
        np.testing.assert_array_equal(part.regions, together.regions[rows])
        np.testing.assert_array_equal(part.levels, together.levels[rows])


@BOTH
def test_the_other_class_can_be_positive(data, models, growth):
    """To accept one class under some costs is to reject the other under their mirror."""
    X, model = data[0], models[growth]
    mirrored = CostMatrix.from_review(false_accept=10, false_reject=5, review=1)
    walk = model.decide_sequentially(X, COSTS)
    other = model.decide_sequentially(X, mirrored, pos_label=0)
    np.testing.assert_array_equal(other.regions, -walk.regions)
    np.testing.assert_array_equal(other.levels, walk.levels)
    np.testing.assert_allclose(other.probabilities, 1 - walk.probabilities, atol=1e-12)


@BOTH
def test_decide_uses_the_costs_that_the_levels_lead_to(data, models, growth):
    model, X = models[growth], data[0]
    p = model.predict_proba(X)[:, 1]
    assert model.costs_ == model.cost_matrices_[-1]
    np.testing.assert_array_equal(model.decide(X), model.costs_.decide(p))
    np.testing.assert_array_equal(model.decide(X, COSTS), COSTS.decide(p))


@BOTH
def test_costs_drawn_for_growth_decide_nothing(data, models, growth):
    kinds = {"refined": RefinedGrowth(**FAST), "paper": PaperGrowth(max_epochs=5, delta=None)}
    model = STWDSFNNClassifier(kinds[growth], max_levels=2, costs="random", random_state=3)
    model.fit(*data)
    assert model.cost_matrices_[-1] != default_costs() == model.costs_
    walk = model.decide_sequentially(data[0])
    last = walk.last_levels == model.n_hidden_
    np.testing.assert_array_equal(walk.regions[last], model.decide(data[0])[last])


def test_costs_are_those_given_or_the_default_ones(data, models):
    assert models["refined"].costs_ == default_costs()
    assert grown(max_levels=2, costs=COSTS).fit(*data).costs_ == COSTS


def test_costs_that_never_defer_decide_everything(data):
    never = CostMatrix.from_review(false_accept=5, false_reject=10, review=4)
    assert not never.defers
    for max_levels in (1, 3):
        model = grown(costs=never, max_levels=max_levels).fit(*data)
        assert 0 not in model.decide(data[0])
        assert 0 not in model.decide_sequentially(data[0]).regions


def test_several_classes():
    X, y = load_iris(return_X_y=True)
    model = grown(max_levels=2).fit(X, y)
    costs = ClassCosts.uniform(3, mistake=5, defer=1)
    chosen = costs.decide(model.predict_proba(X))
    labels = [None if index == -1 else model.classes_[index] for index in chosen]
    assert model.decide_classes(X, costs).tolist() == labels
    assert set(model.decide(X)) <= {0, 1} and model.read_outs_ is None
    given = grown(max_levels=2, costs=costs).fit(X, y)
    np.testing.assert_array_equal(given.decide(X), model.decide(X, costs))
    assert given.decide_classes(X).tolist() == labels
    for other in (COSTS, ClassCosts.uniform(4, mistake=5, defer=1)):
        with pytest.raises(ValueError, match=r"ClassCosts|4 classes were given for 3"):
            grown(max_levels=2, costs=other).fit(X, y)
    with pytest.raises(ValueError, match="Costs of accepting and rejecting are needed"):
        grown(max_levels=2, costs=costs).fit(X, y > 0)
    with pytest.raises(ValueError, match="ClassCosts"):
        model.decide_sequentially(X)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"final": "guess"}, "final must be 'decide' or 'defer'"),
        ({"costs": [COSTS] * 3}, "one cost matrix"),
        ({"costs": [[0, 1], [1, 0]]}, r"got an array of shape \(2, 2\)"),
        ({"pos_label": 5}, "not one of"),
    ],
)
def test_bad_input_is_refused(data, models, arguments, message):
    with pytest.raises(ValueError, match=message):
        models["refined"].decide_sequentially(data[0], **arguments)
