"""The record of a level: its thresholds follow from its costs, and a table holds its numbers."""

import numpy as np
import pytest

from trisect.decisions import sample_cost_matrices
from trisect.growth import Level, levels_table


@pytest.fixture
def levels():
    return [
        Level(
            n_hidden=i + 1, costs=costs, n_instances=9, n_misclassified=7, n_pos=2, n_bnd=3,
            n_neg=4, result_cost=0.5, test_cost=1.5, delay_cost=2.5, validation_score=-0.25,
        )
        for i, costs in enumerate(sample_cost_matrices(2, np.random.default_rng(0)))
    ]  # fmt: skip


def test_thresholds_are_those_of_the_costs(levels):
    for level in levels:
        costs = level.costs
        assert (level.alpha, level.beta, level.gamma) == (costs.alpha, costs.beta, costs.gamma)


def test_the_table_has_a_column_for_each_number(levels):
    table = levels_table(levels)
    assert table["level"] == table["n_hidden"] == [1, 2]
    assert table["alpha"] == [level.alpha for level in levels]
    assert table["n_bnd"] == [3, 3] and table["delay_cost"] == [2.5, 2.5]
    assert {len(column) for column in table.values()} == {2}
    assert not {"costs", "sets"} & set(table)
