"""Write a whole report from a store."""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from pathlib import Path

from trisect.experiments.records import Result
from trisect.experiments.rendering import (
    datasets_csv,
    datasets_latex,
    datasets_markdown,
    write_table,
)
from trisect.experiments.report.ablation_text import ablation_text
from trisect.experiments.report.claims import claims, claims_text
from trisect.experiments.report.index import index_page
from trisect.experiments.report.machine import machine
from trisect.experiments.report.pictures import write_pictures
from trisect.experiments.report.process import process_answer
from trisect.experiments.report.questions import QUESTIONS, Outcomes, answer
from trisect.experiments.report.ranking import groups, network_ranks, ranks_frame, statistics_text
from trisect.experiments.report.swapping import MANIFEST, swapped_folder
from trisect.experiments.report.wording import counted_twice
from trisect.experiments.store import ResultStore
from trisect.experiments.study import Study
from trisect.experiments.tables import result_table


def write_report(
    study: Study,
    store: ResultStore,
    folder: str | Path,
    *,
    command: str = "trisect reproduce",
    date: str | None = None,
    note: str = "",
) -> Path:
    """Write tables, figures, statistics and answers; the folder appears whole or not at all.

    Parameters
    ----------
    study : Study
        What was asked.
    store : ResultStore
        Where the results are; those of other studies in it are ignored.
    folder : path
        The report's folder. One that exists is replaced if a report wrote all of its files,
        and refused otherwise.
    command : str
        The command that led here, for the first page.
    date : str, optional
        For the first page; today when not given.
    note : str, optional
        A sentence for the first page.

    Returns
    -------
    Path
        The folder.
    """
    stored = store.results()
    results = study.results(stored)
    outcomes = {section.table: section.plan.outcome(stored) for section in study.sections}
    today = date or datetime.datetime.now(datetime.UTC).date().isoformat()
    here = machine()
    with swapped_folder(folder) as target:
        for section in study.sections:
            notes = [caps for model in section.models if (caps := model.caps())]
            names = [model.name for model in section.models]
            outcome = outcomes[section.table]
            write_table(result_table(section.table, outcome, study.datasets, names, notes), target)
        found = groups(outcomes)
        pages = {
            "datasets.md": "# Datasets\n\n" + datasets_markdown(study.datasets),
            "datasets.csv": datasets_csv(study.datasets),
            "datasets.tex": datasets_latex(study.datasets),
            "statistics.md": statistics_text(found),
            "answers.md": answers_text(study, outcomes),
            "ranks.csv": ranks_frame(found).to_csv(index=False),
        }
        failed = [result for result in results if result.failed]
        if failed:
            pages["failures.md"] = failures_text(failed)
        captions = write_pictures(outcomes, found, target / "figures")
        pages["README.md"] = index_page(
            study, results, captions, command=command, machine=here, date=today, note=note
        )
        pages[MANIFEST] = json.dumps({"command": command, "date": today, "machine": here})
        for name, text in pages.items():
            (target / name).write_text(text, encoding="utf-8")
    return Path(folder)


_FOREWORD = (
    "Significant means a p value below 0.05 in Wilcoxon's signed-rank test over datasets, "
    "corrected by Holm's method for the rivals of the question. Differences are in points of a "
    "hundred; ahead, level and behind count datasets."
)
_QUICK = "A quick look: few folds, and no model was tuned. "


def answers_text(study: Study, outcomes: Outcomes) -> str:
    """Answers to the six research questions, or what the ablation says."""
    if set(outcomes) == {"ablation"}:
        return ablation_text(outcomes["ablation"])
    # Costs are read off ten folds when there are any, else off five.
    ten = [table for table in ("static", "dynamic", "classic", "modern") if table in outcomes]
    costs = outcomes[ten[0]] if ten else outcomes.get("twd-5fold", [])
    twice = counted_twice(data.name for data in study.datasets)
    parts = [
        "# Answers to the research questions\n",
        f"{_FOREWORD if study.limit is None else _QUICK + _FOREWORD} {twice}".rstrip() + "\n",
        *(answer(question, outcomes) for question in QUESTIONS),
        process_answer(costs),
        network_ranks(outcomes),
        claims_text(claims(outcomes, study.datasets)),
    ]
    return "\n".join(parts)


def failures_text(failed: Sequence[Result]) -> str:
    """What failed, and the last lines of each error."""
    blocks = [
        f"## {r.key.dataset}, {r.key.model}, fold {r.key.fold} ({r.key.protocol})\n\n"
        f"`{r.key.configuration}`\n\n```\n{r.error}\n```\n"
        for r in failed
    ]
    return "\n".join(["# Failures\n", *blocks])
