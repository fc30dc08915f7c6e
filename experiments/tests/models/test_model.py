"""Configurations are a grid or a seeded sample of it, and limits are stated."""

import pytest
from entrants import CAPPED, DEPTHS, TREE, build_tree, version

from trisect_experiments.models import Model


def test_a_sample_is_seeded_in_grid_order_and_nested():
    grid = [{"max_depth": depth} for depth in range(1, 21)]
    model = Model("tree", build_tree, lambda n_features: grid, version, n_configurations=8)
    sample = model.configurations(4, seed=1)
    assert sample == model.configurations(4, seed=1) != model.configurations(4, seed=2)
    assert len(sample) == 8 and sample == [c for c in grid if c in sample]
    assert all(c in sample for c in model.configurations(4, seed=1, limit=3))


@pytest.mark.parametrize("limit", [None, 3, 7])
def test_a_small_grid_is_searched_whole(limit):
    assert TREE.configurations(4, limit=limit) == DEPTHS(4)


def test_limits():
    assert TREE.limits == ()
    assert CAPPED.limits == ("searched on at most 100 rows", "fitted on at most 200 rows")
    sampled = Model("m", build_tree, DEPTHS, version, n_configurations=2, note="shallow")
    assert sampled.limits == ("shallow", "2 of its 3 configurations")
