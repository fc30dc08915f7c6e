"""The ablation: what decisions are worth, one part taken away or exchanged at a time.

Every variant is fitted with the estimator's defaults and one configuration, so that two rows of a
table differ in the one part that is named there: from the refined growth, from refined growth with
given costs, or, in a table of their own, from the first reading of Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from trisect_experiments.models import Configuration
from trisect_experiments.models.network import MEASURED_COSTS, network_model
from trisect_experiments.statistics import score_matrix
from trisect_experiments.study import Contest, Outcomes, PlannedStudy, Question, Study, Table
from trisect_experiments.wu2023.models import ALGORITHM, GROWTHS, MAX_LEVELS, OURS, REFINED
from trisect_experiments.wu2023.study import DATASETS, NOTES

BASELINE = REFINED
READING = "algorithm-1"

_COSTS = MEASURED_COSTS.amounts.tolist()

VARIANTS: dict[str, tuple[str, Configuration]] = {
    BASELINE: ("refined growth with its defaults, at most ten levels", {}),
    "lesson-random": ("new nodes learn from as many rows at random", {"growth__lesson": "random"}),
    "lesson-decided": ("new nodes learn from the decided rows", {"growth__lesson": "decided"}),
    "lesson-all": ("new nodes learn from all rows", {"growth__lesson": "all"}),
    "given-costs": ("the costs that decisions are measured by, given to fit", {"costs": _COSTS}),
    "fixed-thresholds": (
        "the same costs at every level, not a chain that leads to them",
        {"costs": [_COSTS] * MAX_LEVELS},
    ),
    "granules-rows": ("granules are identical rows", {"granules": "rows"}),
    "granules-bins": ("granules are equal bins", {"granules": "bins"}),
    "granules-inherited": ("granules divide those before", {"granulation": "inherited"}),
    "granules-once": ("granules are made once", {"granulation": "once"}),
    "no-joint": ("no training of all nodes together at each level", {"growth__joint": False}),
    "last-level": ("no selection of a level: the last is kept", {"growth__selection": "last"}),
    READING: ("a reading of Algorithm 1: what the paper says where it says something", {}),
    f"{READING}-no-delta": ("both labels weigh the same in the loss", {"growth__delta": None}),
    f"{READING}-stacked": ("a node stands on the frozen ones", {"growth__node": "stacked"}),
    f"{READING}-watch-boundary": (
        "early stopping watches the validation instances that are still misclassified",
        {"growth__watch": "boundary"},
    ),
    f"{READING}-watch-nothing": ("no early stopping", {"growth__watch": None}),
    f"{READING}-l2-instance": (
        "lambda stands beside the mean loss, not the sum over a batch",
        {"growth__l2_per": "instance"},
    ),
    f"{READING}-once": ("granules are made once", {"granulation": "once"}),
    f"{READING}-other-label": ("the other label is the positive one", {"pos_label": 1}),
}
"""What each variant changes: in words, and as parameters of the estimator.

A reading of Algorithm 1 changes the parameters of the first one.
"""

_BUILT = {
    name: network_model(
        name,
        "stwd",
        GROWTHS[ALGORITHM if name.startswith(READING) else REFINED] | parameters,
        note=words,
    )
    for name, (words, parameters) in VARIANTS.items()
}
PARTS = tuple(m for name, m in _BUILT.items() if name == READING or not name.startswith(READING))
READINGS = tuple(m for name, m in _BUILT.items() if name.startswith(READING))


class Spread(NamedTuple):
    """How far the readings of Algorithm 1 lie apart on a dataset: accuracies in per cent."""

    dataset: str
    majority: float
    accuracy: float
    lowest: tuple[float, str]
    highest: tuple[float, str]


def spreads(planned: PlannedStudy, outcomes: Outcomes) -> list[Spread]:
    """The first reading, the worst and the best on every dataset that has all of them."""
    matrix = 100 * score_matrix(outcomes.get("readings", ()), "accuracy")
    majorities = {data.name: 100 * data.majority_rate for data in planned.datasets}
    return [
        Spread(
            str(dataset),
            majorities[str(dataset)],
            float(row[READING]),
            (float(row.min()), str(row.idxmin())),
            (float(row.max()), str(row.idxmax())),
        )
        for dataset, row in matrix.iterrows()
        if READING in row and len(row) > 1
    ]


def findings(planned: PlannedStudy, outcomes: Outcomes) -> Mapping[str, Any]:
    """What the page of answers needs beyond the questions."""
    return {
        "descriptions": {name: words for name, (words, _) in VARIANTS.items()},
        "spreads": spreads(planned, outcomes),
    }


ABLATION = Study(
    title=f"Ablation of {OURS}",
    subject=BASELINE,
    tables=(
        Table(
            "ablation",
            f"Ablation of {OURS}: one part taken away or exchanged at a time",
            f"Variants of {OURS}",
            PARTS,
            decisions=True,
        ),
        Table(
            "readings",
            "Readings of Algorithm 1, each different from the first in one thing",
            "Readings of Algorithm 1",
            READINGS,
            decisions=True,
        ),
    ),
    datasets=DATASETS,
    dataset_notes=NOTES,
    questions=(
        Question("What is each part worth?", (Contest("ablation"),)),
        Question(
            "What does each reading of Algorithm 1 do?", (Contest("readings", (), "", READING),)
        ),
    ),
    template="ablation.md.j2",
    package="trisect_experiments.wu2023",
    findings=findings,
)
