import sqlite3

import numpy as np
import pandas as pd
import pytest
from databases import in_duckdb, in_mariadb, in_postgresql, in_spark, in_sqlite

from trisect.exports import DIALECTS, to_sql

sqlglot = pytest.importorskip("sqlglot")


def test_duckdb_agrees_to_nine_digits(any_case, compare):
    pytest.importorskip("duckdb")
    compare(any_case, in_duckdb(any_case.document, any_case.frame), 1e-9)


def test_sqlite_agrees_to_nine_digits(any_case, compare):
    compare(any_case, in_sqlite(any_case.document, any_case.frame), 1e-9)


def test_postgresql_agrees_to_nine_digits(any_case, compare, postgresql):
    compare(any_case, in_postgresql(any_case.document, any_case.frame, postgresql), 1e-9)


def test_mariadb_agrees_to_nine_digits(any_case, compare, mariadb):
    compare(any_case, in_mariadb(any_case.document, any_case.frame, mariadb), 1e-9)


@pytest.mark.slow
def test_spark_agrees_to_nine_digits(any_case, compare, spark):
    compare(any_case, in_spark(any_case.document, any_case.frame, spark), 1e-9)


@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"])
def test_every_activation(raw_case, with_activation, compare, activation):
    case = with_activation(raw_case, activation)
    pytest.importorskip("duckdb")
    compare(case, in_duckdb(case.document, case.frame), 1e-9)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_is_written_and_read_again(raw_case, dialect):
    query = to_sql(raw_case.document, dialect, table="shop.clients", keep=["row number"])
    parsed = sqlglot.parse_one(query, read=DIALECTS[dialect])
    names = parsed.named_selects
    assert names[0] == "row number"
    assert "decision" in names
    assert "shop" in query


def test_a_plain_column_without_a_number_has_no_decision(plain_case):
    duckdb = pytest.importorskip("duckdb")
    data = plain_case.frame.head(3).copy()
    data.iloc[0, 0], data.iloc[1, 3] = np.nan, np.inf
    with duckdb.connect() as connection:
        connection.register("data", data)
        query = to_sql(plain_case.document)
        found = connection.execute(f"SELECT probability, decision FROM ({query})").fetchall()
    assert found[:2] == [(None, None), (None, None)]
    assert found[2][1] is not None


def test_names_and_texts_cannot_become_code():
    duckdb = pytest.importorskip("duckdb")
    nasty = """'; DROP TABLE "data"; -- \\' """
    column = {"kind": "category", "name": nasty, "base": ["a"], "values": [nasty.strip()],
              "rare": [], "missing": False}  # fmt: skip
    document = {
        "columns": [column],
        "inputs": {
            "straight": [{"feature": 0, "knots": [0.0, 1.0], "values": [0.0, 1.0]}],
            "positions": [],
        },
        "network": {"activation": "relu", "weights": [[1.0]], "biases": [0.0], "curves": []},
        "outputs": {"weights": [[0.0, 10.0]], "biases": [0.0, 0.0]},
        "classes": {"type": "text", "labels": ["no", "yes"]},
        "positive": "yes",
        "costs": {"amounts": [], "unit": ""},
        "thresholds": {"alpha": 0.8, "beta": 0.2},
    }
    data = pd.DataFrame({nasty: [nasty, "a"]})
    with duckdb.connect() as connection:
        connection.register("data", data)
        found = connection.execute(to_sql(document, "duckdb")).fetchall()
    with sqlite3.connect(":memory:") as connection:
        data.to_sql("data", connection, index=False)
        assert connection.execute(to_sql(document, "sqlite")).fetchall() == found
    assert [row[-1] for row in found] == ["accept", "defer"]


def test_an_unknown_dialect_is_refused(plain_case):
    with pytest.raises(ValueError, match="no dialect 'dbase': use one of duckdb"):
        to_sql(plain_case.document, "dbase")
