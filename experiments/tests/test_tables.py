"""Tables show our mean and interval, the best marked, and a published figure beside."""

from dataclasses import replace

import numpy as np
import pytest
from studies import STUDY

from trisect_experiments.datasets import Dataset
from trisect_experiments.records import Key, Result
from trisect_experiments.study import plan_study
from trisect_experiments.tables import result_table


def dataset(name):
    y = np.repeat([0, 1], [75, 25])
    return Dataset(name, np.zeros((100, 1)), y, ("f0",), notes=f"About {name}.")


def result(data, model, fold, accuracy, nodes=float("nan")):
    key = Key(data, model, "10-fold", fold, "{}", 0, "", "")
    scores = (accuracy, accuracy, accuracy, accuracy, accuracy)
    return Result(key, *scores, train_seconds=1.5, test_seconds=0.002, nodes=nodes)


@pytest.fixture
def table():
    datasets = [dataset("a"), dataset("own")]
    outcome = [result("a", "tree", f, 0.98 + 0.001 * f, 3.0) for f in range(10)]
    outcome += [result("a", "bayes", f, 0.95) for f in range(10)]
    outcome += [result("own", "bayes", 0, 0.5)]
    section = plan_study(STUDY, datasets, ["trees"]).sections[0]
    return result_table(STUDY, section, outcome, datasets)


def test_rows_are_grouped_by_dataset_in_the_order_of_the_models(table):
    assert [(r.dataset, r.model, r.first, r.n_folds) for r in table.rows] == [
        ("a", "bayes", True, 10),
        ("a", "tree", False, 10),
        ("own", "bayes", True, 1),
    ]
    assert table.fold_counts == (1, 10) and {row.majority for row in table.rows} == {75}


def test_means_intervals_and_published_figures(table):
    bayes, tree, own = (row.cells[0] for row in table.rows)
    half = 2.262157 * np.std(0.1 * np.arange(10), ddof=1) / np.sqrt(10)
    assert tree.ours == pytest.approx((98.45, half)) and tree.published.mean == 83.66
    assert bayes.ours == (95, 0) and bayes.published is None
    assert own.ours.mean == 50 and np.isnan(own.ours.half_width)
    assert table.has_published


def test_decisions_have_columns_where_a_table_asks_for_them(table):
    assert not table.has_decisions and "walked_share" not in table.to_csv()
    trees = replace(STUDY.tables[0], decisions=True)
    study = replace(STUDY, tables=(trees,))
    measured = result("a", "tree", 0, 0.9)
    details = {"levels": [{}, {}], "decision_cost": 250.0, "walked_share": 0.5}
    measured = [replace(measured, details=details), result("a", "bayes", 0, 0.8)]
    section = plan_study(study, [dataset("a")]).sections[0]
    bayes, tree = result_table(study, section, measured, [dataset("a")]).rows
    assert [cell.ours.mean for cell in tree.cells[-3:]] == [2, 250, 50]
    assert np.isnan([cell.ours.mean for cell in bayes.cells[-3:]]).all()


def test_ties_and_the_lower_the_better(table):
    bayes, tree, _ = ([cell.best for cell in row.cells] for row in table.rows)
    assert tree == [True, True, True, True, True, False], "one count of nodes has no rival"
    assert bayes == [False, False, False, True, True, False]
