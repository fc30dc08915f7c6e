"""Tables are written whole or not at all."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import trisect
from trisect.files import Refused, RefusedRows, open_output, read_table
from trisect.files.atomic import AtomicFile
from trisect.tables.cells import Texts

BLOCKS = [
    {"label": ["pays", 'o"wes, é'], "p": np.array([0.1, 1 / 3]), "level": [1, None]},
    {"label": np.array(["x\ny"]), "p": np.array([np.nan]), "level": [3]},
]


def plain(cells):
    if isinstance(cells, Texts):
        return [None if code < 0 else cells.values[code] for code in cells.codes]
    return [None if np.isnan(cell) else float(cell) for cell in cells]


@pytest.mark.parametrize(
    "name",
    [
        "o.csv",
        "o.csv.gz",
        "o.csv.bz2",
        "o.csv.xz",
        "o.jsonl",
        "o.ndjson.gz",
        "o.parquet",
        "o.arrow",
    ],
)
def test_what_is_written_is_read_back(tmp_path, name):
    path = tmp_path / name
    with open_output(path) as writer:
        for block in BLOCKS:
            writer.write(block)
        assert not path.exists()
    columns = {key: plain(cells) for key, cells in read_table(path).columns.items()}
    assert columns == {
        "label": ["pays", 'o"wes, é', "x\ny"],
        "p": [0.1, 1 / 3, None],
        "level": [1.0, None, 3.0],
    }
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["o.csv", "o.jsonl", "o.parquet", "o.arrow"])
def test_words_and_numbers_with_gaps(tmp_path, name):
    with open_output(tmp_path / name) as writer:
        for gap in (True, False):  # a first block of gaps alone must not fix the type
            levels = np.ma.masked_array([1, 2], [True, gap])
            writer.write({"word": Texts(np.array([1, -1]), ["a", "b"]), "level": levels})
    columns = {key: plain(cells) for key, cells in read_table(tmp_path / name).columns.items()}
    assert columns == {"word": ["b", None] * 2, "level": [None, None, None, 2.0]}


def test_levels_are_written_as_integers(tmp_path):
    with open_output(tmp_path / "o.csv") as writer:
        writer.write({"level": np.ma.masked_array([1, 2], [True, False]), "p": [0.5, 0.25]})
    assert (tmp_path / "o.csv").read_text() == "level,p\n,0.5\n2,0.25\n"


def _fail(path, error):
    with open_output(path) as writer:
        writer.write(BLOCKS[0])
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("name", ["o.csv.gz", "o.parquet"])
def test_an_error_leaves_what_was_there(tmp_path, error, name):
    path = tmp_path / name
    path.write_text("before")
    with pytest.raises(error):
        _fail(path, error)
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["o", "o.txt", "o.gz", "o.parquet.old"])
def test_names_that_say_nothing(tmp_path, name):
    with pytest.raises(ValueError, match=r"let it end in one of \.csv, \.jsonl"):
        open_output(tmp_path / name).__enter__()


def test_a_folder_that_is_not_there(tmp_path):
    with (
        pytest.raises(FileNotFoundError, match="There is no folder"),
        open_output(tmp_path / "x/o.csv"),
    ):
        pass


def test_standard_output(capfdbinary):
    with open_output("-") as writer:
        writer.write(BLOCKS[0])
    assert (
        capfdbinary.readouterr().out
        == 'label,p,level\npays,0.1,1\n"o""wes, é",0.3333333333333333,\n'.encode()
    )


INTERRUPTED = """
import sys, time
from trisect.files import open_output
with open_output(sys.argv[1]) as writer:
    writer.write({"a": list(range(100000))})
    print("writing", flush=True)
    time.sleep(60)
"""


def test_an_interruption_leaves_no_half_file(tmp_path):
    path = tmp_path / "o.csv"
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(Path(trisect.__file__).parents[1])},
    ) as process:
        assert process.stdout.readline() == b"writing\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) != 0
    assert not list(tmp_path.iterdir())


def test_two_writers_do_not_disturb_each_other(tmp_path):
    path = tmp_path / "o.txt"
    with AtomicFile(path) as first:
        first.write(b"first")
        (tmp_path / f"o.txt.{os.getpid() + 1}.part").write_text("another process")
    assert path.read_text() == "first"


def test_refused_rows_are_kept_with_their_reasons(tmp_path):
    path = tmp_path / "refused.csv"
    with RefusedRows(path) as refused:
        refused.add([])
        refused.add([Refused(3, "has 1 cell instead of 2", "a"), Refused(9, "is no JSON", '{"')])
        refused.add([Refused(12, "has 1 cell instead of 2", "b")])
    assert refused.count == 3
    columns = {key: plain(cells) for key, cells in read_table(path).columns.items()}
    assert columns["line"] == [3, 9, 12] and columns["row"] == ["a", '{"', "b"]
    assert columns["reason"][1] == "is no JSON"


def test_without_refused_rows_there_is_no_file(tmp_path):
    with RefusedRows(tmp_path / "refused.csv"):
        pass
    assert not list(tmp_path.iterdir())
