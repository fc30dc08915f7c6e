import ctypes
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from trisect.exports import to_c
from trisect.exports.c import field_names
from trisect.exports.recipe import recipe_of

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2"]
DECISIONS = {1: "accept", 0: "defer", -1: "reject"}


def compiled(document, folder):
    source, library = folder / "score.c", folder / "score.so"
    source.write_text(to_c(document))
    command = ["gcc", *STRICT, "-shared", "-fPIC", "-nostdlib", str(source), "-o", str(library)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(library)).trisect_score


def row_of(recipe, record):
    """The fields of a struct, and their values: NaN and NULL for gaps."""
    fields, values = [], []
    for name, column in zip(field_names(recipe), recipe.columns, strict=True):
        cell = record[column["name"]]
        if column["kind"] in ("category", "evidence"):
            fields.append((name, ctypes.c_char_p))
            values.append(None if cell is None else cell.encode())
        else:
            if column["kind"] == "date" and cell is not None:
                cell = np.datetime64(cell, "us").astype(np.int64) / 1e6
            fields.append((name, ctypes.c_double))
            values.append(np.nan if cell is None else float(cell))
    return fields, values


def result_type(document):
    if document["thresholds"]:
        fields = [("probability", ctypes.c_double), ("decision", ctypes.c_int)]
    else:
        array = ctypes.c_double * len(document["classes"]["labels"])
        fields = [("probabilities", array), ("decision", ctypes.c_int), ("accepted", ctypes.c_int)]
    return type("Result", (ctypes.Structure,), {"_fields_": fields})


def scored(document, records, folder):
    score, recipe, results = compiled(document, folder), recipe_of(document), []
    result = result_type(document)()
    struct = type("Row", (ctypes.Structure,), {"_fields_": row_of(recipe, records[0])[0]})
    labels = [str(label) for label in document["classes"]["labels"]]
    for record in records:
        row = struct(*row_of(recipe, record)[1])
        assert score(ctypes.byref(row), ctypes.byref(result)) == 0
        found = {"decision": DECISIONS[result.decision]}
        if document["thresholds"]:
            found["probability"] = result.probability
        else:
            found["probabilities"] = dict(zip(labels, result.probabilities, strict=True))
            found["accepted"] = None if result.accepted < 0 else labels[result.accepted]
        results.append(found)
    return results


def test_gcc_agrees_to_six_digits(any_case, compare, tmp_path):
    compare(any_case, scored(any_case.document, any_case.records, tmp_path), 1e-6)


@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"])
def test_every_activation(raw_case, with_activation, compare, tmp_path, activation):
    case = with_activation(raw_case, activation)
    compare(case, scored(case.document, case.records, tmp_path), 1e-6)


def test_parts_of_dates_are_those_of_the_encoder(tmp_path, constant_document):
    parts = ["days", "month", "day", "weekday", "hour"]
    column = {"kind": "date", "name": "d", "form": "iso", "first": "2020-01-01T12:00:00",
              "parts": parts, "fill": [0.0] * 5, "indicator": False}  # fmt: skip
    source = to_c(constant_document([column], 5)).replace("static int features", "int features")
    tmp_path.joinpath("score.c").write_text(source)
    library = tmp_path / "score.so"
    command = ["gcc", *STRICT, "-shared", "-fPIC", str(tmp_path / "score.c"), "-o", str(library)]
    subprocess.run(command, check=True)
    features = ctypes.CDLL(str(library)).features
    rng = np.random.default_rng(0)
    seconds = rng.integers(-62135596800, 253402300799, 3000)
    days = pd.Series(seconds.astype("M8[s]"))
    expected = np.column_stack([
        (seconds - 1577880000) / 86400, days.dt.month, days.dt.day, days.dt.day_of_week + 1,
        days.dt.hour + days.dt.minute / 60 + days.dt.second / 3600,
    ])  # fmt: skip
    found = np.empty((len(seconds), 5))
    for second, row in zip(seconds, found, strict=True):
        cell = ctypes.c_double(second)
        features(ctypes.byref(cell), row.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("cell", [np.nan, np.inf, -np.inf])
def test_a_plain_column_that_is_not_finite_is_refused(constant_document, tmp_path, cell):
    document = constant_document(["double", "Äge", "a b", "a-b"], 4)
    score, result = compiled(document, tmp_path), result_type(document)()
    assert score((ctypes.c_double * 4)(1, 2, 3, cell), ctypes.byref(result)) == -1
    assert score((ctypes.c_double * 4)(1, 2, 3, 4), ctypes.byref(result)) == 0
    assert result.probability == 0.5


def test_texts_of_a_model_cannot_become_code(constant_document, tmp_path):
    nasty = '"; */ int x; ??/ \\ @TABLES@ é'
    column = {"kind": "category", "name": nasty, "base": [], "values": [nasty], "rare": [],
              "missing": False}  # fmt: skip
    document = constant_document([column], 1)
    [found] = scored(document, [{nasty: nasty}], tmp_path)
    assert found == {"decision": "defer", "probability": 0.5}


@pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="no cross compiler")
def test_a_cortex_m_needs_no_writable_memory(raw_case, tmp_path):
    source = tmp_path / "score.c"
    source.write_text(to_c(raw_case.document))
    flags = [*STRICT[:-1], "-Os", "-mcpu=cortex-m4", "-mthumb", "-ffreestanding", "-c"]
    target = str(tmp_path / "score.o")
    subprocess.run(["arm-none-eabi-gcc", *flags, str(source), "-o", target], check=True)
    sizes = subprocess.run(["arm-none-eabi-size", target], capture_output=True, text=True, check=True)
    _, data, bss, *_ = map(int, sizes.stdout.splitlines()[1].split()[:3])
    assert (data, bss) == (0, 0)
