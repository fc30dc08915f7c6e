"""Accuracy, AUC and calibration on the fifteen datasets, next to what people use.

Ten folds, seed 0. All models get the nine folds that do not test, and those that need validation
rows (ours, MLPClassifier, the tuned LightGBM) hold some of these back. With --validation-fold, as
in the paper, fold k + 1 validates ours and the tuned LightGBM, and all train on the other eight.
PCB's missing cells get the median of the training rows. Finished fits are kept in a store, so a
run that is stopped goes on where it was.

    python benchmarks/accuracy.py --jobs 2 --markdown docs/results/accuracy.md
"""

import argparse
from pathlib import Path

import numpy as np
from common import DATASETS, made_by, markdown_table, print_table, show_seconds, write_json
from entrants import ENTRANTS, EPOCHS, LIGHTGBM, MLP, OURS, PATIENCE
from paper_data import VALIDATED, WHOLE, loaded, rows_of_fold
from resumable import complete
from tuned_lightgbm import SEARCH_ROWS

from trisect_experiments.calibration import calibration_error, reliability_table
from trisect_experiments.protocol import mean_interval
from trisect_experiments.records import Key, canonical

SMALL, GROWN = "trisect, at most 10 nodes", "trisect"
MODELS = {
    SMALL: (OURS, {"max_levels": 10}),
    GROWN: (OURS, {}),
    LIGHTGBM: (LIGHTGBM, {}),
    **{name: (name, {}) for name in ("CatBoost", "HistGradientBoosting", "Random forest", MLP)},
    "LightGBM, tuned": ("LightGBM, tuned", {"n_configurations": 30}),
}
"""The columns of the tables: an entrant and its configuration."""

SCORES = {"accuracy": "Accuracy", "auc": "AUC"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--models", nargs="+", default=list(MODELS), metavar="NAME")
    parser.add_argument("--folds", type=int, default=10, help="test on the first so many folds")
    parser.add_argument("--validation-fold", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", default=Path(__file__).with_suffix(".sqlite"))
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.models) - set(MODELS))
    if unknown:
        parser.error(f"no model {unknown}; there are {', '.join(MODELS)}")

    protocol = VALIDATED if arguments.validation_fold else WHOLE
    keys = {}
    for dataset in arguments.datasets:
        data = loaded(dataset).fingerprint
        for fold in range(arguments.folds):
            for model in arguments.models:
                entrant, configuration = MODELS[model]
                code, settings = ENTRANTS[entrant].code(), canonical(configuration)
                key = Key(dataset, entrant, protocol, fold, settings, 0, data, code)
                keys.setdefault((dataset, model), []).append(key)
    listed = [key for found in keys.values() for key in found]
    # Fold by fold, so that a run that is stopped has something of every model.
    listed.sort(key=lambda key: key.fold)
    results = complete(listed, rows_of_fold, arguments.store, arguments.jobs)
    rows = [
        summary(dataset, model, [results[key] for key in found])
        for (dataset, model), found in keys.items()
    ]
    tables = scores(rows, arguments.models)
    for title, table in tables:
        print_table(title, table)
    print("\n".join(contests(rows, arguments.models)))
    if arguments.json:
        write_json(arguments.json, [{k: r[k] for k in r if k != "reliability"} for r in rows])
    if arguments.markdown:
        text = document(
            tables, rows, arguments.models, arguments.folds, protocol, arguments.markdown
        )
        Path(arguments.markdown).write_text(text)


def summary(dataset, model, results):
    """Average the folds of one dataset and model."""
    accuracy = mean_interval([100 * r.accuracy for r in results])
    reliability = np.sum([r.details["reliability"] for r in results], axis=0)
    return {
        "dataset": dataset,
        "model": model,
        "accuracy": accuracy.mean,
        "accuracy_pm": accuracy.half_width,
        "auc": 100 * np.mean([r.auc for r in results]),
        "log_loss": np.mean([r.details["log_loss"] for r in results]),
        "brier": np.mean([r.details["brier"] for r in results]),
        "calibration_error": 100 * calibration_error(reliability),
        "seconds": np.median([r.train_seconds for r in results]),
        "nodes": np.mean([r.nodes for r in results]),
        "reliability": reliability,
    }


def scores(rows, models):
    tables = [
        ("Test accuracy, %", pivot(rows, models, "accuracy", "{:.2f}", "accuracy_pm")),
        ("Test AUC, %", pivot(rows, models, "auc", "{:.2f}")),
        ("Log loss", pivot(rows, models, "log_loss", "{:.4f}")),
        ("Brier score", pivot(rows, models, "brier", "{:.4f}")),
        ("Calibration error, points", pivot(rows, models, "calibration_error", "{:.2f}")),
        ("Reliability", reliability(rows, [m for m in models if m in (SMALL, GROWN, LIGHTGBM)])),
        ("Fit, seconds", pivot(rows, models, "seconds", show_seconds)),
    ]
    networks = [m for m in models if m in (SMALL, GROWN, MLP)]
    return [*tables, ("Hidden nodes", pivot(rows, networks, "nodes", "{:.1f}"))]


def pivot(rows, models, column, form, pm=None):
    """Lay one column out as datasets by models, with the mean at the foot."""
    show = form if callable(form) else form.format
    found = {(r["dataset"], r["model"]): r for r in rows}
    datasets = list(dict.fromkeys(r["dataset"] for r in rows))
    table = [["dataset", *models]]
    for dataset in datasets:
        line = [dataset]
        for model in models:
            row = found[dataset, model]
            spread = f" ± {row[pm]:.2f}" if pm and not np.isnan(row[pm]) else ""
            line.append(show(row[column]) + spread)
        table.append(line)
    means = [np.mean([found[d, m][column] for d in datasets]) for m in models]
    return [*table, ["mean", *map(show, means)]]


def reliability(rows, models):
    """By range of probability: share of predictions, what was said, and what happened."""
    bins = {
        m: reliability_table([r["reliability"] for r in rows if r["model"] == m]) for m in models
    }
    table = [["probability of label 1", *(f"{m}: share, said, happened" for m in models)]]
    for of_models in zip(*bins.values(), strict=True):
        line = [f"{of_models[0].low:.1f} to {of_models[0].high:.1f}"]
        for found in of_models:
            said = f"{100 * found.predicted:.1f}, {100 * found.observed:.1f}"
            line.append(f"{100 * found.share:.1f} %, " + (said if found.share else "-"))
        table.append(line)
    return table


def contests(rows, models):
    """Wins and losses of each of ours against every rival."""
    found = {(r["dataset"], r["model"]): r for r in rows}
    datasets = list(dict.fromkeys(r["dataset"] for r in rows))
    text = []
    for ours in (m for m in (SMALL, GROWN) if m in models):
        for rival in (m for m in models if m not in (SMALL, GROWN)):
            parts = []
            for column, word in SCORES.items():
                gaps = {d: found[d, ours][column] - found[d, rival][column] for d in datasets}
                behind = sorted((d for d in gaps if gaps[d] <= -0.05), key=gaps.get)
                ahead = sum(gap >= 0.05 for gap in gaps.values())
                listed = ", ".join(f"{d} {gaps[d]:+.2f}" for d in behind) or "none"
                parts.append(
                    f"{word}: {np.mean(list(gaps.values())):+.2f} on average, ahead on {ahead} of "
                    f"{len(datasets)}; behind on {listed}"
                )
            text.append(f"- {ours} against {rival}. {'. '.join(parts)}.")
    return text


LIMITS = (
    "Nothing is tuned per dataset, and every model has its defaults, but: MLPClassifier has 100 "
    f"nodes behind a StandardScaler, early stopping, at most {EPOCHS:,} epochs and a patience of "
    f"{PATIENCE}; the tuned LightGBM is the best of 30 configurations by validation loss, searched "
    f"on at most {SEARCH_ROWS:,} rows and trained on all. Some defaults of trisect were worked out "
    "on these datasets (see [the record](../experiments.md)). The ± is the 95 % interval of the "
    "mean over folds. EGSS contains the value whose sign is the label, as in the paper; PCB is all "
    "10,503 rows with missing cells at the training median; the majority rate is 94.42 on ONP and "
    "92.65 on SSMCR."
)

NOTES = {
    "Log loss": (
        "A probability of exactly 0 or 1 that is wrong costs 36 in the log loss, which is what a "
        "forest has to pay."
    ),
    "Calibration error, points": (
        "The mean distance between the probability that was said and how often label 1 happened, "
        "over ten ranges of probability and all test folds."
    ),
    "Reliability": "Every dataset weighs the same.",
    "Fit, seconds": (
        "The median of wall-clock times, which depend on what else the machine did; `python "
        "benchmarks/fits.py` compares whole fits in turns. Tuning is part of a tuned fit."
    ),
}


def document(tables, rows, models, folds, protocol, page):
    """Write the results up in Markdown."""
    flags = " --validation-fold" if protocol == VALIDATED else ""
    flags += f" --folds {folds}" if folds < 10 else ""
    if models != list(MODELS):
        flags += " --models " + " ".join(f'"{m}"' if " " in m else m for m in models)
    rule = {
        WHOLE: (
            "All models get the nine folds that do not test; those that need validation rows hold "
            "some of these back."
        ),
        VALIDATED: (
            "Eight folds train, one validates our network and the tuned LightGBM, one tests; the "
            "other models do not use the validation fold."
        ),
    }[protocol]
    text = [
        "# Default fits on the fifteen datasets",
        "",
        made_by(f"accuracy.py --jobs 2{flags} --markdown {page}"),
        f"{folds} of ten folds, seed 0. {rule}",
        "",
        LIMITS,
        "",
        "## Wins and losses",
        "",
        *contests(rows, models),
        "",
    ]
    for title, table in tables:
        text += [f"## {title}", "", *markdown_table(table)]
        text += [NOTES[title], ""] if title in NOTES else []
    return "\n".join(text)


if __name__ == "__main__":
    main()
