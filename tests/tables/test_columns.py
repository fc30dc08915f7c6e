"""Each kind of column: what it learns, what it makes of cells, and that JSON can carry it."""

import json
from datetime import datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.tables import (
    CategoryColumn,
    DateColumn,
    EvidenceColumn,
    FlagColumn,
    LeftOut,
    NumberColumn,
    column_from_dict,
)
from trisect.tables.cells import Texts
from trisect.tables.column import Target
from trisect.tables.evidence import MAX_LISTED, SMOOTHING


def target(codes, n_classes=2, weight=None):
    codes = np.asarray(codes)
    classes = [f"c{i}" for i in range(n_classes)]
    weight = np.ones(len(codes)) if weight is None else weight
    return Target(classes, codes, weight, np.arange(len(codes)) % 5)


def texts(cells):
    return Texts.of(cells, len(cells))


HALVES = target(np.arange(100) % 2)


def test_numbers_are_filled_with_the_median():
    column = NumberColumn.learn("n", np.array([1.0, np.nan, 5.0, 3.0]), HALVES, 10).column
    assert column == NumberColumn("n", 3.0, indicator=False)
    encoded = column.encode(texts(["7", "x", "NA"]))
    assert encoded.numbers.tolist() == [[7.0], [3.0], [3.0]]
    assert encoded.odd.tolist() == [False, True, False]


@pytest.mark.parametrize("kind", [NumberColumn, FlagColumn, DateColumn])
def test_gaps_are_told_where_they_go_with_the_classes(kind):
    there = {NumberColumn: "3", FlagColumn: "yes", DateColumn: "2024-05-31"}[kind]
    other = {NumberColumn: "4", FlagColumn: "no", DateColumn: "2024-06-02"}[kind]
    cells = texts([None, there, None, other] * 25)
    telling = kind.learn("c", cells, HALVES, 10).column
    silent = kind.learn("c", cells, target(np.arange(100) // 2 % 2), 10).column
    assert telling.indicator and telling.outputs[-1] == "c missing"
    assert telling.encode(cells).numbers[:, -1].tolist() == [1, 0, 1, 0] * 25
    assert not silent.indicator and len(silent.outputs) == len(telling.outputs) - 1


def test_gaps_that_are_few_tell_nothing():
    cells = np.where(np.arange(100) < 9, np.nan, 1.0 * np.arange(100))
    assert not NumberColumn.learn("n", cells, target(np.arange(100) < 9), 10).column.indicator


def test_gaps_at_random_are_told_as_rarely_as_the_test_promises():
    rng = np.random.default_rng(0)
    told = 0
    for _ in range(1000):
        cells = np.where(rng.random(400) < 0.3, np.nan, 1.0)
        told += NumberColumn.learn("n", cells, target(rng.integers(0, 2, 400)), 10).column.indicator
    assert told <= 20, "one in a hundred, with room for chance"


def test_flags_are_filled_with_the_more_frequent_answer():
    column = FlagColumn.learn("f", texts(["yes", "yes", "no", None]), HALVES, 10).column
    assert column.encode(texts(["no", "maybe", None])).numbers.tolist() == [[0], [1], [1]]


def test_every_category_but_the_most_frequent_has_a_number():
    cells = texts(["b"] * 50 + ["a"] * 30 + ["c"] * 20)
    column = CategoryColumn.learn("c", cells, HALVES, 10).column
    assert column.outputs == ["c=a", "c=c"]
    encoded = column.encode(texts(["a", "b", "c", "d", None]))
    assert encoded.numbers.tolist() == [[1, 0], [0, 0], [0, 1], [0, 0], [0, 0]]
    assert encoded.odd.tolist() == [False, False, False, True, False]


def test_rare_categories_share_a_number_and_unseen_ones_count_as_missing():
    cells = texts(["a"] * 60 + ["b"] * 15 + ["c"] * 8 + ["d"] * 7 + [None] * 10)
    column = CategoryColumn.learn("c", cells, HALVES, 10).column
    assert column.outputs == ["c=b", "c rare", "c missing"]
    numbers = column.encode(texts(["a", "b", "c", "d", "unheard of", None])).numbers
    assert numbers.argmax(axis=1).tolist() == [0, 0, 1, 1, 2, 2]
    assert numbers.sum(axis=1).tolist() == [0, 1, 1, 1, 1, 1]


def test_categories_too_rare_to_pool_count_as_the_most_frequent():
    column = CategoryColumn.learn(
        "c", texts(["a"] * 60 + ["b"] * 38 + ["c"] * 2), HALVES, 10
    ).column
    assert column.base == ("a", "c") and column.outputs == ["c=b"]
    assert not column.encode(texts(["c"])).odd.any()


def by_hand(cells, codes, n_classes, weight):
    """The evidence of each category, written down as its definition reads."""
    prior = np.array([weight[codes == k].sum() for k in range(n_classes)]) / weight.sum()
    found = {}
    for value in sorted(set(cells)):
        rows = cells == value
        mass = np.array([weight[rows & (codes == k)].sum() for k in range(n_classes)])
        share = (mass + SMOOTHING * prior) / (mass.sum() + SMOOTHING)
        if n_classes == 2:
            found[value] = [np.log(share[1] / share[0]) - np.log(prior[1] / prior[0])]
        else:
            found[value] = np.log(share / prior)
    return found


@pytest.mark.parametrize("n_classes", [2, 3])
def test_evidence_is_its_definition(n_classes):
    rng = np.random.default_rng(0)
    cells, codes = rng.choice(list("abcdef"), 300), rng.integers(0, n_classes, 300)
    weight = rng.uniform(0.5, 2, 300)
    column = EvidenceColumn.learn("e", texts(cells), target(codes, n_classes, weight), 10).column
    for value, expected in by_hand(cells, codes, n_classes, weight).items():
        np.testing.assert_allclose(column.values[value], expected, rtol=1e-12)
    assert len(column.outputs) == (1 if n_classes == 2 else 3)
    encoded = column.encode(texts(["a", "unheard of", None]))
    assert encoded.odd.tolist() == [False, True, False]
    np.testing.assert_allclose(encoded.numbers[1:], 0, atol=1e-12)


def test_training_rows_get_the_evidence_of_other_folds():
    rng = np.random.default_rng(1)
    cells, codes = rng.choice(list("abcdefgh"), 400), rng.integers(0, 2, 400)
    told = target(codes)
    column = EvidenceColumn.learn("e", texts(cells), told, 10).column
    found = column.training_numbers(texts(cells), told)[:, 0]
    changed = codes.copy()
    changed[7] = 1 - codes[7]
    again = column.training_numbers(texts(cells), target(changed))[:, 0]
    same = (cells == cells[7]) & (told.folds == told.folds[7])
    assert np.array_equal(again[same], found[same])
    others = (cells == cells[7]) & (told.folds != told.folds[7])
    assert (np.abs(again[others] - found[others]) > 1e-2).all()


def test_categories_of_chance_do_not_leak_into_training_rows():
    rng = np.random.default_rng(2)
    cells, codes = rng.integers(0, 300, 3000).astype(str), rng.integers(0, 2, 3000)
    column = EvidenceColumn.learn("e", texts(cells), target(codes), 10).column
    naive, fair = (
        column.encode(texts(cells)).numbers,
        column.training_numbers(texts(cells), target(codes)),
    )
    assert naive[codes == 1].mean() - naive[codes == 0].mean() > 0.1
    assert abs(fair[codes == 1].mean() - fair[codes == 0].mean()) < 0.05


def test_the_list_of_categories_has_an_end():
    cells = [str(i) for i in range(MAX_LISTED + 50)] * 2 + [str(i) for i in range(MAX_LISTED)]
    column = EvidenceColumn.learn("e", texts(cells), target(np.arange(len(cells)) % 2), 10).column
    assert len(column.values) == MAX_LISTED
    encoded = column.encode(texts(["0", str(MAX_LISTED)]))
    assert encoded.odd.tolist() == [False, True]
    assert encoded.numbers[1].tolist() == list(column.missing)


DATES = st.lists(st.datetimes(datetime(1700, 1, 1), datetime(2300, 1, 1)), min_size=1, max_size=20)


@settings(deadline=None)
@given(DATES)
def test_parts_of_dates_are_those_of_the_standard_library(times):
    times = [t.replace(microsecond=0) for t in times]
    first = min(times)
    column = DateColumn("d", "iso", first.isoformat(), ("days", "month", "day", "weekday", "hour"),
                        (0.0,) * 5, indicator=False)  # fmt: skip
    expected = [
        [
            (t - first).total_seconds() / 86400,
            t.month,
            t.day,
            t.isoweekday(),
            t.hour + t.minute / 60 + t.second / 3600,
        ]
        for t in times
    ]
    np.testing.assert_allclose(column.encode(np.array(times, "M8[us]")).numbers, expected)


def test_dates_keep_the_parts_that_differ_and_fill_with_the_median():
    cells = texts(["2024-05-01", "2024-05-08", "2024-05-15", None, "rubbish"])
    column = DateColumn.learn("d", cells, HALVES, 10).column
    assert column.parts == ("days", "day"), "all are Wednesdays in May at midnight"
    encoded = column.encode(cells)
    assert encoded.numbers.tolist() == [[0, 1], [7, 8], [14, 15], [7, 8], [7, 8]]
    assert encoded.odd.tolist() == [False] * 4 + [True]


ONE_OF_EACH = [
    NumberColumn("n", 1 / 3, indicator=True),
    FlagColumn("f", 1.0, indicator=False),
    CategoryColumn("c", ("a", "z"), ("b",), ("c", "d"), missing=True),
    EvidenceColumn("e", {"a": (0.1,), "b": (-1 / 7,)}, (0.0,), ()),
    EvidenceColumn("m", {"a": (0.1, 0.2, 1 / 3)}, (0.0, 0.0, 0.0), ("x", "y", "z")),
    DateColumn("d", "%d.%m.%Y", "2024-05-31T00:00:00", ("days", "month"), (0.5, 6.0), True),
    LeftOut("l", "constant"),
]
CELLS = texts(["a", "b", "c", "q", None, "1.5", "yes", "no", "01.07.2024", "0"])


@pytest.mark.parametrize("column", ONE_OF_EACH, ids=lambda column: column.name)
def test_json_carries_a_column_to_the_last_bit(column):
    again = column_from_dict(json.loads(json.dumps(column.to_dict(), allow_nan=False)))
    assert again == column
    before, after = column.encode(CELLS), again.encode(CELLS)
    assert np.array_equal(before.numbers, after.numbers)
    assert before.numbers.shape == (len(CELLS), len(column.outputs))
    assert np.isfinite(before.numbers).all()


@pytest.mark.parametrize("column", ONE_OF_EACH, ids=lambda column: column.name)
@pytest.mark.parametrize(
    "cells",
    [
        np.array([1.0, np.nan, np.inf]),
        np.array(["2024-01-01", "NaT"], "M8[us]"),
        texts([]),
        texts([None]),
    ],
    ids=["numbers", "times", "empty", "missing"],
)
def test_cells_of_any_form_become_finite_numbers(column, cells):
    numbers = column.encode(cells).numbers
    assert numbers.shape == (len(cells), len(column.outputs))
    assert np.isfinite(numbers).all()
