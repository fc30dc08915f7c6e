"""Rows of all blocks of a file, put together."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.files.block import Block, Refused, TableFile
from trisect.tables.cells import Cells, Texts, read_texts

__all__ = ["Table", "cells_in", "gather", "joined", "written_rows"]


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


def gather(
    file: TableFile,
    columns: Collection[str] | None,
    choose: Callable[[Block], NDArray[np.intp]],
    most: float = np.inf,
) -> dict[str, Cells] | None:
    """Read rows of a file into memory: those that are chosen of each block.

    What comes out does not depend on how the file is cut into blocks: a column is one of
    numbers if all cells of the file are, chosen or not.

    Parameters
    ----------
    file : TableFile
        The file.
    columns : collection of str or None
        Names of the columns to read, None for all.
    choose : callable
        Is given each block once, in order, and returns the places of the rows to keep.
    most : float, optional
        Largest number of rows to read.

    Returns
    -------
    dict of str to Cells, or None
        The columns; None if the file has more than `most` rows.
    """
    parts: list[dict[str, Cells]] = []
    lengths: list[int] = []
    taken: list[NDArray[np.intp]] = []
    first = 0
    for block in file.blocks(columns, numbers=file.names):
        if first + block.n_rows > most:
            return None
        rows = choose(block)
        lengths.append(len(rows))
        taken.append(first + rows)
        if len(rows) < block.n_rows:
            parts.append({name: _taken(cells, rows) for name, cells in block.columns.items()})
        else:
            parts.append(block.columns)
        first += block.n_rows
    names = [name for name in file.names if columns is None or name in columns]
    whole = {}
    for name in names:
        pieces = [
            part.pop(name) if name in part else np.full(n, np.nan)
            for part, n in zip(parts, lengths, strict=True)
        ]
        whole[name] = joined(pieces)
    mixed = [name for name, cells in whole.items() if cells is None]
    if mixed:
        # Some blocks of these columns are numbers and some are not: read the numbers as texts.
        whole |= _as_texts(file, mixed, np.concatenate(taken))
    return whole  # type: ignore[return-value]


def cells_in(block: Block, name: str) -> Cells:
    """The cells of a column in a block, all missing if the block has no such column."""
    return block.columns[name] if name in block.columns else np.full(block.n_rows, np.nan)


def written_rows(columns: Sequence[Cells]) -> list[str]:
    """Write rows as lines of text, for files of refused ones.

    Examples
    --------
    >>> written_rows([np.array([31.0, np.nan]), Texts.of(["nurse", "cook"], 2)])
    ['31,nurse', ',cook']
    """
    texts = [read_texts(cells) for cells in columns]
    lists = [np.array([*t.values, ""], dtype=object)[t.codes].tolist() for t in texts]
    return [",".join(row) for row in zip(*lists, strict=True)]


def _as_texts(file: TableFile, names: list[str], rows: NDArray[np.intp]) -> dict[str, Cells]:
    """Read rows of a file again, as texts."""
    parts: dict[str, list[Texts]] = {name: [] for name in names}
    first = 0
    for block in file.blocks(names):
        low, high = np.searchsorted(rows, [first, first + block.n_rows])
        for name in names:
            parts[name].append(read_texts(_taken(cells_in(block, name), rows[low:high] - first)))
        first += block.n_rows
    return {name: Texts.joined(texts) for name, texts in parts.items()}


def _taken(cells: Cells, rows: NDArray[np.intp]) -> Cells:
    """Some of the cells, without the texts of the others."""
    if not isinstance(cells, Texts):
        return cells[rows]
    codes = cells.codes[rows]
    places = dict.fromkeys(codes[codes >= 0].tolist())
    at = np.full(len(cells.values) + 1, -1, dtype=np.int32)
    at[list(places)] = np.arange(len(places))
    return Texts(at[codes], [cells.values[place] for place in places], cells.decimal)


def joined(pieces: list[Cells]) -> Cells | None:
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
