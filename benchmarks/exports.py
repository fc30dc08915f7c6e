"""Every export in its engine: does it say what Python says, how large is it, how fast?

    python benchmarks/exports.py docs/results/exports.md

The models are default fits on the 3,000 clients that come with the library: their raw table, and
their numbers. Rows to compare are drawn from these clients with gaps, unseen categories and
extreme numbers put in. Engines that are not installed are left out.
"""

import argparse
import importlib.util
import io
import platform
import shutil
import subprocess
import sys
import tempfile
import warnings
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "exports"))

import databases  # noqa: E402
import engines  # noqa: E402
from expected import reference  # noqa: E402

from trisect import CostMatrix, SFNNClassifier, TableClassifier  # noqa: E402
from trisect.exports import to_c  # noqa: E402
from trisect.model_file import document_bytes, to_document  # noqa: E402
from trisect.sample_data import credit_csv  # noqa: E402

COSTS = CostMatrix.from_review(false_accept=5, false_reject=3, review=1)
EXTREME = [1e308, -1e308, 1e16, 0.0, 5e-324, np.inf, -np.inf]


def credit():
    table = pd.read_csv(io.BytesIO(credit_csv()))
    y = table.pop("next_month").to_numpy()
    return table.drop(columns="client"), y


def odd_rows(table, n, rng):
    """Draw rows, and put gaps, unseen words and extreme numbers into a twentieth of the cells."""
    rows = table.sample(n, replace=True, random_state=1).reset_index(drop=True)
    for name in rows.columns:
        chosen = rng.random(n) < 0.05
        if rows[name].dtype.kind in "if":
            rows[name] = rows[name].astype(float)
            rows.loc[chosen, name] = rng.choice([*EXTREME, np.nan], chosen.sum())
        else:
            rows[name] = rows[name].astype(object)
            rows.loc[chosen, name] = rng.choice(["unseen", "NA", None, " male "], chosen.sum())
    return rows


class Matrix:
    """Rows of the table of results for one model."""

    def __init__(self, model, frame):
        self.document, self.frame = to_document(model), frame
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            encoder = getattr(model, "encoder_", None)
            self.features = frame.to_numpy() if encoder is None else encoder.transform(frame)
            start = perf_counter()
            self.single = model.predict_proba(frame)
            self.python_seconds = perf_counter() - start
            decided = model.decide(frame)
        positive = self.document["classes"]["labels"].index(self.document["positive"])
        self.double = reference(self.document, self.features)[:, positive]
        self.single = self.single[:, positive]
        self.decisions = engines.WORDS[decided]
        self.positive = positive
        self.lines = []

    def add(self, target, engine, found, n=None):
        """Compare what an engine said about the first n rows."""
        n = len(found.decisions)
        p = found.probabilities
        different = np.flatnonzero(np.array(found.decisions) != self.decisions[:n])
        bounds = np.array([self.document["thresholds"][name] for name in ("alpha", "beta")])
        gap = np.abs(self.double[different, None] - bounds).min(axis=1)
        told = f"{len(different)}"
        if len(different):
            told += f" (within {gap.max():.0e} of a threshold)"
        self.lines.append([
            target, engine, f"{n:,}",
            f"{np.abs(p - self.double[:n]).max():.1e}", f"{np.abs(p - self.single[:n]).max():.1e}",
            told, f"{found.size:,}", f"{n / found.seconds:,.0f}",
        ])  # fmt: skip
        print(*self.lines[-1], sep=" | ", flush=True)

    def table(self):
        head = [
            "target", "engine", "rows", "difference", "from float32", "decisions that differ",
            "bytes", "rows per second",
        ]  # fmt: skip
        rows = [head, ["---"] * 2 + ["---:"] * 6, *self.lines]
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def version(command, place=0):
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return (found.stdout or found.stderr).split()[place]


def run_all(matrix, n_slow, server, spark):
    document, frame = matrix.document, matrix.frame
    few = frame.head(n_slow)
    if importlib.util.find_spec("duckdb"):
        import duckdb

        matrix.add("SQL", f"DuckDB {duckdb.__version__}", databases.in_duckdb(document, frame))
    import sqlite3

    matrix.add("SQL", f"SQLite {sqlite3.sqlite_version}", databases.in_sqlite(document, few))
    if server is not None:
        name = "PostgreSQL " + server.run("SHOW server_version").split()[0]
        matrix.add("SQL", name, databases.in_postgresql(document, few, server))
    if shutil.which("mariadbd"):
        with databases.mariadb_server() as mariadb:
            name = "MariaDB " + mariadb.run("SELECT VERSION();").split("-")[0]
            matrix.add("SQL", name, databases.in_mariadb(document, few, mariadb))
    if spark is not None:
        databases.in_spark(document, few.head(100), spark)  # compiles
        matrix.add("SQL", f"Spark {spark.version}", databases.in_spark(document, few, spark))
    if importlib.util.find_spec("onnxruntime"):
        import onnxruntime

        name = f"onnxruntime {onnxruntime.__version__}"
        matrix.add("ONNX", name, engines.in_onnxruntime(document, matrix.features))
    if shutil.which("gcc"):
        name = "gcc " + version(["gcc", "-dumpfullversion"])
        matrix.add("C99", name, engines.in_c(document, frame))
    if shutil.which("node"):
        name = "Node.js " + version(["node", "--version"])
        matrix.add("JavaScript", name, engines.in_node(document, frame))
    matrix.add("Python", f"Python {platform.python_version()} -I", engines.in_python(document, few))


def cortex_sizes(document):
    """Code and data on a Cortex-M4, or nothing without the compiler."""
    if shutil.which("arm-none-eabi-gcc") is None:
        return "No cross compiler was installed."
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "score.c"), Path(folder, "score.o")
        source.write_text(to_c(document))
        flags = ["-std=c99", "-Os", "-mcpu=cortex-m4", "-mthumb", "-ffreestanding", "-c"]
        subprocess.run(["arm-none-eabi-gcc", *flags, source, "-o", target], check=True)
        command = ["arm-none-eabi-size", "-A", target]
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    sizes = {}
    for line in listed.splitlines():
        if line.startswith("."):
            section, size = line.split()[:2]
            kind = section.split(".")[1]
            sizes[kind] = sizes.get(kind, 0) + int(size)
    name = version(["arm-none-eabi-gcc", "-dumpfullversion"])
    return (
        f"On a Cortex-M4 (arm-none-eabi-gcc {name} -Os) the C code of this model takes "
        f"{sizes.get('text', 0):,} bytes of code, {sizes.get('rodata', 0):,} of constants and "
        f"{sizes.get('data', 0) + sizes.get('bss', 0):,} of writable memory; arithmetic in double "
        "precision comes from the compiler's library."
    )


def orbital_line(X, y, frame, n_rows):
    """A plain network of ten nodes, by orbital and by us, in DuckDB with one thread."""
    if not (importlib.util.find_spec("orbital") and importlib.util.find_spec("duckdb")):
        return None
    import duckdb
    import orbital
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network = MLPClassifier([10], activation="tanh", max_iter=50, random_state=0)
        types = {name: orbital.types.DoubleColumnType() for name in X.columns}
        pipeline = make_pipeline(StandardScaler(), network).fit(X, y)
        query = orbital.export_sql(
            "data", orbital.parse_pipeline(pipeline, types), dialect="duckdb"
        )
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")
        connection.register("frame", frame)
        connection.execute("CREATE TABLE data AS SELECT * FROM frame")
        start = perf_counter()
        found = connection.execute(query).df()
        seconds = perf_counter() - start
    [column] = [name for name in found if name.endswith(str(pipeline.classes_[1]))]
    p = pipeline.predict_proba(frame)[:, 1]
    difference = np.abs(found[column].to_numpy() - p).max()
    return [
        "orbital " + importlib.metadata.version("orbital"), f"{n_rows:,}", f"{difference:.1e}",
        "no decision", f"{len(query.encode()):,}", f"{n_rows / seconds:,.0f}",
    ]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", nargs="?", type=Path, help="where the page goes")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--slow-rows", type=int, default=5_000, help="rows of slow engines")
    parser.add_argument("--plain-rows", type=int, default=200_000)
    given = parser.parse_args()
    rng = np.random.default_rng(0)
    table, y = credit()
    raw = TableClassifier(costs=COSTS, pos_label="pays", random_state=0).fit(table, y)
    matrix = Matrix(raw, odd_rows(table, given.rows, rng))
    with ExitStack() as stack:
        server = spark = None
        if databases.postgresql_programs() is not None:
            server = stack.enter_context(databases.postgresql_server())
        if importlib.util.find_spec("pyspark") and shutil.which("java"):
            spark = databases.spark_session()
            spark.sparkContext.setLogLevel("ERROR")
            stack.callback(spark.stop)
        run_all(matrix, given.slow_rows, server, spark)

    numbers = table.select_dtypes("number").drop(columns="age").astype(float)
    plain = SFNNClassifier(10, activation="tanh", random_state=0).fit(numbers, y)
    rows = numbers.sample(given.plain_rows, replace=True, random_state=2).reset_index(drop=True)
    document = to_document(plain)
    expected = reference(document, rows.to_numpy())[:, 1]
    found = databases.in_duckdb(document, rows)
    ours = [
        "trisect", f"{len(rows):,}", f"{np.abs(found.probabilities - expected).max():.1e}",
        "accept, defer, reject", f"{found.size:,}", f"{len(rows) / found.seconds:,.0f}",
    ]  # fmt: skip
    theirs = orbital_line(numbers, y, rows, len(rows))
    head = ["by", "rows", "difference", "decision", "bytes", "rows per second"]
    lines = [
        head,
        ["---"] + ["---:"] * 2 + ["---"] + ["---:"] * 2,
        ours,
        *([theirs] if theirs else []),
    ]
    network = matrix.document["network"]
    page = PAGE.format(
        table=matrix.table(),
        rows=f"{given.rows:,}",
        nodes=len(network["biases"]),
        activation=network["activation"],
        curves=len(network["curves"]),
        features=matrix.features.shape[1],
        json=f"{len(document_bytes(matrix.document)):,}",
        predict=f"{given.rows / matrix.python_seconds:,.0f}",
        cortex=cortex_sizes(matrix.document),
        plain="\n".join("| " + " | ".join(line) + " |" for line in lines),
        n_numbers=numbers.shape[1],
    )
    if given.page is None:
        print(page)
    else:
        given.page.write_text(page)


PAGE = """\
# Exports in their engines

Made by `python benchmarks/exports.py docs/results/exports.md`, which writes this page whole.

The model is a default fit of `TableClassifier` on the 3,000 clients with credit cards that come with the library: {nodes} {activation} nodes, {features} features, of which {curves} have curves of each node's own; as a model file it has {json} bytes. The rows are drawn from these clients; a twentieth of all cells was replaced by gaps, words that were never seen, infinities, and numbers such as 1e308 and 5e-324. All engines run on one thread of a shared machine, with other work beside them; their speed is a rough figure.

{table}

- *Difference* is the largest one of a probability from an evaluation of the same model file in double precision, in NumPy. *From float32* is the largest one from `predict_proba`, which rounds to single precision at every step, as the exports do not.
- *Decisions that differ* are counted against `decide`, so that probabilities within rounding of a threshold may fall on either side of it.
- ONNX starts from the {features} numbers that the columns become. SQL is timed with its planning, Spark after a first run, PostgreSQL and MariaDB with the transfer through their clients. MariaDB holds no infinities: they are gaps there. Spark runs with `spark.sql.codegen.wholeStage` off: a whole stage as one method is more than Java takes, and Spark spends seconds on finding that out.
- `predict_proba` of the raw table in Python: {predict} rows per second.

{cortex}

## Beside orbital

The library orbital writes scikit-learn's pipelines as SQL. It knows neither curves nor decisions, so the comparison is a plain network of ten tanh nodes on the {n_numbers} numeric columns that have no gaps: theirs is `MLPClassifier` behind `StandardScaler`, ours `SFNNClassifier(10, activation="tanh")`; each is compared with its own evaluation in double precision. Both run in DuckDB on one thread.

{plain}
"""  # noqa: E501


if __name__ == "__main__":
    main()
