"""The paper's network models: the grown one, and its rivals of fixed and of searched size.

All of them search the same grid, six activations by two initialisations, and choose on the
validation fold, which also tells when to stop training. The swarm, which trains up to ten networks
for each configuration, searches a sample of the grid, and so do both models in the table of five
folds, see `trisect.experiments.study.SEARCHED`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product
from typing import Any

from trisect.estimators.searches import GridSFNNClassifier, SwarmSFNNClassifier
from trisect.estimators.sfnn import SFNNClassifier
from trisect.estimators.stwd_sfnn import STWDSFNNClassifier
from trisect.estimators.twd_sfnn import TWDSFNNClassifier
from trisect.experiments.models.model import Configuration, Model, trisect_code
from trisect.network import ACTIVATIONS, DISTRIBUTIONS

SWARM_CONFIGURATIONS = 4


def network_space(n_features: int) -> list[Configuration]:
    """Six activations and two initialisations: 12 configurations."""
    pairs = product(ACTIVATIONS, DISTRIBUTIONS)
    return [{"activation": a, "initialisation": d} for a, d in pairs]


def build(
    estimator: type, settings: Mapping[str, Any], configuration: Mapping[str, Any], seed: int
) -> Any:
    """An estimator with the settings of its model and those of a configuration."""
    return estimator(**settings, **configuration, random_state=seed)


def _entry(
    name: str,
    estimator: type,
    tables: tuple[str, ...],
    note: str = "",
    n_configurations: int | None = None,
    **settings: Any,
) -> Model:
    return Model(
        name,
        partial(build, estimator, settings),
        network_space,
        tables,
        trisect_code,
        n_configurations,
        uses_validation=True,
        network=True,
        warm_up=True,
        note=note,
    )


NETWORK = (
    _entry("m1-SFNN-R", SFNNClassifier, ("static",), n_hidden="m1"),
    _entry("m2-SFNN-R", SFNNClassifier, ("static",), n_hidden="m2"),
    _entry("m3-SFNN-R", SFNNClassifier, ("static",), n_hidden="m3"),
    _entry("GS-SFNN", GridSFNNClassifier, ("dynamic",)),
    _entry(
        "PSO-SFNN",
        SwarmSFNNClassifier,
        ("dynamic",),
        "5 particles, 20 iterations",
        SWARM_CONFIGURATIONS,
        n_particles=5,
        n_iterations=20,
    ),
    _entry(
        "TWD-SFNN-R",
        TWDSFNNClassifier,
        ("dynamic", "twd-5fold"),
        "trained as STWD-SFNN is, grown until nothing is deferred",
    ),
    _entry(
        "STWD-SFNN-NK",
        STWDSFNNClassifier,
        ("dynamic",),
        "the paper's growth, which ends with one node where no two rows are alike",
        growth="paper",
        granules="rows",
    ),
    _entry("STWD-SFNN", STWDSFNNClassifier, ("static", "dynamic", "classic", "twd-5fold")),
)
