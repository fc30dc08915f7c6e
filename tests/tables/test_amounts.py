"""Numbers as people write them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.tables import TableEncoder
from trisect.tables.amounts import number_in
from trisect.tables.cells import Texts
from trisect.tables.kinds import recognise


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234", 1234), ("1,234.50", 1234.5), ("12,345,678", 12345678), ("$1,200", 1200),
        ("-$1,200.5", -1200.5), ("$-3", -3), ("\u22127", -7), ("+5 €", 5), ("EUR 10", 10),
        ("10 eur", 10), ("US$ 7.5 USD", 7.5), ("12.5%", 12.5), ("12 %", 12), ("1 234.5", 1234.5),
        ("1\u202f234", 1234), ("1'234.50", 1234.5), ("CHF 1\u2019234", 1234), ("350 kr", 350),
        (".5%", 0.5), ("99 zł", 99),
    ],
)  # fmt: skip
def test_numbers_with_marks_and_groups(text, number):
    assert number_in(text) == number
    assert number_in(text.translate(str.maketrans(",.", ".,")), ",") == number


@pytest.mark.parametrize(
    "text",
    ["C100", "1,23", "1,2345", "1234,567", "1,234,56", ",123", "1, 234", "1 2", "12,345.678,9",
     "€", "%", "$", "5 apples", "1.2.3", "31.12.2024", "10.0.0.1", "1--2", "%5", "١٢ €"],
)  # fmt: skip
def test_texts_that_are_no_numbers(text):
    assert number_in(text) is None


@pytest.mark.parametrize("text", ["29.4", "1.23", "1,234.5", "1,2,3"])
def test_a_point_in_a_column_of_commas_parts_thousands_only(text):
    assert number_in(text, ",") is None


@settings(deadline=None)
@given(
    st.decimals(-(10**12), 10**12, places=2), st.sampled_from(".,"), st.sampled_from(["", " ", "'"])
)
def test_every_amount_is_read_back(amount, decimal, between):
    other = between or {".": ",", ",": "."}[decimal]
    text = f"{amount:,.2f}".translate(str.maketrans({",": other, ".": decimal}))
    for written in (text, f"€ {text}", f"{text} EUR", f"{text}%"):
        assert number_in(written, decimal) == float(amount)


def recognised(*cells):
    return recognise(Texts.of(cells, len(cells)), 16)


def test_columns_of_amounts_are_numbers():
    amounts = [f"{i}.{i:03},50 €" for i in range(100, 180)]
    assert recognised(*amounts) == ("number", ",", "written as '100.100,50 €'")
    assert recognised("5%", "10%", "20%")[:2] == ("number", ".")
    assert recognised("1,234", "5,678", "90")[:2] == ("number", ".")
    assert recognised("0,5", "1,234", "7")[:2] == ("number", ",")


def test_several_currencies_are_said():
    found = recognised("$5", "€7", "9 EUR")
    assert found.note == "written as '$5', $ and EUR and € not told apart"


def test_codes_stay_what_they_are():
    assert recognised("01.234", "05.678", "00.001").kind == "category"
    assert recognised("A1", "B2", "C3").kind == "category"


def test_an_encoder_carries_the_decimal_sign():
    rng = np.random.default_rng(0)
    amounts = rng.normal(0, 2000, 300).round(2)
    texts = [f"{a:,.2f}".translate(str.maketrans(",.", ".,")) for a in amounts]
    y = (amounts > 0).astype(int)
    encoder = TableEncoder(random_state=0).fit(pd.DataFrame({"amount": texts}), y)
    [column] = encoder.columns_
    assert column.to_dict()["decimal"] == ","
    assert encoder.transform({"amount": texts}).ravel().tolist() == amounts.tolist()
    assert encoder.transform({"amount": amounts}).ravel().tolist() == amounts.tolist()
    found = encoder.encode({"amount": ["29.4", "1.000"]})
    assert found.odd_rows["amount"].tolist() == [True, False]


def test_cells_that_a_user_calls_numbers_are_counted_if_they_are_none():
    table = {"name": ["Ann", "Bo", "7"] * 20, "x": [1.0, 2.0, 3.0] * 20}
    encoder = TableEncoder(kinds={"name": "number"}, random_state=0).fit(table, [0, 1] * 30)
    note = encoder.report_columns_.rows[0].note
    assert "40 cells that cannot be read count as gaps" in note
