"""Our estimators: built from a configuration, and read after a fit."""

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from trisect_experiments.datasets import load_dataset
from trisect_experiments.models.network import (
    build_network,
    decision_measures,
    hidden_nodes,
    level_records,
)
from trisect_experiments.wu2023.models import GROWTHS

DATA = load_dataset("xor", n_samples=200)


@pytest.mark.parametrize("kind", ["stwd", "twd"])
@pytest.mark.parametrize("growth", GROWTHS.values(), ids=GROWTHS)
def test_the_level_that_was_kept_is_as_accurate_as_the_network(kind, growth):
    fitted = build_network(kind, growth, 0).fit(DATA.X, DATA.y)
    records = level_records(fitted, DATA.X, DATA.y)
    assert len(records) == len(fitted.levels_)
    assert records[-1]["test_cost"] == fitted.levels_[-1].test_cost
    accuracies = [record["accuracy"] for record in records if "accuracy" in record]
    assert len(accuracies) == hidden_nodes(fitted) == fitted.n_hidden_
    assert accuracies[-1] == np.mean(fitted.predict(DATA.X) == DATA.y)


@pytest.mark.parametrize("growth", GROWTHS.values(), ids=GROWTHS)
def test_decisions_cost_what_one_would_add_up_by_hand(growth):
    fitted = build_network("stwd", growth, 0).fit(DATA.X, DATA.y)
    measures = decision_measures(fitted, DATA.X, DATA.y)
    p = fitted.predict_proba(DATA.X)[:, 1]
    cost = np.where(p >= 0.8, 5 * (DATA.y == 0), np.where(p <= 0.1, 10 * (DATA.y == 1), 1))
    assert measures["decision_cost"] == pytest.approx(1000 * cost.mean())
    assert 0 < measures["walked_share"] <= 1


def test_three_classes_have_levels_without_accuracies():
    y = DATA.y + (DATA.X[:, 0] > 0.5)
    records = level_records(build_network("stwd", {}, 0).fit(DATA.X, y), DATA.X, y)
    assert records and not any("accuracy" in record for record in records)


def test_other_estimators():
    tree = DecisionTreeClassifier().fit(DATA.X, DATA.y)
    assert level_records(tree, DATA.X, DATA.y) == [] and np.isnan(hidden_nodes(tree))
    assert decision_measures(tree, DATA.X, DATA.y) == {}
    perceptron = make_pipeline(StandardScaler(), MLPClassifier([10, 5]))
    assert hidden_nodes(perceptron) == 15
