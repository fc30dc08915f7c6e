"""Decisions of the network itself: at once, and level by level."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from trisect import ClassCosts, CostMatrix, STWDSFNNClassifier
from trisect.decisions import leading_to, two_way_regions, unit_costs
from trisect.growth import PaperGrowth, RefinedGrowth

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
FAST = {"joint_updates": 60, "node_updates": 30, "polish_updates": 60}


def grown(selection="best", **options):
    growth = RefinedGrowth(selection=selection, **FAST)
    return STWDSFNNClassifier(growth, random_state=0, **options)


@pytest.fixture(scope="module")
def data():
    return load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="module")
def models(data):
    refined = grown("last", max_levels=4).fit(*data)
    paper = STWDSFNNClassifier(PaperGrowth(max_epochs=5), max_levels=4, random_state=0).fit(*data)
    return {"refined": refined, "paper": paper}


def by_hand(model, X, chain, numbers, final, positive=1):
    """Evaluate every level on every instance, then look up who stops where."""
    scaled = model.scaling_.transform(X)
    regions, levels = np.zeros(len(X), dtype=int), np.zeros(len(X), dtype=int)
    for i, number in enumerate(numbers, start=1):
        p = model.levels_[number - 1].network.probabilities(scaled)[:, positive]
        p = p.astype(float)
        if i == len(numbers) and final == "decide":
            here = two_way_regions(p, chain[i - 1].gamma)
        else:
            here = chain[i - 1].decide(p)
        now = (regions == 0) & (here != 0)
        regions[now], levels[now] = here[now], i
    return regions, levels


@pytest.mark.parametrize("growth", ["refined", "paper"])
@pytest.mark.parametrize("final", ["decide", "defer"])
@pytest.mark.parametrize("costs", [None, COSTS])
def test_the_walk_is_that_of_each_level_evaluated_everywhere(data, models, growth, final, costs):
    X, model = data[0], models[growth]
    numbers = range(1, model.best_level_ + 2)
    chain = [model.levels_[n - 1].costs for n in numbers]
    if costs is not None:
        chain = leading_to(costs, len(chain))
    walk = model.decide_sequentially(X, costs, final=final, levels="all")
    regions, levels = by_hand(model, X, chain, list(numbers), final)
    np.testing.assert_array_equal(walk.regions, regions)
    np.testing.assert_array_equal(walk.levels, levels)
    assert walk.regions.dtype == np.int8


def test_the_walk_is_scaled_as_the_network_is(data):
    """The evidence scaling gives a network more inputs than there are features."""
    X = data[0]
    model = grown("last", max_levels=2, scale="evidence").fit(*data)
    assert model.levels_[0].network.n_features > X.shape[1]
    regions, levels = by_hand(model, X, leading_to(COSTS, 2), [1, 2], "defer")
    walk = model.decide_sequentially(X, COSTS, final="defer", levels="all")
    np.testing.assert_array_equal(walk.regions, regions)
    np.testing.assert_array_equal(walk.levels, levels)


def test_counts_nodes_and_costs_equal_a_calculation_by_hand(data, models):
    model = models["refined"]
    walk = model.decide_sequentially(data[0], COSTS, levels="all")
    seen = [int((walk.last_levels >= level).sum()) for level in range(1, 5)]
    assert walk.n_seen.tolist() == seen
    assert walk.nodes_evaluated == np.dot(seen, range(1, 5))
    units = unit_costs(4)
    assert walk.test_cost == pytest.approx(float(np.dot(seen, units)))
    assert walk.delay_cost == pytest.approx(max(np.multiply(seen, units)))


def test_shared_nodes_are_evaluated_once(data, models):
    model = models["paper"]
    walk = model.decide_sequentially(data[0], levels="all")
    assert walk.n_hidden.sum() == model.n_hidden_


def test_blocks_do_not_show(data, models):
    X = np.tile(data[0], (40, 1))
    options = {"final": "defer", "levels": "all"}
    walk = models["refined"].decide_sequentially(X, COSTS, **options)
    once = models["refined"].decide_sequentially(data[0], COSTS, **options)
    np.testing.assert_array_equal(walk.regions, np.tile(once.regions, 40))


def test_some_levels_only(data, models):
    model = models["refined"]
    walk = model.decide_sequentially(data[0], COSTS, levels=[1, 3])
    regions, levels = by_hand(model, data[0], leading_to(COSTS, 2), [1, 3], "decide")
    np.testing.assert_array_equal(walk.regions, regions)
    np.testing.assert_array_equal(walk.levels, levels)
    assert walk.n_hidden.tolist() == [1, 3]
    np.testing.assert_array_equal(walk.unit_test_costs, unit_costs(4)[[0, 2]])


def test_levels_that_are_worth_their_nodes(data, models):
    model = models["refined"]
    auto = model.decide_sequentially(data[0], COSTS)
    assert auto.nodes_evaluated <= model.n_hidden_ * len(data[0])
    assert auto.n_hidden[-1] == model.n_hidden_
    # Nothing is sure enough: only the last level is asked.
    wary = CostMatrix.from_review(false_accept=1, false_reject=1, review=1e-9)
    assert model.decide_sequentially(data[0], wary).n_levels == 1


@pytest.mark.parametrize("growth", ["refined", "paper"])
def test_the_choice_of_levels_does_not_depend_on_the_other_instances(data, models, growth):
    X, model = data[0], models[growth]
    together = model.decide_sequentially(X, COSTS)
    for start in range(0, len(X), 100):
        rows = slice(start, start + 100 if start else 1)
        part = model.decide_sequentially(X[rows], COSTS)
        assert part.n_hidden.tolist() == together.n_hidden.tolist()
        np.testing.assert_array_equal(part.regions, together.regions[rows])
        np.testing.assert_array_equal(part.levels, together.levels[rows])


def test_the_other_class_can_be_positive(data, models):
    model = models["refined"]
    walk = model.decide_sequentially(data[0], COSTS, levels="all", pos_label=0)
    numbers = list(range(1, model.best_level_ + 2))
    chain = leading_to(COSTS, len(numbers))
    regions, _ = by_hand(model, data[0], chain, numbers, "decide", positive=0)
    np.testing.assert_array_equal(walk.regions, regions)


def test_decide_uses_the_costs_of_the_first_level(data, models):
    model = models["refined"]
    p = model.predict_proba(data[0])[:, 1]
    np.testing.assert_array_equal(model.decide(data[0]), model.levels_[0].costs.decide(p))
    np.testing.assert_array_equal(model.decide(data[0], COSTS), COSTS.decide(p))
    given = grown(max_levels=2, costs=COSTS).fit(*data)
    assert given.costs_ == COSTS


def test_costs_that_never_defer_grow_one_level_only(data):
    never = CostMatrix.from_review(false_accept=5, false_reject=10, review=4)
    with pytest.raises(ValueError, match=r"level 1 deferring is never worth.* one level"):
        grown(costs=never, max_levels=3).fit(*data)
    model = grown(costs=never, max_levels=1).fit(*data)
    assert 0 not in model.decide(data[0])


def test_several_classes():
    X, y = load_iris(return_X_y=True)
    model = grown(max_levels=2).fit(X, y)
    costs = ClassCosts.uniform(3, mistake=5, defer=1)
    np.testing.assert_array_equal(
        model.decide_classes(X, costs), costs.decide(model.predict_proba(X))
    )
    assert set(model.decide(X)) <= {0, 1}
    with pytest.raises(ValueError, match="ClassCosts"):
        model.decide_sequentially(X)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"final": "guess"}, "final"),
        ({"levels": []}, "increasing"),
        ({"levels": [2, 1]}, "increasing"),
        ({"levels": "some"}, "'auto', 'all'"),
        ({"levels": [1, 9]}, "between 1 and 4"),
        ({"costs": [COSTS] * 3}, "3 cost matrices were given for 4 levels"),
        ({"pos_label": 5}, "not one of"),
    ],
)
def test_bad_input_is_refused(data, models, arguments, message):
    with pytest.raises(ValueError, match=message):
        models["refined"].decide_sequentially(data[0], **arguments)
