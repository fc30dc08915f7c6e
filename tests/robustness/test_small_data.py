"""Any small table that has two classes is fitted soundly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect import STWDSFNNClassifier
from trisect.growth import PaperGrowth, RefinedGrowth

REFINED = RefinedGrowth(node_updates=5, joint_updates=10, polish_updates=10)


@pytest.mark.parametrize(
    ("growth", "most_classes"),
    [(REFINED, 4), (PaperGrowth(max_epochs=3), 2)],
    ids=["refined", "paper"],
)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 40),
    n_features=st.integers(1, 4),
    n_classes=st.integers(2, 4),
    values=st.integers(1, 5),
    size=st.sampled_from([1.0, 1e-20, 1e20]),
    weighted=st.booleans(),
    validated=st.booleans(),
    granules=st.sampled_from(["kmeans", "rows", "bins"]),
    scale=st.sampled_from(["auto", "robust", "quantile", "none"]),
    activation=st.sampled_from(["tanh", "relu", "selu", "swish"]),
)
def test_every_small_table(
    growth, most_classes, seed, n, n_features, n_classes, values, size, weighted, validated,
    granules, scale, activation,
):  # fmt: skip
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, size=(n, n_features)) * size
    y = rng.integers(0, min(n_classes, most_classes), size=n)
    y[:2] = 0, 1
    weight = rng.integers(0, 3, size=n) * 1.0 if weighted else np.ones(n)
    weight[:2] = 1
    model = STWDSFNNClassifier(
        growth, max_levels=3, granules=granules, scale=scale, activation=activation, n_granules=3,
        random_state=0,
    )  # fmt: skip
    validation = {"X_val": X, "y_val": y} if validated else {}
    model.fit(X, y, weight, **validation)
    p = model.predict_proba(X)
    assert p.shape == (n, len(np.unique(y))) and np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert 1 <= model.n_hidden_ <= 3
    for level in model.levels_:
        assert level.n_pos + level.n_bnd + level.n_neg == level.n_instances
        assert np.isfinite([level.result_cost, level.test_cost, level.validation_score]).all()
