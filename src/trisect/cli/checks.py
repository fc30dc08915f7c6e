"""What is checked before a command begins its work, in the words of the command line."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from trisect.cli.saying import counted

__all__ = ["check_classes", "check_kinds", "check_names", "check_output", "shown_counts"]

SHOWN = 20
"""Most names that an error lists."""
MANY_CLASSES, ROWS_PER_CLASS = 20, 10
"""A target of more classes than the first must have the second as many rows as classes."""


def check_output(output: Path, *inputs: Path) -> None:
    """Raise if a file cannot be written, or is one of those that are read.

    Parameters
    ----------
    output : Path
        Where something is to go, - for standard output.
    *inputs : Path
        What is read; files that are not there raise where they are opened.
    """
    if str(output) == "-":
        return
    if not output.parent.is_dir():
        raise ValueError(f"There is no folder {output.parent}, into which to write.")
    if output.is_dir():
        raise ValueError(f"{output} is a folder: name a file in it.")
    if not os.access(output.parent, os.W_OK):
        raise ValueError(f"Nothing can be written into the folder {output.parent.absolute()}.")
    for path in inputs:
        if output.exists() and path.exists() and output.samefile(path):
            raise ValueError(f"{output} is what is read, and would be lost: name another output.")


def check_names(names: Sequence[str], wanted: Collection[str]) -> None:
    """Raise if a column is not there, and say what may have been meant.

    Examples
    --------
    >>> check_names(["age", "Outcome"], ["outcome"])
    Traceback (most recent call last):
    ...
    ValueError: There is no column 'outcome'; did you mean 'Outcome'?
    """
    for name in wanted:
        if name in names:
            continue
        by_small = {known.lower(): known for known in reversed(names)}
        close = get_close_matches(name.lower(), by_small, n=1)
        if close:
            meant = f"did you mean {by_small[close[0]]!r}?"
        else:
            more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
            meant = f"the columns are {', '.join(map(repr, names[:SHOWN]))}{more}."
        raise ValueError(f"There is no column {name!r}; {meant}")


def check_kinds(said: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Read what the user says that columns are, such as "age=category".

    Examples
    --------
    >>> check_kinds(["due=%d.%m.%Y", "code=category"], ["due", "code"])
    {'due': '%d.%m.%Y', 'code': 'category'}
    """
    kinds = {}
    for words in said:
        name, sign, kind = words.rpartition("=")
        if not (sign and name and kind):
            raise ValueError(f"--kind {words!r} must be a column and its kind: age=category.")
        check_names(names, [name])
        kinds[name] = kind
    return kinds


def check_classes(labels: Sequence[Any], target: str) -> Counter[Any]:
    """Count the classes, and raise if they cannot be told apart.

    Parameters
    ----------
    labels : sequence
        The class of each row.
    target : str
        Name of the column.
    """
    counts = Counter(labels)
    if not counts:
        raise ValueError("The file holds no row to learn from.")
    if len(counts) == 1:
        raise ValueError(
            f"All {counted(len(labels), 'row')} have the same class in {target!r}, "
            f"{next(iter(counts))!r}: there is nothing to tell apart."
        )
    if len(counts) > MANY_CLASSES and len(labels) < ROWS_PER_CLASS * len(counts):
        raise ValueError(
            f"{target!r} has {len(counts):,} different values in {len(labels):,} rows, such as "
            f"{next(iter(counts))!r}: too many for classes. Name another column, or put its "
            "values into groups first."
        )
    return counts


def shown_counts(counts: Counter[Any], most: int = 8) -> str:
    """List classes with the number of their rows, the most frequent first.

    Examples
    --------
    >>> shown_counts(Counter(["ok"] * 1200 + ["fraud"]))
    'ok 1,200, fraud 1'
    """
    more = f" and {len(counts) - most} more" if len(counts) > most else ""
    return ", ".join(f"{label} {count:,}" for label, count in counts.most_common(most)) + more
