"""Raw tables of any library to numbers."""

import warnings
from datetime import date, datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from trisect.tables import TableEncoder, TableWarning

N = 300
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)


def table(n=N, seed=0):
    """Columns of every kind, as Python objects."""
    rng = np.random.default_rng(seed)
    days = rng.integers(0, 900, n)
    return {
        "id": list(range(5000, 5000 + n)),
        "age": [None if rng.random() < 0.2 else int(v) for v in rng.integers(18, 90, n)],
        "income": [float(v) for v in rng.lognormal(10, 1, n)],
        "owner": [None if rng.random() < 0.05 else bool(v) for v in rng.integers(0, 2, n)],
        "job": [rng.choice(["nurse", "clerk", "cook", None], p=[0.3, 0.3, 0.3, 0.1]) for _ in days],
        "town": [f"town {v}" for v in rng.integers(0, 40, n)],
        "opened": [date.fromordinal(738000 + int(d)) for d in days],
        "seen": [datetime(2024, 1, 1 + int(d) % 28, int(d) % 24) for d in days],
        "planet": ["earth"] * n,
        "nothing": [None] * n,
    }  # fmt: skip


TABLE = table()
KINDS_FOUND = [
    "left out", "number", "number", "flag", "category", "evidence", "date", "date", "left out",
    "left out",
]  # fmt: skip


def as_csv(columns):
    """The same columns as a csv file has them: texts."""
    return {name: ["" if c is None else str(c) for c in cells] for name, cells in columns.items()}


LIBRARIES = {
    "pandas": pd.DataFrame,
    "pandas nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "dictionary": dict,
    "texts": as_csv,
    "polars texts": lambda columns: pl.DataFrame(as_csv(columns)),
}


@pytest.fixture(scope="module")
def fitted():
    return TableEncoder(random_state=0).fit(TABLE, Y)


def test_kinds_are_recognised(fitted):
    assert [column.kind for column in fitted.columns_] == KINDS_FOUND
    assert [row.column for row in fitted.report_columns_.rows] == list(TABLE)


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_library_gives_the_same_numbers(library, fitted):
    X = LIBRARIES[library](TABLE)
    own = TableEncoder(random_state=0)
    numbers = own.fit_transform(X, Y)
    assert own.columns_ == fitted.columns_
    assert np.array_equal(numbers, TableEncoder(random_state=0).fit_transform(TABLE, Y))
    assert np.array_equal(fitted.transform(X), fitted.transform(TABLE))
    assert own.feature_names_in_.tolist() == list(TABLE)


def test_numbers_are_finite_and_have_names(fitted):
    numbers = fitted.transform(TABLE)
    names = fitted.get_feature_names_out()
    assert numbers.shape == (N, len(names)) and len(set(names)) == len(names)
    assert np.isfinite(numbers).all()
    assert {"age", "owner", "job=clerk", "job missing", "town evidence", "seen hour"} <= set(names)


def test_the_report_is_a_table_that_fits_a_terminal(fitted):
    lines = str(fitted.report_columns_).splitlines()
    assert len(lines) == len(TABLE) + 1
    assert max(map(len, lines)) <= 100
    assert lines[0].split() == ["column", "kind", "missing", "numbers", "note"]
    assert lines[1].split() == ["id", "left", "out", "0", "identifier"]
    assert fitted.report_columns_.to_frame().loc["planet", "note"] == "constant"


def test_columns_in_another_order_are_put_right(fitted):
    turned = dict(reversed(TABLE.items()))
    assert np.array_equal(fitted.transform(turned), fitted.transform(TABLE))


def test_columns_that_are_not_needed_may_be_absent(fitted):
    fewer = {k: v for k, v in TABLE.items() if k not in ("id", "planet", "nothing")}
    assert np.array_equal(fitted.transform(fewer), fitted.transform(TABLE))


def test_columns_that_are_needed_are_refused_by_name(fitted):
    fewer = {k: v for k, v in TABLE.items() if k not in ("id", "age", "town")}
    with pytest.raises(ValueError, match="lacks columns that the model needs: 'age', 'town'"):
        fitted.transform(fewer)


def test_further_columns_are_ignored_with_a_note(fitted):
    with pytest.warns(TableWarning, match="Columns that are ignored: 'shoe size'"):
        numbers = fitted.transform(TABLE | {"shoe size": [40] * N})
    assert np.array_equal(numbers, fitted.transform(TABLE))


def test_what_is_not_understood_is_counted_and_counts_as_missing(fitted):
    spoilt = TABLE | {"job": ["pilot", "spy"] * (N // 2), "age": ["?", "old", *TABLE["age"][2:]]}
    with pytest.warns(TableWarning) as caught:
        numbers = fitted.transform(spoilt)
    [message] = [str(w.message) for w in caught]
    assert "300 cells of 'job' (never seen before: 'pilot', 'spy')" in message
    assert "1 cell of 'age' (not a finite number: 'old')" in message
    gaps = TABLE | {"job": [None] * N, "age": [None, None, *TABLE["age"][2:]]}
    assert np.array_equal(numbers, fitted.transform(gaps))


def test_encode_returns_what_transform_warns_of(fitted):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        encoded = fitted.encode(TABLE | {"job": ["pilot"] * N, "more": [0] * N})
    [odd] = encoded.odd
    assert (odd.column, odd.count, odd.examples) == ("job", N, ["pilot"])
    assert encoded.extra == ["more"]


def test_evidence_of_training_rows_is_cross_fitted():
    encoder = TableEncoder(random_state=0)
    fair, names = encoder.fit_transform(TABLE, Y), list(encoder.get_feature_names_out())
    naive = encoder.transform(TABLE)
    place = names.index("town evidence")
    assert not np.array_equal(fair[:, place], naive[:, place])
    others = np.arange(len(names)) != place
    assert np.array_equal(fair[:, others], naive[:, others])


def test_towns_of_chance_are_not_learnt_in_a_pipeline():
    X = pd.DataFrame({"town": RNG.integers(0, 200, 2000).astype(str)})
    X["town"] = "t" + X["town"]
    y = RNG.integers(0, 2, 2000)
    model = make_pipeline(TableEncoder(random_state=0), LogisticRegression())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        assert cross_val_score(model, X, y, scoring="roc_auc").mean() == pytest.approx(
            0.5, abs=0.05
        )
        assert model.fit(X, y).score(X, y) < 0.62, "the naive evidence would reach more"


def test_kinds_overrule_what_was_recognised():
    kinds = {
        "age": "category",
        "job": "evidence",
        "town": "ignore",
        "opened": "ignore",
        "id": "number",
    }
    encoder = TableEncoder(kinds, random_state=0).fit(TABLE, Y)
    found = {column.name: column.kind for column in encoder.columns_}
    assert found["age"] == "category" and found["job"] == "evidence" and found["id"] == "number"
    assert found["town"] == found["opened"] == "left out"


def test_a_form_of_dates_can_be_given():
    X = {"when": ["05/06/2024", "06/01/2024"] * 20}
    american = TableEncoder({"when": "%m/%d/%Y"}).fit(X, [0, 1] * 20)
    assert american.columns_[0].first == "2024-05-06T00:00:00"
    assert TableEncoder().fit(X, [0, 1] * 20).columns_[0].first == "2024-01-06T00:00:00"


def test_columns_of_lists_can_be_ignored_and_are_otherwise_refused_by_name():
    X = pd.DataFrame({"a": range(40), "tags": [["x"]] * 40})
    with pytest.raises(TypeError, match=r"'tags' holds values of type list.*'tags': 'ignore'"):
        TableEncoder().fit(X, [0, 1] * 20)
    kinds = {"tags": "ignore", "a": "number"}
    assert TableEncoder(kinds).fit_transform(X, [0, 1] * 20).shape == (40, 1)


@pytest.mark.parametrize(
    ("X", "y", "kinds", "message"),
    [
        ({"a": [1] * 40, "b": list(range(40))}, [0, 1] * 20, None,
         r"Every column is left out.*'a' \(constant\), 'b' \(identifier\)"),
        ({"a": [1, 2]}, [0, 1], {"b": "number"}, "kinds names columns that are not there: 'b'"),
        ({"a": [1, 2]}, [0, 1], {"a": "text"}, r"kinds\['a'\] is 'text': say one of 'number'"),
        ({"a": [1, 2], "b": [1]}, [0, 1], None, "columns differ in length"),
        ({"a": [1, 2]}, [0, 1, 1], None, "inconsistent numbers of samples"),
        ({"a": ["x", "y"]}, [0, 1], {"a": "date"}, "'a' holds no date"),
    ],
)  # fmt: skip
def test_tables_that_cannot_be_learnt_from(X, y, kinds, message):
    with pytest.raises(ValueError, match=message):
        TableEncoder(kinds).fit(X, y)


def test_repeated_names_are_refused():
    with pytest.raises(ValueError, match=r"unique column names|these repeat"):
        TableEncoder().fit(pd.DataFrame([[1, 2], [2, 3]], columns=["a", "a"]), [0, 1])
    twice = pa.table([pa.array([1, 2]), pa.array([2, 3])], names=["a", "a"])
    with pytest.raises(ValueError, match=r"unique column names|these repeat"):
        TableEncoder().fit(twice, [0, 1])


def test_lazy_frames_are_to_be_collected():
    with pytest.raises(TypeError, match=r"call its collect\(\) first"):
        TableEncoder().fit(pl.LazyFrame({"a": [1, 2]}), [0, 1])


def test_an_encoder_that_is_not_fitted_says_so():
    with pytest.raises(NotFittedError):
        TableEncoder().transform(TABLE)


def test_output_as_a_frame_has_the_names(fitted):
    framed = TableEncoder(random_state=0).set_output(transform="pandas").fit(TABLE, Y)
    frame = framed.transform(pd.DataFrame(TABLE))
    assert list(frame.columns) == framed.get_feature_names_out().tolist()
