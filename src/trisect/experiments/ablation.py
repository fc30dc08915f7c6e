"""The ablation: refined growth with one part taken away or exchanged at a time.

Every variant is fitted with the estimator's own defaults and one configuration, so that what
differs between two rows of the table is the one part that is named there. Granules are exchanged
under both growths: in the paper's they decide what the next node learns, in refined growth they
only count and price the decisions of a level.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from trisect.decisions import CostMatrix, sample_cost_matrices
from trisect.estimators.stwd_sfnn import STWDSFNNClassifier
from trisect.experiments.models.model import Configuration, Model, trisect_code

BASELINE = "refined"
MAX_LEVELS = 10

VARIANTS: dict[str, tuple[str, Configuration]] = {
    BASELINE: ("refined growth, all parts, k-means granules", {}),
    "paper": ("the paper's growth, Algorithm 1 to the letter", {"growth": "paper"}),
    "no-hard-region": ("new nodes see all instances, not the hard ones", {"hard_region": False}),
    "no-joint": ("no training of all nodes together at each level", {"joint": False}),
    "last-level": ("no selection of a level: the last is kept", {"selection": "last"}),
    "granules-rows": ("granules are identical rows", {"granules": "rows"}),
    "granules-bins": ("granules are equal bins", {"granules": "bins"}),
    "paper-rows": ("the paper's growth, identical rows", {"growth": "paper", "granules": "rows"}),
    "paper-bins": ("the paper's growth, equal bins", {"growth": "paper", "granules": "bins"}),
    "fixed-thresholds": ("one cost matrix at all levels, not a chain", {"costs": "fixed"}),
}
"""What each variant changes: a sentence for readers, and the parameters."""


def fixed_costs(seed: int) -> list[CostMatrix]:
    """The first matrix of a random chain, repeated at every level.

    Examples
    --------
    >>> len({(matrix.alpha, matrix.beta) for matrix in fixed_costs(0)})
    1
    """
    first = sample_cost_matrices(MAX_LEVELS, np.random.default_rng(seed))[0]
    return [first] * MAX_LEVELS


def build_variant(configuration: Mapping[str, Any], seed: int) -> STWDSFNNClassifier:
    """The estimator of a variant."""
    options = dict(configuration)
    if options.get("costs") == "fixed":
        options["costs"] = fixed_costs(seed)
    return STWDSFNNClassifier(**options, max_levels=MAX_LEVELS, random_state=seed)


class _Single:
    """A space of one configuration, picklable by the workers."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration

    def __call__(self, n_features: int) -> list[Configuration]:
        return [dict(self.configuration)]


ABLATION = tuple(
    Model(
        name,
        build_variant,
        _Single(parameters),
        ("ablation",),
        trisect_code,
        uses_validation=True,
        network=True,
        warm_up=True,
        note=sentence,
    )
    for name, (sentence, parameters) in VARIANTS.items()
)
