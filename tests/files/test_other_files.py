"""JSON lines, parquet and arrow files."""

import io
import sys
from datetime import datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trisect.files import arrow_files, json_lines, open_table, read_table
from trisect.tables.cells import Texts


def plain(cells):
    if isinstance(cells, Texts):
        return [None if code < 0 else cells.values[code] for code in cells.codes]
    if cells.dtype.kind == "M":
        return [None if np.isnat(cell) else cell.astype(datetime) for cell in cells]
    return [None if np.isnan(cell) else float(cell) for cell in cells]


def read(path, **options):
    with open_table(path, **options) as file:
        table = read_table(file)
    return {name: plain(cells) for name, cells in table.columns.items()}


LINES = '{"a": 1, "b": "x"}\n\n{"b": null, "c": true}\n{"a": 2.5, "b": "é", "c": false}\n'


def test_json_lines(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(LINES, encoding="utf-8")
    with open_table(path) as file:
        assert file.found == "JSON lines" and file.names == ["a", "b", "c"]
    assert read(path) == {
        "a": [1.0, None, 2.5],
        "b": ["x", None, "é"],
        "c": [None, "true", "false"],
    }


def test_names_that_turn_up_late(tmp_path, monkeypatch):
    monkeypatch.setattr(json_lines, "BLOCK_ROWS", 2)
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1}\n' * 3 + '{"b": "x"}\n' + '{"a": 2, "c": 1}\n')
    assert read(path) == {
        "a": [1.0, 1.0, 1.0, None, 2.0],
        "b": [None, None, None, "x", None],
        "c": [None, None, None, None, 1.0],
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"a": 1', "is no JSON"),
        ("[1]", "is no JSON object"),
        ('{"a": [1, 2]}', "has several values in 'a'"),
        ('{"a": {"b": 1}}', "has several values in 'a'"),
        ("[" * 100_000, "is no JSON"),
    ],
)
def test_lines_that_are_refused(tmp_path, line, reason):
    path = tmp_path / "t.jsonl"
    path.write_text(f'{{"a": 1}}\n{line}\n{{"a": 2}}\n')
    with pytest.raises(ValueError, match=f"Line 2 {reason}"):
        read_table(path)
    table = read_table(path, on_error="skip")
    assert plain(table.columns["a"]) == [1.0, 2.0]
    assert table.refused == [(2, reason, line)]


def test_a_json_array_is_refused(tmp_path):
    path = tmp_path / "t.json"
    path.write_text('[{"a": 1}, {"a": 2}]')
    with pytest.raises(ValueError, match="write an object on each line instead"):
        open_table(path)


TABLE = pa.table(
    {
        "n": pa.array([1, None, 3]),
        "s": pa.array(["x", None, "y"]).dictionary_encode(),
        "t": pa.array([datetime(2024, 5, 31, 10), None, datetime(2024, 6, 1)]),
        "f": pa.array([True, False, None]),
    }
)
EXPECTED = {
    "n": [1.0, None, 3.0],
    "s": ["x", None, "y"],
    "t": [datetime(2024, 5, 31, 10), None, datetime(2024, 6, 1)],
    "f": ["true", "false", None],
}


def arrow_file(table):
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def arrow_stream(table):
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def parquet(table):
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


WRITTEN = {"parquet": parquet(TABLE), "arrow": arrow_file(TABLE)}


@pytest.mark.parametrize("form", WRITTEN)
def test_arrow_and_parquet(tmp_path, form):
    path = tmp_path / "without-a-suffix"
    path.write_bytes(WRITTEN[form])
    with open_table(path) as file:
        assert file.found == form and file.names == list(EXPECTED)
        [block] = file.blocks(["s"])
    assert list(block.columns) == ["s"]
    assert read(path) == EXPECTED


@pytest.mark.parametrize("form", WRITTEN)
def test_from_standard_input(monkeypatch, form):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WRITTEN[form])))
    assert read("-") == EXPECTED


def test_a_stream_of_arrow(tmp_path):
    path = tmp_path / "t.arrow"
    path.write_bytes(arrow_stream(TABLE))
    assert read(path) == EXPECTED


def test_a_folder_of_parquet_files_in_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(arrow_files, "BLOCK_ROWS", 2)
    for name in ("1.parquet", "2.parquet"):
        (tmp_path / name).write_bytes(parquet(TABLE))
    with open_table(tmp_path) as file:
        assert [block.n_rows for block in file.blocks()] == [2, 1, 2, 1]
    assert read(tmp_path) == {name: cells * 2 for name, cells in EXPECTED.items()}


def test_broken_files_are_named(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(WRITTEN["parquet"][:40])
    with pytest.raises(ValueError, match=r"t\.parquet is no parquet file"):
        open_table(path)


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    path = tmp_path / "t.parquet"
    path.write_bytes(WRITTEN["parquet"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"run pip install 'trisect\[parquet\]'"):
        open_table(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        open_table(tmp_path / "nowhere.csv")
