"""How fast tables are read from files: rows per second of CPU time, best of three.

A generated table of 200,000 rows: twelve columns of decimals, four of integers, three of texts
and one that is empty. *In blocks* is how a fitted model reads, which knows which columns are
numbers; *whole* is how a fit reads, which does not. Each way in turn.

    python benchmarks/files.py --markdown docs/results/files.md
"""

import argparse
import os
import platform
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import pyarrow as pa
from common import print_table
from pyarrow import csv, parquet

from trisect.files import csv_files, open_table, read_table

NUMBERS = [f"n{i}" for i in range(16)]


def make_table(n_rows, seed=0):
    rng = np.random.default_rng(seed)
    columns = {name: rng.normal(size=n_rows).round(4) for name in NUMBERS[:12]}
    columns |= {name: rng.integers(0, 1000, n_rows) for name in NUMBERS[12:]}
    columns["job"] = rng.choice(["nurse", "clerk", "cook"], n_rows)
    columns["town"] = np.char.add("town ", rng.integers(0, 5000, n_rows).astype(str))
    columns["day"] = np.datetime_as_string(
        np.datetime64("2024-01-01") + rng.integers(0, 900, n_rows)
    )
    columns["nothing"] = [""] * n_rows
    return pa.table(columns)


def in_blocks(path):
    with open_table(path) as file:
        return sum(block.n_rows for block in file.blocks(numbers=NUMBERS))


def whole(path):
    return read_table(path).n_rows


@contextmanager
def reader(name):
    """Let one of the two readers of csv do the work."""
    before = csv_files.available
    csv_files.available = lambda: name == "pyarrow"
    try:
        yield
    finally:
        csv_files.available = before


def measure(n_rows):
    table, best = make_table(n_rows), {}
    with TemporaryDirectory() as folder:
        plain, gz, columnar = (Path(folder) / f"t{end}" for end in (".csv", ".csv.gz", ".parquet"))
        csv.write_csv(table, plain)
        with pa.CompressedOutputStream(str(gz), "gzip") as sink:
            csv.write_csv(table, sink)
        parquet.write_table(table, columnar)
        ways = {("csv", "python", path): path for path in (plain, gz)} | {
            ("csv", "pyarrow", path): path for path in (plain, gz)
        }
        ways[("parquet", "pyarrow", columnar)] = columnar
        for _ in range(3):
            for (form, name, path), file in ways.items():
                for how in (in_blocks, whole):
                    with reader(name):
                        begin = process_time()
                        assert how(file) == n_rows
                        speed = n_rows / (process_time() - begin)
                    key = (f"{form}{', gzip' if path == gz else ''}", name, how.__name__)
                    best[key] = max(best.get(key, 0), speed)
    return best


def texts(best):
    rows = [("format", "read by", "in blocks, rows per CPU s", "whole, rows per CPU s")]
    for form, name in dict.fromkeys(key[:2] for key in best):
        cells = [f"{best[form, name, how]:,.0f}" for how in ("in_blocks", "whole")]
        rows.append((form, name, *cells))
    return rows


def markdown(best, n_rows):
    head, *rows = texts(best)
    about = " ".join(__doc__.split("\n\n")[1].split()).replace("200,000", f"{n_rows:,}")
    command = (
        f"Made by `python benchmarks/files.py --rows {n_rows} --markdown docs/results/files.md` "
        f"with Python {platform.python_version()} and pyarrow {version('pyarrow')} on "
        f"{os.cpu_count()} cores that did other things too."
    )
    measured = (
        "Rows per second of CPU time, all threads together, the best of three: the machine was "
        "too busy for a clock on the wall."
    )
    text = ["# Reading files", "", f"{measured} {about}", "", command, ""]
    text += ["| " + " | ".join(head) + " |", "|---|---" + "|---:" * (len(head) - 2) + "|"]
    return "\n".join([*text, *["| " + " | ".join(row) + " |" for row in rows]]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--markdown", metavar="FILE")
    arguments = parser.parse_args()
    best = measure(arguments.rows)
    print_table("Reading files", texts(best))
    if arguments.markdown:
        Path(arguments.markdown).write_text(markdown(best, arguments.rows))


if __name__ == "__main__":
    main()
