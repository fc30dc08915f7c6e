"""Options that several commands share, and what they mean."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

if TYPE_CHECKING:
    from trisect.files import TableFile

__all__ = [
    "CostOptions",
    "DataPath",
    "FileOptions",
    "JsonFlag",
    "OnError",
    "OutputPath",
    "opened",
]

OnError = Literal["stop", "skip"]
DataPath = Annotated[Path, Parameter(allow_leading_hyphen=True)]
"""A file, or - for standard input."""
OutputPath = Annotated[Path, Parameter(name=["--output", "-o"], allow_leading_hyphen=True)]
"""A file, or - for standard output."""
JsonFlag = Annotated[bool, Parameter(negative=(), show_default=False)]
"""Whether machines are to read what a command prints."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CostOptions:
    """What decisions cost."""

    false_accept: Annotated[float | None, Parameter(group="Costs")] = None
    """Cost of accepting a row of the other class, in any unit."""
    false_reject: Annotated[float | None, Parameter(group="Costs")] = None
    """Cost of rejecting a row of the positive class."""
    review: Annotated[float | None, Parameter(group="Costs")] = None
    """Cost of deferring: somebody looks at the row and decides rightly."""
    unit: Annotated[str, Parameter(group="Costs")] = ""
    """Name of the unit, such as EUR."""

    def matrix(self) -> Any:
        """Return the costs as a CostMatrix, or None if none were given."""
        given = (self.false_accept, self.false_reject, self.review)
        if given == (None, None, None):
            return None
        if None in given:
            raise ValueError("Give all of --false-accept, --false-reject and --review, or none.")
        if self.false_accept <= 0 or self.false_reject <= 0 or self.review < 0:  # type: ignore[operator]
            raise ValueError(
                "--false-accept and --false-reject must be above 0, and --review must not be below."
            )
        from trisect.decisions import CostMatrix

        return CostMatrix.from_review(
            false_accept=self.false_accept,  # type: ignore[arg-type]
            false_reject=self.false_reject,  # type: ignore[arg-type]
            review=self.review,  # type: ignore[arg-type]
            unit=self.unit,
        )


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """How a csv file is written, where that is not found out rightly."""

    encoding: Annotated[str | None, Parameter(group="Reading")] = None
    """Encoding of a csv file, such as utf-8; found out by default."""
    delimiter: Annotated[str | None, Parameter(group="Reading")] = None
    """What parts the cells of a csv file; found out by default."""
    decimal: Annotated[str | None, Parameter(group="Reading")] = None
    """Decimal point or comma of a csv file; found out by default."""
    on_error: Annotated[OnError, Parameter(group="Reading")] = "stop"
    """At a row that cannot be used: stop, or skip it and write it to a file of its own."""


@contextmanager
def opened(path: Path, options: FileOptions, *, again: bool = False) -> Iterator[TableFile]:
    """Open a table; standard input is copied to a file if it has to be read twice."""
    from trisect.files import open_table
    from trisect.files.streams import STANDARD

    words = {"encoding": options.encoding, "delimiter": options.delimiter}
    words["decimal"] = options.decimal
    if not (again and str(path) == STANDARD):
        with open_table(path, options.on_error, **words) as file:
            yield file
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "input"
        with copy.open("wb") as target:
            shutil.copyfileobj(sys.stdin.buffer, target)
        with open_table(copy, options.on_error, **words) as file:
            yield file
