"""Tables in files with a JSON object on each line."""

import json
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from trisect.files.block import BLOCK_ROWS, Block, Refused, TableFile, refuse
from trisect.files.streams import Stream, open_bytes
from trisect.tables.frames import cells_of

__all__ = ["JsonLinesFile"]


class JsonLinesFile(TableFile):
    """A file with a JSON object on each line, whose names are those of the columns.

    A name that an object lacks is a missing cell. A line that is no JSON object, or whose
    values are objects or lists themselves, is refused; blank lines are skipped.

    Parameters
    ----------
    path : str or Path
        The file, or "-" for standard input, which can be read once.
    on_error : {"stop", "skip"}
        Whether to raise an error at a line that cannot be read, or to go on without it.
    stream : Stream, optional
        The file if it is open already, at its beginning.
    """

    def __init__(
        self, path: str | Path, on_error: str = "stop", *, stream: Stream | None = None
    ) -> None:
        self.path, self.on_error = path, on_error
        self._stream = stream or open_bytes(path)
        self._begun = False
        compressed = f", {self._stream.compression}" if self._stream.compression else ""
        self.found = f"JSON lines{compressed}"
        lines = self._stream.head.splitlines()
        first = [_parsed(line) for line in (lines if self._stream.complete else lines[:-1])]
        rows = [row for row in first if isinstance(row, dict)]
        self.names = list(dict.fromkeys(name for row in rows for name in row))

    def blocks(
        self, columns: Collection[str] | None = None, numbers: Collection[str] = ()
    ) -> Iterator[Block]:
        """Yield the rows in blocks; names that turn up late are added to ``names``."""
        if self._begun:
            self._stream.close()
            self._stream = open_bytes(self.path)
        self._begun = True
        line = 1
        while lines := list(islice(self._stream.content, BLOCK_ROWS)):
            rows, refused = [], []
            for number, text in enumerate(lines, start=line):
                row = _parsed(text) if text.strip() else None
                if isinstance(row, dict):
                    rows.append(row)
                elif row is not None:
                    fault = Refused(number, row, text.decode("utf-8", "replace").strip())
                    refused.append(refuse(fault, self.on_error))
            line += len(lines)
            known = set(self.names)
            self.names += dict.fromkeys(name for row in rows for name in row if name not in known)
            cells = {
                name: cells_of([row.get(name) for row in rows], name)
                for name in self.names
                if columns is None or name in columns
            }
            yield Block(cells, len(rows), refused)

    def close(self) -> None:
        """Close the file, but not standard input."""
        self._stream.close()


def _parsed(line: bytes) -> dict[str, Any] | str:
    """Read a line, or say what is wrong with it."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return "is no JSON"
    if not isinstance(row, dict):
        return "is no JSON object"
    nested = [name for name, value in row.items() if isinstance(value, dict | list)]
    return f"has several values in {nested[0]!r}" if nested else row
