"""Write a table block by block, whole or not at all."""

import bz2
import csv
import gzip
import io
import json
import lzma
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from trisect.files.arrow_files import import_pyarrow
from trisect.files.atomic import AtomicFile
from trisect.files.streams import STANDARD
from trisect.tables.cells import Texts

__all__ = ["FORMATS", "TableWriter", "open_output"]

_COMPRESSED: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": lambda raw: gzip.GzipFile(fileobj=raw, mode="wb", mtime=0),
    ".bz2": lambda raw: bz2.BZ2File(raw, "wb"),
    ".xz": lambda raw: lzma.LZMAFile(raw, "wb"),  # noqa: SIM115
}


class TableWriter(ABC):
    """Writes blocks of columns to an open file."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    @abstractmethod
    def write(self, columns: dict[str, Any]) -> None:
        """Write a block: sequences, masked arrays or `Texts`; all blocks have the same columns."""

    @abstractmethod
    def finish(self) -> None:
        """Write what has to come last."""


class _TextWriter(TableWriter):
    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file)
        self.text = io.TextIOWrapper(file, "utf-8", newline="", write_through=False)

    def finish(self) -> None:
        self.text.flush()
        self.text.detach()


class CsvWriter(_TextWriter):
    """Writes csv: commas, decimal points, UTF-8, missing cells empty."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file)
        self._writer = csv.writer(self.text, lineterminator="\n")
        self._begun = False

    def write(self, columns: dict[str, Any]) -> None:
        """Write a block."""
        if not self._begun:
            self._writer.writerow(columns)
            self._begun = True
        self._writer.writerows(zip(*_lists(columns), strict=True))


class JsonLinesWriter(_TextWriter):
    """Writes a JSON object on each line."""

    def write(self, columns: dict[str, Any]) -> None:
        """Write a block."""
        encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
        for row in zip(*_lists(columns), strict=True):
            self.text.write(encode(dict(zip(columns, row, strict=True))) + "\n")


class ArrowWriter(TableWriter):
    """Writes parquet or Arrow's own format."""

    def __init__(self, file: IO[bytes], form: str) -> None:
        super().__init__(file)
        import_pyarrow()
        self.form = form
        self._writer: Any = None
        self._schema: Any = None

    def write(self, columns: dict[str, Any]) -> None:
        """Write a block."""
        table = import_pyarrow().table({name: _arrow(c) for name, c in columns.items()})
        if self._writer is None:
            self._begin(table.schema)
        self._writer.write_table(table.cast(self._schema))

    def finish(self) -> None:
        """Write the end of the file."""
        if self._writer is None:
            self._begin(import_pyarrow().schema([]))
        self._writer.close()

    def _begin(self, schema: Any) -> None:
        self._schema = schema
        if self.form == "parquet":
            from pyarrow import parquet

            self._writer = parquet.ParquetWriter(self.file, schema)
        else:
            self._writer = import_pyarrow().ipc.new_file(self.file, schema)


FORMATS: dict[str, Callable[[IO[bytes]], TableWriter]] = {
    ".csv": CsvWriter,
    ".jsonl": JsonLinesWriter,
    ".ndjson": JsonLinesWriter,
    ".parquet": lambda file: ArrowWriter(file, "parquet"),
    ".arrow": lambda file: ArrowWriter(file, "arrow"),
}
"""What writes a file, by the end of its name."""


@contextmanager
def open_output(path: str | Path) -> Iterator[TableWriter]:
    r"""Open a file to write a table to; it is there when it is complete.

    Parameters
    ----------
    path : str or Path
        The file, whose name ends in one of `FORMATS` and, for text, perhaps in ".gz", ".bz2"
        or ".xz" after that; or "-" for csv on standard output.

    Yields
    ------
    TableWriter
        Has ``write(columns)``, for one block after another.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "out.csv"
    ...     with open_output(path) as writer:
    ...         writer.write({"p": [0.25, None], "decision": ["reject", "defer"]})
    ...     path.read_text()
    'p,decision\n0.25,reject\n,defer\n'
    """
    suffixes = [".csv"] if str(path) == STANDARD else [s.lower() for s in Path(path).suffixes]
    compress = _COMPRESSED.get(suffixes[-1]) if suffixes else None
    form = suffixes[-2:-1] if compress else suffixes[-1:]
    if not form or form[0] not in FORMATS:
        raise ValueError(
            f"The name of {path} does not say what to write: let it end in one of "
            f"{', '.join(FORMATS)}, and those of text in {', '.join(_COMPRESSED)} after that."
        )
    with AtomicFile(path) as raw, ExitStack() as stack:
        file = stack.enter_context(compress(raw)) if compress else raw
        writer = FORMATS[form[0]](file)
        try:
            yield writer
        except BaseException:
            with suppress(Exception):  # the file is going to be deleted
                writer.finish()
            raise
        writer.finish()


def _lists(columns: dict[str, Any]) -> list[list[Any]]:
    """Columns as lists of plain Python values, None where a cell is missing."""
    return [_list(values) for values in columns.values()]


def _list(values: Any) -> list[Any]:
    if isinstance(values, Texts):
        return np.array([*values.values, None], dtype=object)[values.codes].tolist()
    if isinstance(values, np.ma.MaskedArray):
        return values.tolist()
    plain = np.asarray(values, dtype=object).tolist()
    return [None if value != value else value for value in plain]


def _arrow(values: Any) -> Any:
    """A column as pyarrow takes it."""
    if not isinstance(values, Texts):
        return values
    pa = import_pyarrow()
    codes = pa.array(values.codes, mask=values.codes < 0)
    texts = pa.array(values.values, pa.string())
    return pa.DictionaryArray.from_arrays(codes, texts).cast(pa.string())
