"""The table of the levels of growth; that of a walk is in the example of the function."""

import numpy as np
import pytest

from trisect import STWDSFNNClassifier
from trisect.decisions import Walk
from trisect.metrics import process_cost_table


def test_levels_as_a_table():
    X, y = np.random.default_rng(0).normal(size=(120, 3)), np.tile([0, 1, 1], 40)
    model = STWDSFNNClassifier("paper", max_levels=2, random_state=0).fit(X, y)
    table = process_cost_table(model)
    assert table.to_frame().to_dict("list") == table.columns and len(table) == len(model.levels_)
    assert table.columns == process_cost_table(model.levels_).columns
    assert table.columns["level"] == list(range(1, len(model.levels_) + 1))
    assert table.columns["result_cost"] == [level.result_cost for level in model.levels_]
    assert str(table).splitlines()[0].split()[:3] == ["level", "n_hidden", "alpha"]


def test_unit_costs_that_nobody_gave_are_no_columns():
    walk = Walk(
        regions=np.array([1, 0], np.int8),
        levels=np.array([1, 0]),
        probabilities=np.array([0.9, 0.5]),
        unit_test_costs=np.array([2.0]),
        unit_delay_costs=np.zeros(1),
        n_hidden=np.ones(1, int),
    )
    assert process_cost_table(walk).columns["test_cost"] == [4]
    assert "delay_cost" not in process_cost_table(walk).columns


def test_other_things_are_refused():
    with pytest.raises(TypeError, match="levels_"):
        process_cost_table([1, 2])
