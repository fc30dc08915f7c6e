"""The first page of a report: what was run, where, when, and what to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trisect.experiments.naming import counted, listed
from trisect.experiments.records import Result
from trisect.experiments.report.times import model_times, times_table
from trisect.experiments.report.wording import pipe_table
from trisect.experiments.study import Study
from trisect.experiments.tables import TITLES


def index_page(
    study: Study,
    results: Sequence[Result],
    captions: Mapping[str, str],
    *,
    command: str,
    machine: Mapping[str, str],
    date: str,
    note: str = "",
) -> str:
    """The README of a report folder."""
    tables = [section.table for section in study.sections]
    title = "Ablation of STWD-SFNN" if tables == ["ablation"] else "The paper, reproduced"
    parts = [f"# {title}\n", f"```\n{command}\n```\n", f"{date}. {_scope(study, results)}\n"]
    if study.limit is not None:
        configurations = counted(study.limit, "configuration")
        parts.append(f"A quick look: at most {configurations} per model, so nothing was tuned.\n")
    if note:
        parts.append(f"{note}\n")
    parts += [_contents(tables), "## Figures\n", _figures(captions)]
    parts += ["## Time\n", "Training and testing of all fits, one after the other.\n"]
    parts.append(times_table(model_times(results)))
    parts += ["## Machine\n", pipe_table(["", ""], machine.items(), text_columns=2)]
    return "\n".join(parts)


def _scope(study: Study, results: Sequence[Result]) -> str:
    failed = sum(result.failed for result in results)
    names = listed(data.name for data in study.datasets)
    text = f"{counted(len(study.datasets), 'dataset')} ({names}), {study.folds_text()}, "
    text += f"seed {study.seed}: {len(results):,} of {counted(study.plan.n_fits, 'fit')} done"
    if failed:
        text += f", {failed:,} of them failed (see [failures](failures.md))"
    return text + "."


def _contents(tables: Sequence[str]) -> str:
    formats = [
        f"- [{TITLES.get(name, name)}]({name}.md), also as [CSV]({name}.csv) and "
        f"[LaTeX]({name}.tex)"
        for name in tables
    ]
    answers = ["- [Ablation in words](answers.md)"]
    if list(tables) != ["ablation"]:
        answers = ["- [Answers to the research questions](answers.md)"]
    others = [
        "- [Statistics](statistics.md): ranks, Friedman, Nemenyi, Wilcoxon ([CSV](ranks.csv))",
        "- [Datasets](datasets.md), also as [CSV](datasets.csv) and [LaTeX](datasets.tex)",
    ]
    return "## Contents\n\n" + "\n".join([*answers, *formats, *others]) + "\n"


def _figures(captions: Mapping[str, str]) -> str:
    if not captions:
        return "The results allow none.\n"
    blocks = [
        f"![{caption}](figures/{stem}.png)\n\n{caption} ([SVG](figures/{stem}.svg)).\n"
        for stem, caption in captions.items()
    ]
    return "\n".join(blocks)
