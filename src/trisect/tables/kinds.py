"""The kinds of columns, and how a column is recognised as one of them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.tables.amounts import NUMBER, POINT, decimal_sign, taken_apart
from trisect.tables.categories import CategoryColumn
from trisect.tables.cells import (
    FALSE,
    ISO,
    TRUE,
    Cells,
    Texts,
    is_missing,
    read_numbers,
    read_times,
)
from trisect.tables.column import Column, Learned, Target
from trisect.tables.dates import FORMS, DateColumn
from trisect.tables.evidence import EvidenceColumn
from trisect.tables.flags import FlagColumn
from trisect.tables.left_out import LeftOut
from trisect.tables.numbers import NumberColumn

__all__ = ["COLUMNS", "KINDS", "column_from_dict", "learn_column", "recognise"]

COLUMNS: dict[str, type[Column]] = {
    column.kind: column
    for column in (
        NumberColumn,
        FlagColumn,
        CategoryColumn,
        EvidenceColumn,
        DateColumn,
        LeftOut,
    )
}
"""Every kind of column, under the name that documents give it."""

KINDS: dict[str, Callable[..., Learned]] = {
    "number": NumberColumn.learn,
    "flag": FlagColumn.learn,
    "category": CategoryColumn.learn,
    "evidence": EvidenceColumn.learn,
    "date": DateColumn.learn,
}
"""What a user can say that a column is, apart from "ignore" and a form of dates."""

READABLE = 0.95
"""Share of the texts in a column that must be numbers, or dates, to make it one of them."""
OWN_VALUES = 0.8
"""Share of the texts that stand in one row only, from which on they name the row."""
MIN_ROWS = 30
"""Fewest rows in which different values are a sign of an identifier and not of few rows."""


class Recognised(NamedTuple):
    """What a column was recognised as."""

    kind: str
    form: str = ""
    """How a date is written as text, or the decimal sign of a number."""
    note: str = ""


def learn_column(
    name: str,
    cells: Cells,
    said: str | None,
    target: Target,
    max_categories: int,
    min_frequency: int,
) -> Learned:
    """Learn how to turn a column into numbers.

    Parameters
    ----------
    name : str
        Name of the column.
    cells : Cells
        Its cells in the training data.
    said : str or None
        What the user says that it is: one of `KINDS`, "ignore", or a form of dates.
    target : Target
        The classes.
    max_categories : int
        Most categories that have a number each.
    min_frequency : int
        Fewest rows of a category that has a number.
    """
    if said == "ignore":
        return Learned(LeftOut(name, "as you said"), "")
    if said is None:
        found = recognise(cells, max_categories)
    else:
        found = (
            Recognised("date", said) if "%" in said else Recognised(said, *_written(cells, said))
        )
    if found.kind not in KINDS:
        return Learned(LeftOut(name, found.kind), found.note)
    form = {"form": found.form} if found.kind in ("date", "number") else {}
    learned = KINDS[found.kind](name, cells, target, min_frequency, **form)
    column = learned.column
    if not column.outputs:
        return Learned(LeftOut(name, "constant"), learned.note)
    notes = [note for note in (learned.note, found.note) if note]
    return Learned(column, "; ".join(notes))


def recognise(cells: Cells, max_categories: int) -> Recognised:
    """Recognise what a column is; what is none of `KINDS` says why it is left out.

    Examples
    --------
    >>> recognise(Texts.of(["1.5", "NA", "2"], 3), 16).kind
    'number'
    >>> recognise(Texts.of(["01234", "56789"], 2), 16).kind
    'category'
    >>> recognise(Texts.of(["31.12.2024", "01.01.2025"], 2), 16).form
    '%d.%m.%Y'
    """
    missing = is_missing(cells)
    if missing.all():
        return Recognised("empty")
    if isinstance(cells, Texts):
        return _recognise_texts(cells, bool(missing.any()), max_categories)
    there = cells[~missing]
    if (there == there[0]).all():
        return Recognised("category" if missing.any() else "constant")
    if cells.dtype.kind == "M":
        return Recognised("date", ISO)
    return Recognised("identifier" if _numbers_rows(there) else "number", POINT)


def _recognise_texts(texts: Texts, gaps: bool, max_categories: int) -> Recognised:
    counts = texts.counts()
    values = [value for value, count in zip(texts.values, counts, strict=True) if count]
    if len(values) == 1:
        return Recognised("category" if gaps else "constant")
    if {value.lower() for value in values} <= TRUE | FALSE:
        return Recognised("flag")
    there = texts[texts.codes >= 0]
    decimal = texts.decimal or decimal_sign(values) or POINT
    numbers = read_numbers(there, decimal)
    readable = ~np.isnan(numbers)
    if readable.mean() >= READABLE and not any(_is_code(value) for value in values):
        if readable.all() and _numbers_rows(numbers):
            return Recognised("identifier")
        notes = [_manner(values, decimal), _unreadable(readable)]
        return Recognised("number", decimal, "; ".join(note for note in notes if note))
    forms = [form for form in FORMS if _has_form(there, form)]
    if forms:
        readable = ~np.isnat(read_times(there, forms[0]))
        notes = [_unreadable(readable)]
        if len(forms) > 1:
            notes.append(f"{forms[0]} is a guess, {forms[1]} fits too")
        return Recognised("date", forms[0], "; ".join(note for note in notes if note))
    if len(values) <= max_categories:
        return Recognised("category")
    own = np.count_nonzero(counts == 1) / len(there)
    if own >= OWN_VALUES and len(there) >= MIN_ROWS:
        return Recognised("identifier")
    return Recognised("evidence")


def _written(cells: Cells, said: str) -> tuple[str, str]:
    """Find how dates or numbers are written in a column that the user says holds them.

    Returns the form, and a note about cells that do not have it.
    """
    if said == "number":
        decimal = POINT
        if isinstance(cells, Texts):
            decimal = cells.decimal or decimal_sign(cells.values) or POINT
        return decimal, _unreadable(is_missing(cells) | ~np.isnan(read_numbers(cells, decimal)))
    if said != "date" or not isinstance(cells, Texts):
        return ISO, ""
    share = {form: np.mean(~np.isnat(read_times(cells, form))) for form in FORMS}
    form = max(share, key=lambda form: share[form])
    return form, _unreadable(is_missing(cells) | ~np.isnat(read_times(cells, form)))


def _manner(values: list[str], decimal: str) -> str:
    """Say how numbers are written, if not as programs write them."""
    found = [taken_apart(value, decimal) for value in values]
    odd = [
        v for v, written in zip(values, found, strict=True) if written and not NUMBER.fullmatch(v)
    ]
    if not odd:
        return ""
    marks = sorted({mark for written in found if written for mark in written[1:] if mark})
    apart = f", {' and '.join(marks)} not told apart" if len(marks) > 1 else ""
    return f"written as {odd[0]!r}{apart}"


def _has_form(texts: Texts, form: str) -> bool:
    """Whether nearly all texts are dates of a form; the first few rule most forms out."""
    head = [texts.values[code] for code in texts.codes[:20]]
    if np.isnat(read_times(Texts.of(head, len(head)), form)).mean() > 0.5:
        return False
    return bool(np.mean(~np.isnat(read_times(texts, form))) >= READABLE)


def _is_code(text: str) -> bool:
    """Whether a number is written with zeros in front, as a code is and a number is not."""
    return len(text) > 1 and text[0] == "0" and text[1].isdigit()


def _numbers_rows(numbers: NDArray[Any]) -> bool:
    """Whether numbers name rows: integers, each different, that rise or fall, or leave few out."""
    n = len(numbers)
    if n < MIN_ROWS or (numbers != np.floor(numbers)).any():
        return False
    steps = np.diff(numbers)
    if (steps > 0).all() or (steps < 0).all():
        return True
    return bool(np.ptp(numbers) < 2 * n and len(np.unique(numbers)) == n)


def _unreadable(readable: NDArray[np.bool_]) -> str:
    n = np.count_nonzero(~readable)
    return f"{n} cells that cannot be read count as gaps" if n else ""


def column_from_dict(content: dict[str, Any]) -> Column:
    """Read a column from what its `to_dict` has written.

    Examples
    --------
    >>> column = NumberColumn("age", 35.0, indicator=True)
    >>> column_from_dict(column.to_dict()) == column
    True
    """
    return COLUMNS[content["kind"]].from_dict(content)
