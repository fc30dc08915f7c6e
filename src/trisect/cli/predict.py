"""The command that decides on the rows of a file, block by block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cyclopts import Parameter, validators

from trisect.cli.checks import check_output
from trisect.cli.options import DataPath, FileOptions, JsonFlag, OutputPath, opened
from trisect.cli.saying import counted, print_json, progress_of_rows, stderr

if TYPE_CHECKING:
    from trisect.files import Block, Refused, TableFile
    from trisect.runtime import Model
    from trisect.runtime.decided import Decided
    from trisect.tables import EncodedTable

__all__ = ["decided_blocks", "predict"]

AS_FOUND = FileOptions()


def predict(
    model: Path,
    data: DataPath,
    *,
    output: OutputPath = Path("-"),
    keep: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
    jobs: Annotated[int | None, Parameter(validator=validators.Number(gte=1))] = None,
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
        The file with the rows, a folder of parquet files, or - for standard input.
    output
        Where decisions go: .csv, .jsonl, .parquet or .arrow; by default csv on standard output.
    keep
        Names of columns to copy in front of the decisions, such as an identifier.
    jobs
        Number of cores to use; by default all. The output is the same whatever it is.
    json
        Whether to print a summary as JSON instead of words.
    """
    from trisect.files import RefusedRows, open_output, refused_path
    from trisect.runtime import load_model
    from trisect.runtime.decided import DECISIONS
    from trisect.tables.cells import read_texts

    say, started = stderr(quiet=json), perf_counter()
    check_output(output, data, model)
    loaded = load_model(model, compiled=True)
    decisions, odd = Counter(dict.fromkeys(DECISIONS, 0)), Counter[str]()
    with opened(data, reading) as file, RefusedRows(refused_path(output)) as refused:
        _check_names(file.names, loaded, keep or [])
        blocks = decided_blocks(loaded, file, reading.on_error, keep or [], jobs=jobs)
        with open_output(output) as writer, progress_of_rows(say, file.count()) as advance:
            for block in blocks:
                refused.add(block.refused)
                kept = {name: read_texts(block.columns[name]) for name in keep or []}
                writer.write(kept | block.decided.columns)
                words = block.decided.columns["decision"]
                decisions.update(dict(zip(words.values, words.counts().tolist(), strict=True)))
                odd.update(block.odd)
                advance(len(words))
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


class DecidedBlock(NamedTuple):
    """Decisions on a block of rows.

    Parameters
    ----------
    columns : dict of str to Cells
        The columns of the rows that were decided on.
    decided : Decided
        What was decided, and why.
    refused : list of Refused
        Rows on which nothing could be decided.
    odd : dict of str to int
        How many cells of each column count as missing because they are not understood.
    """

    columns: dict[str, Any]
    decided: Decided
    refused: list[Refused]
    odd: dict[str, int]


def decided_blocks(
    model: Model,
    file: TableFile,
    on_error: str,
    keep: list[str],
    *,
    jobs: int | None = None,
    explain: bool = True,
) -> Iterator[DecidedBlock]:
    """Read a table block by block, and decide on its rows with all cores, or some."""
    import numpy as np
    from joblib import cpu_count

    from trisect.cli.in_order import in_order
    from trisect.files.gathering import cells_in
    from trisect.runtime.decided import decided_on

    wanted = dict.fromkeys([*model.column_names, *keep])

    def numbered() -> Iterator[tuple[int, Block]]:
        first = 1
        for block in file.blocks(wanted, numbers=_number_columns(model)):
            yield first, block
            first += block.n_rows

    def decide(part: tuple[int, Block]) -> DecidedBlock:
        first, block = part
        columns = {name: cells_in(block, name) for name in wanted}
        encoded = model.encode({name: columns[name] for name in model.column_names})
        usable = np.isfinite(encoded.numbers).all(axis=1)
        numbers, odd, refused = encoded.numbers, encoded.odd_rows, list(block.refused)
        if not usable.all():
            refused += _not_finite(model, encoded, usable, first, on_error)
            columns = {name: cells[usable] for name, cells in columns.items()}
            numbers, odd = numbers[usable], {name: rows[usable] for name, rows in odd.items()}
        decided = decided_on(model, np.ascontiguousarray(numbers), odd, explain=explain)
        counts = {name: int(rows.sum()) for name, rows in odd.items()}
        return DecidedBlock(columns, decided, refused, counts)

    return in_order(decide, numbered(), jobs or cpu_count())


def _number_columns(model: Model) -> list[str]:
    columns: Any = model.document["columns"]
    return [
        column if isinstance(column, str) else column["name"]
        for column in columns
        if isinstance(column, str) or column["kind"] == "number"
    ]


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
