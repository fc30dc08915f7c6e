"""Check that the parts of a document fit together, beyond what a schema can say."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from trisect.decisions import ClassCosts, CostMatrix
from trisect.model_file.document import Document, feature_names
from trisect.model_file.schema_check import ModelFileError
from trisect.tables.cells import Texts, read_times

__all__ = ["check_consistency", "costs_of"]

MAX_CELLS = 10_000_000
"""Most cells of the table of knots, as wide as the longest of them: 240 MB."""
_LABEL_TYPES = {"text": str, "integer": int, "number": float, "boolean": bool}


def check_consistency(document: Document) -> None:
    """Raise if the parts of a document do not fit together.

    Parameters
    ----------
    document : dict
        A document that agrees with the schema.

    Raises
    ------
    ModelFileError
        Says which part does not fit.
    """
    n_classes = len(document["classes"]["labels"])
    _check_columns(document["columns"], n_classes)
    n_features = len(feature_names(document))
    _require(n_features > 0, "columns", "no column is in use")
    _check_inputs(document["inputs"], n_features)
    _check_network(document, n_classes)
    _check_read_outs(document, n_classes)
    _check_classes(document)
    _check_costs(document, n_classes)
    _check_training(document["training"])


def costs_of(costs: Any) -> CostMatrix | ClassCosts:
    """Return the costs in a document."""
    if "confusion" in costs:
        return ClassCosts(costs["confusion"], costs["defer"], costs["unit"])
    return CostMatrix.from_array(costs["amounts"], costs["unit"])


def _require(truth: Any, where: str, problem: str) -> None:
    if not truth:
        raise ModelFileError(f"{where}: {problem}")


def _distinct(values: Sequence[Any]) -> bool:
    return len(set(values)) == len(values)


def _check_columns(columns: Sequence[Any], n_classes: int) -> None:
    names = [column if isinstance(column, str) else column["name"] for column in columns]
    _require(_distinct(names), "columns", "a name is there twice")
    for i, column in enumerate(columns):
        where = f"columns[{i}]"
        if isinstance(column, str):
            continue
        if column["kind"] == "category":
            values = [*column["base"], *column["values"], *column["rare"]]
            _require(_distinct(values), where, "a category is there twice")
        elif column["kind"] == "evidence":
            classes = column["classes"]
            wanted = 0 if n_classes == 2 else n_classes
            _require(len(classes) == wanted, where, f"evidence is for {wanted} named classes")
            rows = [column["missing"], *column["values"].values()]
            _require_lengths(rows, max(wanted, 1), where)
        elif column["kind"] == "date":
            _check_date(column, where)


def _check_date(column: dict[str, Any], where: str) -> None:
    _require(_distinct(column["parts"]), where, "a part is there twice")
    _require(len(column["fill"]) == len(column["parts"]), where, "each part needs a fill")
    first = column["first"]
    # Only the first date in ISO form, so that NumPy's shorthands such as "now" are refused.
    [time] = read_times(Texts(np.zeros(1, np.int32), [first]))
    _require(not np.isnat(time), where, "'first' is no date")
    try:
        read_times(Texts(np.zeros(1, np.int32), [""]), column["form"])
    except ValueError as error:
        raise ModelFileError(f"{where}: {error}") from None


def _check_inputs(inputs: Any, n_features: int) -> None:
    straight, positions = inputs["straight"], inputs["positions"]
    _require(straight or positions, "inputs", "there are none")
    features = [one["feature"] for one in [*straight, *positions]]
    _require(max(features) < n_features, "inputs", f"there are only {n_features} features")
    linear = [one for one in straight if "center" in one]
    if linear:
        _require(
            [one["feature"] for one in linear] == list(range(n_features))
            and len(linear) == len(straight)
            and not positions,
            "inputs",
            "linear inputs are those of all features in order, and without others",
        )
        limits = {one["limit"] for one in linear}
        _require(len(limits) == 1 and min(limits) > 0, "inputs", "limits must be one above zero")
    bent = [one for one in [*straight, *positions] if "knots" in one]
    widest = max((len(one["knots"]) for one in bent), default=0)
    _require(2 * len(bent) * widest <= MAX_CELLS, "inputs", "there are too many knots")
    for i, one in enumerate(bent):
        _check_curve(one, f"inputs with knots, number {i}")


def _check_curve(curve: Any, where: str) -> None:
    knots = np.array(curve["knots"], dtype=np.float64)
    values = np.array(curve.get("values", range(len(knots))), dtype=np.float64)
    _require(len(values) == len(knots), where, "each knot needs a value")
    with np.errstate(all="ignore"):
        steps = np.diff(knots)
        slopes = np.diff(values) / steps
    _require((steps > 0).all(), where, "knots must rise")
    _require(np.isfinite(steps).all() and np.isfinite(slopes).all(), where, "knots are too close")
    _require((np.abs(values) <= np.finfo(np.float32).max).all(), where, "values are too large")


def _require_lengths(rows: Iterable[Sequence[Any]], wanted: int, where: str) -> None:
    for i, row in enumerate(rows):
        if len(row) != wanted:
            raise ModelFileError(f"{where}[{i}]: {wanted} numbers are expected, not {len(row)}")


def _require_rows(rows: Sequence[Any], wanted: int, where: str) -> None:
    _require(len(rows) == wanted, where, f"{wanted} entries are expected, not {len(rows)}")


def _check_network(document: Document, n_classes: int) -> None:
    network, outputs = document["network"], document["outputs"]
    n_nodes = len(network["biases"])
    positions = document["inputs"]["positions"]
    _require_rows(network["weights"], n_nodes, "network.weights")
    n_straight = len(document["inputs"]["straight"])
    _require_lengths(network["weights"], n_straight, "network.weights")
    _require_rows(network["curves"], len(positions), "network.curves")
    for i, (position, curves) in enumerate(zip(positions, network["curves"], strict=True)):
        where = f"network.curves[{i}]"
        _require_rows(curves, n_nodes, where)
        _require_lengths(curves, len(position["knots"]), where)
        _require_single(np.array(curves), where)
    _require_rows(outputs["weights"], n_nodes, "outputs.weights")
    _require_lengths(outputs["weights"], n_classes, "outputs.weights")
    _require_rows(outputs["biases"], n_classes, "outputs.biases")
    for part, name in ((network, "network"), (outputs, "outputs")):
        for key in ("weights", "biases"):
            _require_single(np.array(part[key]), f"{name}.{key}")  # type: ignore[literal-required]


# Sums over nodes and inputs must stay finite too, and no fit comes near this.
_LARGEST_SINGLE = 1e30


def _require_single(numbers: Any, where: str) -> None:
    _require((np.abs(numbers) <= _LARGEST_SINGLE).all(), where, "a number is too large")


def _check_read_outs(document: Document, n_classes: int) -> None:
    found = document["read_outs"]
    if found is None:
        return
    n_nodes = len(document["network"]["biases"])
    _require(n_classes == 2, "read_outs", "they are for two classes")
    for key in ("weights", "biases", "strictness"):
        _require_rows(found[key], n_nodes, f"read_outs.{key}")  # type: ignore[literal-required]
    for i, row in enumerate(found["weights"]):
        _require_rows(row, i + 1, f"read_outs.weights[{i}]")
        _require_single(np.array(row), f"read_outs.weights[{i}]")
    _require_single(np.array(found["biases"]), "read_outs.biases")
    sides = [side for level in found["strictness"] for side in level if side is not None]
    _require(all(0 <= side < _LARGEST_SINGLE for side in sides), "read_outs.strictness", "below 0")


def _check_classes(document: Document) -> None:
    kind, labels = document["classes"]["type"], document["classes"]["labels"]
    wanted = _LABEL_TYPES[kind]
    _require(all(type(c) is wanted for c in labels), "classes.labels", f"they must be {kind}")
    _require(_distinct(labels), "classes.labels", "a label is there twice")
    positive = document["positive"]
    if len(labels) > 2:
        _require(positive is None, "positive", "with more than two classes it must be null")
    else:
        _require(type(positive) is wanted and positive in labels, "positive", "it must be a label")


def _check_costs(document: Document, n_classes: int) -> None:
    costs: Any = document["costs"]
    thresholds: Any = document["thresholds"]
    _require(("amounts" in costs) == (n_classes == 2), "costs", "they are for other classes")
    _require((thresholds is None) == (n_classes > 2), "thresholds", "they are for two classes")
    if "confusion" in costs:
        _require_rows(costs["confusion"], n_classes, "costs.confusion")
        _require_lengths(costs["confusion"], n_classes, "costs.confusion")
    try:
        found = costs_of(costs)
    except ValueError as error:
        raise ModelFileError(f"costs: {str(error).rstrip('.')}") from None
    if thresholds is None or isinstance(found, ClassCosts):
        return
    alpha, beta, gamma = (thresholds[key] for key in ("alpha", "beta", "gamma"))
    _require(beta <= alpha, "thresholds", "beta must not be above alpha")
    implied = (found.gamma,) if thresholds["learned"] else (*found.thresholds, found.gamma)
    given = (gamma,) if thresholds["learned"] else (alpha, beta, gamma)
    _require(np.allclose(given, implied, rtol=0, atol=1e-9), "thresholds", "not those of the costs")


def _check_training(training: Any) -> None:
    kept, scores = training["kept_level"], training["validation_scores"]
    _require(kept is None or kept <= max(len(scores), 1), "training.kept_level", "no such level")
