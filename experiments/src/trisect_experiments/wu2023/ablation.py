"""The ablation: refined growth with one part taken away or exchanged at a time.

Every variant is fitted with the estimator's defaults and one configuration, so that two rows of
the table differ in the one part that is named there. Granules are exchanged under both growths:
in the paper's they decide what the next node learns, in refined growth they only count and price
the decisions of a level.
"""

from __future__ import annotations

from trisect_experiments.models import Configuration
from trisect_experiments.models.network import network_model
from trisect_experiments.study import Contest, Question, Study, Table
from trisect_experiments.wu2023.models import OURS
from trisect_experiments.wu2023.study import DATASETS, NOTES

BASELINE = "refined"

VARIANTS: dict[str, tuple[str, Configuration]] = {
    BASELINE: ("refined growth, all parts, k-means granules", {}),
    "paper": ("the paper's growth, Algorithm 1", {"growth": "paper"}),
    "no-hard-region": (
        "new nodes see all instances, not the hard ones",
        {"growth__hard_region": False},
    ),
    "no-joint": ("no training of all nodes together at each level", {"growth__joint": False}),
    "last-level": ("no selection of a level: the last is kept", {"growth__selection": "last"}),
    "granules-rows": ("granules are identical rows", {"granules": "rows"}),
    "granules-bins": ("granules are equal bins", {"granules": "bins"}),
    "paper-rows": ("the paper's growth, identical rows", {"growth": "paper", "granules": "rows"}),
    "paper-bins": ("the paper's growth, equal bins", {"growth": "paper", "granules": "bins"}),
    "fixed-thresholds": ("one cost matrix at all levels, not a chain", {"costs": "fixed"}),
}
"""What each variant changes: in words, and as parameters of the estimator."""

MODELS = tuple(
    network_model(name, "stwd", parameters, note=words)
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
        ),
    ),
    datasets=DATASETS,
    dataset_notes=NOTES,
    questions=(Question("What is each part worth?", (Contest("ablation"),)),),
    template="ablation.md.j2",
    package="trisect_experiments.wu2023",
    findings=lambda *_: {"descriptions": {name: words for name, (words, _) in VARIANTS.items()}},
)
