"""Run an export in its engine: raw rows in, probabilities and decisions out.

Each function takes a document and a data frame of raw rows, and returns `Scored`. The benchmark
of the exports runs the same functions.
"""

import csv
import ctypes
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
import pandas as pd

from trisect.exports import to_c, to_javascript, to_onnx, to_python, to_sql
from trisect.exports.c import field_names
from trisect.exports.recipe import recipe_of

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2"]
WORDS = np.array(["defer", "accept", "reject"])
"""The decisions 0, 1 and -1."""
KEY = "row number"


class Scored(NamedTuple):
    """What an engine said about the rows, in their order."""

    probabilities: np.ndarray
    """Of the positive class, or of each class."""
    decisions: list
    accepted: list | None
    """The accepted class of more than two."""
    seconds: float
    size: int
    """Bytes of the export."""


def gaps(column):
    return [None if missing else cell for cell, missing in zip(column, column.isna(), strict=True)]


def records_of(frame):
    """Rows as dictionaries that JSON can carry: None for gaps, texts for dates."""
    columns = {}
    for name, column in frame.items():
        if column.dtype.kind == "M":
            column = pd.Series(np.datetime_as_string(column), dtype=object).mask(
                column.isna().array
            )
        columns[name] = gaps(column.astype(object))
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def called(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---- Languages ----

PYTHON = """
import json, sys, time
sys.path.append(sys.argv[1])
from score import score
with open(sys.argv[1] + "/rows.json", encoding="utf-8") as file:
    rows = json.load(file)
start = time.perf_counter()
found = [score(row) for row in rows]
print(json.dumps([time.perf_counter() - start, found]))
"""
JAVASCRIPT = """
const fs = require("fs"), { score } = require(process.argv[1] + "/score.js");
const rows = JSON.parse(fs.readFileSync(process.argv[1] + "/rows.json", "utf8"));
for (const row of rows)
  for (const name in row)
    if (row[name] === "Infinity" || row[name] === "-Infinity") row[name] = Number(row[name]);
const start = performance.now();
const found = rows.map(score);
console.log(JSON.stringify([(performance.now() - start) / 1000, found]));
"""


def in_python(document, frame):
    """An isolated Python."""
    return _interpreted(
        [sys.executable, "-I", "-c", PYTHON], "score.py", to_python(document), frame
    )


def in_node(document, frame):
    """Node.js."""
    return _interpreted(["node", "-e", JAVASCRIPT], "score.js", to_javascript(document), frame)


def _interpreted(command, name, source, frame):
    rows = json.dumps(records_of(frame))
    if name.endswith("js"):  # JSON has no infinity
        rows = re.sub(r"(-?Infinity)", r'"\1"', rows)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_text(source, encoding="utf-8")
        Path(folder, "rows.json").write_text(rows, encoding="utf-8")
        seconds, found = json.loads(called([*command, folder]))
    decisions = [row["decision"] for row in found]
    if "probability" in found[0]:
        p, accepted = [row["probability"] for row in found], None
    else:
        p = [list(dict(row["probabilities"]).values()) for row in found]
        accepted = [row["accepted"] for row in found]
    return Scored(np.array(p), decisions, accepted, seconds, len(source.encode()))


def in_c(document, frame):
    """The code of gcc, called from Python with an array of structs."""
    source, recipe = to_c(document), recipe_of(document)
    everything = (
        source
        + "void score_all(const trisect_row *, trisect_result *, int, int *);\n"
        + "void score_all(const trisect_row *r, trisect_result *s, int n, int *bad)\n"
        + "{ int i; for (i = 0; i < n; i++) *bad += trisect_score(r + i, s + i); }\n"
    )
    rows, alive = _structs(recipe, frame)
    labels = document["classes"]["labels"]
    parts = (
        [("p", "f8"), ("decision", "i4")]
        if document["thresholds"]
        else [("p", "f8", len(labels)), ("decision", "i4"), ("accepted", "i4")]
    )
    results, bad = np.zeros(len(rows), np.dtype(parts, align=True)), ctypes.c_int(0)
    with tempfile.TemporaryDirectory() as folder:
        path, library = Path(folder, "score.c"), Path(folder, "score.so")
        path.write_text(everything)
        called(["gcc", *STRICT, "-shared", "-fPIC", "-nostdlib", str(path), "-o", str(library)])
        score_all = ctypes.CDLL(str(library)).score_all
        pointers = (ctypes.c_void_p(array.ctypes.data) for array in (rows, results))
        start = perf_counter()
        score_all(*pointers, len(rows), ctypes.byref(bad))
        seconds = perf_counter() - start
    assert bad.value == 0
    assert alive is not None
    decisions = WORDS[results["decision"]].tolist()
    accepted = None
    if not document["thresholds"]:
        accepted = np.array([*map(str, labels), None])[results["accepted"]].tolist()
    return Scored(results["p"].copy(), decisions, accepted, seconds, len(source))


def _structs(recipe, frame):
    """Lay rows out as the struct has them; texts are pointers, which live as long as a list."""
    names, alive = field_names(recipe), []
    texts = ("category", "evidence")
    kinds = ["u8" if column["kind"] in texts else "f8" for column in recipe.columns]
    rows = np.zeros(len(frame), np.dtype(list(zip(names, kinds, strict=True)), align=True))
    for name, column in zip(names, recipe.columns, strict=True):
        cells = frame[column["name"]]
        if column["kind"] in texts:
            buffers = {
                text: ctypes.create_string_buffer(text.encode()) for text in cells.dropna().unique()
            }
            alive.append(buffers)
            address = {text: ctypes.addressof(buffer) for text, buffer in buffers.items()}
            rows[name] = [address.get(cell, 0) for cell in cells]
        elif column["kind"] == "date":
            micros = cells.astype("datetime64[us]")
            rows[name] = np.where(cells.isna(), np.nan, micros.astype("int64") / 1e6)
        else:
            rows[name] = [np.nan if cell is None else float(cell) for cell in gaps(cells)]
    return rows, alive


def in_onnxruntime(document, features):
    """The runtime of ONNX, which starts from the features."""
    import onnxruntime

    content = to_onnx(document)
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    start = perf_counter()
    found = dict(zip(names, session.run(None, {"features": features}), strict=True))
    seconds = perf_counter() - start
    decisions, accepted = WORDS[found["decision"]].tolist(), None
    if "accepted" in found:
        labels = np.array([*map(str, document["classes"]["labels"]), None])
        accepted = labels[found["accepted"]].tolist()
    p = found["probability" if accepted is None else "probabilities"]
    return Scored(p, decisions, accepted, seconds, len(content))


# ---- Databases ----


def numbered(frame):
    return frame.assign(**{KEY: np.arange(len(frame))})


def _ordered(document, columns, seconds, query):
    """Bring columns of results into the order of the rows."""
    order = np.argsort(columns[0])
    assert np.array_equal(np.asarray(columns[0])[order], np.arange(len(order)))
    columns = [np.asarray(column, dtype=object)[order] for column in columns]
    if document["thresholds"]:
        p, decisions, accepted = columns[1].astype(float), columns[2], None
    else:
        p = np.column_stack(columns[1:-2]).astype(float)
        decisions, accepted = columns[-2], columns[-1].tolist()
    return Scored(p, decisions.tolist(), accepted, seconds, len(query.encode()))


def in_duckdb(document, frame, threads=1):
    """DuckDB."""
    import duckdb

    query = to_sql(document, "duckdb", keep=[KEY])
    data = numbered(frame)
    with duckdb.connect() as connection:
        connection.execute(f"SET threads = {threads}")
        connection.register("frame", data)
        connection.execute("CREATE TABLE data AS SELECT * FROM frame")
        start = perf_counter()
        found = connection.execute(query).df()
        seconds = perf_counter() - start
    columns = [gaps(column) for _, column in found.items()]
    return _ordered(document, columns, seconds, query)


def in_sqlite(document, frame):
    """SQLite, dates as texts."""
    data = numbered(frame)
    for name in data.select_dtypes("datetime"):
        texts = pd.Series(np.datetime_as_string(data[name]), index=data.index, dtype=object)
        data[name] = texts.mask(data[name].isna(), None)
    query = to_sql(document, "sqlite", keep=[KEY])
    with sqlite3.connect(":memory:") as connection:
        data.to_sql("data", connection, index=False)
        start = perf_counter()
        rows = connection.execute(query).fetchall()
        seconds = perf_counter() - start
    return _ordered(document, list(zip(*rows, strict=True)), seconds, query)


TYPES = {"f": "double precision", "M": "timestamp", "i": "bigint", "b": "boolean"}


def typed(frame, text="text"):
    """Name and type of each column; one of booleans and gaps is boolean."""
    for name, column in frame.items():
        there = column.dropna()
        is_flag = column.dtype == object and len(there) and isinstance(there.iloc[0], bool)
        yield name, "boolean" if is_flag else TYPES.get(column.dtype.kind, text)


def in_postgresql(document, frame, server):
    """A PostgreSQL server."""
    data = numbered(frame)
    table = ", ".join(f'"{name}" {kind}' for name, kind in typed(data))
    query = to_sql(document, "postgresql", keep=[KEY])
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder, "data.csv")
        data.to_csv(path, index=False, header=False)
        path.chmod(0o644)
        server.run(
            f"DROP TABLE IF EXISTS data CASCADE; CREATE TABLE data ({table});\n"
            f"\\copy data FROM '{path}' WITH (FORMAT csv)\n"
        )
    start = perf_counter()
    found = server.run(
        f"CREATE TEMP VIEW scored AS {query};\nCOPY (TABLE scored) TO STDOUT WITH (FORMAT csv);"
    )
    seconds = perf_counter() - start
    columns = list(zip(*csv.reader(io.StringIO(found)), strict=True))
    texts = 1 if document["thresholds"] else 2
    columns = [
        [int(cell) for cell in columns[0]],
        *([float(cell) for cell in column] for column in columns[1:-texts]),
        *([cell or None for cell in column] for column in columns[-texts:]),
    ]
    return _ordered(document, columns, seconds, query)


class Server:
    """A PostgreSQL server in a folder of its own, reached through a socket there."""

    def __init__(self, programs, folder):
        self._programs, self._data = programs, folder / "data"
        # The server refuses to run as root, as which tests run in some containers.
        self._as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        folder.chmod(0o755)
        self._data.mkdir()
        if self._as_user:
            shutil.chown(self._data, "postgres", "postgres")

    def call(self, program, *arguments, **options):
        command = [*self._as_user, str(self._programs / program), *arguments]
        return called(command, cwd="/", **options)

    def start(self):
        data = str(self._data)
        self.call("initdb", "-D", data, "-A", "trust", "-U", "tester", "-N", "-E", "UTF8")
        settings = f"-c listen_addresses='' -c unix_socket_directories={data} -c fsync=off"
        log = str(self._data / "log")
        self.call("pg_ctl", "-D", data, "-w", "-l", log, "-o", settings, "start")

    def stop(self):
        self.call("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def run(self, script):
        """Run a script, and return what it prints."""
        flags = ["-h", str(self._data), "-U", "tester", "-d", "postgres", "-qAtX"]
        return self.call("psql", *flags, "-v", "ON_ERROR_STOP=1", input=script)


def postgresql_programs():
    """The folder of PostgreSQL's programs, or None."""
    found = shutil.which("initdb")
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return Path(found).resolve().parent if found else homes[-1] if homes else None


@contextmanager
def postgresql_server():
    """A PostgreSQL server that lasts as long as the block."""
    # Sockets have short names only, shorter than those of other folders may be.
    with tempfile.TemporaryDirectory() as folder:
        server = Server(postgresql_programs(), Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()


class MariaDB:
    """A MariaDB server in a folder, which speaks the dialect of MySQL."""

    def __init__(self, folder):
        self._data = Path(folder, "data")
        self._data.mkdir()
        self._process = None

    def start(self):
        user = ["--user=root"] if os.geteuid() == 0 else []
        folder = f"--datadir={self._data}"
        root = "--auth-root-authentication-method=normal"
        called(["mariadb-install-db", *user, folder, root, "--skip-test-db"])
        socket = f"--socket={self._data}/socket"
        command = ["mariadbd", *user, folder, socket, "--skip-networking"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, **quiet)
        for _ in range(200):
            if Path(self._data, "socket").exists():
                return
            time.sleep(0.1)
        raise TimeoutError("MariaDB did not start.")

    def stop(self):
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def run(self, script):
        """Run a script, and return what it prints."""
        flags = [f"--socket={self._data}/socket", "-u", "root", "-NB", "--max-allowed-packet=64M"]
        start = "CREATE DATABASE IF NOT EXISTS test; USE test;\n"
        return called(["mariadb", *flags, "--default-character-set=utf8mb4"], input=start + script)


@contextmanager
def mariadb_server():
    """A MariaDB server that lasts as long as the block."""
    with tempfile.TemporaryDirectory() as folder:
        server = MariaDB(folder)
        try:
            server.start()
            yield server
        finally:
            server.stop()


def in_mariadb(document, frame, server):
    """A MariaDB server, which has no infinities."""
    data = numbered(frame)
    kinds = {
        "double precision": "double",
        "timestamp": "datetime(6)",
        "text": "varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
    }
    table = ", ".join(f"`{name}` {kinds.get(kind, kind)}" for name, kind in typed(data))
    rows = zip(*(map(_mysql_cell, gaps(column)) for _, column in data.items()), strict=True)
    values = ",\n".join(f"({', '.join(row)})" for row in rows)
    server.run(
        f"DROP TABLE IF EXISTS data; CREATE TABLE data ({table}); INSERT INTO data VALUES {values};"
    )
    query = to_sql(document, "mysql", keep=[KEY])
    start = perf_counter()
    found = server.run(query + ";")
    seconds = perf_counter() - start
    columns = list(zip(*(line.split("\t") for line in found.splitlines()), strict=True))
    texts = 1 if document["thresholds"] else 2
    columns = [
        [int(cell) for cell in columns[0]],
        *([float(cell) for cell in column] for column in columns[1:-texts]),
        *([None if cell == "NULL" else cell for cell in column] for column in columns[-texts:]),
    ]
    return _ordered(document, columns, seconds, query)


def _mysql_cell(cell):
    if isinstance(cell, float) and not np.isfinite(cell):
        return "NULL"
    if isinstance(cell, pd.Timestamp):
        cell = str(cell)
    if isinstance(cell, str):
        return "'" + cell.replace("\\", "\\\\").replace("'", "''") + "'"
    return "NULL" if cell is None else repr(cell)


def spark_session():
    """A local Spark in UTC."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    # A whole stage as one method is more than Java takes, and Spark tries for seconds.
    builder = builder.config("spark.sql.codegen.wholeStage", "false")
    return builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()


def in_spark(document, frame, session):
    """Spark."""
    data = numbered(frame)
    kinds = {"double precision": "double", "timestamp": "timestamp_ntz", "text": "string"}
    schema = ", ".join(f"`{name}` {kinds.get(kind, kind)}" for name, kind in typed(data))
    columns = [gaps(pd.Series(column.array, dtype=object)) for _, column in data.items()]
    rows = [
        tuple(cell.to_pydatetime() if isinstance(cell, pd.Timestamp) else cell for cell in row)
        for row in zip(*columns, strict=True)
    ]
    session.createDataFrame(rows, schema).createOrReplaceTempView("data")
    session.catalog.cacheTable("data")
    session.sql("SELECT COUNT(*) FROM data").collect()
    query = to_sql(document, "spark", keep=[KEY])
    start = perf_counter()
    found = session.sql(query).collect()
    seconds = perf_counter() - start
    session.catalog.uncacheTable("data")
    return _ordered(document, list(zip(*map(tuple, found), strict=True)), seconds, query)
