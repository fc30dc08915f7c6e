"""The document: everything that a fitted model needs to predict and to decide, as plain data.

`Document` says what is in it, and how the numbers are put together. `to_document` writes one
from a fitted model. The same as JSON schema stands in `trisect.model_file.schema`.

How a row becomes a decision
----------------------------
1. The columns become *features*: the outputs of the column records one after another, or, if
   columns are names, the cells as they are.
2. Features become *inputs*. A straight input is linear, ``(x - center) * factor`` clipped to
   plus or minus ``limit``, or piecewise linear: ``values`` at the ``knots``, straight between
   them, flat outside. A position is the number of the last knot that is not above x, from 0, plus
   the share of the interval that x has behind it; 0 below the first knot, and just below
   the number of the last from there on. A feature that is no input is not read.
3. Node m adds up its bias, its weights times the straight inputs and, for each position, the
   value of its curve there: ``curves[position][m]`` holds its values at the knots, straight
   between them. Then comes the activation.
4. The logits of the classes are the output biases plus the nodes times the output weights;
   their softmax is the probabilities. With two classes, the one that is ``positive`` is
   accepted if its probability is at least ``alpha``; otherwise it is rejected if the
   probability is at most ``beta``, and deferred if not. With more classes the class with the
   least expected cost is accepted, or the row deferred if that costs less.
5. Level i of a walk reads the first i nodes with weights of its own, and gets a margin: the
   logit of the positive class. It accepts from ``log(alpha / (1 - alpha))`` plus the first of
   its strictness on, rejects up to ``log(beta / (1 - beta))`` less the second, and leaves the
   rest to the next level. Strictness null never decides. The last level decides as above.

Numbers of the network (all in ``network``, ``outputs`` and ``read_outs``) are float32, those of
features, inputs, costs and thresholds float64; all are written with as few digits as give the
same bits again.
"""

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "FORMAT",
    "VERSION",
    "Document",
    "feature_names",
    "to_document",
]

FORMAT = "trisect-model"
VERSION = 1

Numbers = list[float]
Label = str | int | float | bool


class StraightInput(TypedDict):
    """An input that is a straight or a piecewise straight line of a feature.

    It has either ``center``, ``factor`` and ``limit``, or ``knots`` and ``values``.
    """

    feature: int
    """Number of the feature, from 0."""
    center: NotRequired[float]
    factor: NotRequired[float]
    limit: NotRequired[float]
    knots: NotRequired[Numbers]
    values: NotRequired[Numbers]


class PositionInput(TypedDict):
    """An input that is the position of a feature between knots."""

    feature: int
    knots: Numbers


class Inputs(TypedDict):
    """How features become inputs: the straight ones, then the positions."""

    straight: list[StraightInput]
    positions: list[PositionInput]


class HiddenNodes(TypedDict):
    """The hidden nodes."""

    activation: str
    """One of relu, leaky_relu, selu, tanh, sigmoid and swish."""
    weights: list[Numbers]
    """Of each node, for the straight inputs."""
    biases: Numbers
    curves: list[list[Numbers]]
    """Of each position, for each node: the values of its curve at the knots."""


class Outputs(TypedDict):
    """What leads from the nodes to the logits of the classes."""

    weights: list[Numbers]
    """Of each node, for the classes."""
    biases: Numbers


class ReadOutLevels(TypedDict):
    """What the levels say about the positive one of two classes."""

    weights: list[Numbers]
    """Of each level, for the first nodes, as many as its number from 1."""
    biases: Numbers
    strictness: list[list[float | None]]
    """Of each level: by how much its margin must exceed that of accepting, and fall below that
    of rejecting, before it decides; null never decides."""


class Classes(TypedDict):
    """The classes, in the order of the outputs."""

    type: str
    """text, integer, number or boolean."""
    labels: list[Label]


class MatrixCosts(TypedDict):
    """Costs for two classes, in the user's unit."""

    amounts: list[Numbers]
    """``[[PP, BP, NP], [PN, BN, NN]]``: accept, defer, reject a positive, then a negative."""
    unit: str


class ConfusionCosts(TypedDict):
    """Costs for more than two classes, in the user's unit."""

    confusion: list[Numbers]
    """A row for each true class, a column for each accepted one."""
    defer: float
    unit: str


class Thresholds(TypedDict):
    """Probabilities of the positive class at which decisions change."""

    alpha: float
    """Accept from here."""
    beta: float
    """Reject up to here, unless accepted."""
    gamma: float
    """Accept from here if nothing may be deferred."""
    learned: bool
    """Whether alpha and beta were learned from data, instead of following from the costs."""


class TrainingSummary(TypedDict):
    """Where the model comes from."""

    library: str
    """The version of trisect."""
    estimator: str
    target: str | None
    """Name of the column that holds the classes, if it is known."""
    rows: int | None
    seed: int | None
    validation_scores: Numbers
    """Mean log-likelihood of the validation data after each level."""
    kept_level: int | None
    """Number of the level that was kept, from 1."""


class Document(TypedDict):
    """A fitted model."""

    format: str
    version: int
    columns: list[dict[str, Any]] | list[str]
    """Records of `trisect.tables` (``Column.to_dict``), or names of numeric columns."""
    inputs: Inputs
    network: HiddenNodes
    outputs: Outputs
    read_outs: ReadOutLevels | None
    classes: Classes
    positive: Label | None
    """The positive one of two classes; null with more."""
    costs: MatrixCosts | ConfusionCosts
    thresholds: Thresholds | None
    """For two classes; null with more."""
    training: TrainingSummary


def to_document(model: Any) -> Document:
    """Write a fitted model as plain data.

    Parameters
    ----------
    model : estimator
        A fitted `STWDSFNNClassifier`, `TWDSFNNClassifier` or `SFNNClassifier`; one of them in a
        `ThreeWayClassifier` without calibration, in a `TableClassifier`, or behind a
        `TableEncoder` in a pipeline. Or a model that was loaded from a file.

    Returns
    -------
    dict
        What `json.dumps` takes, see `Document`.

    Raises
    ------
    TypeError
        If there is a classifier inside that is not a network of this library.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from trisect import STWDSFNNClassifier
    >>> from trisect.model_file import to_document
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> document = to_document(STWDSFNNClassifier(random_state=0).fit(X, y))
    >>> document["classes"], document["positive"], document["thresholds"]["alpha"]
    ({'type': 'integer', 'labels': [0, 1]}, 1, 0.8)
    """
    if hasattr(model, "document"):
        return model.document
    from trisect.model_file.parts import parts_of

    parts = parts_of(model)
    network, scaling = parts.network.network_, parts.network.scaling_
    nodes = network.nodes
    n_positions = len(nodes.first) - 1
    labels = parts.network.classes_
    costs = _costs(parts.costs)
    two = len(labels) == 2
    return {
        "format": FORMAT,
        "version": VERSION,
        "columns": parts.columns,
        "inputs": _inputs(scaling, n_positions),
        "network": {
            "activation": network.activation,
            "weights": singles(nodes.W1),
            "biases": singles(nodes.b1),
            "curves": [_curve(nodes, k) for k in range(n_positions)],
        },
        "outputs": {"weights": singles(network.W2), "biases": singles(network.b2)},
        "read_outs": _read_outs(parts.read_outs) if two and parts.read_outs is not None else None,
        "classes": _classes(labels),
        "positive": _label(parts.positive) if two else None,
        "costs": costs,
        "thresholds": parts.thresholds if two else None,
        "training": parts.training,
    }


def feature_names(document: Document) -> list[str]:
    """Return the names of the features, in the order of their numbers.

    Parameters
    ----------
    document : dict
        A document.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from trisect.model_file import feature_names
    >>> gaps = {"kind": "number", "name": "age", "fill": 40.0, "indicator": True}
    >>> feature_names({"columns": [gaps]})
    ['age', 'age missing']
    """
    from trisect.tables.kinds import column_from_dict

    names: list[str] = []
    for column in document["columns"]:
        names += [column] if isinstance(column, str) else column_from_dict(column).outputs
    return names


def _inputs(scaling: Any, n_positions: int) -> Inputs:
    straight: list[StraightInput] = [
        {"feature": j, "center": float(center), "factor": float(factor), "limit": scaling.limit}
        for j, (center, factor) in enumerate(zip(scaling.center, scaling.factor, strict=True))
    ]
    positions: list[PositionInput] = []
    first_position = len(scaling.columns) - n_positions
    for k, (column, used) in enumerate(zip(scaling.columns, scaling.counts, strict=True)):
        knots, values = (of[k, :used].tolist() for of in (scaling.knots, scaling.values))
        if k < first_position:
            straight.append({"feature": int(column), "knots": knots, "values": values})
        else:
            positions.append({"feature": int(column), "knots": knots})
    return {"straight": straight, "positions": positions}


def _curve(nodes: Any, position: int) -> list[Numbers]:
    """Return the values of each node's curve at the knots of a position."""
    own = slice(nodes.first[position], nodes.first[position + 1])
    starts, rises = nodes.starts[:, own], nodes.rises[:, own]
    last = _ends(starts[:, -1], rises[:, -1])
    values = np.concatenate([starts, last[:, None]], axis=1)
    if not np.array_equal(np.diff(values, axis=1), rises):
        raise AssertionError("A curve must be its values at the knots.")
    return singles(values)


def _ends(starts: NDArray[np.float32], rises: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return values whose differences from the starts, rounded, are the rises."""
    ends = starts + rises
    for direction in (np.inf, -np.inf):
        beside = np.nextafter(ends, np.float32(direction))
        ends = np.where((ends - starts != rises) & (beside - starts == rises), beside, ends)
    return ends


def _read_outs(read_outs: Any) -> ReadOutLevels:
    return {
        "weights": [singles(row[: i + 1]) for i, row in enumerate(read_outs.weights)],
        "biases": singles(read_outs.biases),
        "strictness": [
            [None if np.isinf(side) else _single(side) for side in level]
            for level in read_outs.strictness
        ],
    }


_TYPES = {"U": "text", "O": "text", "i": "integer", "u": "integer", "f": "number", "b": "boolean"}


def _classes(labels: NDArray[Any]) -> Classes:
    kind = _TYPES.get(labels.dtype.kind)
    if kind is None or (labels.dtype.kind == "O" and not all(isinstance(c, str) for c in labels)):
        raise TypeError(
            "A model file holds classes that are texts, numbers or booleans, not "
            f"{sorted({type(label).__name__ for label in labels.tolist()})}."
        )
    return {"type": kind, "labels": [_label(label) for label in labels]}


def _label(label: Any) -> Label:
    return label.item() if isinstance(label, np.generic) else label


def _costs(costs: Any) -> MatrixCosts | ConfusionCosts:
    if hasattr(costs, "confusion"):
        return {
            "confusion": costs.confusion.tolist(),
            "defer": float(costs.defer),
            "unit": costs.unit,
        }
    return {"amounts": costs.amounts.tolist(), "unit": costs.unit}


def singles(array: NDArray[np.float32] | Sequence[float]) -> Any:
    """Write float32 numbers as nested lists, each with as few digits as give its bits again."""
    found = np.asarray(array, dtype=np.float32)
    if found.ndim > 1:
        return [singles(part) for part in found]
    return [_single(number) for number in found]


def _single(number: np.float32) -> float:
    short = float(str(number))
    # The digits go through float64 when they are read; that could round twice.
    return short if np.float32(short) == number else float(number)
