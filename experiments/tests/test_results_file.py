"""Results in a file come back as they were, or the file is refused."""

import lzma
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trisect_experiments.records import SCORES, Key, Result
from trisect_experiments.results_file import read_results, write_results

KEY = Key("EOL", "RF", "10-fold", 3, '{"a":1}', 0, "cafe", "trisect 0.1")
OTHER = KEY._replace(configuration='{"a":2}')


@given(st.floats(0, 1), st.text(max_size=20), st.floats(allow_nan=False, allow_infinity=False))
def test_what_goes_in_comes_out(tmp_path_factory, score, text, number):
    path = tmp_path_factory.mktemp("results") / "results.jsonl.xz"
    result = Result(KEY, accuracy=score, n_train=9, details={text: [number]}, error=text or None)
    write_results(path, [result], {KEY})
    (found,) = read_results(path)
    assert (found.key, found.accuracy, found.n_train) == (KEY, score, 9)
    assert (found.details, found.error) == (result.details, result.error)
    assert all(math.isnan(getattr(found, name)) for name in SCORES if name != "accuracy")


def test_only_what_is_reported_keeps_its_details(tmp_path):
    path = tmp_path / "results.jsonl.xz"
    written = [Result(key, accuracy=0.5, details={"roc": [0, 1]}) for key in (KEY, OTHER)]
    write_results(path, written, {KEY})
    reported, tried = read_results(path)
    assert (reported.details, tried.details) == ({"roc": [0, 1]}, {})
    assert tried.key == OTHER and tried.accuracy == 0.5


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"dataset,model\n", "not supported|invalid|format"),
        (lzma.compress(b"no json\n"), "Expecting value"),
        (lzma.compress(b'["another format"]\n'), "not that of"),
        (lzma.compress(b""), "not enough values"),
    ],
)
def test_other_files_are_refused(tmp_path, content, reason):
    path = tmp_path / "results.jsonl.xz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"results\.jsonl\.xz.*({reason}).*--save"):
        read_results(path)


def test_half_a_file_is_refused(tmp_path):
    path = tmp_path / "results.jsonl.xz"
    write_results(path, [Result(KEY)], ())
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(ValueError, match="holds no results that can be read"):
        read_results(path)


def test_a_failure_while_writing_leaves_the_old_file(tmp_path):
    path = tmp_path / "results.jsonl.xz"
    write_results(path, [Result(KEY, accuracy=0.5)], ())
    with pytest.raises(ValueError, match="Out of range"):
        write_results(path, [Result(KEY, details={"x": math.inf})], {KEY})
    assert [result.accuracy for result in read_results(path)] == [0.5]
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
