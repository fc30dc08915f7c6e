"""Regions and their result cost on cases small enough to work out by hand."""

import numpy as np
import pytest

from trisect.decisions import (
    BND,
    NEG,
    POS,
    CostMatrix,
    as_regions,
    result_cost,
    three_way_regions,
    two_way_regions,
)

COSTS = CostMatrix(pp=0.1, bp=0.2, np=0.8, pn=0.7, bn=0.3, nn=0.05)


def test_result_cost_sums_the_action_of_each_instance():
    expected = (0.1 * 0.9 + 0.7 * 0.1) + 3 * (0.2 * 0.5 + 0.3 * 0.5) + (0.8 * 0.2 + 0.05 * 0.8)
    cost = result_cost([0.9, 0.5, 0.2], [POS, BND, NEG], COSTS, boundary_penalty=3)
    assert cost == pytest.approx(expected)


def test_nothing_costs_nothing():
    assert result_cost([], [], COSTS) == 0.0
    assert three_way_regions([], 0.7, 0.2).shape == (0,)


@pytest.mark.parametrize("p", [[-0.1], [1.1], [float("nan")]])
def test_values_that_are_no_probabilities(p):
    with pytest.raises(ValueError, match="Probabilities must lie in"):
        three_way_regions(p, 0.7, 0.2)
    with pytest.raises(ValueError, match="Probabilities must lie in"):
        two_way_regions(p, 0.5)


def test_thresholds_in_the_wrong_order():
    with pytest.raises(ValueError, match="beta must be below alpha"):
        three_way_regions([0.5], alpha=0.2, beta=0.7)


@pytest.mark.parametrize(
    ("regions", "penalty", "message"),
    [
        ([2, 0], 2, "regions must be POS"),
        ([POS], 2, "2 probabilities were given for 1 regions"),
        ([-1, 0], 0.9, "boundary_penalty must be at least 1"),
        ([-1, 0], float("nan"), "boundary_penalty must be at least 1"),
    ],
)
def test_result_cost_refuses(regions, penalty, message):
    with pytest.raises(ValueError, match=message):
        result_cost([0.5, 0.5], regions, COSTS, penalty)


def test_the_penalty_makes_deferring_dearer_also_where_it_gains():
    gains = CostMatrix.from_review(false_accept=9, false_reject=0, review=1, true_accept=-5)
    expected = 0.9 * -4 + 0.1 * 1
    assert result_cost([0.9], [BND], gains, boundary_penalty=1) == pytest.approx(expected)
    assert result_cost([0.9], [BND], gains, boundary_penalty=1.5) == pytest.approx(expected / 2)


ACCEPTED_AS_REGIONS = [
    np.array([1, 1, 0], dtype=np.int8),
    np.array([-1, 1], dtype=np.int8),
    [POS, POS, BND],
    [1, 0, -1],
    np.array([1, -1]),
    [],
]
REFUSED_AS_REGIONS = [
    ([1, 0, 1], "hold only .0, 1. and have dtype int64, so they may be labels"),
    (np.array([1, 1]), "hold only .1. and .*dtype=np.int8"),
    (np.array([True, False]), "POS .1., BND .0. or NEG .-1., .* got True, False of dtype bool"),
    ([1.0, 0.0, -1.0], "got 1.0, 0.0, -1.0 of dtype float64"),
    (["accept", "reject"], "got 'accept', 'reject'"),
    (np.array([0, 1, 2], dtype=np.int8), "got 0, 1, 2"),
]


@pytest.mark.parametrize("regions", ACCEPTED_AS_REGIONS, ids=repr)
def test_regions_are_int8_or_can_be_nothing_else(regions):
    found = as_regions(regions)
    assert found.dtype == np.int8
    assert found.tolist() == list(regions)


@pytest.mark.parametrize(("regions", "message"), REFUSED_AS_REGIONS, ids=repr)
def test_arrays_that_may_be_labels_are_no_regions(regions, message):
    with pytest.raises(ValueError, match=message):
        as_regions(regions)
