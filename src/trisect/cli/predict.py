"""The command that decides on the rows of a file, block by block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from trisect.cli.checks import check_output
from trisect.cli.options import DataPath, FileOptions, JsonFlag, OutputPath, opened
from trisect.cli.saying import counted, print_json, stderr

if TYPE_CHECKING:
    from rich.console import Console

    from trisect.files import Block, Refused, TableFile
    from trisect.runtime import Model
    from trisect.tables import EncodedTable

__all__ = ["decided_blocks", "plain_cells", "predict"]

AS_FOUND = FileOptions()
DECISIONS = ("defer", "accept", "reject")
"""Words for the regions 0, 1 and -1."""


def predict(
    model: Path,
    data: DataPath,
    *,
    output: OutputPath = Path("-"),
    keep: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
    reading: FileOptions = AS_FOUND,
    json: JsonFlag = False,
) -> int:
    """Accept, defer or reject each row of a file.

    Writes a row for each row of the file, in the same order, with the columns label (the most
    probable class), probability (of the positive class; with more than two classes of the
    label), decision (accept, defer or reject), level (the first that is sure of the decision,
    empty where that is to defer) and reason. For example:

    trisect predict model.json new.csv --keep client -o decided.csv

    Parameters
    ----------
    model
        The model file.
    data
        The file with the rows, or - for standard input.
    output
        Where decisions go: .csv, .jsonl, .parquet or .arrow; by default csv on standard output.
    keep
        Names of columns to copy in front of the decisions, such as an identifier.
    json
        Whether to print a summary as JSON instead of words.
    """
    from trisect.files import RefusedRows, open_output, refused_path
    from trisect.runtime import load_model

    say, started = stderr(quiet=json), perf_counter()
    check_output(output, data, model)
    loaded = load_model(model, compiled=True)
    decisions: Counter[str] = Counter(dict.fromkeys(DECISIONS, 0))
    odd: Counter[str] = Counter()
    with opened(data, reading) as file, RefusedRows(refused_path(output)) as refused:
        _check_names(file.names, loaded, keep or [])
        with open_output(output) as writer, _progress(say) as advance:
            for block in decided_blocks(loaded, file, reading.on_error, keep or []):
                refused.add(block.refused)
                writer.write(block.columns)
                decisions.update(block.columns["decision"])
                odd.update(block.odd)
                advance(len(block.columns["decision"]))
        found, ignored = file.found, _ignored(file, loaded, keep or [])
    n_rows, seconds = sum(decisions.values()), perf_counter() - started
    if json:
        summary = {"output": str(output), "found": found, "rows": n_rows, **decisions}
        summary |= {"refused": refused.count, "counted_as_missing": dict(odd), "ignored": ignored}
        print_json(summary | {"seconds": round(seconds, 3)}, to_errors=str(output) == "-")
        return 0
    say.print(f"{data}: {found}; {counted(n_rows, 'row')}", markup=False)
    say.print(", ".join(f"{name} {decisions[name]:,}" for name in ("accept", "defer", "reject")))
    for name, count in odd.items():
        say.print(f"{counted(count, 'cell')} of {name!r} not understood: missing", markup=False)
    if ignored:
        say.print(f"columns that the model does not use: {', '.join(ignored)}", markup=False)
    if refused.count:
        say.print(f"{counted(refused.count, 'row')} refused: see {refused.path}", markup=False)
    return 0


class DecidedBlock:
    """Decisions on a block of rows.

    Parameters
    ----------
    columns : dict of str to list
        What is written.
    refused : list of Refused
        Rows on which nothing could be decided.
    odd : dict of str to int
        How many cells of each column count as missing because they are not understood.
    rows : Block
        The rows that were decided on.
    probabilities, regions : ndarray
        What was decided.
    """

    def __init__(
        self,
        columns: dict[str, Any],
        refused: list[Refused],
        odd: dict[str, int],
        rows: dict[str, Any],
        probabilities: Any,
        regions: Any,
    ) -> None:
        self.columns, self.refused, self.odd = columns, refused, odd
        self.rows, self.probabilities, self.regions = rows, probabilities, regions


def decided_blocks(
    model: Model, file: TableFile, on_error: str, keep: list[str], *, explain: bool = True
) -> Iterator[DecidedBlock]:
    """Read a table block by block, and decide on its rows."""
    import numpy as np

    wanted = {*model.column_names, *keep}
    numbers = _number_columns(model)
    first = 1
    for block in file.blocks(wanted, numbers=numbers):
        columns = {name: _cells(block, name) for name in wanted}
        encoded = model.encode({name: columns[name] for name in model.column_names})
        usable = np.isfinite(encoded.numbers).all(axis=1)
        refused = list(block.refused)
        if not usable.all():
            refused += _not_finite(model, encoded, usable, first, on_error)
            columns = {name: cells[usable] for name, cells in columns.items()}
        first += block.n_rows
        features = np.ascontiguousarray(encoded.numbers[usable])
        p = model.probabilities_of(features)
        regions = model.regions_of(p)
        written = {name: plain_cells(columns[name]) for name in keep}
        written |= _outputs(model, features, p, regions, explain)
        odd = {name: np.flatnonzero(rows) for name, rows in encoded.odd_rows.items()}
        for name, rows in odd.items():
            for row in rows:
                written["reason"][row] += f"; {name} not understood, counts as missing"
        counts = {name: len(rows) for name, rows in odd.items()}
        yield DecidedBlock(written, refused, counts, columns, p, regions)


def _outputs(model: Model, features: Any, p: Any, regions: Any, explain: bool) -> dict[str, Any]:
    """Return the columns that are written about each row."""
    import numpy as np

    best = p.argmax(axis=1)
    thresholds = model.document["thresholds"]
    if thresholds is None:
        shown = p[np.arange(len(p)), best]
        reasons = np.array(["deferring costs less", "least expected cost", ""], dtype=object)
    else:
        shown = p[:, model.classes_.tolist().index(model.pos_label_)]
        alpha, beta = f"{thresholds['alpha']:.6g}", f"{thresholds['beta']:.6g}"
        reasons = np.array(
            [
                f"probability between {beta} and {alpha}",
                f"probability at least {alpha}",
                f"probability at most {beta}",
            ],
            dtype=object,
        )
    levels = np.full(len(p), None, dtype=object)
    if explain and model.document["read_outs"] is not None:
        walk = model.walk_of(features)
        decided = regions != 0
        # Where an early level would decide otherwise, it is the last one that counts.
        levels[decided] = np.where(walk.regions == regions, walk.levels, walk.n_levels)[decided]
    return {
        "label": model.classes_[best].tolist(),
        "probability": shown.tolist(),
        "decision": np.array(DECISIONS, dtype=object)[regions].tolist(),
        "level": levels.tolist(),
        "reason": reasons[regions].tolist(),
    }


def _number_columns(model: Model) -> list[str]:
    columns: Any = model.document["columns"]
    return [
        column if isinstance(column, str) else column["name"]
        for column in columns
        if isinstance(column, str) or column["kind"] == "number"
    ]


def _cells(block: Block, name: str) -> Any:
    """The cells of a column in a block, all missing if the block has no such column."""
    import numpy as np

    return block.columns[name] if name in block.columns else np.full(block.n_rows, np.nan)


def plain_cells(cells: Any) -> list[Any]:
    """Cells as texts, None where they are missing."""
    import numpy as np

    from trisect.tables.cells import read_texts

    texts = read_texts(cells)
    return np.array([*texts.values, None], dtype=object)[texts.codes].tolist()


def _not_finite(
    model: Model, encoded: EncodedTable, usable: Any, first: int, on_error: str
) -> list[Refused]:
    """Refuse rows of a model that takes finite numbers only."""
    import numpy as np

    from trisect.files import Refused
    from trisect.files.block import refuse

    refused = []
    for row in np.flatnonzero(~usable):
        cells = encoded.numbers[row]
        names = [model.feature_names[i] for i in np.flatnonzero(~np.isfinite(cells))]
        reason = f"has no finite number in {', '.join(map(repr, names[:5]))}"
        text = ",".join("" if np.isnan(cell) else f"{cell:.17g}" for cell in cells)
        # Line 1 of a csv file has the names of the columns.
        refused.append(refuse(Refused(int(first + row + 1), reason, text), on_error))
    return refused


def _check_names(names: list[str], model: Model, keep: list[str]) -> None:
    missing = [name for name in model.column_names if name not in names]
    if missing:
        listed = ", ".join(map(repr, missing))
        raise ValueError(f"The file lacks columns that the model needs: {listed}.")
    unknown = [name for name in keep if name not in names]
    if unknown:
        raise ValueError(f"There is no column {unknown[0]!r} to keep.")


def _ignored(file: TableFile, model: Model, keep: list[str]) -> list[str]:
    columns: Any = model.document["columns"]
    known = {column if isinstance(column, str) else column["name"] for column in columns}
    return [name for name in file.names if name not in known and name not in keep]


def _progress(say: Console) -> Any:
    """Show how many rows are done, if a person is looking."""
    from contextlib import contextmanager

    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    @contextmanager
    def shown() -> Iterator[Any]:
        columns = (TextColumn("{task.completed:,.0f} rows"), TimeElapsedColumn())
        live = say.is_terminal and not say.quiet
        with Progress(*columns, console=say, transient=True, disable=not live) as progress:
            task = progress.add_task("rows", total=None)
            yield lambda n: progress.advance(task, n)

    return shown()
