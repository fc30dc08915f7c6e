"""Chains: sampled, checked, continued."""

import numpy as np
import pytest

from trisect.decisions import CostMatrix, leading_to, nested, sample_cost_matrices

WIDE = [[0, 0.1506, 0.9021], [0.4592, 0.1249, 0]]
NARROW = [[0, 0.4617, 0.5962], [0.6740, 0.1344, 0]]
LAST = [[0, 0.3626, 0.7064], [0.7664, 0.3727, 0]]


def test_one_seed_gives_one_chain():
    assert sample_cost_matrices(5, 7) == sample_cost_matrices(5, 7)
    assert sample_cost_matrices(5, 7) != sample_cost_matrices(5, 8)
    rng = np.random.default_rng(7)
    assert sample_cost_matrices(5, rng) == sample_cost_matrices(5, 7)
    assert sample_cost_matrices(5, rng) != sample_cost_matrices(5, 7), "a generator moves on"
    state = np.random.RandomState(4)
    assert sample_cost_matrices(3, state) == sample_cost_matrices(3, np.random.RandomState(4))


@pytest.mark.parametrize("n_levels", [0, -1, 2.0, True, None])
def test_numbers_of_levels_that_are_none(n_levels):
    with pytest.raises(ValueError, match="n_levels must be an integer of at least 1"):
        sample_cost_matrices(n_levels)


def test_nested_keeps_what_it_is_given():
    chain = [CostMatrix.from_array(matrix) for matrix in (WIDE, NARROW, LAST)]
    assert nested(chain) == chain
    assert nested([WIDE, chain[1], np.array(LAST)]) == chain
    assert nested(np.array([WIDE, NARROW, LAST])) == chain
    assert nested(chain[0]) == nested(WIDE) == chain[:1]


def test_broken_beta_and_alpha_are_named():
    with pytest.raises(
        ValueError,
        match=r"beta of level 1 \(0.499814\) must be <= beta of level 2 \(0.142515\), "
        r"violated by 0.357",
    ):
        nested([NARROW, WIDE, LAST])
    low_alpha = [[0, 0.5, 0.9], [0.3, 0.05, 0]]
    with pytest.raises(ValueError, match=r"alpha of level 2 .* must be >= alpha of level 3"):
        nested([low_alpha, low_alpha, [[0, 0.1, 0.5], [0.8, 0.2, 0]], LAST])


def test_broken_gamma_is_named():
    high_gamma = [[0, 0.01, 0.1], [0.9, 0.3, 0]]
    with pytest.raises(ValueError, match=r"alpha of level 1 .* must be > gamma of level 2 \(0.9\)"):
        nested([WIDE, high_gamma])
    low_gamma = [[0, 0.3, 0.9], [0.1, 0.01, 0]]
    with pytest.raises(ValueError, match=r"beta of level 1 .* must be < gamma of level 2 \(0.1\)"):
        nested([WIDE, low_gamma])


def test_a_bad_matrix_in_a_chain_is_named():
    with pytest.raises(ValueError, match=r"Level 2: The wrong action must cost more"):
        nested([WIDE, [[0.5, 0.5, 0.4], [0.6, 0.1, 0]]])


def test_only_the_last_level_may_never_defer():
    never = CostMatrix.from_review(false_accept=5, false_reject=10, review=4)
    assert nested(never, 1) == nested([never]) == [never]
    cheap = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    assert nested([cheap, never]) == [cheap, never]
    with pytest.raises(
        ValueError, match=r"level 1 deferring is never worthwhile \(alpha 0.2 <= beta 0.4\)"
    ):
        nested(never, 3)
    with pytest.raises(ValueError, match="costs of level 2 deferring is never worthwhile"):
        nested([cheap, never], 3)


@pytest.mark.parametrize("matrices", [[], None, 0.5])
def test_no_matrix_at_all(matrices):
    with pytest.raises(ValueError, match="costs must be a CostMatrix"):
        nested(matrices)


def test_the_same_thresholds_in_another_unit_nest():
    # Dividing by three moves alpha by a rounding error.
    halves = [np.array(WIDE) / factor for factor in (3, 1, 7, 1)]
    assert len(nested(halves)) == 4


@pytest.mark.parametrize("n_levels", [1, 2, 10, 1000])
def test_one_matrix_narrows_to_its_gamma(n_levels):
    chain = nested(WIDE, n_levels)
    assert len(chain) == n_levels
    assert chain[0] == CostMatrix.from_array(WIDE)
    np.testing.assert_allclose([c.gamma for c in chain], chain[0].gamma, rtol=1e-12)
    assert np.all(np.diff([c.alpha for c in chain]) < 0)
    assert np.all(np.diff([c.beta for c in chain]) > 0)
    np.testing.assert_allclose(
        np.diff([c.alpha for c in chain], n=2), 0, atol=1e-12, err_msg="steps are even"
    )


def test_added_levels_change_only_the_costs_of_deferring():
    first, *others = nested([[0.05, 0.2, 0.8], [0.6, 0.1, 0.02]], 6)
    for costs in others:
        assert (costs.pp, costs.np, costs.pn, costs.nn) == (first.pp, first.np, first.pn, first.nn)
        assert costs.bp > first.bp
        assert costs.bn > first.bn


def test_more_matrices_than_levels():
    with pytest.raises(ValueError, match="3 matrices were given for a chain of 2 levels"):
        nested([WIDE, NARROW, LAST], 2)


def test_strictness_of_the_chain_that_leads_to_costs():
    costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    assert leading_to(costs, 3, strictness=0) == [costs] * 3
    mild, strict = (leading_to(costs, 4, strictness=value) for value in (0.5, 2))
    assert mild[-1] == strict[-1] == costs
    for early, earlier in zip(mild[:-1], strict[:-1], strict=True):
        assert earlier.beta < early.beta < early.alpha < earlier.alpha
    for wrong in (-1, np.nan, np.inf):
        with pytest.raises(ValueError, match="strictness"):
            leading_to(costs, 2, strictness=wrong)
