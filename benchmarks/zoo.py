"""Generated problems, on which development happens: ours, LightGBM and MLPClassifier.

The problems (`generated.py`) are drawn anew for every seed. LightGBM has its defaults and one
thread; MLPClassifier has 100 nodes behind a StandardScaler, early stopping and as many epochs as
it wants (fifty without an improvement end a fit). Finished fits are kept in a store, ours by
settings and source code, so that rivals are fitted once and a run that is stopped goes on.

    python benchmarks/zoo.py
    python benchmarks/zoo.py --settings --jobs 2  # rivals alone, to be had in store
    python benchmarks/zoo.py --settings "" "max_levels=40" --problems clusters ring --seeds 2
"""

import argparse
import json
from pathlib import Path

import joblib
import numpy as np
from common import made_by, markdown_table, parse_settings, print_table, write_json
from entrants import ENTRANTS, LIGHTGBM, MLP, OURS, PATIENCE
from generated import PROBLEMS, drawn, rows_of
from resumable import complete

from trisect_experiments.records import Key, canonical

GAPS = ("to_lightgbm", "to_better")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--settings", nargs="*", default=[""], metavar="'a=1, b=2'")
    parser.add_argument("--problems", nargs="+", default=list(PROBLEMS), metavar="NAME")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", default=Path(__file__).with_suffix(".sqlite"))
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.problems) - set(PROBLEMS))
    if unknown:
        parser.error(f"no problem {unknown}; there are {', '.join(PROBLEMS)}")
    ours = [(OURS, canonical(parse_settings(text))) for text in arguments.settings]
    entrants = [*ours, (LIGHTGBM, "{}"), (MLP, "{}")]
    keys, best = [], {}
    for name in arguments.problems:
        for seed in range(arguments.seeds):
            draw = drawn(name, seed)
            best.setdefault(name, []).append(draw.best)
            digest = joblib.hash(draw)  # A changed problem is fitted anew.
            for model, settings in entrants:
                code = ENTRANTS[model].code()
                keys.append(Key(name, model, "zoo", 0, settings, seed, digest, code))
    results = complete(keys, rows_of, arguments.store, arguments.jobs)
    rows = []
    for name in arguments.problems:
        rows += summary(name, 100 * np.mean(best[name]), entrants, results.values())
    tables = tables_of(rows, entrants, arguments.seeds)
    for title, table in reversed(tables):
        print_table(title, table)
    if arguments.json:
        write_json(arguments.json, rows)
    if arguments.markdown:
        Path(arguments.markdown).write_text(document(tables))


def summary(problem, best, entrants, results):
    """Means over seeds of each entrant on one problem, and its distance to the rivals."""
    rows = []
    for entrant in entrants:
        who = (problem, *entrant)
        found = [r for r in results if (r.key.dataset, r.key.model, r.key.configuration) == who]
        rows.append(
            {
                "problem": problem,
                "entrant": named(entrant),
                "best": best,
                "accuracy": 100 * np.mean([r.accuracy for r in found]),
                "auc": 100 * np.mean([r.auc for r in found]),
                "log_loss": np.mean([r.details["log_loss"] for r in found]),
                "nodes": np.mean([r.nodes for r in found]),
                "seconds": np.mean([r.train_seconds for r in found]),
            }
        )
    lightgbm, mlp = (row["accuracy"] for row in rows[-2:])
    for row in rows:
        row["to_lightgbm"] = row["accuracy"] - lightgbm
        row["to_better"] = row["accuracy"] - max(lightgbm, mlp)
    return rows


def named(entrant):
    model, settings = entrant
    return " ".join([model, *(f"{k}={v!r}" for k, v in json.loads(settings).items())])


def tables_of(rows, entrants, n_seeds):
    """One table by problem for each setting, and the means of all."""
    names = [named(entrant) for entrant in entrants]
    *ours, lightgbm, mlp = names
    tables = [("Means over the problems", means(rows, names))]
    for name in ours:
        mine = [r for r in rows if r["entrant"] == name]
        found = {(r["problem"], r["entrant"]): r["accuracy"] for r in rows}
        table = [["problem", "best", "ours", "LightGBM", "MLP", "to LightGBM", "to better"]]
        table[0] += ["nodes", "s"]
        for r in mine:
            rivals = [found[r["problem"], rival] for rival in (lightgbm, mlp)]
            best = "" if np.isnan(r["best"]) else f"{r['best']:.2f}"
            gaps = [f"{r['to_lightgbm']:+.2f}", f"{r['to_better']:+.2f}"]
            accuracies = [f"{value:.2f}" for value in (r["accuracy"], *rivals)]
            size = [f"{r['nodes']:.1f}", f"{r['seconds']:.2f}"]
            table.append([r["problem"], best, *accuracies, *gaps, *size])
        tables.append((f"{name}: test accuracy, mean of {n_seeds} seeds", table))
    return tables


def means(rows, names):
    """Each entrant over all problems, and the problem where it is furthest behind."""
    table = [["entrant", "accuracy", "AUC, two classes", "log loss", "nodes", "s", "to LightGBM"]]
    table[0] += ["worst to LightGBM", "worst to better"]
    for name in names:
        mine = [r for r in rows if r["entrant"] == name]
        worst = [min(mine, key=lambda r: r[k]) for k in GAPS]
        nodes = "" if name == LIGHTGBM else f"{mean(mine, 'nodes'):.1f}"
        gaps = [f"{r[k]:+.2f} ({r['problem']})" for r, k in zip(worst, GAPS, strict=True)]
        table.append(
            [
                name, f"{mean(mine, 'accuracy'):.2f}", f"{mean(mine, 'auc'):.2f}",
                f"{mean(mine, 'log_loss'):.4f}", nodes,
                f"{mean(mine, 'seconds'):.2f}", f"{mean(mine, 'to_lightgbm'):+.2f}", *gaps,
            ]
        )  # fmt: skip
    return table


def document(tables):
    """Write the results up in Markdown."""
    text = [
        "# Generated problems",
        "",
        made_by("zoo.py --seeds 3 --markdown docs/results/zoo.md"),
        (
            "The zoo is what the network is developed on: each problem (`benchmarks/generated.py`) "
            "is drawn anew for every seed and tested on 10,000 rows. Accuracies in per cent; "
            '"best" is that of the rule that knows the true probabilities, where these are known. '
            "LightGBM has its defaults; MLP is scikit-learn's MLPClassifier with 100 nodes behind "
            f"a StandardScaler, early stopping and a patience of {PATIENCE} epochs. The last "
            "columns are differences to LightGBM and to the better of the two. Seconds may "
            "have been taken beside other work: times are compared in [speed.md](speed.md)."
        ),
        "",
    ]
    for title, table in tables:
        text += [f"## {title}", "", *markdown_table(table)]
    return "\n".join(text)


def mean(rows, column):
    values = [row[column] for row in rows if not np.isnan(row[column])]
    return float(np.mean(values)) if values else np.nan


if __name__ == "__main__":
    main()
