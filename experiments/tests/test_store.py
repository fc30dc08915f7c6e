"""A store keeps each key once, to the last bit, across processes and mishaps."""

import math
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trisect_experiments.records import Key, Result
from trisect_experiments.store import ResultStore

KEY = Key("EOL", "RF", "10-fold", 3, '{"a":1}', 0, "cafe", "trisect 0.1")


@pytest.fixture(params=["file", "memory"])
def store(request, tmp_path):
    path = tmp_path / "deep" / "results.sqlite" if request.param == "file" else ":memory:"
    with ResultStore(path) as opened:
        yield opened


@given(st.floats(0, 1), st.text(max_size=20), st.floats(allow_nan=False, allow_infinity=False))
def test_what_goes_in_comes_out(score, text, number):
    result = Result(KEY, accuracy=score, n_train=9, details={text: [number]}, error=text or None)
    with ResultStore(":memory:") as store:
        store.add(result)
        (found,) = store.results()
    assert (found.key, found.accuracy, found.n_train) == (KEY, score, 9)
    assert (found.details, found.error) == (result.details, result.error)
    assert math.isnan(found.auc)


def test_a_key_is_kept_once_and_the_first_answer_stands(store):
    assert store.add(Result(KEY, accuracy=0.9))
    assert not store.add(Result(KEY, accuracy=0.1))
    assert not store.add(Result(KEY, error="late failure"))
    assert [result.accuracy for result in store.results()] == [0.9]


def test_a_success_takes_the_place_of_a_failure(store):
    assert store.add(Result(KEY, error="out of memory"))
    assert store.keys() == store.keys(only_failed=True) == {KEY}
    assert store.add(Result(KEY, accuracy=0.8))
    assert store.keys(only_failed=True) == set() and store.results()[0].accuracy == 0.8


@pytest.mark.parametrize("field", Key._fields)
def test_every_part_of_the_key_tells_results_apart(store, field):
    other = KEY._replace(**{field: 7 if field in ("fold", "seed") else "other"})
    assert store.add(Result(KEY)) and store.add(Result(other))
    assert [r.key for r in store.results()] == sorted([KEY, other])


def test_reopening_finds_everything(tmp_path):
    path = tmp_path / "s.sqlite"
    with ResultStore(path) as store:
        store.add(Result(KEY, accuracy=0.25))
    with ResultStore(path) as store, ResultStore(path) as second:
        assert store.keys() == second.keys() == {KEY}


def test_unusable_files_are_named(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("this is no database, " * 100)
    with pytest.raises(ValueError, match=r"notes\.txt.*cannot be used as a result store"):
        ResultStore(path)
    newer = tmp_path / "newer.sqlite"
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(ValueError, match="store format 99"):
        ResultStore(newer)
    with pytest.raises(ValueError, match="cannot be used as a result store"):
        ResultStore(tmp_path)
