"""The study of the paper: every table, question and ranking, described once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trisect_experiments.models import Model
from trisect_experiments.study import (
    Contest,
    Outcomes,
    PlannedStudy,
    Question,
    Ranking,
    Study,
    Table,
)
from trisect_experiments.wu2023 import models
from trisect_experiments.wu2023.claims import claims
from trisect_experiments.wu2023.level_costs import level_costs
from trisect_experiments.wu2023.models import ALGORITHM, OURS, REFINED, STWD, TWD
from trisect_experiments.wu2023.published import published

DATASETS = (
    "ONP", "QSAR", "OSP", "EGSS", "SE", "HTRU", "DCC", "ESR", "BM", "PCB", "PCB-complete", "SB",
    "EOL", "OD", "ROE", "SSMCR",
)  # fmt: skip

NOTES = {
    "EGSS": "It is kept, as in the paper.",
    "BM": "The paper's table of datasets describes another file, but its figures are of this one.",
    "PCB-complete": "The paper's figures are of this selection.",
}

_BOTH = tuple(STWD.values())

TABLES = (
    Table(
        "static",
        f"Comparison of static models and {OURS}",
        "Static models",
        (*models.STATIC, *_BOTH),
    ),
    Table(
        "dynamic",
        f"Comparison of dynamic models and {OURS}",
        "Dynamic models",
        (models.GRID, models.SWARM, *models.GROWN),
    ),
    Table(
        "classic",
        f"Comparison of other classification models and {OURS}",
        "Other classifiers",
        (*models.CLASSIC, *_BOTH),
    ),
    Table(
        "twd-5fold",
        f"Comparison of TWD-SFNN and {OURS} by five-fold cross-validation",
        "TWD and STWD",
        (*TWD.values(), *_BOTH),
        n_splits=5,
        n_configurations=6,
    ),
    Table(
        "modern",
        f"Comparison of models that the paper lacks and {OURS}",
        "Models that the paper lacks",
        (*models.MODERN, *_BOTH),
    ),
)

RANKINGS = (
    Ranking("networks", "Network models of the paper", ("static", "dynamic")),
    Ranking("all", "All models", ("static", "dynamic", "classic", "modern")),
)


def _contests(table: str, *rivals: Model | Mapping[str, Model], lead: str = "") -> list[Contest]:
    """A contest for either growth; rivals that grow take part in that of their own growth."""
    return [
        Contest(
            table,
            tuple((rival if isinstance(rival, Model) else rival[growth]).name for rival in rivals),
            f"{growth[0].upper()}{growth[1:]}{lead}",
            ours.name,
        )
        for growth, ours in STWD.items()
    ]


_PLAIN_RIVALS = (
    f"The rivals have straight nodes on standardised columns and one penalty, and so does "
    f"{ALGORITHM}; the activation and the initialisation of all of them are searched. Nodes of the "
    "refined growth bend their own inputs, and its penalty follows from the data; some of the "
    "difference is due to that."
)

QUESTIONS = (
    Question(
        f"RQ 1. How does {OURS} perform compared with fixed topologies found without STWD?",
        (*_contests("static", *models.STATIC),),
        _PLAIN_RIVALS,
    ),
    Question(
        f"RQ 2. How does {OURS} perform compared with topologies tuned without STWD?",
        (*_contests("dynamic", models.GRID, models.SWARM),),
        _PLAIN_RIVALS,
    ),
    Question(
        f"RQ 3. How does {OURS} perform compared with a topology found by TWD?",
        (
            *_contests("dynamic", TWD, lead=", by ten-fold cross-validation"),
            *_contests("twd-5fold", TWD, lead=", by five-fold cross-validation"),
        ),
        f"Both grow and are trained in the same way. Under {ALGORITHM} the seed draws the costs of "
        "either, once for all folds; in the refined growth both have the same ones, which STWD "
        "leads to and TWD has at every level.",
    ),
    Question(
        f"RQ 4. How does {OURS} perform compared with the model without k-means++ discretisation?",
        (*_contests("dynamic", models.NO_KMEANS),),
        "Without k-means++ a granule is a group of identical rows; nothing else is exchanged.",
    ),
    Question(
        f"RQ 5. How does {OURS} perform compared with other classifiers?",
        (
            *_contests("classic", *models.CLASSIC, lead=", the paper's rivals"),
            *_contests("modern", *models.MODERN, lead=", beyond the paper's rivals"),
        ),
        "What limits a rival, such as a cap on its rows or on its epochs, is stated under its "
        "table.",
    ),
    Question(
        "Beyond the paper. How does the refined growth perform compared with Algorithm 1?",
        (Contest("dynamic", (STWD[ALGORITHM].name,)),),
    ),
)


def findings(planned: PlannedStudy, outcomes: Outcomes) -> Mapping[str, Any]:
    """What the page of answers needs beyond the questions: process costs, and the claims."""
    most_folds = max(planned.sections, key=lambda section: section.table.n_splits)
    outcome, reproduced = outcomes[most_folds.table.name], STWD[ALGORITHM].name
    return {
        "ours": OURS,
        "reproduced": reproduced,
        "process_costs": {m.name: level_costs(outcome, m.name) for m in STWD.values()},
        "claims": claims(outcomes, planned.datasets, reproduced),
    }


PAPER = Study(
    title="The paper, reproduced",
    subject=STWD[REFINED].name,
    tables=TABLES,
    datasets=DATASETS,
    dataset_notes=NOTES,
    questions=QUESTIONS,
    rankings=RANKINGS,
    published=published,
    template="paper.md.j2",
    package="trisect_experiments.wu2023",
    findings=findings,
)
