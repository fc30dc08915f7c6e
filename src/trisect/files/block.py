"""What a reader returns: rows as columns of cells, and rows that it had to refuse."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple, Self

from trisect.tables.cells import Cells

__all__ = ["BLOCK_ROWS", "Block", "Refused", "TableFile"]

BLOCK_ROWS = 50_000
"""Rows of a block: with twenty columns of csv about 60 MB while they are read."""


class Refused(NamedTuple):
    """A row that could not be read.

    Parameters
    ----------
    line : int
        The line of the file on which the row ends, from 1.
    reason : str
        What is wrong with it.
    text : str
        The row as it stands in the file.
    """

    line: int
    reason: str
    text: str


class Block(NamedTuple):
    """Some rows of a table.

    Parameters
    ----------
    columns : dict of str to Cells
        The columns, all of the same length.
    n_rows : int
        How many rows there are.
    refused : list of Refused
        Rows between them that could not be read.
    """

    columns: dict[str, Cells]
    n_rows: int
    refused: list[Refused]


class TableFile(ABC):
    """A file with a table, open for reading; a context manager that closes it.

    Attributes
    ----------
    names : list of str
        Names of the columns.
    found : str
        What was found out about the file, such as "csv, semicolons, decimal comma, gzip".
    signs : mapping of str to str
        The decimal sign of columns in which numbers are texts, where the file tells it.
    """

    names: list[str]
    found: str
    signs: Mapping[str, str] = MappingProxyType({})

    @abstractmethod
    def blocks(
        self, columns: Collection[str] | None = None, numbers: Collection[str] = ()
    ) -> Iterator[Block]:
        """Yield the rows in blocks of at most `BLOCK_ROWS`, from the beginning.

        Parameters
        ----------
        columns : collection of str, optional
            Names of the columns to read; by default all.
        numbers : collection of str
            Columns that are numbers. In files in which all is text, reading them so at once
            takes less time; a block in which they are not numbers has them as texts.
        """

    def count(self) -> int | None:
        """Count the rows if that takes no reading of them, or return None."""
        return None

    @abstractmethod
    def close(self) -> None:
        """Close the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def refuse(row: Refused, on_error: str) -> Refused:
    """Return a refused row, or raise if refused rows are not to be skipped."""
    if on_error == "stop":
        raise ValueError(f"Line {row.line:,} {row.reason}: {shortened(row.text)}")
    return row


def shortened(text: str, width: int = 80) -> str:
    """The beginning of a text, as one line."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 3] + "..."
