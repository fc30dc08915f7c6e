import csv
import io
import sqlite3

import numpy as np
import pandas as pd
import pytest

from trisect.exports import DIALECTS, to_sql

sqlglot = pytest.importorskip("sqlglot")


def results_of(case, rows):
    """Rows of (number, probability ..., decision, accepted) as dictionaries, in order."""
    rows = sorted(rows)
    assert [row[0] for row in rows] == list(range(len(case.frame)))
    if case.document["thresholds"]:
        return [dict(zip(("probability", "decision"), row[1:], strict=True)) for row in rows]
    labels = case.document["classes"]["labels"]
    return [
        {
            "probabilities": dict(zip(labels, row[1:-2], strict=True)),
            "decision": row[-2],
            "accepted": row[-1],
        }
        for row in rows
    ]


def numbered(case):
    return case.frame.assign(**{"row number": np.arange(len(case.frame))})


def in_duckdb(case):
    duckdb = pytest.importorskip("duckdb")
    data = numbered(case)
    with duckdb.connect() as connection:
        connection.register("data", data)
        query = to_sql(case.document, "duckdb", keys=["row number"])
        return results_of(case, connection.execute(query).fetchall())


def in_sqlite(case):
    data = numbered(case)
    for column in data.select_dtypes("datetime"):
        data[column] = np.datetime_as_string(data[column])
        data.loc[data[column] == "NaT", column] = None
    with sqlite3.connect(":memory:") as connection:
        data.to_sql("data", connection, index=False)
        query = to_sql(case.document, "sqlite", keys=["row number"])
        return results_of(case, connection.execute(query).fetchall())


def in_postgresql(case, server):
    data = numbered(case)
    types = {"f": "double precision", "O": "text", "M": "timestamp", "i": "integer"}
    columns = [
        (name, "boolean" if name == "member" else types.get(kind.kind, "text"))
        for name, kind in data.dtypes.items()
    ]
    folder = server.folder
    data.to_csv(folder / "data.csv", index=False, header=False)
    folder.joinpath("data.csv").chmod(0o644)
    query = to_sql(case.document, "postgresql", keys=["row number"])
    table = ", ".join(f'"{name}" {kind}' for name, kind in columns)
    script = f"""
        DROP TABLE IF EXISTS data;
        CREATE TABLE data ({table});
        \\copy data FROM '{folder / "data.csv"}' WITH (FORMAT csv)
        CREATE TEMP VIEW scored AS {query};
        COPY (SELECT * FROM scored) TO STDOUT WITH (FORMAT csv);
    """
    rows = csv.reader(io.StringIO(server.run(script)))
    texts = 1 if case.accepted is None else 2
    return results_of(
        case,
        [
            [int(row[0]), *map(float, row[1:-texts]), *(cell or None for cell in row[-texts:])]
            for row in rows
        ],
    )


ENGINES = {"duckdb": in_duckdb, "sqlite": in_sqlite}


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_agree_to_nine_digits(any_case, compare, engine):
    compare(any_case, ENGINES[engine](any_case), 1e-9)


@pytest.mark.parametrize(
    "activation", ["relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"]
)
def test_every_activation(raw_case, with_activation, compare, activation):
    case = with_activation(raw_case, activation)
    compare(case, in_duckdb(case), 1e-9)


def test_postgresql_agrees_to_nine_digits(any_case, compare, postgresql):
    compare(any_case, in_postgresql(any_case, postgresql), 1e-9)


@pytest.mark.slow
def test_spark_agrees_to_nine_digits(any_case, compare, spark):
    data = numbered(any_case)
    for column in data.select_dtypes(object):
        data[column] = data[column].where(data[column].notna(), None)
    rows = [tuple(None if cell is pd.NaT else cell for cell in row) for row in data.astype(object).values]
    rows = [tuple(c.to_pydatetime() if isinstance(c, pd.Timestamp) else c for c in row) for row in rows]
    kinds = {"f": "double", "M": "timestamp_ntz", "i": "int"}
    schema = ", ".join(
        f"`{name}` {'boolean' if name == 'member' else kinds.get(kind.kind, 'string')}"
        for name, kind in data.dtypes.items()
    )
    spark.createDataFrame(rows, schema).createOrReplaceTempView("data")
    found = spark.sql(to_sql(any_case.document, "spark", keys=["row number"])).collect()
    compare(any_case, results_of(any_case, [tuple(row) for row in found]), 1e-9)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_is_written_and_read_again(any_case, dialect):
    query = to_sql(any_case.document, dialect, table="shop.clients", keys=["row number"])
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
        "inputs": {"straight": [{"feature": 0, "knots": [0.0, 1.0], "values": [0.0, 1.0]}], "positions": []},
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
