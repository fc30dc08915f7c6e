import ctypes
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from engines import STRICT, in_c

from trisect.exports import to_c

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


def compiled(document, folder):
    source, library = folder / "score.c", folder / "score.so"
    source.write_text(to_c(document))
    command = ["gcc", *STRICT, "-shared", "-fPIC", "-nostdlib", str(source), "-o", str(library)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(library)).trisect_score


class Result(ctypes.Structure):
    _fields_ = (("probability", ctypes.c_double), ("decision", ctypes.c_int))


def test_gcc_agrees_to_six_digits(any_case, compare):
    compare(any_case, in_c(any_case.document, any_case.frame), 1e-6)


@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"])
def test_every_activation(raw_case, with_activation, compare, activation):
    case = with_activation(raw_case, activation)
    compare(case, in_c(case.document, case.frame), 1e-6)


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
    score, result = compiled(document, tmp_path), Result()
    assert score((ctypes.c_double * 4)(1, 2, 3, cell), ctypes.byref(result)) == -1
    assert score((ctypes.c_double * 4)(1, 2, 3, 4), ctypes.byref(result)) == 0
    assert result.probability == 0.5


def test_texts_of_a_model_cannot_become_code(constant_document):
    nasty = '"; */ int x; ??/ \\ @TABLES@ é'
    column = {"kind": "category", "name": nasty, "base": [], "values": [nasty], "rare": [],
              "missing": False}  # fmt: skip
    document = constant_document([column], 1)
    found = in_c(document, pd.DataFrame({nasty: [nasty]}))
    assert (found.probabilities, found.decisions) == ([0.5], ["defer"])


@pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="no cross compiler")
def test_a_cortex_m_needs_no_writable_memory(raw_case, tmp_path):
    source = tmp_path / "score.c"
    source.write_text(to_c(raw_case.document))
    flags = [*STRICT[:-1], "-Os", "-mcpu=cortex-m4", "-mthumb", "-ffreestanding", "-c"]
    target = str(tmp_path / "score.o")
    subprocess.run(["arm-none-eabi-gcc", *flags, str(source), "-o", target], check=True)
    sizes = subprocess.run(
        ["arm-none-eabi-size", target], capture_output=True, text=True, check=True
    )
    _, data, bss, *_ = map(int, sizes.stdout.splitlines()[1].split()[:3])
    assert (data, bss) == (0, 0)
