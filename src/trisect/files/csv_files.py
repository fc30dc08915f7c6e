"""Tables in csv files."""

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from trisect.files.block import BLOCK_ROWS, Block, Refused, TableFile, refuse
from trisect.files.csv_arrow import GaveUp, arrow_columns, available
from trisect.files.csv_cells import as_numbers, as_texts
from trisect.files.dialect import find_dialect
from trisect.files.streams import STANDARD, Stream, open_bytes
from trisect.tables.amounts import NUMBER
from trisect.tables.cells import Cells

__all__ = ["CsvFile"]

_UNDECODED = re.compile("[\udc80-\udcff]")


class CsvFile(TableFile):
    """A csv file: a line with the names of the columns, and a line for each row.

    Blank lines are skipped. A row with more or fewer cells than there are names is refused, and
    so is one with bytes that are not of the encoding.

    Parameters
    ----------
    path : str or Path
        The file, or "-" for standard input, which can be read once.
    on_error : {"stop", "skip"}
        Whether to raise an error at a row that cannot be read, or to go on without it.
    stream : Stream, optional
        The file if it is open already, at its beginning.
    encoding, delimiter, decimal : str, optional
        How the file is written, by default found out from its beginning.
    """

    def __init__(
        self,
        path: str | Path,
        on_error: str = "stop",
        *,
        stream: Stream | None = None,
        encoding: str | None = None,
        delimiter: str | None = None,
        decimal: str | None = None,
    ) -> None:
        self.path, self.on_error = path, on_error
        self._stream = stream = stream or open_bytes(path)
        self.dialect = find_dialect(
            stream.head,
            stream.complete,
            encoding=encoding,
            delimiter=delimiter,
            decimal=decimal,
        )
        compressed = f", {stream.compression}" if stream.compression else ""
        self.found = f"{self.dialect}{compressed}"
        self._spoilt = False
        self._reader: Any = self._reading(stream)
        self._header: list[str] = next((row for row in self._reader if row), [])
        self.names = column_names(self._header)
        self._signs = [self.dialect.sign_of(place) for place in range(len(self.names))]
        told = zip(self.names, self._signs, strict=True)
        self.signs = {name: sign for name, sign in told if sign is not None}

    def blocks(
        self, columns: Collection[str] | None = None, numbers: Collection[str] = ()
    ) -> Iterator[Block]:
        """Yield the rows in blocks."""
        wanted = [columns is None or name in columns for name in self.names]
        number = [name in numbers for name in self.names]
        done = 0
        if str(self.path) != STANDARD and available():
            try:
                for block in self._fast(wanted, number):
                    yield block
                    done += block.n_rows
            except GaveUp:
                pass
            else:
                return
        yield from self._plain(wanted, number, done)

    def close(self) -> None:
        """Close the file, but not standard input."""
        self._stream.close()

    def _fast(self, wanted: list[bool], number: list[bool]) -> Iterator[Block]:
        names = [name for name, want in zip(self.names, wanted, strict=True) if want]
        dialect = self.dialect
        with closing(open_bytes(self.path)) as stream:
            parts = arrow_columns(
                stream.content,
                self._header,
                dialect.delimiter,
                dialect.encoding,
                self._signs,
                wanted,
                number,
            )
            for cells, n_rows in parts:
                yield Block(dict(zip(names, cells, strict=True)), n_rows, [])

    def _plain(self, wanted: list[bool], number: list[bool], done: int) -> Iterator[Block]:
        """Yield the rows in blocks, but not those that have been read already."""
        reader, self._reader = self._reader, None
        if reader is None:
            self._stream.close()
            self._stream = open_bytes(self.path)
            reader = self._reading(self._stream)
            next((row for row in reader if row), None)
        rows_to_come = (row for row in reader if row)
        if done:
            next(islice(rows_to_come, done - 1, None), None)
        line = reader.line_num + 1
        while True:
            self._spoilt = False
            try:
                rows = list(islice(reader, BLOCK_ROWS))
            except csv.Error as error:
                raise ValueError(
                    f"Line {reader.line_num:,} cannot be read ({error}): a quote may be open."
                ) from None
            if not rows:
                break
            kept, refused = self._checked(rows, line)
            line = reader.line_num + 1
            texts: Iterable[Sequence[str]] = zip(*kept, strict=True)
            if not kept:
                texts = [()] * len(self.names)
            cells = {
                name: _cells(column, sign, is_number)
                for name, column, sign, want, is_number in zip(
                    self.names, texts, self._signs, wanted, number, strict=True
                )
                if want
            }
            yield Block(cells, len(kept), refused)

    def _reading(self, stream: Stream) -> Any:
        """Begin to read rows of texts."""
        text = io.TextIOWrapper(
            stream.content, self.dialect.encoding, errors="surrogateescape", newline=""
        )
        stream.opened.callback(text.detach)
        return csv.reader(self._lines(text), delimiter=self.dialect.delimiter)

    def _lines(self, text: io.TextIOWrapper) -> Iterator[str]:
        """Pass lines on, and note bytes that are not of the encoding."""
        for line in text:
            if not line.isascii() and _UNDECODED.search(line):
                self._spoilt = True
            yield line

    def _checked(self, rows: list[list[str]], line: int) -> tuple[list[list[str]], list[Refused]]:
        """Part the rows of a block that begins on a line into good and refused ones."""
        width = len(self.names)
        if not self._spoilt and set(map(len, rows)) <= {width}:
            return rows, []
        kept, refused = [], []
        for row in rows:
            line += sum(cell.count("\n") for cell in row)
            if len(row) == width and not (self._spoilt and _UNDECODED.search("".join(row))):
                kept.append(row)
            elif row:
                cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
                reason = f"has {cells} instead of {width}"
                if len(row) == width:
                    reason = f"holds bytes that are not {self.dialect.encoding}"
                refused.append(refuse(Refused(line, reason, self._written(row)), self.on_error))
            line += 1
        return kept, refused

    def _written(self, row: list[str]) -> str:
        line = io.StringIO()
        csv.writer(line, delimiter=self.dialect.delimiter, lineterminator="").writerow(row)
        return line.getvalue().encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _cells(texts: Sequence[str], decimal: str | None, number: bool) -> Cells:
    numbers = as_numbers(texts, decimal) if number else None
    return as_texts(texts, decimal) if numbers is None else numbers


def column_names(header: Sequence[str]) -> list[str]:
    """Take names from the first line, or say why they cannot be names.

    A column without a name, as pandas writes its index, gets one from its place.
    """
    names = [name.strip() for name in header]
    if not names:
        raise ValueError("The file is empty.")
    if all(not name or NUMBER.fullmatch(name.replace(",", ".")) for name in names):
        raise ValueError(
            f"The first line holds no names but {', '.join(map(repr, names[:5]))}: a line with "
            "the names of the columns must come first."
        )
    names = [name or f"column {i}" for i, name in enumerate(names, start=1)]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"Column names must differ, but these repeat: {', '.join(repeated)}.")
    return names
