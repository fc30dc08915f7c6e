"""The command that says what is in a model file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from trisect.cli.options import JsonFlag
from trisect.cli.saying import counted, print_json

__all__ = ["describe_decisions", "inspect"]


def inspect(model: Path, *, json: JsonFlag = False) -> int:
    """Say what a model does: its columns, its network, its costs and thresholds.

    For example: trisect inspect model.json

    Parameters
    ----------
    model
        The model file.
    json
        Whether to print a summary as JSON instead of words.
    """
    from trisect.model_file import read_document

    document = read_document(model)
    summary = _summary(document, model.stat().st_size)
    if json:
        print_json(summary)
        return 0
    console = Console(highlight=False, soft_wrap=True)
    training, network = document["training"], summary["network"]
    console.print(
        f"{model}: {training['estimator']} of trisect {training['library']}", markup=False
    )
    rows = "" if training["rows"] is None else f" from {counted(training['rows'], 'row')}"
    of = "" if training["target"] is None else f" of {training['target']!r}"
    labels = ", ".join(map(str, summary["classes"]))
    console.print(f"tells the classes{of} apart: {labels}{rows}", markup=False)
    for line in describe_decisions(document):
        console.print(line, markup=False)
    console.print(
        f"network: {counted(network['nodes'], 'node')} ({network['activation']}), "
        f"{counted(network['inputs'], 'input')}, {counted(network['numbers'], 'number')}; "
        f"{summary['bytes']:,} bytes"
    )
    console.print()
    for line in _columns(summary["columns"], max(console.width, 80)):
        console.print(line, markup=False)
    return 0


def describe_decisions(document: Any) -> list[str]:
    """Say in words how a model decides, and what that costs."""
    thresholds, unit = document["thresholds"], document["costs"]["unit"]
    if thresholds is None:
        defer = f"{document['costs']['defer']:g}{unit and ' ' + unit}"
        return [f"accepts the class with the least expected cost, or defers for {defer}"]
    positive = document["positive"]
    [other] = [label for label in document["classes"]["labels"] if label != positive]
    (pp, bp, np), (pn, bn, nn) = document["costs"]["amounts"]
    learned = ", learned from data" if thresholds["learned"] else ""
    bounds = f"from probability {thresholds['alpha']:.4g}, rejects up to {thresholds['beta']:.4g}"
    costs = f"{pp:g}, {bp:g}, {np:g} if {positive!r}; {pn:g}, {bn:g}, {nn:g} if {other!r}"
    return [
        f"accepts {positive!r} {bounds}, defers between{learned}",
        f"costs{unit and f' in {unit}'}: accept, defer, reject {costs}",
    ]


def _summary(document: Any, n_bytes: int) -> dict[str, Any]:
    inputs, network = document["inputs"], document["network"]
    return {
        "bytes": n_bytes,
        "version": document["version"],
        "training": document["training"],
        "classes": document["classes"]["labels"],
        "positive": document["positive"],
        "costs": document["costs"],
        "thresholds": document["thresholds"],
        "network": {
            "activation": network["activation"],
            "nodes": len(network["biases"]),
            "levels": 0 if document["read_outs"] is None else len(document["read_outs"]["biases"]),
            "inputs": len(inputs["straight"]) + len(inputs["positions"]),
            "numbers": _count(network) + _count(document["outputs"]),
        },
        "columns": list(_columns_of(document)),
    }


def _columns_of(document: Any) -> Iterator[dict[str, Any]]:
    from trisect.tables.kinds import column_from_dict

    inputs, first = document["inputs"], 0
    read = {one["feature"] for one in [*inputs["straight"], *inputs["positions"]]}
    for column in document["columns"]:
        if isinstance(column, str):
            name, kind, numbers, note = column, "plain number", 1, ""
        else:
            name, kind, note = column["name"], column["kind"], _note(column)
            numbers = len(column_from_dict(column).outputs)
        own = range(first, first + numbers)
        first = own.stop
        if own and read.isdisjoint(own):
            note = "not read by the network"
        yield {"name": name, "kind": kind, "numbers": numbers, "note": note}


def _note(column: dict[str, Any]) -> str:
    gaps = " and are told" if column.get("indicator") else ""
    if column["kind"] == "left out":
        return column["reason"]
    if column["kind"] == "category":
        return ", ".join([*column["base"], *column["values"], *column["rare"]])
    if column["kind"] == "evidence":
        return counted(len(column["values"]), "value")
    if column["kind"] == "date":
        return f"{', '.join(column['parts'])}; first {column['first']}{gaps and ', gaps are told'}"
    return f"gaps count as {column['fill']:g}{gaps}"


def _count(part: Any) -> int:
    if isinstance(part, dict):
        return sum(map(_count, part.values()))
    return sum(map(_count, part)) if isinstance(part, list) else isinstance(part, float)


def _columns(columns: list[dict[str, Any]], width: int) -> list[str]:
    """Lay the columns out as lines that fit the screen."""
    from trisect.tables.report import shortened

    head = {"name": "column", "kind": "kind", "numbers": "numbers", "note": "what is in it"}
    names = max(len(row["name"]) for row in [head, *columns])
    lines = [
        f"{row['name']:{names}}  {row['kind']:12}  {row['numbers']:>7}  {row['note']}"
        for row in [head, *columns]
    ]
    return [shortened(line.rstrip(), width) for line in lines]
