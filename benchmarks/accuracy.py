"""Accuracy and AUC of default fits on the fifteen datasets, next to what people use.

Ten folds, seed 0: one fold tests, the next validates, eight train. Nothing is tuned
per dataset, PCB's missing cells get the median of the training rows.
Finished fits are kept in a store, so a run that is stopped goes on where it was.

    python benchmarks/accuracy.py --markdown docs/results/accuracy.md
"""

import argparse
import platform
import sys
from pathlib import Path

import numpy as np
from common import DATASETS, data_folder, print_table, show_seconds, write_json
from sklearn.ensemble import RandomForestClassifier

from trisect import STWDSFNNClassifier
from trisect_experiments.datasets import load_dataset
from trisect_experiments.executors import Local
from trisect_experiments.models import Model, package_code, trisect_code
from trisect_experiments.models.rivals import build_mlp
from trisect_experiments.plan import make_plan
from trisect_experiments.run import run
from trisect_experiments.store import ResultStore
from trisect_experiments.wu2023 import MODELS


def build_stwd(configuration, seed):
    return STWDSFNNClassifier(**configuration, random_state=seed)


def build_forest(configuration, seed):
    return RandomForestClassifier(**configuration, random_state=seed)


def scikit_learn():
    return package_code("scikit-learn")


def only(configuration):
    return lambda n_features: [configuration]


def perceptron(n_hidden):
    """MLPClassifier with our batches and half its default of epochs, for the time it takes."""
    return only({"hidden_layer_sizes": [n_hidden], "batch_size": 512, "max_iter": 100})


ENTRANTS = [
    Model("STWD-SFNN", build_stwd, only({}), trisect_code, uses_validation=True),
    MODELS["LightGBM"],
    Model("Random forest", build_forest, only({}), scikit_learn),
    Model("MLP, 10 nodes", build_mlp, perceptron(10), scikit_learn),
    Model("MLP, 100 nodes", build_mlp, perceptron(100), scikit_learn),
]


BUSY = (
    "Seconds are wall-clock times of each fit and depend on what else the machine did; "
    "`python benchmarks/fits.py` compares whole fits in turns."
)


def print_fit(result):
    """One line on the error stream for each fit."""
    what = result.error or f"{100 * result.accuracy:.2f} % in {result.train_seconds:.2f} s"
    key = result.key
    print(f"{key.dataset} {key.model} fold {key.fold}: {what}", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--models", nargs="+", default=[m.name for m in ENTRANTS], metavar="NAME")
    parser.add_argument("--folds", type=int, default=10, help="test on the first so many folds")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", default=Path(__file__).with_suffix(".sqlite"))
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    arguments = parser.parse_args()

    data = [load_dataset(name, data_folder()) for name in arguments.datasets]
    models = [model for model in ENTRANTS if model.name in arguments.models]
    plan = make_plan(data, models, folds=range(arguments.folds))
    with ResultStore(arguments.store) as store:
        run(plan, store, Local(arguments.jobs), on_result=print_fit)
        results = plan.outcome(store.results())
    rows = summary(results)
    names = [model.name for model in models]
    tables = [
        ("Test accuracy, %", pivot(rows, names, "accuracy", "{:.2f}", "accuracy_pm")),
        ("Test AUC, %", pivot(rows, names, "auc", "{:.2f}")),
        ("Fit, seconds", pivot(rows, names, "fit_seconds", show_seconds)),
        ("Hidden nodes", pivot(rows, names, "nodes", "{:.1f}")),
    ]
    for title, table in tables:
        print_table(title, table)
    if arguments.json:
        write_json(arguments.json, rows)
    if arguments.markdown:
        Path(arguments.markdown).write_text(document(tables, rows, names, arguments.folds))


def summary(results):
    """Average the folds of each dataset and model."""
    cells = {}
    for result in results:
        cells.setdefault((result.key.dataset, result.key.model), []).append(result)
    rows = []
    for (dataset, model), group in cells.items():
        accuracy = 100 * np.array([r.accuracy for r in group])
        half = 2.262 * accuracy.std(ddof=1) / np.sqrt(len(group)) if len(group) > 1 else np.nan
        rows.append(
            {
                "dataset": dataset,
                "model": model,
                "folds": len(group),
                "accuracy": accuracy.mean(),
                "accuracy_pm": half,
                "auc": 100 * np.mean([r.auc for r in group]),
                "weighted_f1": 100 * np.mean([r.weighted_f1 for r in group]),
                "fit_seconds": np.mean([r.train_seconds for r in group]),
                "nodes": np.mean([r.nodes for r in group]),
            }
        )
    return rows


def pivot(rows, models, column, form, pm=None):
    """Lay one column out as datasets by models, with the mean at the foot."""
    show = form if callable(form) else form.format
    found = {(r["dataset"], r["model"]): r for r in rows}
    datasets = list(dict.fromkeys(r["dataset"] for r in rows))
    models = [m for m in models if not all(np.isnan(found[d, m][column]) for d in datasets)]
    table = [["dataset", *models]]
    for dataset in datasets:
        line = [dataset]
        for model in models:
            row = found[dataset, model]
            spread = f" ± {row[pm]:.2f}" if pm and not np.isnan(row[pm]) else ""
            line.append(show(row[column]) + spread)
        table.append(line)
    means = [np.mean([found[d, m][column] for d in datasets]) for m in models]
    table.append(["mean", *map(show, means)])
    return table


def document(tables, rows, models, folds):
    """Write the results up in Markdown."""
    found = {(r["dataset"], r["model"]): r for r in rows}
    datasets = list(dict.fromkeys(r["dataset"] for r in rows))
    text = [
        "# Default fits on the fifteen datasets",
        "",
        (
            "Made by `python benchmarks/accuracy.py --markdown docs/results/accuracy.md`: "
            f"{folds} of ten folds, seed 0, one thread on {platform.machine()}, Python "
            f"{platform.python_version()}. "
            "Nothing is tuned per dataset, and every model but MLP has its defaults; those of "
            "STWD-SFNN were worked out on these datasets (see [the record](../experiments.md))."
            " STWD-SFNN uses the validation fold to choose its scaling, activation, l2 weight "
            "and level, the others do not use it. The ± is the 95 % interval of the mean over "
            "folds. EGSS contains the value whose sign is the label, as in the paper; PCB is "
            "all 10,503 rows with missing cells at the training median; the majority rate is "
            "94.42 on ONP and 92.65 on SSMCR. MLP stands for scikit-learn's MLPClassifier "
            "behind a StandardScaler with batches of 512 and at most 100 epochs (its defaults, "
            "200 and 200, take several times as long)."
        ),
        "",
    ]
    for title, table in tables:
        text += [f"## {title}", "", "| " + " | ".join(table[0]) + " |"]
        text += ["|" + "---|" * len(table[0])]
        text += ["| " + " | ".join(line) + " |" for line in table[1:]]
        text += [""]
        if title.startswith("Fit"):
            text += [BUSY, ""]
    text += ["## Wins and losses of STWD-SFNN", ""]
    for rival in models[1:]:
        parts = []
        for column, unit in (("accuracy", "Accuracy"), ("auc", "AUC")):
            gaps = {d: found[d, models[0]][column] - found[d, rival][column] for d in datasets}
            behind = sorted((d for d in gaps if gaps[d] <= -0.05), key=gaps.get)
            ahead = sum(g >= 0.05 for g in gaps.values())
            worst = ", ".join(f"{d} {gaps[d]:+.2f}" for d in behind) or "none"
            parts.append(
                f"{unit}: ahead on {ahead} of {len(datasets)}, mean difference "
                f"{np.mean(list(gaps.values())):+.2f}; behind on {worst}"
            )
        text.append(f"- Against {rival}. {'. '.join(parts)}.")
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    main()
