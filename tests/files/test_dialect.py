"""How a csv file is written is found out."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.files.dialect import DELIMITERS, find_dialect

ROWS = [["name", "rate", "note"]] + [[f"Zoë {i}", f"{i}.5", "a, b; c"] for i in range(20)]


def written(rows, delimiter=",", encoding="utf-8", decimal="."):
    text = io.StringIO()
    cells = [[c.replace(".", decimal) for c in row] for row in rows]
    csv.writer(text, delimiter=delimiter).writerows(cells)
    return text.getvalue().encode(encoding)


@pytest.mark.parametrize("delimiter", DELIMITERS)
@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_every_combination_is_found(delimiter, decimal, encoding):
    found = find_dialect(written(ROWS, delimiter, encoding, decimal), complete=True)
    assert found == (encoding, delimiter, decimal, (decimal,) * 3)


def test_what_was_found_can_be_read():
    found = find_dialect(written(ROWS, ";", "cp1252", ","), complete=True)
    assert str(found) == "csv, semicolons, decimal comma, cp1252"


def test_thousands_are_no_fractions():
    rows = [["a", "b"], ["1,234", "5,678"], ["12,345", "6,789"]]
    assert find_dialect(written(rows), complete=True).decimal == "."


def test_a_column_may_have_points_in_a_file_with_commas():
    rows = [["price", "place", "amount"], ["0,5", "52.1", "1.234,5"], ["7,25", "9.123", "2.000"]]
    found = find_dialect(written(rows, ";"), complete=True)
    assert found.decimal == "," and found.signs == (",", ".", ",")


def test_american_thousands_in_a_file_with_decimal_commas():
    rows = [["age", "quote"], *([f"{i},5", f"${i},200"] for i in range(1, 20)), ["7,1", "$950"]]
    assert find_dialect(written(rows, ";"), complete=True).signs == (",", ".")


def test_what_nothing_tells_is_not_known():
    found = find_dialect(b"a;b\n1.234;x\n", complete=True)
    assert found.decimal == "." and found.signs == (None, None)


def test_amounts_tell_the_decimal_sign():
    rows = [["amount"], ["1.234,50 €"], ["12.000"]]
    assert find_dialect(written(rows, ";"), complete=True, delimiter=";").decimal == ","
    rows = [["amount"], ["$1,234.50"], ["12,000"]]
    assert find_dialect(written(rows, ";"), complete=True, delimiter=";").decimal == "."


def test_other_decimal_signs_are_refused():
    with pytest.raises(ValueError, match=r"The decimal sign is '\.' or ',', not ';'"):
        find_dialect(b"a;b\n", complete=True, decimal=";")


@settings(deadline=None)
@given(st.integers(1, 400))
def test_a_head_that_ends_anywhere_is_enough(size):
    content = written(ROWS, ";", decimal=",") * 3
    size = max(size, 80)
    found = find_dialect(content[:size], complete=False)
    assert found.delimiter == ";" and found.decimal == "," and found.encoding == "utf-8"


def test_what_is_given_is_not_looked_for():
    found = find_dialect(b"a;b\n1;2\n", complete=True, encoding="latin-1", delimiter=",")
    assert found == ("latin-1", ",", ".", (None,))
    with pytest.raises(ValueError, match="no encoding 'latin-one'; try 'utf-8'"):
        find_dialect(b"a;b\n", complete=True, encoding="latin-one")


def test_a_single_column_is_split_nowhere():
    assert find_dialect(b"text\nhello there\nyou\n", complete=True).delimiter == ","
