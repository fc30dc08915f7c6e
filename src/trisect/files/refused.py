"""Rows that were refused, in a file of their own."""

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from trisect.files.block import Refused
from trisect.files.writing import TableWriter, open_output

__all__ = ["RefusedRows", "refused_path"]


def refused_path(output: str | Path) -> Path:
    """Name the file for the refused rows of an output.

    Examples
    --------
    >>> print(refused_path("decided.csv"), refused_path("-"))
    decided.refused.csv refused.csv
    """
    path = Path(output)
    return Path("refused.csv") if str(output) == "-" else path.with_name(f"{path.stem}.refused.csv")


class RefusedRows:
    """Writes refused rows, with the line and the reason, if there are any; a context manager.

    Parameters
    ----------
    path : str or Path
        The file, which is not written if no row is refused.

    Attributes
    ----------
    count : int
        How many rows there are so far.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.count = 0
        self._stack = ExitStack()
        self._writer: TableWriter | None = None

    def add(self, rows: Iterable[Refused]) -> None:
        """Write rows."""
        rows = list(rows)
        if not rows:
            return
        if self._writer is None:
            self._writer = self._stack.enter_context(open_output(self.path))
        line, reason, text = zip(*rows, strict=True)
        self._writer.write({"line": line, "reason": reason, "row": text})
        self.count += len(rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> bool | None:
        return self._stack.__exit__(*exception)
