"""Tables that are no numbers: the columns are named, and where such tables belong."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from trisect import SFNNClassifier, STWDSFNNClassifier, TWDSFNNClassifier

Y = [0, 1] * 20
GOOD = np.arange(40.0)
SPOILT = {
    "texts": (["C100000", "b"] * 20, "text such as 'C100000'"),
    "dates": (pd.date_range("2020-01-01", periods=40), "dates"),
    "gaps": (np.where(GOOD % 5 == 0, np.nan, GOOD), "missing cells: 8 NaN"),
    "infinite": (np.where(GOOD == 3, np.inf, GOOD), "infinite cells: 1 inf"),
}
LIBRARIES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", SPOILT)
def test_fit_names_the_column(name, library):
    cells, problem = SPOILT[name]
    X = LIBRARIES[library]({"good": GOOD, name: cells})
    with pytest.raises(ValueError, match="takes finite numbers") as caught:
        STWDSFNNClassifier().fit(X, Y)
    message = str(caught.value)
    assert f"these columns hold others: '{name}' ({problem})" in message
    assert "TableClassifier(STWDSFNNClassifier()) takes tables" in message
    assert "HistGradientBoosting" not in message


@pytest.mark.parametrize("model", [SFNNClassifier(), TWDSFNNClassifier()])
def test_all_networks_name_columns(model):
    with pytest.raises(ValueError, match=rf"TableClassifier\({type(model).__name__}\(\)\)"):
        model.fit(pd.DataFrame({"good": GOOD, "job": ["a", "b"] * 20}), Y)


def test_columns_of_arrays_are_numbered_and_many_are_counted():
    X = np.full((40, 9), np.nan)
    with pytest.raises(
        ValueError, match=r": 0 \(missing.*, 4 \(missing cells: 40 NaN\) and 4 more"
    ):
        STWDSFNNClassifier().fit(X, Y)


@pytest.mark.parametrize("method", ["predict", "predict_proba", "decide", "decide_sequentially"])
def test_predicting_names_the_column(method):
    X = pd.DataFrame({"a": GOOD, "b": GOOD[::-1]})
    model = STWDSFNNClassifier(max_levels=1, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match=r"'b' \(missing cells: 1 NaN\)"):
        getattr(model, method)(X.assign(b=X["b"].where(X["b"] != 3)))


def test_other_errors_stay_as_they_are():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        STWDSFNNClassifier().fit(pd.DataFrame({"a": GOOD}), Y[:-1])
