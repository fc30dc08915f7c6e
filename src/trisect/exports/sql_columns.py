"""From raw columns to features, in SQL."""

from collections.abc import Iterator
from typing import Any

from trisect.exports.sql_numbers import LARGEST, number, text
from trisect.tables.cells import FALSE, TRUE

__all__ = ["DATE_PARTS", "feature_terms"]

Record = dict[str, Any]

SPACES = " \t\n\r"
SMALLEST = "1e-100"

DATE_PARTS = {
    "DATE_SECONDS": {
        "duckdb": "EPOCH(CAST(@ AS TIMESTAMP))",
        "postgresql": "CAST(EXTRACT(EPOCH FROM CAST(@ AS TIMESTAMP)) AS DOUBLE PRECISION)",
        # Its own seconds have three decimals, so that the others are read off the text.
        "sqlite": "(STRFTIME('%s', SUBSTR(@, 1, 19)) + CAST('0' || SUBSTR(@, 20) AS REAL))",
        "spark": "(UNIX_MICROS(CAST(@ AS TIMESTAMP)) / 1e6)",
        "mysql": "(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', @) / 1e6)",
        "sqlserver": "(DATEDIFF_BIG(MICROSECOND, '1970-01-01', @) / 1e6)",
        "bigquery": "(UNIX_MICROS(CAST(@ AS TIMESTAMP)) / 1e6)",
        "snowflake": "(DATE_PART(EPOCH_MICROSECOND, CAST(@ AS TIMESTAMP_NTZ)) / 1e6)",
    },
    "DATE_MONTH": {
        "sqlite": "CAST(STRFTIME('%m', @) AS REAL)",
        "sqlserver": "DATEPART(MONTH, @)",
        "*": "EXTRACT(MONTH FROM @)",
    },
    "DATE_DAY": {
        "sqlite": "CAST(STRFTIME('%d', @) AS REAL)",
        "sqlserver": "DATEPART(DAY, @)",
        "*": "EXTRACT(DAY FROM @)",
    },
}
"""How each dialect takes a cell, written @, apart: seconds since 1970, month and day."""


def feature_terms(columns: list[Record]) -> dict[str, str]:
    """Write each feature as a term of the raw columns, under the names f0, f1 and so on."""
    terms = [term for column in columns for term in _terms(column)]
    return {f"f{j}": term for j, term in enumerate(terms)}


def _terms(column: Record) -> Iterator[str]:
    cell = '"' + column["name"].replace('"', '""') + '"'
    yield from _WRITERS[column["kind"]](column, cell)


def _plain(column: Record, cell: str) -> Iterator[str]:
    yield f"CASE {_cases(cell)} END"


def _number(column: Record, cell: str) -> Iterator[str]:
    yield f"CASE {_cases(cell)} ELSE {number(column['fill'])} END"
    if column["indicator"]:
        yield f"CASE WHEN {_finite(cell)} THEN 0e0 ELSE 1e0 END"


def _cases(cell: str) -> str:
    # PostgreSQL stops at a product that is too small for a number.
    small = f"{cell} > -{SMALLEST} AND {cell} < {SMALLEST}"
    return f"WHEN {small} THEN 0e0 WHEN {_finite(cell)} THEN CAST({cell} AS DOUBLE)"


def _finite(cell: str) -> str:
    # NaN is either above every number or not comparable, so that this leaves it out too.
    return f"{cell} >= -{LARGEST} AND {cell} <= {LARGEST}"


def _flag(column: Record, cell: str) -> Iterator[str]:
    word = f"LOWER({_stripped(cell)})"
    yes, no = (", ".join(map(text, sorted(words))) for words in (TRUE, FALSE))
    fill = number(column["fill"])
    yield f"CASE WHEN {word} IN ({yes}) THEN 1e0 WHEN {word} IN ({no}) THEN 0e0 ELSE {fill} END"
    if column["indicator"]:
        yield f"CASE WHEN {word} IN ({yes}, {no}) THEN 0e0 ELSE 1e0 END"


def _category(column: Record, cell: str) -> Iterator[str]:
    places, word = column["places"], _stripped(cell)
    for place in range(column["size"]):
        if place == column["unknown"]:
            known = ", ".join(text(value) for value in places)
            yield f"CASE WHEN {word} IN ({known}) THEN 0e0 ELSE 1e0 END"
        else:
            here = ", ".join(text(value) for value, own in places.items() if own == place)
            yield f"CASE WHEN {word} IN ({here}) THEN 1e0 ELSE 0e0 END"


def _evidence(column: Record, cell: str) -> Iterator[str]:
    word = _stripped(cell)
    for i, missing in enumerate(column["missing"]):
        cases = " ".join(
            f"WHEN {text(value)} THEN {number(numbers[i])}"
            for value, numbers in column["values"].items()
        )
        yield f"CASE {word} {cases} ELSE {number(missing)} END"


def _stripped(cell: str) -> str:
    return f"TRIM(CAST({cell} AS TEXT), {text(SPACES)})"


def _date(column: Record, cell: str) -> Iterator[str]:
    seconds = f"DATE_SECONDS({cell})"
    days = f"FLOOR({seconds} / 86400e0)"
    first = number(column["first"] / 1e6)
    parts = {
        "days": f"({seconds} - {first}) / 86400e0",
        "month": f"DATE_MONTH({cell})",
        "day": f"DATE_DAY({cell})",
        # The first of January 1970 was a Thursday.
        "weekday": f"{days} + 4e0 - 7e0 * FLOOR(({days} + 3e0) / 7e0)",
        "hour": f"({seconds} - 86400e0 * {days}) / 3600e0",
    }
    for part, fill in zip(column["parts"], column["fill"], strict=True):
        there = f"CAST({parts[part]} AS DOUBLE)"
        yield f"CASE WHEN {seconds} IS NULL THEN {number(fill)} ELSE {there} END"
    if column["indicator"]:
        yield f"CASE WHEN {seconds} IS NULL THEN 1e0 ELSE 0e0 END"


_WRITERS = {
    "plain": _plain,
    "number": _number,
    "flag": _flag,
    "category": _category,
    "evidence": _evidence,
    "date": _date,
}
