"""Rows of a table that may be larger than memory, drawn at random to learn from."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.files.block import Block, Refused, TableFile
from trisect.files.gathering import cells_in, gather, written_rows
from trisect.files.labels import labels_of
from trisect.files.reading import open_table
from trisect.tables.cells import Cells, is_missing, read_texts

__all__ = ["SAMPLE_ROWS", "Sample", "sample_table", "sampled_rows"]

SAMPLE_ROWS = 1_000_000
"""Most rows that are drawn by default. On a table of 50 million rows whose best possible accuracy
is 90.7 %, fits to 100,000, 500,000, a million and two million of them reached 88.8, 89.4, 89.5 and
89.3 %, and added 0.3, 0.6, 0.9 and 1.7 GB; see docs/results/size.md."""
MOST_CLASSES = 10_000
"""A column of more different values is no column of classes, and could fill the memory."""


def ignored(what: Any) -> None:
    """Do nothing with what is told."""


class Sample(NamedTuple):
    """Rows to learn from.

    Parameters
    ----------
    columns : dict of str to Cells
        The columns without the target, as `trisect.TableClassifier` takes them.
    y : ndarray
        The class of each row: integers if all are whole numbers, otherwise texts.
    of_rows : int
        How many rows with a class there are in the whole table.
    class_counts : dict of str to int
        How many rows of each class there are in the whole table.
    """

    columns: dict[str, Cells]
    y: NDArray[Any]
    of_rows: int
    class_counts: dict[str, int]


def sample_table(
    file: TableFile | str | Path,
    target: str,
    n_rows: int = SAMPLE_ROWS,
    *,
    columns: Collection[str] | None = None,
    on_error: str = "stop",
    seed: int = 0,
    refuse: Callable[[Iterable[Refused]], Any] = ignored,
    advance: Callable[[int], Any] = ignored,
) -> Sample:
    r"""Draw rows from a file of any size, each with the same chance.

    A table with more than `n_rows` rows is read twice, block by block: first the target alone,
    to count the rows and classes, then all columns, of which the drawn rows are kept. Which
    rows these are follows from the seed and the number of rows alone. In memory are the drawn
    rows and a block.

    Parameters
    ----------
    file : TableFile, str or Path
        What `open_table` returned, or a file or folder to open.
    target : str
        Name of the column that holds the classes.
    n_rows : int, default=1,000,000
        Most rows to draw; a smaller table is read as a whole.
    columns : collection of str, optional
        Names of the columns to read, apart from the target; by default all.
    on_error : {"stop", "skip"}, default="stop"
        Whether to raise an error if rows have no class, or to leave them out. Rows that cannot
        be read are treated as the open file was told.
    seed : int, default=0
        Fixes the draw.
    refuse : callable, optional
        Is given the rows that were left out, block by block, such as `RefusedRows.add`.
    advance : callable, optional
        Is given the number of rows of each block that is read.

    Returns
    -------
    Sample
        Columns and classes, in the order of the file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "clients.csv"
    ...     rows = [f"{age},{'owes' if age % 3 else 'pays'}" for age in range(18, 90)]
    ...     _ = path.write_text("\n".join(["age,outcome", *rows]))
    ...     sample = sample_table(path, "outcome", 5)
    >>> sample.columns["age"].tolist(), sample.y.tolist()
    ([37.0, 40.0, 53.0, 61.0, 75.0], ['owes', 'owes', 'owes', 'owes', 'pays'])
    >>> sample.of_rows, sample.class_counts
    (72, {'pays': 24, 'owes': 48})
    """
    if not isinstance(file, TableFile):
        with open_table(file, on_error) as opened:
            return sample_table(
                opened, target, n_rows, columns=columns, on_error=on_error, seed=seed,
                refuse=refuse, advance=advance,
            )  # fmt: skip
    if target not in file.names:
        names = ", ".join(map(repr, file.names))
        raise ValueError(f"There is no column {target!r}; the columns are {names}.")
    wanted = [name for name in file.names if columns is None or name in columns or name == target]
    known = file.count()
    if known is None or known <= n_rows:
        refused: list[Refused] = []
        drawing = Drawing(target, wanted, None, advance, refused.extend)
        whole = gather(file, wanted, drawing.choose, most=n_rows)
        if whole is not None:
            drawing.check(on_error)
            refuse(refused)
            return _sample(whole, target, drawing)
    count = Drawing(target, [], np.empty(0, dtype=np.intp), advance)
    for block in file.blocks([target], numbers=[target]):
        count.choose(block)
    count.check(on_error)
    chosen = sampled_rows(count.of_rows, n_rows, seed)
    drawing = Drawing(target, wanted, chosen, advance, refuse)
    whole = gather(file, wanted, drawing.choose)
    if whole is None or drawing.of_rows != count.of_rows:
        raise ValueError("The table has changed while it was read.")
    return _sample(whole, target, drawing)


def sampled_rows(n_rows: int, n_drawn: int, seed: int) -> NDArray[np.intp]:
    """Draw row numbers without replacement, in rising order; all of them if there are too few.

    Examples
    --------
    >>> sampled_rows(72, 5, 0)
    array([19, 22, 35, 43, 57])
    """
    if n_drawn < 2:
        raise ValueError(f"Two rows must be drawn at least, not {n_drawn}.")
    if n_drawn >= n_rows:
        return np.arange(n_rows)
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(n_rows, n_drawn, replace=False, shuffle=False))


class Drawing:
    """Goes through the blocks of a table, counts classes, and picks the drawn rows.

    Parameters
    ----------
    target : str
        Name of the column that holds the classes.
    names : list of str
        Names of the columns, for rows that are left out.
    chosen : ndarray of int or None
        Which rows to pick, in rising order, by their number among the rows with a class; None
        picks all of these.
    advance, refuse : callable
        See `sample_table`.
    """

    def __init__(
        self,
        target: str,
        names: list[str],
        chosen: NDArray[np.intp] | None,
        advance: Callable[[int], Any] = ignored,
        refuse: Callable[[Iterable[Refused]], Any] = ignored,
    ) -> None:
        self.target, self.names, self.chosen, self.advance = target, names, chosen, advance
        self.refuse = refuse
        self.class_counts: Counter[str] = Counter()
        self.of_rows = self._n_seen = self._n_without = 0
        self._first_without = 0

    def choose(self, block: Block) -> NDArray[np.intp]:
        """Return the places of the drawn rows of a block."""
        cells = cells_in(block, self.target)
        there = np.flatnonzero(~is_missing(cells))
        texts = read_texts(cells)
        self.class_counts.update(
            {value: int(n) for value, n in zip(texts.values, texts.counts(), strict=True) if n}
        )
        self._check_classes()
        if len(there) < block.n_rows:
            self._leave_out(block, np.flatnonzero(is_missing(cells)))
        self.refuse(block.refused)
        before, self.of_rows = self.of_rows, self.of_rows + len(there)
        self._n_seen += block.n_rows
        self.advance(block.n_rows)
        if self.chosen is None:
            return there
        low, high = np.searchsorted(self.chosen, [before, self.of_rows])
        return there[self.chosen[low:high] - before]

    def add(self, further: "Drawing") -> None:
        """Add the counts of further blocks."""
        if further._n_without and not self._n_without:
            self._first_without = self._n_seen + further._first_without
        self.class_counts.update(further.class_counts)
        self._check_classes()
        self.of_rows += further.of_rows
        self._n_seen += further._n_seen
        self._n_without += further._n_without

    def check(self, on_error: str) -> None:
        """Raise if there are rows without a class, unless they are to be skipped, or no others."""
        if self._n_without and not self.of_rows:
            raise ValueError(f"There is no class in any row of {self.target!r}.")
        if self._n_without and on_error == "stop":
            rows = "1 row" if self._n_without == 1 else f"{self._n_without:,} rows"
            raise ValueError(
                f"{rows} without a class in {self.target!r}, the first is row "
                f"{self._first_without:,}: fill them in, or leave them out with --on-error skip "
                "(on_error='skip')."
            )

    def _check_classes(self) -> None:
        if len(self.class_counts) > MOST_CLASSES:
            raise ValueError(
                f"{self.target!r} holds more than {MOST_CLASSES:,} different values: a target "
                "holds a few classes. Put amounts into classes first, such as 'low' and 'high'."
            )

    def _leave_out(self, block: Block, rows: NDArray[np.intp]) -> None:
        self._first_without = self._first_without or self._n_seen + int(rows[0]) + 1
        self._n_without += len(rows)
        if self.refuse is ignored:
            return
        lines = written_rows([cells_in(block, name)[rows] for name in self.names])
        reason = f"has no class in {self.target!r}"
        # Line 1 of a csv file has the names of the columns.
        self.refuse(
            Refused(self._n_seen + int(row) + 2, reason, line)
            for row, line in zip(rows, lines, strict=True)
        )


def _sample(columns: dict[str, Cells], target: str, drawing: Drawing) -> Sample:
    y = labels_of(columns.pop(target))
    return Sample(columns, y, drawing.of_rows, dict(drawing.class_counts))
