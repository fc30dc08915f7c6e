"""What a row goes through on its way to a decision, laid out for rendering.

A recipe holds the numbers of a document that are needed to decide, and none that are not:
columns that are left out or that no node reads are gone, categories have places, dates are
counted in microseconds, and two classes have one margin instead of two logits.
"""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from trisect.model_file import Document, to_document
from trisect.model_file.document import ConfusionCosts, Label

__all__ = [
    "ACCEPT",
    "DEFER",
    "REJECT",
    "ClassRule",
    "MarginRule",
    "Recipe",
    "document_of",
    "features_of",
    "recipe_of",
]

ACCEPT, DEFER, REJECT = "accept", "defer", "reject"

Record = dict[str, Any]
Numbers = list[float]


@dataclass(frozen=True)
class MarginRule:
    """How the nodes decide between two classes.

    Parameters
    ----------
    weights : list of float
        What each node adds to the logit of the positive class less that of the other.
    bias : float
        Where that difference starts.
    alpha, beta : float
        Accept from alpha upwards; reject what remains from beta downwards.
    positive : str
        Name of the positive class.
    """

    weights: Numbers
    bias: float
    alpha: float
    beta: float
    positive: str


@dataclass(frozen=True)
class ClassRule:
    """How the nodes decide between more than two classes.

    Parameters
    ----------
    weights : list of list of float
        For each class what each node adds to its logit.
    biases : list of float
        Where the logits start.
    costs : list of list of float
        For each accepted class what it costs for each true one.
    defer : float
        What deferring costs.
    labels : list of str
        Names of the classes.
    """

    weights: list[Numbers]
    biases: Numbers
    costs: list[Numbers]
    defer: float
    labels: list[str]


@dataclass(frozen=True)
class Recipe:
    """All that leads from a row to a decision.

    Parameters
    ----------
    columns : list of dict
        The columns that are read: records with a ``kind`` (plain, number, flag, category,
        evidence or date), a ``name`` and a few numbers. Their outputs, one after another, are
        the features.
    straight : list of dict
        Inputs with ``feature``, and ``center``, ``factor`` and ``limit`` or ``knots`` and
        ``values``.
    positions : list of dict
        Inputs with ``feature`` and ``knots``, along which nodes have curves.
    activation : str
        Activation function of the nodes.
    weights : list of list of float
        Weights of each node for the straight inputs.
    biases : list of float
        Bias of each node.
    curves : list of list of list of float
        For each position and node the values at the knots.
    rule : MarginRule or ClassRule
        From the nodes to the decision.
    """

    columns: list[Record]
    straight: list[Record]
    positions: list[Record]
    activation: str
    weights: list[Numbers]
    biases: Numbers
    curves: list[list[Numbers]]
    rule: MarginRule | ClassRule

    @property
    def n_features(self) -> int:
        """Number of features."""
        return sum(len(features_of(column)) for column in self.columns)


def recipe_of(model: Any, every_column: bool = False) -> Recipe:
    """Lay a model out for rendering.

    Parameters
    ----------
    model : estimator or dict
        A fitted model that a model file can hold, a loaded one, or a document.
    every_column : bool, default=False
        Whether columns that the network does not read stay, so that features have the numbers
        that they have in the document.

    Returns
    -------
    Recipe

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from trisect import STWDSFNNClassifier
    >>> from trisect.exports.recipe import recipe_of
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> recipe = recipe_of(STWDSFNNClassifier(random_state=0).fit(X, y))
    >>> sorted(recipe.columns[0]), recipe.n_features == len(recipe.columns)
    (['kind', 'name'], True)
    """
    document = document_of(model)
    network, inputs = document["network"], document["inputs"]
    read = {one["feature"] for one in [*inputs["straight"], *inputs["positions"]]}
    columns: list[Record] = []
    numbers: dict[int, int] = {}
    first = 0
    for column in map(_column, document["columns"]):
        own = range(first, first + len(features_of(column)))
        first = own.stop
        if own and (every_column or not read.isdisjoint(own)):
            columns.append(column)
            numbers |= {feature: len(numbers) + i for i, feature in enumerate(own)}
    return Recipe(
        columns=columns,
        straight=[{**line, "feature": numbers[line["feature"]]} for line in inputs["straight"]],
        positions=[{**one, "feature": numbers[one["feature"]]} for one in inputs["positions"]],
        activation=network["activation"],
        weights=network["weights"],
        biases=network["biases"],
        curves=network["curves"],
        rule=_rule(document),
    )


def document_of(model: Any) -> Document:
    """Return the document of a model, which may be one already."""
    return cast(Document, model) if isinstance(model, dict) else to_document(model)


def features_of(column: Record) -> list[str]:
    """Say what each feature of a column is: "value", "missing", a part of a date, or a number.

    Numbers are the places of categories, or of the numbers that evidence consists of.
    """
    kind = column["kind"]
    if kind == "plain":
        return ["value"]
    if kind == "category":
        return [str(i) for i in range(column["size"])]
    if kind == "evidence":
        return [str(i) for i in range(len(column["missing"]))]
    if kind == "left out":
        return []
    own = column["parts"] if kind == "date" else ["value"]
    return [*own, "missing"] if column["indicator"] else list(own)


def _column(column: Record | str) -> Record:
    if isinstance(column, str):
        return {"kind": "plain", "name": column}
    if column["kind"] == "category":
        values, rare = column["values"], column["rare"]
        size = len(values) + bool(rare) + column["missing"]
        places = dict.fromkeys(column["base"], -1) | {v: i for i, v in enumerate(values)}
        return {
            "kind": "category",
            "name": column["name"],
            "places": places | dict.fromkeys(rare, len(values)),
            "size": size,
            "unknown": size - 1 if column["missing"] else -1,
        }
    if column["kind"] == "date":
        first = np.datetime64(column["first"], "us").astype(np.int64)
        return {**column, "first": int(first)}
    return {name: value for name, value in column.items() if name != "classes"}


def _rule(document: Document) -> MarginRule | ClassRule:
    weights, biases = document["outputs"]["weights"], document["outputs"]["biases"]
    labels, thresholds = document["classes"]["labels"], document["thresholds"]
    if thresholds is None:
        costs = cast(ConfusionCosts, document["costs"])
        return ClassRule(
            weights=[list(of_class) for of_class in zip(*weights, strict=True)],
            biases=biases,
            costs=[list(accepted) for accepted in zip(*costs["confusion"], strict=True)],
            defer=costs["defer"],
            labels=[str(label) for label in labels],
        )
    positive = labels.index(cast(Label, document["positive"]))
    return MarginRule(
        weights=[pair[positive] - pair[1 - positive] for pair in weights],
        bias=biases[positive] - biases[1 - positive],
        alpha=thresholds["alpha"],
        beta=thresholds["beta"],
        positive=str(labels[positive]),
    )
