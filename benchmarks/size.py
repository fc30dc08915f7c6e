"""Tables at sizes beyond memory: fits, decisions in a stream, and the same in Spark and DuckDB.

    python benchmarks/size.py --folder FOLDER --page docs/results/size.md

makes the generated tables of `big_table` in FOLDER (5 GB), takes one measurement after another,
each in a process of its own, and keeps the figures in FOLDER/figures.json. A later call goes on
where the last one was stopped; `--again NAME` repeats a measurement, `--only NAME` makes no other.
Spark is left out where pyspark is not installed.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import platform
import resource
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import big_table
import numpy as np
import psutil
from common import markdown_table, replace_section

from trisect.cli import main as trisect
from trisect.files import read_table, sample_table
from trisect.runtime import load_model

N_CORES = 2
MILLION = 1_000_000
COSTS = ["--false-accept", "5", "--false-reject", "3", "--review", "1", "--positive", "stays"]
SIZES = (20_000, 100_000, 500_000, 1_000_000, 2_000_000)
OTHER_SEEDS = (1, 2)
"""With which a million rows are drawn and fitted again, to see what chance does."""


def peak():
    """Most memory that this process has had so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cpu_seconds():
    """Seconds of all cores that this process and those it has started have used."""
    here = psutil.Process()
    tree = [here, *here.children(recursive=True)]
    return sum(sum(process.cpu_times()[:4]) for process in tree)


class Clock:
    """Measures a block of code: seconds, those of all cores, and added memory."""

    def __enter__(self):
        self.start, self.cpu, self.before = time.perf_counter(), cpu_seconds(), peak()
        return self

    def __exit__(self, *exception):
        self.figures = {
            "seconds": time.perf_counter() - self.start,
            "cpu": cpu_seconds() - self.cpu,
            "before_mb": self.before,
            "added_mb": peak() - self.before,
        }


def tested(path):
    """Accuracy and log loss of a model on a block that no fit has seen."""
    table, _, y = big_table.block(10_000)
    model = load_model(path, compiled=True)
    p = model.predict_proba(table.drop_columns([big_table.TARGET]))
    truth = np.where(y == 1, "leaves", "stays")
    places = np.searchsorted(model.classes_.astype(str), truth)
    loss = -np.log(p[np.arange(len(p)), places]).mean()
    accuracy = float(np.mean(model.classes_[p.argmax(axis=1)] == truth))
    nodes = len(model.document["network"]["biases"])
    return {"accuracy": accuracy, "log_loss": float(loss), "nodes": nodes}


def load_everything():
    """Import what a fit needs, so that memory is that of the fit."""
    import trisect.network.fast
    import trisect.tables.classifier  # noqa: F401


def fitted(folder, data, model, *more):
    """Fit by the command."""
    load_everything()
    words = ["fit", str(data), "--target", big_table.TARGET, "-o", str(folder / model), *COSTS]
    with Clock() as clock:
        assert trisect([*words, *map(str, more)]) == 0
    return clock.figures | tested(folder / model)


def fit_sample(folder, n_rows, seed=0):
    model = f"sample-{n_rows}{f'-{seed}' if seed else ''}.json"
    return fitted(folder, folder / "rows-50m", model, "--max-rows", n_rows, "--seed", seed)


def fit_in_memory(folder):
    """Read the first file of ten into memory, and fit all of it."""
    return fitted(
        folder, folder / "rows-50m" / "part-0.parquet", "memory.json", "--max-rows", 5 * MILLION
    )


def fit_small(folder):
    return fitted(folder, folder / "rows-20m.parquet", "small.json", "--levels", 4)


def draw(folder):
    """Draw without a fit, by the function."""
    with Clock() as clock:
        sample = sample_table(folder / "rows-50m", big_table.TARGET)
    return clock.figures | {"rows": len(sample.y), "of_rows": sample.of_rows}


def decided(folder, model, data, n_rows, jobs=N_CORES):
    """Decide by the command, to a parquet file."""
    load_everything()
    output = folder / "decided.parquet"
    words = ["predict", str(folder / model), str(folder / data), "-o", str(output)]
    with Clock() as clock:
        assert trisect([*words, "--keep", "job", "--jobs", str(jobs)]) == 0
    digest = hashlib.sha256(output.read_bytes()).hexdigest()
    output.unlink()
    return clock.figures | {"rows": n_rows, "digest": digest}


def in_duckdb(folder, model, n_rows):
    """Decide by the exported SQL in DuckDB, from the file to a parquet file."""
    import duckdb

    from trisect.exports import to_sql
    from trisect.model_file import read_document

    query = to_sql(read_document(folder / model), "duckdb", keep=["job"])
    output = folder / "decided.parquet"
    with duckdb.connect() as connection, Clock() as clock:
        connection.execute(f"SET threads = {N_CORES}")
        file = f"read_parquet('{folder / 'rows-20m.parquet'}')"
        connection.execute(f"CREATE VIEW data AS SELECT * FROM {file} LIMIT {n_rows}")
        connection.execute(f"COPY ({query}) TO '{output}' (FORMAT parquet)")
    rows = read_table(output, ["decision"]).n_rows
    output.unlink()
    return clock.figures | {"rows": rows, "bytes": len(query)}


def in_spark(folder, model, n_rows, how):
    """Decide in Spark, from the file to parquet files."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(f"local[{N_CORES}]")
    settings = {"spark.ui.enabled": "false", "spark.driver.memory": "3g"}
    if how == spark_sql:
        # A whole stage as one method is more than Java takes, and Spark tries for seconds.
        settings["spark.sql.codegen.wholeStage"] = "false"
    for name, value in settings.items():
        builder = builder.config(name, value)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = builder.getOrCreate()
    frame = session.read.parquet(str(folder / "rows-20m.parquet"))
    if n_rows < 20 * MILLION:
        frame.limit(n_rows).repartition(N_CORES).write.mode("overwrite").parquet(
            str(folder / "some")
        )
        frame = session.read.parquet(str(folder / "some"))
    with Clock() as clock:
        how(session, frame, str(folder / model)).write.mode("overwrite").parquet(
            str(folder / "spark")
        )
    rows = session.read.parquet(str(folder / "spark")).count()
    session.stop()
    return clock.figures | {"rows": rows}


def spark_sql(session, frame, path):
    from trisect.exports import to_sql
    from trisect.model_file import read_document

    frame.createOrReplaceTempView("data")
    return session.sql(to_sql(read_document(path), "spark", keep=["job"]))


def spark_map(session, frame, path):
    def decide(frames):
        import pandas as pd

        model = load_model(path, compiled=True)
        for frame in frames:
            yield pd.DataFrame(model.decision_table(frame))

    schema = "label string, probability double, decision string, level double, reason string"
    return frame.select(*load_model(path).column_names).mapInPandas(decide, schema)


def spark_batches(session, frame, path):
    from inspect import Parameter, Signature

    from pyspark.ml.functions import predict_batch_udf
    from pyspark.sql.types import StructType

    names = load_model(path).column_names

    def make_predict():
        model = load_model(path, compiled=True)

        def predict(*columns):
            table = model.decision_table(dict(zip(names, columns, strict=True)))
            return {"probability": table["probability"], "decision": table["decision"].astype(str)}

        # Spark counts the parameters: one for each column.
        parameters = [Parameter(f"c{i}", Parameter.POSITIONAL_ONLY) for i in range(len(names))]
        predict.__signature__ = Signature(parameters)
        return predict

    returned = StructType().add("probability", "double").add("decision", "string")
    decide = predict_batch_udf(make_predict, return_type=returned, batch_size=10_000)
    return frame.select(decide(*names).alias("d")).select("d.*")


DEFAULT, SMALL = "sample-1000000.json", "small.json"
STEPS = {f"fit {n}": (fit_sample, n) for n in SIZES} | {
    **{f"fit 1000000, seed {seed}": (fit_sample, MILLION, seed) for seed in OTHER_SEEDS},
    "fit 5000000 in memory": (fit_in_memory,),
    "draw": (draw,),
    "fit small": (fit_small,),
    "predict, 1 core": (decided, SMALL, "rows-1m.parquet", MILLION, 1),
    "predict, 1 million": (decided, SMALL, "rows-1m.parquet", MILLION),
    "predict": (decided, SMALL, "rows-20m.parquet", 20 * MILLION),
    "predict, default": (decided, DEFAULT, "rows-20m.parquet", 20 * MILLION),
    "duckdb": (in_duckdb, SMALL, 20 * MILLION),
    "duckdb, default": (in_duckdb, DEFAULT, MILLION),
    "spark map": (in_spark, SMALL, 20 * MILLION, spark_map),
    "spark batches": (in_spark, SMALL, 20 * MILLION, spark_batches),
    "spark sql": (in_spark, SMALL, MILLION // 2, spark_sql),
}


def make_tables(folder):
    big_table.write(folder / "rows-1m.parquet", 0, 2)
    big_table.write(folder / "rows-20m.parquet", 0, 40)
    for i in range(10):
        big_table.write(folder / "rows-50m" / f"part-{i}.parquet", 10 * i, 10)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--page", metavar="FILE")
    parser.add_argument("--again", nargs="*", default=[], choices=[*STEPS, "all"])
    parser.add_argument("--only", nargs="*", choices=list(STEPS))
    parser.add_argument("--here", choices=list(STEPS), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    if arguments.here:
        step, *given = STEPS[arguments.here]
        print(json.dumps(step(folder, *given)))
        return
    make_tables(folder)
    kept = folder / "figures.json"
    figures = json.loads(kept.read_text()) if kept.exists() else {}
    for name in STEPS if arguments.only is None else arguments.only:
        if name in figures and name not in arguments.again and "all" not in arguments.again:
            continue
        if name.startswith("spark") and importlib.util.find_spec("pyspark") is None:
            continue
        command = [sys.executable, __file__, "--folder", str(folder), "--here", name]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            print(f"{name} failed", file=sys.stderr)
            continue
        figures[name] = json.loads(done.stdout.splitlines()[-1])
        print(name, figures[name], flush=True)
        kept.write_text(json.dumps(figures, indent=1))
    if arguments.page:
        replace_section(arguments.page, "fits", fits(figures))
        replace_section(arguments.page, "decisions", decisions(figures))


def fits(figures):
    """The table of fits, and what drawing takes of them."""
    names = {f"fit {n}": (n, 50 * MILLION) for n in SIZES}
    names["fit 5000000 in memory"] = (5 * MILLION, 5 * MILLION)
    rows = [["learns from", "of", "seconds", "CPU s", "rows per CPU s", "added MB", "nodes",
             "accuracy, %", "log loss"]]  # fmt: skip
    for name, (n, of) in names.items():
        if name in figures:
            f = figures[name]
            rows.append([
                f"{n:,}", f"{of:,}", f"{f['seconds']:.0f}", f"{f['cpu']:.0f}",
                f"{of / f['cpu']:,.0f}", f"{f['added_mb']:,.0f}", f"{f['nodes']}",
                f"{100 * f['accuracy']:.2f}", f"{f['log_loss']:.4f}",
            ])  # fmt: skip
    drawing = figures["draw"]
    told = f"takes {drawing['cpu']:.0f} s of all cores and adds {drawing['added_mb']:,.0f} MB."
    best = big_table.best_accuracy()[1]
    told += f" The best possible accuracy is {100 * best:.2f} %."
    again = [figures[f"fit 1000000, seed {seed}"]["accuracy"] for seed in OTHER_SEEDS]
    listed = " and ".join(f"{100 * accuracy:.2f}" for accuracy in again)
    told += f" A million rows drawn and fitted with other seeds gave {listed} %."
    return [*markdown_table(rows), f"Drawing a million of the 50 million rows {told}", ""]


WAYS = {
    "predict": ("`trisect predict`", SMALL),
    "spark map": ("Spark, `mapInPandas`", SMALL),
    "spark batches": ("Spark, `predict_batch_udf`", SMALL),
    "duckdb": ("SQL in DuckDB", SMALL),
    "spark sql": ("SQL in Spark", SMALL),
    "predict, default": ("`trisect predict`", DEFAULT),
    "duckdb, default": ("SQL in DuckDB", DEFAULT),
}


def decisions(figures):
    """The table of engines, and the memory and output of our own."""
    n_nodes = {SMALL: figures["fit small"]["nodes"], DEFAULT: figures["fit 1000000"]["nodes"]}
    rows = [["by", "nodes", "rows", "seconds", "rows per second", "rows per CPU s"]]
    for name, (way, model) in WAYS.items():
        if name in figures:
            f = figures[name]
            rows.append([
                way, f"{n_nodes[model]}", f"{f['rows']:,}", f"{f['seconds']:.0f}",
                f"{f['rows'] / f['seconds']:,.0f}", f"{f['rows'] / f['cpu']:,.0f}",
            ])  # fmt: skip
    one, all_cores, long = (
        figures[name] for name in ("predict, 1 core", "predict, 1 million", "predict")
    )
    alike = "the same byte for byte" if one["digest"] == all_cores["digest"] else "not the same"
    told = f"added {all_cores['added_mb']:,.0f} MB for a million rows and {long['added_mb']:,.0f}"
    told = f"`trisect predict` {told} MB for twenty. What one core and two write is {alike}."
    return [*markdown_table(rows), told, "", _versions(), ""]


def _versions():
    names = ["duckdb", "pyarrow", *["pyspark"] * bool(importlib.util.find_spec("pyspark"))]
    listed = ", ".join(f"{name} {version(name)}" for name in names)
    return f"With {listed}, Python {platform.python_version()}."


if __name__ == "__main__":
    main()
