"""Thresholds and regions against the brute-force minimum of the expected losses."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trisect.decisions import (
    BND,
    NEG,
    POS,
    CostMatrix,
    expected_losses,
    result_cost,
    three_way_regions,
    two_way_regions,
)

SHARE = st.floats(0.001, 0.999)
SEED = st.integers(0, 2**32 - 1)


@st.composite
def cost_matrices(draw):
    """Any valid matrix, not only those that the sampler of chains makes."""
    pp, nn = draw(st.floats(0, 0.3)), draw(st.floats(0, 0.3))
    high_p, high_n = draw(st.floats(0.35, 0.99)), draw(st.floats(0.35, 0.99))
    bp, bn = pp + draw(SHARE) * (high_p - pp), nn + draw(SHARE) * (high_n - nn)
    assume((bn - nn) * (bp - pp) < (1 - 1e-6) * (high_n - bn) * (high_p - bp))
    return CostMatrix(pp=pp, bp=bp, np=high_p, pn=high_n, bn=bn, nn=nn)


def probabilities(seed, *others):
    return np.concatenate([np.random.default_rng(seed).random(200), [0.0, 1.0], others])


@given(cost_matrices())
def test_gamma_lies_between_beta_and_alpha(costs):
    assert 0 < costs.beta < costs.gamma < costs.alpha < 1


@given(cost_matrices(), SEED)
def test_three_way_regions_are_the_cheapest_actions(costs, seed):
    p = probabilities(seed, costs.alpha, costs.beta, costs.gamma)
    regions = three_way_regions(p, costs.alpha, costs.beta)
    losses = expected_losses(p, costs)
    taken = losses[np.arange(len(p)), 1 - regions.astype(int)]
    np.testing.assert_allclose(taken, losses.min(axis=1), rtol=0, atol=1e-12)


@given(cost_matrices(), SEED)
def test_two_way_regions_are_the_cheaper_of_accept_and_reject(costs, seed):
    p = probabilities(seed)
    accept, _, reject = expected_losses(p, costs).T
    clear = np.abs(accept - reject) > 1e-9
    cheaper = np.where(accept < reject, POS, NEG)
    np.testing.assert_array_equal(two_way_regions(p, costs.gamma)[clear], cheaper[clear])


@given(cost_matrices())
def test_at_each_threshold_two_actions_cost_the_same(costs):
    accept, defer, reject = expected_losses([costs.alpha, costs.beta, costs.gamma], costs).T
    assert accept[0] == pytest.approx(defer[0], abs=1e-12)
    assert defer[1] == pytest.approx(reject[1], abs=1e-12)
    assert accept[2] == pytest.approx(reject[2], abs=1e-12)


@given(cost_matrices(), SEED, st.floats(1, 10))
def test_the_penalty_weighs_the_boundary_only(costs, seed, penalty):
    p = np.random.default_rng(seed).random(50)
    regions = three_way_regions(p, costs.alpha, costs.beta)
    deferred = regions == BND
    expected = result_cost(p[~deferred], regions[~deferred], costs)
    expected += penalty * expected_losses(p[deferred], costs)[:, 1].sum()
    assert result_cost(p, regions, costs, penalty) == pytest.approx(expected)
