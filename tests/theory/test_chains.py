"""The sequential property: deferral regions of a chain lie inside each other."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trisect.decisions import (
    CostMatrix,
    leading_to,
    nested,
    sample_cost_matrices,
    three_way_regions,
)

SEED = st.integers(0, 2**32 - 1)


def assert_sequential(chain):
    alpha, beta = ([getattr(costs, name) for costs in chain[:-1]] for name in ("alpha", "beta"))
    order = [0.0, *beta, chain[-1].gamma, *reversed(alpha), 1.0]
    assert np.all(np.diff(order) > 0)


@given(st.integers(1, 30) | st.sampled_from([100, 1000]), SEED)
def test_sampled_chains_nest(n_levels, seed):
    chain = sample_cost_matrices(n_levels, seed)
    assert len(chain) == n_levels
    assert_sequential(chain)
    assert nested(chain) == chain
    assert all(costs.pp == costs.nn == 0 for costs in chain)


@given(st.integers(2, 30), SEED, st.data())
def test_every_beginning_of_a_chain_is_a_chain(n_levels, seed, data):
    length = data.draw(st.integers(1, n_levels))
    assert_sequential(sample_cost_matrices(n_levels, seed)[:length])


@given(st.integers(1, 5), st.integers(0, 50), SEED)
def test_continued_chains_nest(n_given, n_more, seed):
    given_levels = sample_cost_matrices(n_given, seed)
    chain = nested(given_levels, n_given + n_more)
    assert chain[:n_given] == given_levels
    assert_sequential(chain)


@given(st.integers(3, 20), SEED)
def test_what_is_decided_at_a_level_stays_decided_at_the_next(n_levels, seed):
    p = np.random.default_rng(seed).random(100)
    levels = [
        three_way_regions(p, costs.alpha, costs.beta)
        for costs in sample_cost_matrices(n_levels, seed)[:-1]
    ]
    for wide, narrow in pairwise(levels):
        decided = wide != 0
        np.testing.assert_array_equal(narrow[decided], wide[decided])


@given(SEED)
def test_swapping_two_levels_breaks_a_chain(seed):
    chain = sample_cost_matrices(4, seed)
    chain[0], chain[1] = chain[1], chain[0]
    with pytest.raises(ValueError, match="beta of level 1"):
        nested(chain)


@given(st.integers(1, 30), *[st.floats(0.1, 100)] * 4)
def test_levels_that_lead_to_given_costs_nest(n_levels, accept, reject, positive, negative):
    costs = CostMatrix.from_review(
        false_accept=accept, false_reject=reject, review=(positive, negative), unit="EUR"
    )
    chain = leading_to(costs, n_levels)
    assert chain[-1] is costs
    assert len(chain) == n_levels
    for wide, narrow in pairwise(chain):
        assert wide.beta <= narrow.beta + 1e-12
        assert wide.alpha >= narrow.alpha - 1e-12
        assert wide.gamma == pytest.approx(narrow.gamma)
        assert wide.unit == "EUR"
