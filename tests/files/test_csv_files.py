"""Csv files, by Python and by pyarrow."""

import bz2
import csv
import gzip
import io
import lzma
import sys
import zipfile

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.files import csv_arrow, csv_files, open_table, read_table
from trisect.files.csv_cells import as_numbers, as_texts
from trisect.tables.cells import Texts

READERS = ["python", "pyarrow"]


@pytest.fixture(params=READERS)
def reader(request, monkeypatch):
    """Each of the readers in turn."""
    monkeypatch.setattr(csv_files, "available", lambda: request.param == "pyarrow")
    return request.param


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder that the examples of a property share."""
    return tmp_path_factory.mktemp("csv")


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(csv_files, "BLOCK_ROWS", 3)
    monkeypatch.setattr(csv_arrow, "BLOCK_ROWS", 3)


def plain(cells):
    """Cells as a list, None where one is missing."""
    if isinstance(cells, Texts):
        return [None if code < 0 else cells.values[code] for code in cells.codes]
    return [None if np.isnan(cell) else float(cell) for cell in cells]


def read(path, **options):
    with open_table(path, **options) as file:
        table = read_table(file)
    return {name: plain(cells) for name, cells in table.columns.items()}


def test_cells_are_read(tmp_path, reader):
    path = tmp_path / "t.csv"
    path.write_bytes(b'age;rate;"job"\n31;0,5;nurse\n\n44;NA;"cook; ""chef"""\n;1,25;" x\r\ny"\n')
    assert read(path) == {
        "age": [31.0, 44.0, None],
        "rate": [0.5, None, 1.25],
        "job": ["nurse", 'cook; "chef"', "x\ny"],
    }


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(tmp_path, encoding, reader):
    path = tmp_path / "t.csv"
    path.write_bytes("name,größe\nZoë,1\nÅsa,2\n".encode(encoding))
    assert read(path) == {"name": ["Zoë", "Åsa"], "größe": [1.0, 2.0]}


COMPRESSED = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda content: pa.Codec("zstd").compress(content, asbytes=True),
    "": lambda content: content,
}


@pytest.mark.parametrize("compression", COMPRESSED)
def test_compression_is_found_by_content(tmp_path, compression, reader):
    path = tmp_path / "t.csv"
    path.write_bytes(COMPRESSED[compression](b"a,b\n" + b"1,x\n" * 5000))
    with open_table(path) as file:
        assert file.found.endswith(compression or "utf-8")
        assert sum(block.n_rows for block in file.blocks()) == 5000


def test_zip_archives_of_one_file(tmp_path, reader):
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("t.csv", "a,b\n1,x\n")
    assert read(path) == {"a": [1.0], "b": ["x"]}
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("u.csv", "a\n")
    with pytest.raises(ValueError, match="holds 2 files, not one"):
        open_table(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "")
    with pytest.raises(ValueError, match="save the sheet as csv"):
        open_table(path)


@pytest.mark.parametrize("compression", ["gzip", "bzip2", "xz"])
@pytest.mark.parametrize("rows", [100, 200_000])
def test_damaged_files_are_named(tmp_path, compression, rows, reader):
    path = tmp_path / "t.csv.gz"
    numbers = np.random.default_rng(0).integers(0, 10**9, rows)
    content = COMPRESSED[compression](b"a,b\n" + b"".join(b"%d,x\n" % n for n in numbers))
    path.write_bytes(content[: len(content) * 9 // 10])
    with pytest.raises(ValueError, match="damaged"):
        read_table(path)


def test_rows_of_another_length_are_refused_with_their_line(tmp_path, reader):
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,2\n\n"x\ny",4\n5\n6,7,"8,9"\n10,11\n')
    with pytest.raises(ValueError, match="Line 6 has 1 cell instead of 2: 5"):
        read_table(path)
    table = read_table(path, on_error="skip")
    assert {name: plain(cells) for name, cells in table.columns.items()} == {
        "a": ["1", "x\ny", "10"], "b": [2.0, 4.0, 11.0],
    }  # fmt: skip
    assert table.refused == [
        (6, "has 1 cell instead of 2", "5"),
        (7, "has 3 cells instead of 2", '6,7,"8,9"'),
    ]


@pytest.mark.usefixtures("small_blocks")
def test_lines_are_counted_over_blocks(tmp_path, reader):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n" * 10 + "3\n" + "4,5\n" * 10 + "6\n")
    table = read_table(path, on_error="skip")
    assert [row.line for row in table.refused] == [12, 23]
    assert table.n_rows == 20 and plain(table.columns["a"]) == [1.0] * 10 + [4.0] * 10


def test_bytes_of_another_encoding_are_refused(tmp_path, reader):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"1,x\n" * 100_000 + b"2,Zo\xeb\n3,y\n")
    with pytest.raises(ValueError, match="Line 100,002 holds bytes that are not utf-8"):
        read_table(path)
    table = read_table(path, on_error="skip")
    assert table.n_rows == 100_001
    assert table.refused == [(100_002, "holds bytes that are not utf-8", "2,Zo\ufffd")]
    assert read(path, encoding="cp1252")["b"][-2:] == ["Zoë", "y"]


def test_an_open_quote_is_suspected(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_files, "available", lambda: False)
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,"2\n' + "3,4\n" * 50_000)
    with pytest.raises(ValueError, match=r"cannot be read .*: a quote may be open"):
        read_table(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"1,2.5\n3,4\n", "first line holds no names but '1', '2.5'"),
        (b"a,b,a\n1,2,3\n", "these repeat: a"),
    ],
)
def test_files_without_names(tmp_path, content, message):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        open_table(path)


def test_an_index_without_a_name_gets_one(tmp_path, reader):
    path = tmp_path / "t.csv"
    path.write_text(",a\n0,x\n1,y\n")
    assert read(path) == {"column 1": [0.0, 1.0], "a": ["x", "y"]}


def test_codes_stay_texts(tmp_path, reader):
    path = tmp_path / "t.csv"
    path.write_text("zip,n\n01234,0\n99999,0.5\n")
    assert read(path) == {"zip": ["01234", "99999"], "n": [0.0, 0.5]}


@pytest.mark.usefixtures("small_blocks")
def test_a_column_that_stops_being_numbers_is_read_as_it_stands(tmp_path, reader):
    path = tmp_path / "t.csv"
    path.write_text("v,w\n" + "1.50,2\n" * 5 + "x,\n" * 5)
    assert read(path) == {"v": ["1.50"] * 5 + ["x"] * 5, "w": [2.0] * 5 + [None] * 5}


@pytest.mark.usefixtures("small_blocks")
def test_a_column_can_be_empty_for_a_while(tmp_path, reader):
    path = tmp_path / "t.csv"
    path.write_text("v,w\n" + ",2\n" * 5 + "x,\n" * 5)
    assert read(path)["v"] == [None] * 5 + ["x"] * 5


def test_columns_can_be_chosen(tmp_path, reader):
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n1,2,3\n")
    with open_table(path) as file:
        [block] = file.blocks(["c", "a"], numbers=["c"])
    assert {name: plain(cells) for name, cells in block.columns.items()} == {"a": ["1"], "c": [3.0]}


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"a,b\n1,x\n"))))
    with open_table("-") as file:
        assert file.found == "csv, commas, decimal point, utf-8, gzip"
        [block] = file.blocks(numbers=["a"])
    assert plain(block.columns["a"]) == [1.0] and plain(block.columns["b"]) == ["x"]


CELL = st.text('ab1.0-eE+_ ,;"\n\ré', max_size=5) | st.sampled_from(["NA", "nan", "inf", ""])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=30), st.sampled_from([".", ","]))
def test_pyarrow_and_python_read_the_same(folder, rows, decimal):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=";").writerows([("left", "right"), *rows])
    columns = []
    path = folder / "same.csv"
    path.write_bytes(text.getvalue().encode())
    for fast in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(csv_files, "available", lambda fast=fast: fast)
            patch.setattr(csv_arrow, "BLOCK_BYTES", 128)
            columns.append(read(path, decimal=decimal, delimiter=";", encoding="utf-8"))
    assert columns[0] == columns[1]


@pytest.mark.parametrize("fast", [False, True])
def test_amounts_in_a_file_with_decimal_commas(folder, fast, monkeypatch):
    path = folder / "amounts.csv"
    path.write_text("price;place;paid\n0,5;52.1;1.234,50 €\n1.234;9.123;-7\n12.000,25;1.5;8,5%\n")
    monkeypatch.setattr(csv_files, "available", lambda: fast)
    with open_table(path) as file:
        [block] = file.blocks(numbers=["price", "place", "paid"])
    assert block.columns["price"].tolist() == [0.5, 1234, 12000.25]
    assert block.columns["place"].tolist() == [52.1, 9.123, 1.5]
    assert plain(block.columns["paid"]) == ["1.234,50 €", "-7", "8,5%"]
    assert block.columns["paid"].decimal == ","


@pytest.mark.parametrize("fast", [False, True])
def test_numbers_that_can_be_read_in_two_ways_stay_texts(folder, fast, monkeypatch):
    path = folder / "either.csv"
    path.write_text("price;n\n1.234;3\n")
    monkeypatch.setattr(csv_files, "available", lambda: fast)
    with open_table(path) as file:
        [block] = file.blocks(numbers=["price", "n"])
    assert plain(block.columns["price"]) == ["1.234"] and block.columns["price"].decimal is None
    assert block.columns["n"].tolist() == [3.0]


NOISE = st.text('ab1," \n\r\té', max_size=60)


@settings(max_examples=100, deadline=None)
@given(NOISE)
def test_pyarrow_and_python_read_and_refuse_the_same_of_any_text(folder, noise):
    path, found = folder / "noise.csv", []
    path.write_bytes(f"x,y\n{noise}".encode())
    for fast in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(csv_files, "available", lambda fast=fast: fast)
            with open_table(path, "skip", delimiter=",", encoding="utf-8", decimal=".") as file:
                table = read_table(file)
            found.append(({n: plain(c) for n, c in table.columns.items()}, table.refused))
    assert found[0] == found[1]


@settings(deadline=None)
@given(st.lists(CELL, min_size=1))
def test_numbers_are_numbers_or_the_column_is_texts(cells):
    numbers = as_numbers(cells)
    texts = as_texts(cells)
    readable = [v for v in texts.values if csv_files.NUMBER.fullmatch(v)]
    codes = [v for v in readable if v.lstrip("+-")[:1] == "0" and v.lstrip("+-")[1:2].isdigit()]
    all_numbers = len(readable) == len(texts.values) and not codes
    assert (numbers is not None) == all_numbers
    if numbers is not None:
        assert plain(numbers) == [None if v is None else float(v) for v in plain(texts)]
