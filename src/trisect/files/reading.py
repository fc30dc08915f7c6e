"""Open a file with a table, whatever its format, and read all of it."""

import codecs
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trisect.files.arrow_files import ArrowFile
from trisect.files.block import Block, Refused, TableFile
from trisect.files.csv_files import CsvFile
from trisect.files.gathering import Table, gather
from trisect.files.json_lines import JsonLinesFile
from trisect.files.streams import STANDARD, Stream, open_bytes

__all__ = ["Table", "open_table", "read_table"]


_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def open_table(
    path: str | Path,
    on_error: str = "stop",
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
) -> TableFile:
    r"""Open a file with a table: csv, JSON lines, parquet or arrow.

    The format, the compression and how a csv file is written are found out from the first
    bytes; ``found`` of the result says what they are.

    Parameters
    ----------
    path : str or Path
        The file, a folder of parquet files, or "-" for standard input.
    on_error : {"stop", "skip"}, default="stop"
        Whether to raise an error at a row that cannot be read, or to go on without it.
    encoding, delimiter, decimal : str, optional
        How a csv file is written, if that is not found out rightly.

    Returns
    -------
    TableFile
        A context manager with ``names``, ``found`` and ``blocks``.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "clients.csv"
    ...     _ = path.write_text("age;rate\n31;0,5\n44;1,25\n")
    ...     with open_table(path) as file:
    ...         print(file.found, file.names, sum(block.n_rows for block in file.blocks()))
    csv, semicolons, decimal comma, utf-8 ['age', 'rate'] 2
    """
    if on_error not in ("stop", "skip"):
        raise ValueError(f"on_error must be 'stop' or 'skip', got {on_error!r}.")
    if Path(path).is_dir():
        return ArrowFile(path, "parquet")
    stream = open_bytes(path)
    try:
        return _opened(path, on_error, stream, encoding, delimiter, decimal)
    except BaseException:
        stream.close()
        raise


def _opened(
    path: str | Path,
    on_error: str,
    stream: Stream,
    encoding: str | None,
    delimiter: str | None,
    decimal: str | None,
) -> TableFile:
    suffix = Path(path).suffix.lower()
    start = stream.head.lstrip()[:2]
    if stream.head.startswith(b"PAR1"):
        return _arrow_file(path, "parquet", stream)
    if stream.head.startswith(b"ARROW1") or suffix in (".arrow", ".feather", ".ipc"):
        return _arrow_file(path, "arrow", stream)
    if start[:1] == b"{" and suffix != ".csv":
        return JsonLinesFile(path, on_error, stream=stream)
    if start in (b"[{", b"[\n", b"[ "):
        raise ValueError(f"{path} holds one JSON array: write an object on each line instead.")
    if encoding is None and b"\0" in stream.head and stream.head[:2] not in _UTF_16:
        raise ValueError(
            f"{path} is no text, since there are zero bytes in it: a table is a csv, JSON lines, "
            "parquet or arrow file. If it is text in UTF-16, say so as its encoding."
        )
    return CsvFile(
        path, on_error, stream=stream, encoding=encoding, delimiter=delimiter, decimal=decimal
    )


def _arrow_file(path: str | Path, form: str, stream: Stream) -> ArrowFile:
    """Hand a file over to pyarrow, which needs to find its way in it."""
    with closing(stream):
        memory = stream.content.read() if str(path) == STANDARD else None
        return ArrowFile(path, form, memory)


def read_table(
    file: TableFile | str | Path, columns: Collection[str] | None = None, on_error: str = "stop"
) -> Table:
    """Read a whole table.

    In files in which all is text, a column whose cells are all numbers or missing is read as
    numbers.

    Parameters
    ----------
    file : TableFile, str or Path
        What `open_table` returned, or a file to open.
    columns : collection of str, optional
        Names of the columns to read; by default all.
    on_error : {"stop", "skip"}, default="stop"
        What to do at a row that cannot be read, if a file is to be opened.

    Returns
    -------
    Table
        Columns, number of rows, and rows that were refused.
    """
    if not isinstance(file, TableFile):
        with open_table(file, on_error) as opened:
            return read_table(opened, columns)
    n_rows = 0
    refused: list[Refused] = []

    def every_row(block: Block) -> NDArray[np.intp]:
        nonlocal n_rows
        n_rows += block.n_rows
        refused.extend(block.refused)
        return np.arange(block.n_rows)

    whole = gather(file, columns, every_row)
    assert whole is not None
    return Table(whole, n_rows, refused)
