"""Run the SQL in its databases, as `engines` runs the other exports."""

import csv
import io
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
from engines import Scored, called, gaps

from trisect.exports import to_sql

KEY = "row number"


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
