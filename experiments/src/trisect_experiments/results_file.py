"""Results as a small text file, to keep beside a report or to carry to another machine.

It holds JSON lines in xz: the format and the names of the columns first, then one list per result.
Of the many configurations that a search tries, a report states the scores of one; what figures
need, which is most of a result, is kept of that one only.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path

from trisect.files.atomic import AtomicFile
from trisect_experiments.records import COLUMNS, Key, Result, as_row, from_row

_HEAD = ["trisect results 1", *COLUMNS]


def write_results(path: str | Path, results: Iterable[Result], reported: Collection[Key]) -> None:
    """Write results; those that are not `reported` lose their details.

    The file appears when it is complete.
    """
    kept = (r if r.key in reported else replace(r, details={}) for r in results)
    with AtomicFile(path) as raw, lzma.open(raw, "wb") as file:
        for row in chain([_HEAD], map(as_row, kept)):
            file.write(f"{json.dumps(row, allow_nan=False)}\n".encode())


def read_results(path: str | Path) -> list[Result]:
    """Read what `write_results` has written."""
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            head, *rows = map(json.loads, file)
        if head != _HEAD:
            raise ValueError(f"its first line is not that of {_HEAD[0]!r}")
        return [from_row(row) for row in rows]
    except (lzma.LZMAError, EOFError, ValueError, TypeError) as error:
        raise ValueError(
            f"{str(path)!r} holds no results that can be read ({error}). Name a file that --save "
            "has written."
        ) from error
