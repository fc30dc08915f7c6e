"""What was done to each column, and what was odd about a table, in words."""

from dataclasses import dataclass
from typing import Any

from trisect.tables.column import Column
from trisect.tables.left_out import LeftOut

__all__ = ["ColumnReport", "ColumnSummary", "OddCells", "TableWarning"]

WIDTH = 100


class TableWarning(UserWarning):
    """Something about a table is not as it was when the model was fitted."""


@dataclass(frozen=True)
class ColumnSummary:
    """What was done to one column.

    Parameters
    ----------
    column : str
        Name of the column.
    kind : str
        What it was taken for.
    missing : float
        Share of its cells in the training data that are missing.
    outputs : list of str
        Names of the numbers that it becomes.
    note : str
        What a person should know about it.
    """

    column: str
    kind: str
    missing: float
    outputs: list[str]
    note: str

    @classmethod
    def of(cls, column: Column, missing: float, note: str) -> "ColumnSummary":
        """Summarise a column."""
        if isinstance(column, LeftOut):
            note = f"{column.reason}; {note}" if note else column.reason
        return cls(column.name, column.kind, missing, column.outputs, note)


@dataclass(frozen=True)
class ColumnReport:
    """What was done to each column, as a table that can be printed.

    Parameters
    ----------
    rows : list of ColumnSummary
        One for each column, in the order of the training data.
    """

    rows: list[ColumnSummary]

    def __len__(self) -> int:
        return len(self.rows)

    def to_frame(self) -> Any:
        """Return the table as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame([vars(row) for row in self.rows]).set_index("column")

    def __str__(self) -> str:
        head = ("column", "kind", "missing", "numbers", "note")
        cells = [
            (
                row.column,
                row.kind,
                f"{row.missing:.1%}" if row.missing else "",
                str(len(row.outputs)),
                row.note,
            )
            for row in self.rows
        ]
        width = [max(len(row[i]) for row in [head, *cells]) for i in range(4)]
        width[0] = min(width[0], 30)
        lines = []
        for row in [head, *cells]:
            name = shortened(row[0], width[0])
            start = f"{name:<{width[0]}}  {row[1]:<{width[1]}}  "
            start += f"{row[2]:>{width[2]}}  {row[3]:>{width[3]}}  "
            lines.append((start + shortened(row[4], max(20, WIDTH - len(start)))).rstrip())
        return "\n".join(lines)


@dataclass(frozen=True)
class OddCells:
    """Cells of a column that are there but were not understood, and so count as missing.

    Parameters
    ----------
    column : str
        Name of the column.
    what : str
        What is wrong with them.
    count : int
        How many there are.
    examples : list of str
        Some of them.
    """

    column: str
    what: str
    count: int
    examples: list[str]

    def __str__(self) -> str:
        cells = "1 cell" if self.count == 1 else f"{self.count:,} cells"
        return f"{cells} of {self.column!r} ({self.what}: {', '.join(map(repr, self.examples))})"


def shortened(text: str, width: int) -> str:
    """Cut a text at a width, with three points where something is missing."""
    return text if len(text) <= width else text[: max(0, width - 3)] + "..."
