"""Fits on few rows: 100, 300 and 1,000 of each of the fifteen datasets, against the usual choices.

Twenty draws each, stratified, tested on the other rows (at most 5,000 of them). All models have
their defaults; logistic regression stands behind a StandardScaler. Finished fits are kept in a
store, so a run that is stopped goes on where it was.

    python benchmarks/small_data.py --jobs 2 --markdown docs/results/small-data.md
"""

import argparse
from pathlib import Path

import numpy as np
from common import DATASETS, made_by, markdown_table, print_table, write_json
from entrants import ENTRANTS, LIGHTGBM, OURS
from paper_data import SMALL_TEST, loaded, rows_of_draw
from resumable import complete

from trisect_experiments.records import Key

SIZES = (100, 300, 1_000)
MODELS = (OURS, LIGHTGBM, "Random forest", "Logistic regression")
SCORES = {"accuracy": "accuracy, %", "auc": "AUC, %", "log_loss": "log loss", "seconds": "fit, s"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES), metavar="ROWS")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", default=Path(__file__).with_suffix(".sqlite"))
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    arguments = parser.parse_args()
    keys = {}
    for dataset in arguments.datasets:
        data = loaded(dataset).fingerprint
        for size in arguments.sizes:
            for model in MODELS:
                code = ENTRANTS[model].code()
                keys[dataset, size, model] = [
                    Key(dataset, model, f"{size} rows", draw, "{}", draw, data, code)
                    for draw in range(arguments.draws)
                ]
    listed = [key for found in keys.values() for key in found]
    results = complete(listed, rows_of_draw, arguments.store, arguments.jobs)
    rows = [summary(*cell, [results[key] for key in found]) for cell, found in keys.items()]
    tables = [("Means over the datasets", means(rows))]
    tables += [(f"{size:,} rows: accuracy, %", by_dataset(rows, size)) for size in arguments.sizes]
    for title, table in tables:
        print_table(title, table)
    if arguments.json:
        write_json(arguments.json, rows)
    if arguments.markdown:
        Path(arguments.markdown).write_text(document(tables, arguments.draws, arguments.datasets))


def summary(dataset, size, model, results):
    """Average the draws of one cell; the error is that of the mean."""
    accuracy = 100 * np.array([r.accuracy for r in results])
    spread = accuracy.std(ddof=1) / np.sqrt(len(results)) if len(results) > 1 else np.nan
    return {
        "dataset": dataset,
        "rows": size,
        "model": model,
        "accuracy": accuracy.mean(),
        "error": spread,
        "auc": 100 * np.mean([r.auc for r in results]),
        "log_loss": np.mean([r.details["log_loss"] for r in results]),
        "seconds": np.median([r.train_seconds for r in results]),
        "nodes": np.mean([r.nodes for r in results]),
    }


def means(rows):
    """Each model at each size, and on how many datasets it is the most accurate."""
    sizes = list(dict.fromkeys(r["rows"] for r in rows))
    table = [["rows, model", *SCORES.values(), "most accurate on", "nodes"]]
    for size in sizes:
        found = [r for r in rows if r["rows"] == size]
        best = [winner(found, d)["model"] for d in dict.fromkeys(r["dataset"] for r in found)]
        for model in MODELS:
            mine = [r for r in found if r["model"] == model]
            score = {k: np.mean([r[k] for r in mine]) for k in (*SCORES, "nodes")}
            table.append(
                [
                    f"{size:,}, {model}", f"{score['accuracy']:.2f}", f"{score['auc']:.2f}",
                    f"{score['log_loss']:.4f}", f"{score['seconds']:.3f}",
                    f"{best.count(model)} of {len(best)}",
                    "" if np.isnan(score["nodes"]) else f"{score['nodes']:.1f}",
                ]
            )  # fmt: skip
    return table


def winner(rows, dataset):
    return max((r for r in rows if r["dataset"] == dataset), key=lambda r: r["accuracy"])


def by_dataset(rows, size):
    """Accuracies with their standard errors, and the most accurate model."""
    found = [r for r in rows if r["rows"] == size]
    table = [["dataset", *MODELS, "most accurate"]]
    for dataset in dict.fromkeys(r["dataset"] for r in found):
        cells = {r["model"]: r for r in found if r["dataset"] == dataset}
        shown = [f"{cells[m]['accuracy']:.2f} ({cells[m]['error']:.2f})" for m in MODELS]
        table.append([dataset, *shown, winner(found, dataset)["model"]])
    return table


def document(tables, draws, datasets):
    """Write the results up in Markdown."""
    whole = datasets == list(DATASETS)
    chosen = "" if whole else f"--datasets {' '.join(datasets)} "
    which = "the fifteen datasets" if whole else f"{len(datasets)} of the fifteen datasets"
    text = [
        "# Few rows",
        "",
        made_by(f"small_data.py --jobs 2 {chosen}--markdown docs/results/small-data.md"),
        (
            f"{draws} stratified draws of each size from {which}, tested on the other "
            f"rows (at most {SMALL_TEST:,} of them). Defaults everywhere; logistic regression "
            "stands behind a StandardScaler. In brackets the standard error of the mean over "
            "draws: smaller differences mean nothing. Fit times are medians on a machine that did "
            "other things too."
        ),
        "",
    ]
    for title, table in tables:
        text += [f"## {title}", "", *markdown_table(table)]
    return "\n".join(text)


if __name__ == "__main__":
    main()
