"""Whatever is in a table, it becomes finite numbers."""

import json
import warnings
from datetime import date, datetime, time, timedelta

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.tables import TableEncoder, TableWarning, column_from_dict

CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.text(max_size=4),
    st.sampled_from(["yes", "no", "NA", "1.5", "007", "2024-02-29", "31.12.1999", "1e999", "nan"]),
    st.dates(date(1700, 1, 1), date(2200, 1, 1)),
    st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1)),
    st.times(),
    st.timedeltas(timedelta(days=-1000), timedelta(days=1000)),
    st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-1e6, max_value=1e6),
    st.just(float("nan")),
    st.just(pd.NA),
    st.just(pd.NaT),
)
KINDS = [
    CELLS,
    st.none() | st.floats(),
    st.none() | st.booleans(),
    st.none() | st.text(max_size=3),
    st.none() | st.dates(date(1700, 1, 1), date(2200, 1, 1)),
    st.none() | st.times(),
    st.integers(0, 3),
]
N = 24


def table(columns):
    """Columns with names, and one that can be learnt from in any case."""
    return {f"c{i}": cells for i, cells in enumerate(columns)} | {"good": [i % 7 for i in range(N)]}


COLUMN = st.sampled_from(KINDS).flatmap(lambda cells: st.lists(cells, min_size=N, max_size=N))


@settings(max_examples=150, deadline=None)
@given(st.lists(COLUMN, min_size=3, max_size=3), st.lists(COLUMN, min_size=4, max_size=4))
def test_cells_of_all_kinds(columns, later):
    X = table(columns)
    encoder = TableEncoder(min_frequency=2, max_categories=5, random_state=0)
    numbers = encoder.fit_transform(X, np.arange(N) % 2)
    names = encoder.get_feature_names_out()
    assert numbers.shape == (N, len(names)) and np.isfinite(numbers).all()
    new = dict(zip(X, later, strict=True))
    encoded = encoder.encode(new)
    assert encoded.numbers.shape == numbers.shape and np.isfinite(encoded.numbers).all()
    # What JSON carries gives the same numbers, bit by bit.
    written = json.dumps([column.to_dict() for column in encoder.columns_], allow_nan=False)
    encoder.columns_ = [column_from_dict(content) for content in json.loads(written)]
    assert np.array_equal(encoder.encode(new).numbers, encoded.numbers)


@settings(max_examples=50, deadline=None)
@given(st.lists(COLUMN, min_size=1, max_size=3), st.randoms())
def test_rows_are_encoded_one_by_one_as_all_together(columns, random):
    X = table(columns)
    encoder = TableEncoder(min_frequency=2, max_categories=5, random_state=0)
    encoder.fit(X, np.arange(N) % 2)
    whole = encoder.encode(X).numbers
    row = random.randrange(N)
    one = encoder.encode({name: cells[row : row + 1] for name, cells in X.items()}).numbers
    assert np.array_equal(one[0], whole[row])


def test_a_midnight_time_is_no_missing_cell():
    X = {"at": [time(0), time(12), None] * 10}
    with warnings.catch_warnings():
        warnings.simplefilter("error", TableWarning)
        numbers = TableEncoder(random_state=0).fit(X, [0, 1, 0] * 10).transform(X)
    assert numbers[:3].tolist() == [[0.0, 0.0], [0.5, 12.0], [0.5, 12.0]]
