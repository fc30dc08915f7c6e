"""Our estimators: built from a configuration, and read after a fit."""

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from trisect_experiments.datasets import load_dataset
from trisect_experiments.models.network import hidden_nodes, level_records, network_model

DATA = load_dataset("xor", n_samples=200)


@pytest.mark.parametrize("kind", ["stwd", "twd"])
def test_the_last_level_is_as_accurate_as_a_network_that_keeps_it(kind):
    fitted = network_model("ours", kind, {}).build({}, 0).fit(DATA.X, DATA.y)
    records = level_records(fitted, DATA.X, DATA.y)
    assert len(records) == len(fitted.levels_)
    assert records[-1]["test_cost"] == fitted.levels_[-1].test_cost
    kept = getattr(fitted, "best_level_", len(records) - 1)
    assert records[kept]["accuracy"] == np.mean(fitted.predict(DATA.X) == DATA.y)
    assert hidden_nodes(fitted) == fitted.n_hidden_


def test_fixed_costs_give_every_level_the_same_thresholds():
    fitted = network_model("ours", "stwd", {}).build({"costs": "fixed"}, 0).fit(DATA.X, DATA.y)
    assert len({(level.alpha, level.beta) for level in fitted.levels_}) == 1


def test_other_estimators():
    tree = DecisionTreeClassifier().fit(DATA.X, DATA.y)
    assert level_records(tree, DATA.X, DATA.y) == [] and np.isnan(hidden_nodes(tree))
    perceptron = make_pipeline(StandardScaler(), MLPClassifier([10, 5]))
    assert hidden_nodes(perceptron) == 15
