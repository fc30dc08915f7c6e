"""The ablation: what decisions are worth, one part taken away or exchanged at a time.

Every variant is fitted with the estimator's defaults and one configuration, so that two rows of
the table differ in the one part that is named there: from the refined growth, from refined growth
with given costs, or from Algorithm 1, each of whose readings is a row.
"""

from __future__ import annotations

from trisect_experiments.models import Configuration
from trisect_experiments.models.network import MEASURED_COSTS, network_model
from trisect_experiments.study import Contest, Question, Study, Table
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

MODELS = tuple(
    network_model(
        name,
        "stwd",
        GROWTHS[ALGORITHM if name.startswith(READING) else REFINED] | parameters,
        note=words,
    )
    for name, (words, parameters) in VARIANTS.items()
)

ABLATION = Study(
    title=f"Ablation of {OURS}",
    subject=BASELINE,
    tables=(
        Table(
            "ablation",
            f"Ablation of {OURS}: one part taken away or exchanged at a time",
            f"Variants of {OURS}",
            MODELS,
            decisions=True,
        ),
    ),
    datasets=DATASETS,
    dataset_notes=NOTES,
    questions=(Question("What is each part worth?", (Contest("ablation"),)),),
    template="ablation.md.j2",
    package="trisect_experiments.wu2023",
    findings=lambda *_: {"descriptions": {name: words for name, (words, _) in VARIANTS.items()}},
)
