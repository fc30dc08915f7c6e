"""The command that fits a model to a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter, validators

from trisect.cli.checks import (
    check_classes,
    check_kinds,
    check_names,
    check_output,
    shown_counts,
)
from trisect.cli.options import (
    CostOptions,
    DataPath,
    FileOptions,
    JsonFlag,
    OutputPath,
    opened,
)
from trisect.cli.saying import counted, print_json, progress_of_rows, stderr

if TYPE_CHECKING:
    from rich.console import Console

    from trisect.files import Sample

__all__ = ["fit"]

NO_COSTS = CostOptions()
AS_FOUND = FileOptions()


def fit(
    data: DataPath,
    *,
    target: str,
    output: OutputPath = Path("model.json"),
    positive: str | None = None,
    ignore: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
    kind: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
    levels: Annotated[int | None, Parameter(validator=validators.Number(gte=1))] = None,
    validation_share: Annotated[
        float | None, Parameter(validator=validators.Number(gt=0, lt=1))
    ] = None,
    max_rows: Annotated[int | None, Parameter(validator=validators.Number(gte=2))] = None,
    seed: Annotated[int, Parameter(validator=validators.Number(gte=0, lt=2**32))] = 0,
    costs: CostOptions = NO_COSTS,
    reading: FileOptions = AS_FOUND,
    json: JsonFlag = False,
) -> int:
    """Fit a model to a csv, parquet, arrow or JSON lines file, and save it.

    Columns may hold numbers, words, dates, yes and no, and gaps. To accept a row is to count on
    it that it belongs to the positive class. For example:

    trisect fit credit.csv --target next_month --positive pays
    --false-accept 5 --false-reject 3 --review 1 -o model.json

    Parameters
    ----------
    data
        The file, a folder of parquet files, or - for standard input.
    target
        Name of the column that holds the classes.
    output
        Where the model goes, as JSON; - for standard output.
    positive
        The class that it is right to accept; by default the last in sorted order.
    ignore
        Names of columns that are not to be used.
    kind
        What columns are, where that is not found out rightly, such as age=category or
        "due=%m/%d/%Y": number, flag, category, evidence, date, ignore or a form of dates.
    levels
        Largest number of levels, and so of hidden nodes, by default 64; growth mostly ends
        long before.
    validation_share
        Share of the rows that steers the growth, by default a ninth.
    max_rows
        Most rows to learn from, by default a million. Of a file with more, which may be larger
        than memory, this many are drawn at random.
    seed
        Seed of everything random; the same seed gives the same model.
    json
        Whether to print a summary as JSON instead of words.
    """
    from trisect.cli.labels import label_named
    from trisect.files import RefusedRows, refused_path, sample_table
    from trisect.files.sampling import SAMPLE_ROWS
    from trisect.model_file import to_document
    from trisect.model_file.writing import write_document

    say = stderr(quiet=json)
    started = perf_counter()
    matrix = costs.matrix()
    check_output(output, data)
    with RefusedRows(refused_path(output)) as refused:
        with opened(data, reading, again=True) as file, progress_of_rows(say, None) as advance:
            found = file.found
            check_names(file.names, [target, *(ignore or [])])
            if target in (ignore or []):
                raise ValueError(f"{target!r} is the target, so that it cannot be ignored.")
            kinds = check_kinds(kind or [], [name for name in file.names if name != target])
            sample = sample_table(
                file, target, max_rows or SAMPLE_ROWS,
                columns=[name for name in file.names if name not in (ignore or [])],
                on_error=reading.on_error, seed=seed, refuse=refused.add, advance=advance,
            )  # fmt: skip
        _say_what_is_learnt_from(say, f"{data}: {found}", sample)
        counts = check_classes(sample.y.tolist(), target)
        if len(counts) > 2 and (positive is not None or matrix is not None):
            raise ValueError(
                f"--positive and costs are for two classes, but {target!r} has {len(counts)}: "
                f"{shown_counts(counts)}."
            )
        say.print(f"{target}: {shown_counts(counts)}", markup=False)
        model = _model(matrix, levels, validation_share, seed, say)
        model.set_params(kinds=kinds or None)
        if positive is not None:
            model.set_params(pos_label=label_named(positive, sorted(counts, key=str)))
        elif len(counts) == 2:
            model.set_params(pos_label=_last_class(say, sorted(counts)))
        model.fit(sample.columns, sample.y)
        document = to_document(model)
        document["training"]["target"] = target
        _keep_signs(document, file.signs)
        n_bytes = write_document(document, output)
    _report(say, model, document, output, n_bytes)
    if refused.count:
        count = counted(refused.count, "row")
        say.print(f"{count} could not be used: see {refused.path}", markup=False)
    if json:
        training = document["training"]
        print_json(
            {
                "model": str(output),
                "bytes": n_bytes,
                "found": found,
                "rows": len(sample.y),
                "of_rows": sample.of_rows,
                "refused": refused.count,
                "classes": document["classes"]["labels"],
                "positive": document["positive"],
                "thresholds": document["thresholds"],
                "levels": len(training["validation_scores"]),
                "kept_level": training["kept_level"],
                "columns": {row.column: row.kind for row in model.report_columns_.rows},
                "seconds": round(perf_counter() - started, 3),
            },
            to_errors=str(output) == "-",
        )
    return 0


def _say_what_is_learnt_from(say: Console, file: str, sample: Sample) -> None:
    """Say how many rows there are, how many were drawn, and which classes are not among them."""
    from trisect.tables.cells import text_of

    columns = counted(len(sample.columns), "column")
    say.print(f"{file}; {counted(sample.of_rows, 'row')}, {columns}", markup=False)
    if len(sample.y) == sample.of_rows:
        return
    say.print(f"learns from {len(sample.y):,} of {sample.of_rows:,} rows, drawn at random")
    drawn = set(map(text_of, set(sample.y.tolist())))
    for name, count in sample.class_counts.items():
        if name not in drawn:
            say.print(
                f"of the {counted(count, 'row')} of the class {name!r} none was drawn, so that the "
                "model will not know it: raise --max-rows",
                markup=False,
            )


def _last_class(say: Console, labels: list[Any]) -> Any:
    """Take the last class for the positive one, and say so if nobody could know."""
    other, last = labels
    if isinstance(last, str):
        say.print(
            f"to accept means {last!r}, the last class in sorted order; --positive {other!r} "
            "turns that round",
            markup=False,
        )
    return last


def _keep_signs(document: Any, signs: Mapping[str, str]) -> None:
    """Let the model read numbers that come as texts as the file has them."""
    for column in document["columns"]:
        if column["kind"] == "number" and signs.get(column["name"]) == ",":
            column["decimal"] = ","


def _model(
    matrix: Any, levels: int | None, validation_share: float | None, seed: int, say: Console
) -> Any:
    from trisect import STWDSFNNClassifier, TableClassifier

    network = STWDSFNNClassifier()
    if levels is not None:
        network.set_params(max_levels=levels)
    if validation_share is not None:
        network.set_params(validation_fraction=validation_share)
    return TableClassifier(network.set_callbacks(_Levels(say)), matrix, random_state=seed)


class _Levels:
    """A callback of scikit-learn's that says when a level is done."""

    def __init__(self, say: Console) -> None:
        self.say = say

    def setup(self, estimator: Any, context: Any) -> None:
        """Do nothing."""

    def teardown(self, estimator: Any, context: Any) -> None:
        """Do nothing."""

    def on_fit_task_begin(self, estimator: Any, context: Any, **told: Any) -> None:
        """Do nothing."""

    def on_fit_task_end(
        self, estimator: Any, context: Any, *, fitted_estimator: Any = None, **told: Any
    ) -> bool:
        """Say what the level has decided."""
        if context.task_name == "level" and fitted_estimator is not None:
            level = fitted_estimator.levels_[-1]
            self.say.print(
                f"  level {len(fitted_estimator.levels_):>2}: {level.n_instances:>7,} training "
                f"rows, of which {level.n_bnd:>7,} stay undecided; "
                f"validation loss {-level.validation_score:.4f}"
            )
        return False


def _report(say: Console, model: Any, document: Any, output: Path, n_bytes: int) -> None:
    from trisect.cli.inspect import describe_decisions

    say.print(f"\n{model.report_columns_}\n", markup=False)
    for line in describe_decisions(document):
        say.print(line, markup=False)
    kept, scores = document["training"]["kept_level"], document["training"]["validation_scores"]
    loss = f"validation loss {-scores[kept - 1]:.4f} after polishing"
    say.print(f"kept: level {kept} of {len(scores)}, {loss}")
    name = "standard output" if str(output) == "-" else str(output)
    say.print(f"saved: {name}, {n_bytes:,} bytes", markup=False)
