"""A table as Markdown, CSV or LaTeX."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from trisect.experiments.datasets.dataset import Dataset
from trisect.experiments.tables import METRICS, Metric, ResultTable, TableCell

_LATEX = {"\\": r"\textbackslash{}", "±": r"$\pm$"} | {c: f"\\{c}" for c in "&%$#_{}"}


def to_markdown(table: ResultTable) -> str:
    """Markdown: "ours ± interval (the paper's)", the best of a dataset in bold."""
    header = ["Dataset", "Majority (%)", "Model", *(m.heading for m in METRICS)]
    lines = [f"# {table.title}", "", _pipe(header), _pipe(["---"] * 3 + ["---:"] * len(METRICS))]
    previous = None
    for row in table.rows:
        first = row.dataset != previous
        previous = row.dataset
        lead = [row.dataset, f"{table.majority[row.dataset]:.2f}"] if first else ["", ""]
        cells = [_text(c, m, "**", "**") for c, m in zip(row.cells, METRICS, strict=True)]
        lines.append(_pipe([*lead, row.model, *cells]))
    lines += ["", _foot(table), ""]
    lines += [f"- {note}" for note in table.notes]
    return "\n".join(lines) + "\n"


def to_csv(table: ResultTable) -> str:
    """CSV with one number per field: ours, half-width, the paper's mean and half-width."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    columns = [
        f"{m.field}{suffix}" for m in METRICS for suffix in ("", "_pm", "_paper", "_paper_pm")
    ]
    writer.writerow(["table", "dataset", "majority", "model", "folds", *columns])
    for row in table.rows:
        numbers: list[float] = []
        for cell in row.cells:
            numbers += [*cell.ours, *(cell.paper or (math.nan, math.nan))]
        lead = [table.name, row.dataset, f"{table.majority[row.dataset]:.4f}", row.model]
        fields = ["" if math.isnan(v) else f"{v:.6g}" for v in numbers]
        writer.writerow([*lead, row.n_folds, *fields])
    return buffer.getvalue()


def to_latex(table: ResultTable) -> str:
    """LaTeX in the paper's layout, over as many pages as it takes; needs ``longtable``."""
    header = ["Dataset", "Model", *(m.heading for m in METRICS)]
    names = " & ".join(map(latex, header)) + r" \\"
    lines = [
        r"\begingroup\footnotesize",
        rf"\begin{{longtable}}{{ll{'r' * len(METRICS)}}}",
        rf"\caption{{{latex(table.title)}}} \\",
        *(r"\hline", names, r"\endfirsthead"),
        *(r"\hline", names, r"\hline", r"\endhead"),
    ]
    previous = None
    for row in table.rows:
        lead = ""
        if row.dataset != previous:
            lines.append(r"\hline")
            lead = latex(f"{row.dataset} ({table.majority[row.dataset]:.2f})")
        previous = row.dataset
        cells = [_text(c, m, "<b>", "</b>") for c, m in zip(row.cells, METRICS, strict=True)]
        bold = [latex(c).replace("<b>", r"\textbf{").replace("</b>", "}") for c in cells]
        lines.append(" & ".join([lead, latex(row.model), *bold]) + r" \\")
    lines += [r"\hline", r"\end{longtable}", r"\noindent"]
    foot = ["Beside each dataset its majority rate (%).", _foot(table), *table.notes]
    lines += [latex(" ".join(foot)), r"\par\endgroup", ""]
    return "\n".join(lines)


def write_table(table: ResultTable, folder: str | Path) -> list[Path]:
    """Write ``NAME.md``, ``NAME.csv`` and ``NAME.tex``; returns their paths."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for suffix, render in (("md", to_markdown), ("csv", to_csv), ("tex", to_latex)):
        path = target / f"{table.name}.{suffix}"
        path.write_text(render(table), encoding="utf-8")
        written.append(path)
    return written


def datasets_markdown(datasets: Iterable[Dataset]) -> str:
    """The table of datasets: size, labels, majority rate and notes.

    Examples
    --------
    >>> from trisect.experiments.datasets import load_dataset
    >>> print(datasets_markdown([load_dataset("example")]).splitlines()[2][:55])
    | The paper's illustrative example | example | 10 | 4 |
    """
    rules = ["---", "---", "---:", "---:", "---:", "---:", "---"]
    lines = [_DATASETS, rules, *map(_dataset_cells, datasets)]
    return "\n".join(map(_pipe, lines)) + "\n"


def datasets_latex(datasets: Iterable[Dataset]) -> str:
    """The table of datasets in LaTeX, its notes below."""
    chosen = list(datasets)
    lines = [
        r"\begin{table*}",
        r"\caption{Datasets}",
        r"\centering\small",
        r"\begin{tabular}{llrrrr}",
        r"\hline",
        " & ".join(map(latex, _DATASETS[:-1])) + r" \\",
        r"\hline",
        *(" & ".join(map(latex, _dataset_cells(data)[:-1])) + r" \\" for data in chosen),
        r"\hline",
        r"\end{tabular}",
        "",
        latex(" ".join(f"{data.name}: {data.notes}" for data in chosen if data.notes)),
        r"\end{table*}",
        "",
    ]
    return "\n".join(lines)


def datasets_csv(datasets: Iterable[Dataset]) -> str:
    """The table of datasets as plain numbers, those of the labels with a slash between."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["dataset", "name", "rows", "features", "labels", "majority"])
    for data in datasets:
        counts = "/".join(map(str, data.label_counts.values()))
        size = [data.n_rows, data.n_features, counts]
        writer.writerow([data.title, data.name, *size, f"{100 * data.majority_rate:.4f}"])
    return buffer.getvalue()


_DATASETS = ("Dataset", "Name", "Rows", "Features", "Labels 1 / 2", "Majority (%)", "Notes")


def _dataset_cells(data: Dataset) -> list[str]:
    counts = " / ".join(f"{count:,}" for count in data.label_counts.values())
    size = [f"{data.n_rows:,}", f"{data.n_features:,}", counts]
    return [data.title, data.name, *size, f"{100 * data.majority_rate:.2f}", data.notes]


def latex(text: str) -> str:
    r"""Text with LaTeX's special characters escaped.

    Examples
    --------
    >>> print(latex("97.8 ± 0.1 % of f_12"))
    97.8 $\pm$ 0.1 \% of f\_12
    """
    return "".join(_LATEX.get(character, character) for character in text)


def _pipe(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(cell: TableCell, metric: Metric, opening: str, closing: str) -> str:
    mean, half = cell.ours
    if math.isnan(mean):
        text = "-"
    else:
        text = f"{mean:.{metric.decimals}f}"
        if not math.isnan(half):
            text += f" ± {half:.{metric.decimals}f}"
        if cell.best:
            text = f"{opening}{text}{closing}"
    if cell.paper is not None and not math.isnan(cell.paper.mean):
        text += f" ({cell.paper.mean:g})"
    return text


def _foot(table: ResultTable) -> str:
    interval = f"Mean ± 95 % interval over {_folds(table)}{_brackets(table)}."
    return f"{interval} Times are those of the chosen configuration, without the search for it."


def _brackets(table: ResultTable) -> str:
    shown = any(cell.paper is not None for row in table.rows for cell in row.cells)
    return "; in brackets the paper's figure" if shown else ""


def _folds(table: ResultTable) -> str:
    counts = sorted({row.n_folds for row in table.rows})
    if not counts:
        return "no folds"
    low, high = counts[0], counts[-1]
    return f"{low} folds" if low == high else f"{low} to {high} folds"
