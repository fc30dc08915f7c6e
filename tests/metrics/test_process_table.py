"""The table of levels, from growth and from a walk."""

import numpy as np
import pytest

from trisect import STWDSFNNClassifier
from trisect.decisions import Walk
from trisect.metrics import process_cost_table


def test_a_walk_as_a_table():
    walk = Walk(
        regions=np.array([1, -1, 0], dtype=np.int8),
        levels=np.array([1, 2, 0]),
        probabilities=np.zeros(3),
        unit_test_costs=np.array([1.0, 3.0]),
        unit_delay_costs=np.array([1.0, 1.0]),
        n_hidden=np.array([1, 2]),
    )
    table = process_cost_table(walk)
    assert len(table) == 2
    assert table.columns["test_cost"] == [3.0, 9.0]
    assert table.columns["n_bnd"] == [2, 1]
    assert table.columns["n_hidden"] == [1, 2]
    assert list(table.to_frame().columns) == list(table.columns)


def test_levels_as_a_table():
    X, y = np.random.default_rng(0).normal(size=(120, 3)), np.tile([0, 1, 1], 40)
    model = STWDSFNNClassifier("paper", max_levels=2, random_state=0).fit(X, y)
    table = process_cost_table(model)
    assert table.columns == process_cost_table(model.levels_).columns
    assert table.columns["level"] == list(range(1, len(model.levels_) + 1))
    assert table.columns["result_cost"] == [level.result_cost for level in model.levels_]
    assert str(table).splitlines()[0].split()[:3] == ["level", "n_hidden", "alpha"]


def test_other_things_are_refused():
    with pytest.raises(TypeError, match="levels_"):
        process_cost_table([1, 2])
