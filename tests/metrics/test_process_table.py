"""The table of the levels of growth; that of a walk is in the example of the function."""

import numpy as np
import pytest

from trisect import STWDSFNNClassifier
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


def test_other_things_are_refused():
    with pytest.raises(TypeError, match="levels_"):
        process_cost_table([1, 2])
