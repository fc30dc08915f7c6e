"""ONNX, from the features on."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.exports.recipe import ClassRule, MarginRule, Recipe, document_of, recipe_of
from trisect.model_file import feature_names
from trisect.network.activations import LEAK, SELU_ALPHA, SELU_SCALE

__all__ = ["to_onnx"]

# What onnxruntime has read since 2023.
OPSET, IR_VERSION = 18, 9


def to_onnx(model: Any) -> bytes:
    """Write the numeric part of a model as an ONNX graph in core operators.

    Strings, dates and gaps stay outside: the graph starts from the numbers that the columns
    become, those of ``TableEncoder.transform``. Their names, in order, are in the metadata
    under "features".

    Parameters
    ----------
    model : estimator or dict
        A fitted model that a model file can hold, a loaded one, or its document.

    Returns
    -------
    bytes
        A graph with the input ``features``, in double precision, of shape (rows, features). Its
        outputs are ``probability`` and ``decision`` (1 accepts, 0 defers, -1 rejects); with
        more than two classes ``probabilities``, ``decision`` and ``accepted``, the number of
        the class that is accepted, or -1.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from trisect import STWDSFNNClassifier
    >>> from trisect.exports import to_onnx
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = STWDSFNNClassifier(random_state=0).fit(X, y)
    >>> len(to_onnx(model)) > 1000
    True
    """
    try:
        from onnx import checker, helper
    except ImportError as error:
        raise ImportError("ONNX needs a package: run pip install 'trisect[exports]'.") from error

    document = document_of(model)
    recipe = recipe_of(document, every_column=True)
    graph = _Graph()
    outputs = _decision(graph, _hidden(graph, recipe), recipe.rule)
    made = graph.finished(recipe.n_features, outputs)
    written = helper.make_model(
        made,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="trisect",
    )
    names = feature_names(document)
    helper.set_model_props(written, {"features": json.dumps(names), **_labels(recipe.rule)})
    checker.check_model(written)
    return written.SerializeToString()


def _labels(rule: MarginRule | ClassRule) -> dict[str, str]:
    if isinstance(rule, MarginRule):
        return {"positive": rule.positive}
    return {"classes": json.dumps(rule.labels)}


class _Graph:
    """A graph that grows by calls: each adds a node and returns the name of what comes out."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def constant(self, value: Any, kind: type = np.float64) -> str:
        from onnx import numpy_helper

        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.asarray(value, dtype=kind), name))
        return name

    def __call__(self, operator: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        from onnx import helper

        name = name or f"{operator.lower()}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def finished(self, n_features: int, outputs: dict[str, int | None]) -> Any:
        from onnx import TensorProto, helper

        def described(name: str, width: int | None, kind: int) -> Any:
            shape: list[str | int | None] = ["rows"] if width is None else ["rows", width]
            return helper.make_tensor_value_info(name, kind, shape)

        whole = ("decision", "accepted")
        return helper.make_graph(
            self._nodes,
            "trisect",
            [described("features", n_features, TensorProto.DOUBLE)],
            [
                described(name, width, TensorProto.INT64 if name in whole else TensorProto.DOUBLE)
                for name, width in outputs.items()
            ],
            self._constants,
        )


def _hidden(graph: _Graph, recipe: Recipe) -> str:
    """Add the inputs and nodes; curves are sums of rises, each times the share behind x."""
    weights, start = np.array(recipe.weights), np.array(recipe.biases)
    parts: list[str] = []
    linear = [j for j, line in enumerate(recipe.straight) if "knots" not in line]
    if linear:
        lines = [recipe.straight[j] for j in linear]
        x = _columns(graph, [line["feature"] for line in lines])
        x = graph("Sub", x, graph.constant([line["center"] for line in lines]))
        x = graph("Mul", x, graph.constant([line["factor"] for line in lines]))
        limit = graph.constant([line["limit"] for line in lines])
        x = graph("Max", graph("Min", x, limit), graph("Neg", limit))
        parts.append(graph("MatMul", x, graph.constant(weights[:, linear].T)))
    features, left, width, rises = [], [], [], [np.empty((len(start), 0))]
    for feature, knots, values in _curves(recipe, weights):
        start = start + values[:, 0]
        n = len(knots) - 1
        features += [feature] * n
        left += knots[:-1]
        width += np.diff(knots).tolist()
        rises.append(np.diff(values, axis=1))
    if features:
        x = graph("Sub", _columns(graph, features), graph.constant(left))
        x = graph("Div", x, graph.constant(width))
        share = graph("Clip", x, graph.constant(0.0), graph.constant(1.0))
        parts.append(graph("MatMul", share, graph.constant(np.concatenate(rises, axis=1).T)))
    z = graph.constant(start)
    for part in parts:
        z = graph("Add", part, z)
    return _activated(graph, recipe.activation, z)


def _curves(recipe: Recipe, weights: NDArray) -> list[tuple[int, list[float], NDArray]]:
    """Return feature, knots, and the values of each node at them, of all that is bent."""
    lines = [
        (line["feature"], line["knots"], np.outer(weights[:, j], line["values"]))
        for j, line in enumerate(recipe.straight)
        if "knots" in line
    ]
    return lines + [
        (position["feature"], position["knots"], np.array(values))
        for position, values in zip(recipe.positions, recipe.curves, strict=True)
    ]


def _columns(graph: _Graph, features: list[int]) -> str:
    return graph("Gather", "features", graph.constant(features, np.int64), axis=1)


def _activated(graph: _Graph, activation: str, z: str) -> str:
    if activation in ("tanh", "sigmoid", "relu"):
        return graph(activation.capitalize(), z)
    if activation == "swish":
        return graph("Mul", z, graph("Sigmoid", z))
    if activation == "leaky_relu":
        return graph("Max", z, graph("Mul", z, graph.constant(LEAK)))
    zero = graph.constant(0.0)
    below = graph("Sub", graph("Exp", graph("Min", z, zero)), graph.constant(1.0))
    below = graph("Mul", below, graph.constant(SELU_ALPHA))
    return graph("Mul", graph("Add", graph("Max", z, zero), below), graph.constant(SELU_SCALE))


def _decision(graph: _Graph, hidden: str, rule: MarginRule | ClassRule) -> dict[str, int | None]:
    """Add what follows the nodes; returns the outputs and how wide they are."""
    from onnx import TensorProto

    if isinstance(rule, MarginRule):
        margin = graph("MatMul", hidden, graph.constant(rule.weights))
        margin = graph("Add", margin, graph.constant(rule.bias))
        p = graph("Sigmoid", margin, name="probability")
        accept = graph("GreaterOrEqual", p, graph.constant(rule.alpha))
        reject = graph("LessOrEqual", p, graph.constant(rule.beta))
        reject = graph("And", reject, graph("Not", accept))
        accept, reject = (graph("Cast", x, to=TensorProto.INT64) for x in (accept, reject))
        graph("Sub", accept, reject, name="decision")
        return {"probability": None, "decision": None}
    logits = graph("MatMul", hidden, graph.constant(np.array(rule.weights).T))
    logits = graph("Add", logits, graph.constant(rule.biases))
    p = graph("Softmax", logits, axis=1, name="probabilities")
    expected = graph("MatMul", p, graph.constant(np.array(rule.costs).T))
    axis = graph.constant([1], np.int64)
    least = graph("ReduceMin", expected, axis, keepdims=0)
    accept = graph("LessOrEqual", least, graph.constant(rule.defer))
    graph("Cast", accept, to=TensorProto.INT64, name="decision")
    best = graph("ArgMin", expected, axis=1, keepdims=0)
    graph("Where", accept, best, graph.constant(-1, np.int64), name="accepted")
    return {"probabilities": len(rule.labels), "decision": None, "accepted": None}
