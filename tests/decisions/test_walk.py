"""The record of a walk: counts and costs against a calculation by hand."""

from dataclasses import replace

import numpy as np
import pytest

from trisect.decisions import Walk


@pytest.fixture
def walk():
    # Five instances, three levels: two decided at level 1, one at 2, one at 3, one never.
    return Walk(
        regions=np.array([1, -1, 1, -1, 0], dtype=np.int8),
        levels=np.array([1, 1, 2, 3, 0]),
        probabilities=np.full(5, 0.5),
        unit_test_costs=np.array([1.0, 10.0, 100.0]),
        unit_delay_costs=np.array([3.0, 2.0, 1.0]),
        n_hidden=np.array([1, 2, 3]),
    )


def test_counts_per_level(walk):
    assert walk.n_seen.tolist() == [5, 3, 2]
    assert walk.n_pos.tolist() == [1, 1, 0]
    assert walk.n_neg.tolist() == [1, 0, 1]
    assert walk.n_bnd.tolist() == [3, 2, 1]


def test_costs_of_the_walk(walk):
    assert walk.test_cost == 5 * 1 + 3 * 10 + 2 * 100
    assert walk.delay_cost == max(5 * 3, 3 * 2, 2 * 1)
    assert walk.instance_test_costs.tolist() == [1, 1, 11, 111, 111]
    assert walk.instance_test_costs.sum() == walk.test_cost


def test_nodes_of_the_walk(walk):
    assert walk.nodes_evaluated == 5 * 1 + 3 * 2 + 2 * 3


def test_text_has_a_line_per_level(walk):
    assert len(str(walk).splitlines()) == 5
    assert "1 stays deferred" in str(walk) and "test cost" in str(walk)


def test_unit_costs_that_nobody_gave_are_not_shown(walk):
    free = replace(walk, unit_test_costs=np.zeros(3), unit_delay_costs=np.zeros(3))
    assert "test cost" not in str(free)
    assert free.test_cost == free.delay_cost == 0
