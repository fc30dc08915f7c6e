"""Write a whole report from a store."""

from __future__ import annotations

import datetime
from pathlib import Path

import pandas as pd

from trisect_experiments.figures.panels import save_figure
from trisect_experiments.report.machine import machine
from trisect_experiments.report.ranking import ranks_csv
from trisect_experiments.report.summary import Summary, summarise
from trisect_experiments.report.swapping import swapped_folder
from trisect_experiments.report.templating import render
from trisect_experiments.store import ResultStore
from trisect_experiments.study import PlannedStudy


def write_report(
    planned: PlannedStudy,
    store: ResultStore,
    folder: str | Path,
    *,
    command: str = "",
    date: str | None = None,
    note: str = "",
) -> Path:
    """Write tables, figures, statistics and answers; the folder appears whole or not at all.

    Parameters
    ----------
    planned : PlannedStudy
        What was asked for.
    store : ResultStore
        Where the results are; those of other studies in it are ignored.
    folder : path
        The report's folder. One that exists is replaced if a report wrote all of its files,
        and refused otherwise.
    command, note : str, optional
        The command that led here and a sentence, for the first page.
    date : str, optional
        For the first page; today by default.

    Returns
    -------
    Path
        The folder.
    """
    results = planned.plan.results(store.results())
    summary = summarise(planned, results, planned.outcomes(results))
    origin = {
        "command": command,
        "date": date or datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": machine(),
    }
    with swapped_folder(folder, origin) as target:
        for picture in summary.pictures:
            save_figure(picture.draw(), target / "figures" / picture.stem)
        for name, text in pages(summary, note=note, **origin).items():
            (target / name).write_text(text, encoding="utf-8")
    return Path(folder)


def pages(summary: Summary, **origin: object) -> dict[str, str]:
    """The text of every page, by the name of its file."""
    study = summary.planned.study
    content = {"report": summary, "study": study, **summary.findings, **origin}
    written = {
        "README.md": render("README.md.j2", content),
        "answers.md": render(study.template, content, study.package),
        "statistics.md": render("statistics.md.j2", content),
        "ranks.csv": ranks_csv(summary.rankings),
        "datasets.md": render("datasets.md.j2", content),
        "datasets.tex": render("datasets.tex.j2", content),
        "datasets.csv": datasets_csv(summary),
    }
    for table in summary.tables:
        written[f"{table.name}.md"] = render("table.md.j2", {**content, "table": table})
        written[f"{table.name}.tex"] = render("table.tex.j2", {**content, "table": table})
        written[f"{table.name}.csv"] = table.to_csv()
    if summary.failures:
        written["failures.md"] = render("failures.md.j2", content)
    return written


def datasets_csv(summary: Summary) -> str:
    """The table of datasets as plain numbers."""
    columns = ["dataset", "name", "rows", "features", "label_0", "label_1", "majority"]
    rows = [
        (data.title, data.name, *data.X.shape, *data.label_counts, 100 * data.majority_rate)
        for data in summary.planned.datasets
    ]
    return str(pd.DataFrame(rows, columns=columns).to_csv(index=False, float_format="%.4f"))
