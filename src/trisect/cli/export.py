"""The command that writes a model for another engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from trisect.cli.checks import check_output
from trisect.cli.options import OutputPath
from trisect.cli.saying import stderr

__all__ = ["export"]

Target = Literal["sql", "onnx", "c", "javascript", "python"]
Dialect = Literal[
    "duckdb", "postgresql", "sqlite", "spark", "mysql", "sqlserver", "bigquery", "snowflake"
]


def export(
    model: Path,
    *,
    to: Target,
    output: OutputPath = Path("-"),
    dialect: Dialect | None = None,
    table: str | None = None,
    keep: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
) -> int:
    """Write a model as code that decides where the data are.

    All of it, from raw columns to decisions, except for ONNX, which takes the numbers that the
    columns become. For example:

    trisect export model.json --to sql --dialect sqlite --table clients --keep client -o decide.sql

    Parameters
    ----------
    model
        The model file.
    to
        The target. sql and onnx need the extra trisect[exports].
    output
        Where the code goes; by default to standard output.
    dialect
        The dialect of SQL, by default duckdb.
    table
        The table that the SQL reads, by default data.
    keep
        Columns of the table that the SQL returns in front of the decisions, such as an
        identifier; by default those that the model reads.
    """
    from trisect import exports
    from trisect.files.atomic import AtomicFile
    from trisect.model_file import read_document

    given = {"--dialect": dialect, "--table": table, "--keep": keep}
    useless = [name for name, value in given.items() if value is not None]
    if useless and to != "sql":
        raise ValueError(f"{', '.join(useless)} is for --to sql, not for --to {to}.")
    check_output(output, model)
    document = read_document(model)
    if to == "sql":
        written: str | bytes = exports.to_sql(
            document, dialect or "duckdb", table=table or "data", keep=keep or ()
        )
    else:
        targets: dict[str, Callable[[Any], str | bytes]] = {
            "onnx": exports.to_onnx,
            "c": exports.to_c,
            "javascript": exports.to_javascript,
            "python": exports.to_python,
        }
        written = targets[to](document)
    content = written if isinstance(written, bytes) else written.encode()
    with AtomicFile(output) as file:
        file.write(content)
    stderr().print(f"{output}: {to}, {len(content):,} bytes", markup=False)
    return 0
