"""Rows drawn from files of any size."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from pyarrow import parquet

import trisect
from trisect.files import arrow_files, csv_arrow, csv_files, json_lines, open_output, read_table
from trisect.files.sampling import MOST_CLASSES, sample_table, sampled_rows
from trisect.tables.cells import read_numbers

N = 300


def table(n=N):
    rng = np.random.default_rng(0)
    code = [str(i) for i in rng.integers(0, 90, n)]
    code[n - 2] = "unknown"  # one cell makes the column one of texts, whether drawn or not
    return {
        "amount": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
        "code": code,
        "job": rng.choice(["nurse", "clerk", "cook"], n).tolist(),
        "outcome": rng.choice(["pays", "owes"], n).tolist(),
    }


def write(path, columns):
    with open_output(path) as output:
        output.write(columns)
    return path


def plain(sample):
    """A sample as lists that can be compared."""
    columns = {
        name: [[*cells.values, None][code] for code in cells.codes]
        if hasattr(cells, "codes")
        else [None if cell != cell else cell for cell in cells.tolist()]
        for name, cells in sample.columns.items()
    }
    return columns, sample.y.tolist(), sample.of_rows, sample.class_counts


@pytest.fixture
def small_blocks(monkeypatch):
    """Cut files into blocks of a given number of rows."""

    def cutting(n_rows, by_arrow=True):
        for module in (arrow_files, csv_arrow, csv_files, json_lines):
            monkeypatch.setattr(module, "BLOCK_ROWS", n_rows)
        monkeypatch.setattr(csv_files, "available", lambda: by_arrow)

    return cutting


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".csv.gz", ".jsonl", ".arrow"])
def test_the_blocks_are_no_matter(tmp_path, small_blocks, suffix):
    path = write(tmp_path / f"table{suffix}", table())
    expected = plain(sample_table(path, "outcome", 40, seed=1))
    rows = sampled_rows(N, 40, 1)
    assert expected[0]["code"] == [table()["code"][i] for i in rows]
    assert expected[1] == [table()["outcome"][i] for i in rows]
    for n_rows in (7, 150):
        for by_arrow in (True, False):
            small_blocks(n_rows, by_arrow)
            assert plain(sample_table(path, "outcome", 40, seed=1)) == expected


def test_a_folder_is_one_table(tmp_path):
    columns = table()
    whole = write(tmp_path / "whole.parquet", columns)
    for i in range(3):
        part = {name: cells[100 * i : 100 * i + 100] for name, cells in columns.items()}
        (tmp_path / "parts").mkdir(exist_ok=True)
        write(tmp_path / "parts" / f"{i}.parquet", part)
    drawn = sample_table(tmp_path / "parts", "outcome", 50)
    assert plain(drawn) == plain(sample_table(whole, "outcome", 50))


def test_files_of_a_folder_may_differ(tmp_path):
    parquet.write_table(pa.table({"a": pa.array([1, 2], pa.int64()), "y": ["u", "v"]}),
                        tmp_path / "0.parquet")  # fmt: skip
    parquet.write_table(pa.table({"y": ["v"], "a": pa.array([3], pa.int32()), "b": [1]}),
                        tmp_path / "1.parquet")  # fmt: skip
    parquet.write_table(pa.table({"y": ["u"]}), tmp_path / "2.parquet")
    columns = read_table(tmp_path).columns
    assert list(columns) == ["a", "y"]
    assert np.array_equal(columns["a"], [1, 2, 3, np.nan], equal_nan=True)


def test_an_empty_folder(tmp_path):
    with pytest.raises(ValueError, match="holds no parquet file"):
        read_table(tmp_path)


def test_every_row_has_the_same_chance():
    counts = np.zeros(50)
    for seed in range(2000):
        drawn = sampled_rows(50, 10, seed)
        assert len(set(drawn.tolist())) == 10 and (np.diff(drawn) > 0).all()
        counts[drawn] += 1
    # A row is drawn 400 times on average, with a standard deviation of 18.
    assert np.abs(counts - 400).max() < 5 * 18


def test_a_smaller_table_is_read_as_it_is(tmp_path):
    path = write(tmp_path / "table.csv", table())
    sample, whole = sample_table(path, "outcome", N), read_table(path).columns
    assert len(sample.y) == sample.of_rows == sum(sample.class_counts.values()) == N
    assert np.array_equal(sample.columns["amount"], whole["amount"], equal_nan=True)
    few = sample_table(path, "outcome", N, columns=["job"])
    assert list(few.columns) == ["job"]


@pytest.mark.parametrize("n_rows", [20, N])
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_rows_without_a_class(tmp_path, small_blocks, n_rows, suffix):
    small_blocks(50)
    columns = table()
    columns["outcome"] = [None if i % 3 == 1 else y for i, y in enumerate(columns["outcome"])]
    path = write(tmp_path / f"table{suffix}", columns)
    with pytest.raises(ValueError, match="100 rows without a class in 'outcome', the first is row"):
        sample_table(path, "outcome", n_rows)
    refused = []
    sample = sample_table(path, "outcome", n_rows, on_error="skip", refuse=refused.extend)
    assert sample.of_rows == 200 and len(sample.y) == min(n_rows, 200)
    assert [row.line for row in refused] == list(range(3, 302, 3))
    assert {row.reason for row in refused} == {"has no class in 'outcome'"}


@pytest.mark.parametrize("form", [int, float, "{:.2f}".format])
def test_numbers_as_classes(tmp_path, form):
    y = [form(i % 2) for i in range(40)]
    path = write(tmp_path / "table.csv", {"x": np.arange(40.0), "y": y})
    sample = sample_table(path, "y", 10)
    assert sample.y.dtype.kind == "i" and sample.class_counts == {"0": 20, "1": 20}


def test_amounts_are_no_classes(tmp_path):
    n = MOST_CLASSES + 1
    path = write(tmp_path / "table.parquet", {"x": np.arange(n), "y": np.arange(n) / 7})
    with pytest.raises(ValueError, match="more than 10,000 different values"):
        sample_table(path, "y")


def test_what_cannot_be_drawn(tmp_path):
    path = write(tmp_path / "table.csv", table())
    with pytest.raises(ValueError, match="no column 'result'; the columns are 'amount', 'code'"):
        sample_table(path, "result")
    with pytest.raises(ValueError, match="Two rows must be drawn at least, not 1"):
        sample_table(path, "outcome", 1)


MEMORY = """
import resource, sys
import trisect.network.fast
from trisect.files import open_table, sample_table

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

def read(path):
    sample_table(path, "y", 10_000)
    with open_table(path) as file:
        return sum(block.n_rows for block in file.blocks())

read(sys.argv[1])
before = peak()
print(read(sys.argv[2]), peak() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read in kilobytes")
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_memory_does_not_grow_with_the_table(tmp_path, suffix):
    """Ten times the rows add next to nothing; as numbers they would be 300 MB."""
    rng = np.random.default_rng(0)
    for name, n in (("short", 200_000), ("long", 2_000_000)):
        columns = {f"n{i}": rng.normal(size=n).round(3) for i in range(19)}
        columns["y"] = (columns["n0"] > 0).astype(int)
        content = pa.table(columns)
        if suffix == ".parquet":
            parquet.write_table(content, tmp_path / f"{name}.parquet")
        else:
            pa.csv.write_csv(content, tmp_path / f"{name}.csv")
    paths = [str(tmp_path / f"{name}{suffix}") for name in ("short", "long")]
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, *paths],
        env=os.environ | {"PYTHONPATH": str(Path(trisect.__file__).parents[1])},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    rows, added = done.stdout.split()
    assert int(rows) == 2_000_000 and float(added) < 60


@pytest.mark.parametrize("by_arrow", [True, False])
@pytest.mark.parametrize("n_rows", [5, N])
def test_drawn_texts_know_their_decimal_sign(tmp_path, small_blocks, n_rows, by_arrow):
    small_blocks(50, by_arrow)
    path = tmp_path / "rates.csv"
    lines = [f"{i},5;{'pays' if i % 3 else 'owes'}" for i in range(N - 1)]
    path.write_text("\n".join(["rate;outcome", *lines, "unknown;owes"]))
    rates = sample_table(path, "outcome", n_rows).columns["rate"]
    assert rates.decimal == ","
    numbers = read_numbers(rates)
    assert (numbers[np.isfinite(numbers)] % 1 == 0.5).all()


@pytest.mark.parametrize("on_error", ["stop", "skip"])
@pytest.mark.parametrize("n_rows", [5, N])
def test_a_target_without_any_class(tmp_path, n_rows, on_error):
    path = write(tmp_path / "none.csv", table() | {"outcome": [""] * N})
    with pytest.raises(ValueError, match="There is no class in any row of 'outcome'"):
        sample_table(path, "outcome", n_rows, on_error=on_error)
