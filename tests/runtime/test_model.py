"""Models from a file, as a service uses them: rows in any form, NumPy alone."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import trisect
from trisect.decisions import ClassCosts, CostMatrix
from trisect.network import exact
from trisect.runtime import load_model

RELEASED = Path(__file__).parents[1] / "model_file" / "released" / "0.1.0"
SOURCE = Path(trisect.__file__).parents[1]

pytestmark = pytest.mark.filterwarnings("ignore::trisect.tables.report.TableWarning")


def load(stem):
    return load_model(RELEASED / f"{stem}.model.json")


def said(stem):
    return json.loads((RELEASED / f"{stem}.says.json").read_text())


def test_rows_may_come_in_any_form():
    model, says = load("table"), said("table")
    columns = says["rows"]
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    frame = pd.DataFrame(columns)
    forms = [columns, rows, frame, frame[frame.columns[::-1]], dict(reversed(columns.items()))]
    for form in forms:
        assert model.predict_proba(form).tolist() == says["probabilities"]


@pytest.mark.parametrize("stem", ["table", "amounts", "curves", "three-classes"])
def test_no_rows_get_no_decisions(stem):
    model = load(stem)
    assert model.predict_proba([]).shape == (0, len(model.classes_))
    assert model.decide([]).shape == model.predict([]).shape == (0,)


def test_columns_that_are_left_out_need_not_be_there():
    model, columns = load("table"), dict(said("table")["rows"])
    assert "row" not in model.column_names
    del columns["row"]
    assert model.decide(columns).tolist() == said("table")["decisions"]
    del columns["age"], columns["job"]
    with pytest.raises(ValueError, match="lacks columns that the model needs: 'job', 'age'"):
        model.decide(columns)


def test_a_table_of_decisions():
    model, says = load("table"), said("table")
    columns = dict(says["rows"])
    columns["job"] = ["astronaut", *columns["job"][1:]]
    columns["age"] = ["old", *columns["age"][1:]]
    table = model.decision_table(columns)
    assert list(table) == ["label", "probability", "decision", "level", "reason"]
    words = np.array(["defer", "accept", "reject"])[model.decide(columns)]
    assert table["decision"].tolist() == words.tolist()
    positive = model.classes_.tolist().index(model.pos_label_)
    assert (table["probability"] == model.predict_proba(columns)[:, positive]).all()
    assert table["label"].tolist() == model.predict(columns).tolist()
    assert np.array_equal(np.isnan(table["level"]), words == "defer")
    odd = "; job not understood, counts as missing; age not understood, counts as missing"
    assert table["reason"][0].endswith(odd) and "job" not in table["reason"][1]
    nothing = model.decision_table({name: [] for name in columns})
    assert [len(column) for column in nothing.values()] == [0] * 5


def test_a_cell_that_a_row_lacks_is_missing():
    model = load("table")
    whole = {"job": "nurse", "age": None, "town": "town 3", "since": None, "member": "yes"}
    short = {name: cell for name, cell in whole.items() if cell is not None}
    full_row = whole | {"age": 44, "since": "2023-05-05"}
    both = model.predict_proba([full_row, short])
    assert both[1].tolist() == model.predict_proba([full_row, whole])[1].tolist()


def test_plain_columns_take_finite_numbers():
    model, says = load("linear"), said("linear")
    X = np.array(says["rows"])
    by_name = {f"x{i}": X[:, i] for i in (2, 0, 3, 1)}
    assert model.predict_proba(by_name).tolist() == says["probabilities"]
    assert model.predict_proba(X.tolist()).tolist() == says["probabilities"]
    X[3, 2] = np.nan
    for rows in (X, {f"x{i}": X[:, i] for i in range(4)}):
        with pytest.raises(ValueError, match="Row 3 has no finite number in column 'x2'"):
            model.decide(rows)
        with pytest.raises(ValueError, match="Row 3 has no finite number in column 'x2'"):
            model.decide_sequentially(rows)
    with pytest.raises(ValueError, match=r"4 columns are expected, .* shape \(2, 3\)"):
        model.predict(X[:2, :3])
    with pytest.raises(ValueError, match="lacks columns that the model needs: 'x3'"):
        model.predict({"x0": [0], "x1": [0], "x2": [0]})
    with pytest.raises(ValueError, match="takes finite numbers, but could not convert"):
        model.predict([["a", 0, 0, 0]])


def test_costs_of_ones_own():
    model, X = load("linear"), np.array(said("linear")["rows"])
    p = model.predict_proba(X)[:, 0]  # the positive class is the first
    regions = model.decide(X, [[0, 0.3, 1], [1, 0.3, 0]])
    assert regions.tolist() == np.where(p >= 0.7, 1, np.where(p <= 0.3, -1, 0)).tolist()
    walk = model.decide_sequentially(X, [[0, 0.3, 1], [1, 0.3, 0]], final="decide")
    assert set(walk.regions.tolist()) == {-1, 1}
    with pytest.raises(ValueError, match="final must be"):
        model.decide_sequentially(X, final="give up")


def test_the_class_that_costs_name_is_accepted():
    model, X = load("linear"), np.array(said("linear")["rows"])
    costs = CostMatrix.from_array([[0, 1, 10], [5, 1, 0]])
    own, other = model.classes_.tolist()
    assert model.pos_label_ == own
    p = model.predict_proba(X)
    named = [replace(costs, accept=label) for label in (own, other)]
    assert model.decide(X, named[0]).tolist() == costs.decide(p[:, 0]).tolist()
    assert model.decide(X, named[1]).tolist() == costs.decide(p[:, 1]).tolist()
    confusions = ClassCosts([[0, 5], [10, 0]], defer=1, classes=[other, own])
    assert model.decide(X, confusions).tolist() == costs.decide(p[:, 0]).tolist()
    with pytest.raises(ValueError, match="but the levels of this model accept"):
        model.decide_sequentially(X, named[1])
    with pytest.raises(ValueError, match="The costs say accept='stranger'"):
        model.decide(X, replace(costs, accept="stranger"))


def test_more_than_two_classes():
    model, X = load("three-classes"), np.array(said("three-classes")["rows"])
    costs = ClassCosts.uniform(3, mistake=1, defer=0.01)
    p = model.predict_proba(X)
    assert model.decide(X).tolist() == (p.max(axis=1) >= 0.8).astype(int).tolist()
    assert model.decide(X, costs).tolist() == (p.max(axis=1) >= 0.99).astype(int).tolist()
    with pytest.raises(ValueError, match="for two classes, but there are 3: use ClassCosts"):
        model.decide(X, [[0, 1, 10], [5, 1, 0]])
    with pytest.raises(ValueError, match="no levels to walk: use decide"):
        model.decide_sequentially(X)


def test_learned_thresholds_are_for_deciding_at_once():
    model = load("learned-thresholds")
    assert model.document["thresholds"]["learned"]
    pair = model.document["thresholds"]
    assert model.thresholds_ == (pair["alpha"], pair["beta"])
    assert load("linear").thresholds_ is None
    with pytest.raises(ValueError, match="no levels to walk"):
        model.decide_sequentially(np.zeros((1, 4)))


def test_what_a_model_says_of_itself():
    assert "6 columns" in repr(load("table")) and "'low', 'middle'" in repr(load("table"))
    names = load("table").feature_names
    assert {"age", "age missing", "job=cook", "job rare", "job missing"} <= set(names)
    assert "row" not in names


HEAVY = ["sklearn", "numba", "scipy", "pandas", "narwhals", "polars", "pyarrow", "joblib", "rich"]
SERVICE = """
import sys, json
import trisect.runtime
model = trisect.runtime.load_model({path!r})
columns = {columns!r}
rows = [dict(zip(columns, cells)) for cells in zip(*columns.values())]
import warnings; warnings.simplefilter("ignore")
print(json.dumps([model.decide(columns).tolist(), model.decide(rows).tolist(),
                  model.decide_sequentially(columns).regions.shape,
                  [name for name in {heavy!r} if name in sys.modules]]))
"""


def test_a_service_needs_numpy_alone():
    says = said("table")
    path = str(RELEASED / "table.model.json")
    program = SERVICE.format(path=path, columns=says["rows"], heavy=HEAVY)
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": str(SOURCE)},
    )  # fmt: skip
    decided, by_row, shape, heavy = json.loads(done.stdout)
    assert decided == by_row == says["decisions"] and shape == [40]
    assert heavy == []


def test_many_blocks_count_as_a_large_one(monkeypatch):
    """A file that is decided on block by block is worth loading the compiler for."""
    asked = []

    def engine_for(task, n_cells):
        asked.append(n_cells)
        return exact

    monkeypatch.setattr("trisect.network.engine_for", engine_for)
    rows = said("linear")["rows"]
    model = load_model(RELEASED / "linear.model.json", compiled=True)
    for _ in range(3):
        model.predict_proba(np.array(rows))
    assert asked == [n * asked[0] for n in (1, 2, 3)]
