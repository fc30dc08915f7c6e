"""Cells: what counts as missing, as a number, as yes or no, as a date."""

from datetime import datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.tables.cells import (
    MISSING_WORDS,
    Texts,
    is_missing,
    read_flags,
    read_numbers,
    read_texts,
    read_times,
)
from trisect.tables.dates import FORMS


def texts(*cells):
    return Texts.of(cells, len(cells))


def test_texts_are_trimmed_and_written_once():
    found = texts("a", " a ", "b", "a")
    assert found.codes.tolist() == [0, 0, 1, 0]
    assert found.values == ["a", "b"]
    assert found.counts().tolist() == [3, 1]


@pytest.mark.parametrize("word", [*sorted(MISSING_WORDS), "NaN", "N/A", " ", None, float("nan")])
def test_words_for_missing_cells(word):
    assert is_missing(texts("a", word)).tolist() == [False, True]


@pytest.mark.parametrize("word", ["none", "unknown", "0", "false"])
def test_words_that_are_values(word):
    assert not is_missing(texts(word)).any()


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_every_finite_number_is_read_back_from_its_text(numbers):
    assert read_numbers(texts(*map(repr, numbers))).tolist() == numbers


@pytest.mark.parametrize("text", ["1_000", "inf", "1,5", "0x10", "١٢", "1e", "e5", ".", "1 2"])
def test_texts_that_are_no_numbers(text):
    assert np.isnan(read_numbers(texts(text))).all()


def test_numbers_that_are_not_finite_count_as_missing():
    assert np.isnan(read_numbers(np.array([np.inf, -np.inf, np.nan]))).all()
    assert np.isnan(read_numbers(texts("1e999"))).all()


def test_numbers_as_texts():
    found = read_texts(np.array([3.0, 0.5, np.nan, 3.0, 2.0**60]))
    assert [found.values[c] if c >= 0 else None for c in found.codes] == [
        "3", "0.5", None, "3", "1.152921504606847e+18",
    ]  # fmt: skip


def test_flags_in_any_spelling():
    yes, no = texts("yes", "Y", "TRUE", "t", "1", "On"), texts("no", "N", "False", "f", "0", "OFF")
    assert read_flags(yes).tolist() == [1] * 6
    assert read_flags(no).tolist() == [0] * 6
    assert np.isnan(read_flags(texts("perhaps", None, "2"))).all()
    assert read_flags(np.array([1.0, 0.0])).tolist() == [1, 0]


TIMES = st.datetimes(datetime(1583, 1, 1), datetime(9999, 12, 31))


@settings(deadline=None)
@given(TIMES, st.sampled_from(FORMS[1:]))
def test_dates_are_read_as_the_standard_library_reads_them(time, form):
    text = time.strftime(form)
    expected = datetime.strptime(text, form)
    if "%Y" not in form and "%y" not in form:
        expected = expected.replace(year=1970)
    assert read_times(texts(text), form)[0].astype(datetime) == expected


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("%d %b %Y", "31 december 2024", "2024-12-31"),
        ("%d-%b-%y", "05-MAY-69", "1969-05-05"),
        ("%m/%d/%Y %I:%M %p", "1/2/2024 12:05 am", "2024-01-02T00:05"),
        ("%m/%d/%Y %I:%M %p", "1/2/2024 12:05 PM", "2024-01-02T12:05"),
        ("%m/%d/%Y %I:%M %p", "1/2/2024 13:05 PM", "NaT"),
        ("%m/%d/%Y %I:%M %p", "1/2/2024 0:05 AM", "NaT"),
        ("%d %b %Y", "31 Decem 2024", "NaT"),
        ("%d %b %Y", "31 Foo 2024", "NaT"),
    ],
)
def test_names_of_months_short_years_and_halves_of_the_day(form, text, expected):
    found = str(read_times(texts(text), form)[0].astype("M8[m]"))
    assert found.removesuffix("T00:00") == expected


@settings(deadline=None)
@given(TIMES)
def test_iso_times_are_read_back(time):
    assert read_times(texts(time.isoformat()))[0].astype(datetime) == time
    assert read_times(texts(time.isoformat(" ")))[0].astype(datetime) == time
    assert read_times(texts(time.date().isoformat()))[0].astype(datetime).date() == time.date()


@settings(deadline=None)
@given(TIMES.filter(lambda t: 1584 < t.year < 9998), st.integers(-12 * 60, 12 * 60))
def test_times_with_a_zone_are_read_as_utc(time, minutes):
    zoned = time.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    expected = time - timedelta(minutes=minutes)
    assert read_times(texts(zoned.isoformat()))[0].astype(datetime) == expected


@pytest.mark.parametrize(
    "text", ["2024-02-30", "0000-00-00", "20240531", "2024-W01-1", "2024", "x"]
)
def test_texts_that_are_no_iso_dates(text):
    assert np.isnat(read_times(texts(text))).all()


@pytest.mark.parametrize("form", ["%d %d", "%B %Y", "%", "%j-%m-%d"])
def test_forms_of_other_directives_are_refused(form):
    with pytest.raises(ValueError, match="is no form of dates: use %Y or %y"):
        read_times(texts("1 1"), form)
