"""What a column is taken for."""

import numpy as np
import pytest

from trisect.tables.cells import Texts
from trisect.tables.kinds import recognise

RNG = np.random.default_rng(0)
N = 200


def kind(cells):
    array = np.asarray(cells) if isinstance(cells, np.ndarray) else Texts.of(cells, len(cells))
    return recognise(array, 16).kind


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([None, "NA", ""], "empty"),
        (np.full(5, np.nan), "empty"),
        (["a"] * 5, "constant"),
        (np.full(5, 3.0), "constant"),
        (["yes", "No", None], "flag"),
        (["1", "0", "1"], "flag"),
        (["true", "FALSE"], "flag"),
        (["m", "f"], "category"),
        (["1.5", "-2e3", "NA", ".5"], "number"),
        (["1", "2", "3"] * 10, "number"),
        (["1", "2"] * 40 + ["unknown"], "number"),
        (["1", "2", "unknown"], "category"),
        (["01234", "99999", "00001"], "category"),
        (["0", "0.5", "10"], "number"),
        (["A11", "A12"] * 20, "category"),
        ([f"v{i % 40}" for i in range(N)], "evidence"),
        ([f"C{i}" for i in range(N)], "identifier"),
        ([f"C{i}" for i in range(20)], "evidence"),
        ([f"C{i}" for i in range(8)], "category"),
        (["2024-05-31", "2024-06-01"], "date"),
        (["2024-05-31T10:00:00Z", "2024-06-01 11:30"], "date"),
        (["31.05.2024", "01.06.2024"], "date"),
        (["2024-05-31"] * 20 + ["2024-06-01"] * 20 + ["0000-00-00"], "date"),
        (["09:30", "17:00"], "date"),
        (np.array(["2024-05-31", "2024-06-01"], "M8[us]"), "date"),
    ],
)
def test_kinds(cells, expected):
    assert kind(cells) == expected


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        (np.arange(N) + 1000.0, "identifier"),
        (np.arange(N)[::-1] * 7.0, "identifier"),
        (RNG.permutation(N) + 5.0, "identifier"),
        (RNG.permutation(2 * N)[:N] + 1.0, "identifier"),
        (RNG.normal(size=N), "number"),
        (np.sort(RNG.normal(size=N)), "number"),
        (np.arange(N) / 2, "number"),
        (RNG.integers(0, 90, N).astype(float), "number"),
        (np.sort(RNG.integers(0, 90, N)).astype(float), "number"),
        (RNG.permutation(10**6)[:N].astype(float), "number"),
        (np.arange(20.0), "number"),
    ],
)
def test_identifiers_are_told_from_numbers(numbers, expected, as_text):
    assert kind([repr(float(n)) for n in numbers] if as_text else numbers) == expected


@pytest.mark.parametrize(
    ("cells", "form", "guess"),
    [
        (["31/05/2024", "01/06/2024"], "%d/%m/%Y", False),
        (["05/31/2024", "06/01/2024"], "%m/%d/%Y", False),
        (["05/06/2024", "06/01/2024"], "%d/%m/%Y", True),
        (["31.05.2024 10:30", "01.06.2024 9:05"], "%d.%m.%Y %H:%M", False),
        (["2024/05/31", "2024/06/01"], "%Y/%m/%d", False),
    ],
)
def test_form_of_dates(cells, form, guess):
    found = recognise(Texts.of(cells, len(cells)), 16)
    assert (found.kind, found.form) == ("date", form)
    assert ("is a guess" in found.note) == guess
