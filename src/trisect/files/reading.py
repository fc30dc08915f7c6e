"""Open a file with a table, whatever its format, and read all of it."""

import codecs
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np

from trisect.files.arrow_files import ArrowFile
from trisect.files.block import Refused, TableFile
from trisect.files.csv_files import CsvFile
from trisect.files.json_lines import JsonLinesFile
from trisect.files.streams import STANDARD, Stream, open_bytes
from trisect.tables.cells import Cells, Texts, read_texts

__all__ = ["Table", "open_table", "read_table"]


class Table(NamedTuple):
    """A whole table.

    Parameters
    ----------
    columns : dict of str to Cells
        The columns, as `trisect.TableClassifier` takes them.
    n_rows : int
        How many rows there are.
    refused : list of Refused
        Rows that could not be read.
    """

    columns: dict[str, Cells]
    n_rows: int
    refused: list[Refused]


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
    n_rows, refused = 0, []
    parts: list[tuple[dict[str, Cells], int]] = []
    for block in file.blocks(columns, numbers=file.names):
        parts.append((block.columns, block.n_rows))
        n_rows += block.n_rows
        refused += block.refused
    names = [name for name in file.names if columns is None or name in columns]
    whole: dict[str, Cells] = {}
    mixed = []
    for name in names:
        pieces = [_piece(cells, name, n) for cells, n in parts]
        joined = _joined(pieces)
        if joined is None:
            mixed.append(name)
        else:
            whole[name] = joined
    if mixed:
        # Some blocks of these columns are numbers and some are not: read the numbers as texts.
        again = [block.columns for block in file.blocks(mixed)]
        for name in mixed:
            whole[name] = Texts.joined([read_texts(cells[name]) for cells in again])
    return Table({name: whole[name] for name in names}, n_rows, refused)


def _piece(cells: dict[str, Cells], name: str, n_rows: int) -> Cells:
    """The cells of a column in a block, all missing if the block has no such column."""
    return cells[name] if name in cells else np.full(n_rows, np.nan)


def _joined(pieces: list[Cells]) -> Cells | None:
    """Put the cells of blocks together, or return None if they differ in form."""
    there = [piece for piece in pieces if not _is_empty(piece)] or pieces[:1]
    if not there:
        return np.empty(0)
    if all(isinstance(piece, Texts) for piece in there):
        return Texts.joined([_texts(piece) for piece in pieces])
    kinds = {"texts" if isinstance(piece, Texts) else piece.dtype.kind for piece in there}
    if len(kinds) > 1:
        return None
    dtype = there[0].dtype  # type: ignore[union-attr]
    return np.concatenate([
        np.full(len(piece), np.nan if dtype.kind == "f" else "NaT", dtype=dtype)
        if _is_empty(piece)
        else piece
        for piece in pieces
    ])  # fmt: skip


def _is_empty(piece: Cells) -> bool:
    return not isinstance(piece, Texts) and piece.dtype.kind == "f" and bool(np.isnan(piece).all())


def _texts(piece: Cells) -> Texts:
    return piece if isinstance(piece, Texts) else Texts(np.full(len(piece), -1, np.int32), [])
