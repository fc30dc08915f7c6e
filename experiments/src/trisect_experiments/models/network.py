"""The estimators of trisect: how they are built and compiled, and what a fitted one reports.

This is the only file of the harness that depends on their parameters and attributes.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import CostMatrix
from trisect.estimators.sfnn import SFNNClassifier
from trisect.estimators.sizes import SEARCHES
from trisect.estimators.stwd_sfnn import GROWTHS, STWDSFNNClassifier
from trisect.estimators.twd_sfnn import TWDSFNNClassifier
from trisect.growth import levels_table
from trisect.network import ACTIVATIONS, DISTRIBUTIONS, engine_for, get_engine
from trisect_experiments.models.code import trisect_code
from trisect_experiments.models.model import Configuration, Fixed, Model

ESTIMATORS = {"sfnn": SFNNClassifier, "twd": TWDSFNNClassifier, "stwd": STWDSFNNClassifier}

MEASURED_COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
"""Costs under which the decisions of every network are measured; label 1 is to be accepted."""

# Columns that the position of a record says already.
_COUNTED = ("level", "n_hidden")


def build_network(kind: str, configuration: Mapping[str, Any], seed: int) -> Any:
    """An unfitted estimator of the given kind of `ESTIMATORS`.

    A configuration is plain data: a growth or a search of sizes is given by its name ("refined"
    by default), with parameters such as ``growth__joint`` beside it.
    """
    options = dict(configuration)
    nested = {name: options.pop(name) for name in list(options) if "__" in name}
    for name in {name.partition("__")[0] for name in nested}:
        options[name] = (GROWTHS | SEARCHES)[options.get(name, "refined")]()
    return ESTIMATORS[kind](**options, random_state=seed).set_params(**nested)


def compile_ahead(estimator: Any) -> None:
    """Load or compile what an estimator of ours may use, whatever the number of rows."""
    if isinstance(estimator, tuple(ESTIMATORS.values())):
        get_engine()
        for task in ("scale", "probabilities", "walk"):
            engine_for(task, sys.maxsize)


def initial_grid(**settings: Any) -> list[Configuration]:
    """Six activations by two initialisations, each with the given settings."""
    pairs = product(ACTIVATIONS, DISTRIBUTIONS)
    return [{**settings, "activation": a, "initialisation": d} for a, d in pairs]


def network_model(name: str, kind: str, *configurations: Configuration, **options: Any) -> Model:
    """A row of a table for one of our networks; `options` are further fields of `Model`.

    All configurations grow in the same way, if they grow.
    """
    growth = configurations[0].get("growth", "refined")
    others = (other for name, other in GROWTHS.items() if name != growth)
    return Model(
        name,
        partial(build_network, kind),
        Fixed(*configurations),
        partial(trisect_code, ESTIMATORS[kind], *others),
        uses_validation=True,
        **options,
    )


def level_records(
    estimator: Any, X: NDArray[np.float64], y: NDArray[Any]
) -> list[dict[str, float]]:
    """The numbers of every level of a grown network, with the accuracy on some rows.

    The accuracy of a level is that of as many nodes of the network as it has, through their own
    read-out; levels beyond the one that was kept have none. Empty for an estimator without levels.
    """
    if not hasattr(estimator, "levels_"):
        return []
    columns = {k: v for k, v in levels_table(estimator.levels_).items() if k not in _COUNTED}
    rows = zip(*columns.values(), strict=True)
    records = [dict(zip(columns, map(float, row), strict=True)) for row in rows]
    if estimator.read_outs_ is not None:
        hidden = estimator.network_.hidden(estimator.scaling_.transform(X))
        accepted = estimator.read_outs_.margins(hidden) > 0
        right = accepted == (y == estimator.pos_label_)
        for record, accuracy in zip(records, right.mean(axis=1), strict=False):
            record["accuracy"] = float(accuracy)
    return records


def decision_measures(estimator: Any, X: NDArray[np.float64], y: NDArray[Any]) -> dict[str, float]:
    """What three-way decisions on some rows cost under `MEASURED_COSTS`, and what a walk takes.

    `decision_cost` is the cost per 1,000 instances when the whole network decides, `walked_share`
    the share of its nodes that a walk through its levels evaluates. Empty for an estimator without
    levels.
    """
    if not hasattr(estimator, "decide_sequentially"):
        return {}
    regions = estimator.decide(X, MEASURED_COSTS, pos_label=1)
    walk = estimator.decide_sequentially(X, MEASURED_COSTS, pos_label=1)
    return {
        "decision_cost": 1000 * float(MEASURED_COSTS.charge(y == 1, regions).mean()),
        "walked_share": walk.nodes_evaluated / (len(X) * estimator.n_hidden_),
    }


def hidden_nodes(estimator: Any) -> float:
    """Hidden nodes of a network, also as the last step of a pipeline; NaN for other models."""
    last = estimator[-1] if hasattr(estimator, "steps") else estimator
    if hasattr(last, "n_hidden_"):
        return float(last.n_hidden_)
    sizes = getattr(last, "hidden_layer_sizes", None)
    return float(np.sum(sizes)) if sizes is not None else float("nan")
