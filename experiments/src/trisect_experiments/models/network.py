"""The estimators of trisect: how they are built, and what a fitted one reports.

This is the only file of the harness that depends on their parameters and attributes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import CostMatrix, sample_cost_matrices
from trisect.estimators.sfnn import SFNNClassifier
from trisect.estimators.sizes import SEARCHES
from trisect.estimators.stwd_sfnn import GROWTHS, STWDSFNNClassifier
from trisect.estimators.twd_sfnn import TWDSFNNClassifier
from trisect.growth import levels_table
from trisect.network import ACTIVATIONS, DISTRIBUTIONS
from trisect_experiments.models.code import trisect_code
from trisect_experiments.models.model import Configuration, Fixed, Model

ESTIMATORS = {"sfnn": SFNNClassifier, "twd": TWDSFNNClassifier, "stwd": STWDSFNNClassifier}

MAX_LEVELS = 10

# Columns that the position of a record says already.
_COUNTED = ("level", "n_hidden")


def build_network(kind: str, configuration: Mapping[str, Any], seed: int) -> Any:
    """An unfitted estimator of the given kind of `ESTIMATORS`.

    A configuration is plain data: a growth or a search of sizes is given by its name ("refined"
    by default), with parameters such as ``growth__joint`` beside it, and ``costs="fixed"`` stands
    for `fixed_costs`.
    """
    options = dict(configuration)
    if options.get("costs") == "fixed":
        options["costs"] = fixed_costs(seed)
    nested = {name: options.pop(name) for name in list(options) if "__" in name}
    for name in {name.partition("__")[0] for name in nested}:
        options[name] = (GROWTHS | SEARCHES)[options.get(name, "refined")]()
    return ESTIMATORS[kind](**options, random_state=seed).set_params(**nested)


def fixed_costs(seed: int) -> list[CostMatrix]:
    """The first matrix of a random chain, repeated at every level."""
    first = sample_cost_matrices(MAX_LEVELS, np.random.default_rng(seed))[0]
    return [first] * MAX_LEVELS


def initial_grid(**settings: Any) -> list[Configuration]:
    """Six activations by two initialisations, each with the given settings."""
    pairs = product(ACTIVATIONS, DISTRIBUTIONS)
    return [{**settings, "activation": a, "initialisation": d} for a, d in pairs]


def network_model(name: str, kind: str, *configurations: Configuration, **options: Any) -> Model:
    """A row of a table for one of our networks; `options` are further fields of `Model`."""
    return Model(
        name,
        partial(build_network, kind),
        Fixed(*configurations),
        trisect_code,
        uses_validation=True,
        warm_up=True,
        **options,
    )


def level_records(
    estimator: Any, X: NDArray[np.float64], y: NDArray[Any]
) -> list[dict[str, float]]:
    """The numbers of every level of a grown network, with its accuracy on some rows.

    Empty for an estimator without levels.
    """
    if not hasattr(estimator, "levels_"):
        return []
    columns = {k: v for k, v in levels_table(estimator.levels_).items() if k not in _COUNTED}
    scaled = estimator.scaling_.transform(X)
    columns["accuracy"] = [
        np.mean(estimator.classes_[level.network.logits(scaled).argmax(axis=1)] == y)
        for level in estimator.levels_
    ]
    rows = zip(*columns.values(), strict=True)
    return [dict(zip(columns, map(float, row), strict=True)) for row in rows]


def hidden_nodes(estimator: Any) -> float:
    """Hidden nodes of a network, also as the last step of a pipeline; NaN for other models."""
    last = estimator[-1] if hasattr(estimator, "steps") else estimator
    if hasattr(last, "n_hidden_"):
        return float(last.n_hidden_)
    sizes = getattr(last, "hidden_layer_sizes", None)
    return float(np.sum(sizes)) if sizes is not None else float("nan")
