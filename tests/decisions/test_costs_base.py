"""What all costs for two classes promise, for one matrix and for one per instance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trisect.decisions import CostMatrix, InstanceCosts

N = 200


def one_matrix(amounts):
    return CostMatrix.from_array(amounts.mean(axis=0))


KINDS = pytest.mark.parametrize("kind", [one_matrix, InstanceCosts])


def random_amounts(seed):
    """Costs of N instances under which some are worth deferring and some are not."""
    rng = np.random.default_rng(seed)
    amounts = rng.uniform(1, 10, size=(N, 2, 3))
    amounts[:, :, 1] = rng.uniform(0.1, 4, size=(N, 2))
    amounts[:, [0, 1], [0, 2]] = 0
    return amounts


@KINDS
@given(seed=st.integers(0, 2**32 - 1))
def test_decisions_are_the_cheapest_actions(kind, seed):
    costs, p = kind(random_amounts(seed)), np.random.default_rng(seed).random(N)
    per_instance = np.broadcast_to(costs.amounts, (N, 2, 3))
    losses = p[:, None] * per_instance[:, 0] + (1 - p[:, None]) * per_instance[:, 1]
    taken = losses[np.arange(N), 1 - costs.decide(p).astype(int)]
    np.testing.assert_allclose(taken, losses.min(axis=1), rtol=1e-12)


@KINDS
@given(seed=st.integers(0, 2**32 - 1))
def test_thresholds_are_alpha_and_beta_or_gamma_twice(kind, seed):
    costs = kind(random_amounts(seed))
    alpha, beta = costs.thresholds
    np.testing.assert_array_equal(costs.defers, costs.beta < costs.alpha)
    np.testing.assert_array_equal(alpha, np.where(costs.defers, costs.alpha, costs.gamma))
    np.testing.assert_array_equal(beta, np.where(costs.defers, costs.beta, costs.gamma))


@KINDS
def test_each_instance_is_decided_and_charged_as_it_would_be_alone(kind):
    costs, rng = kind(random_amounts(0)), np.random.default_rng(1)
    p, truth = rng.random(N), rng.random(N) < 0.5
    regions = costs.decide(p)
    charges = costs.charge(truth, regions)
    assert set(regions.tolist()) == {-1, 0, 1}
    for i in range(N):
        alone = costs.take([i])
        assert alone.decide(p[[i]]) == regions[i]
        assert alone.charge(truth[[i]], regions[[i]]) == charges[i]


def test_charges_equal_a_calculation_by_hand():
    costs = CostMatrix.from_review(
        false_accept=5, false_reject=10, review=(1, 2), true_accept=0.5, true_reject=0.25
    )
    positive, regions = [True, True, True, False, False, False], [1, 0, -1, 1, 0, -1]
    assert costs.charge(positive, regions).tolist() == [0.5, 1.5, 10, 5, 2.25, 0.25]


@KINDS
def test_the_mean_is_one_matrix(kind):
    costs = kind(random_amounts(0))
    expected = np.broadcast_to(costs.amounts, (N, 2, 3)).mean(axis=0)
    np.testing.assert_allclose(costs.mean().amounts, expected)


@KINDS
@pytest.mark.parametrize(
    ("positive", "regions", "message"),
    [
        ([True], [-1, 0], "equally long"),
        ([True], [2], "regions must be"),
        ([[True, True]], [[-1, 0]], "one-dimensional"),
    ],
)
def test_wrong_decisions_are_refused(kind, positive, regions, message):
    with pytest.raises(ValueError, match=message):
        kind(random_amounts(0)).charge(positive, regions)


def test_other_numbers_of_instances_are_refused():
    costs = InstanceCosts(random_amounts(0))
    with pytest.raises(ValueError, match="Costs of 200 instances were given for 2 instances"):
        costs.decide([0.1, 0.2])
    with pytest.raises(ValueError, match="Costs of 200 instances were given for 1 instances"):
        costs.charge([True], np.ones(1, np.int8))


@pytest.mark.parametrize(
    ("names", "classes", "expected"),
    [
        ({}, ["a", "b"], None),
        ({"accept": "a"}, ["a", "b"], "a"),
        ({"reject": "a"}, np.array(["a", "b"]), "b"),
        ({"accept": 0, "reject": 1}, np.array([0, 1]), 0),
        ({"reject": False}, np.array([False, True]), True),
    ],
)
def test_costs_may_name_the_class_to_accept(names, classes, expected):
    costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, **names)
    assert costs.positive_class(classes) == expected


@pytest.mark.parametrize("name", ["accept", "reject"])
def test_a_class_that_is_none_is_refused(name):
    costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, **{name: "z"})
    with pytest.raises(ValueError, match=f"{name}='z', but the classes are"):
        costs.positive_class(["a", "b"])
