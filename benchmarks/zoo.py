"""Generated problems, on which development happens: ours, LightGBM and MLPClassifier.

The problems (`generated.py`) are drawn anew for every seed. LightGBM has its defaults and one
thread; MLPClassifier has 100 nodes behind a StandardScaler, early stopping and as many epochs as
it wants (fifty without an improvement end a fit). Finished fits are kept in a store, ours by
settings and source code, so that rivals are fitted once and a run that is stopped goes on.

    python benchmarks/zoo.py
    python benchmarks/zoo.py --settings "" "max_levels=40" --problems clusters ring --seeds 2
"""

import argparse
import json
from pathlib import Path

import joblib
import numpy as np
from common import parse_settings, print_table, write_json
from entrants import ENTRANTS, LIGHTGBM, MLP, OURS
from generated import PROBLEMS, drawn, rows_of
from resumable import complete

from trisect_experiments.records import Key, canonical


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--settings", nargs="+", default=[""], metavar="'a=1, b=2'")
    parser.add_argument("--problems", nargs="+", default=list(PROBLEMS), metavar="NAME")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", default=Path(__file__).with_suffix(".sqlite"))
    parser.add_argument("--json", metavar="FILE")
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
    show(rows, entrants, arguments.seeds)
    if arguments.json:
        write_json(arguments.json, rows)


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


def show(rows, entrants, n_seeds):
    """One table by problem for each setting, and the means of all."""
    head = ["problem", "best", "ours", "LightGBM", "MLP", "to LightGBM", "to better", "nodes", "s"]
    names = [named(entrant) for entrant in entrants]
    found = {(r["problem"], r["entrant"]): r for r in rows}
    listed = list(dict.fromkeys(r["problem"] for r in rows))
    for name in names[:-2]:
        lines = []
        for problem in listed:
            r, best = found[problem, name], found[problem, name]["best"]
            others = [f"{found[problem, n]['accuracy']:.2f}" for n in (name, *names[-2:])]
            gaps = [f"{r['to_lightgbm']:+.2f}", f"{r['to_better']:+.2f}"]
            shown = "" if np.isnan(best) else f"{best:.2f}"
            lines.append(
                [problem, shown, *others, *gaps, f"{r['nodes']:.1f}", f"{r['seconds']:.2f}"]
            )
        print_table(f"{name}: test accuracy, mean of {n_seeds} seeds", [head, *lines])
    head = ["entrant", "accuracy", "AUC (2 classes)", "log loss", "nodes", "s", "to LightGBM"]
    head += ["worst to LightGBM", "worst to better"]
    lines = []
    for name in names:
        mine = [r for r in rows if r["entrant"] == name]
        low, least = (min(mine, key=lambda r: r[k]) for k in ("to_lightgbm", "to_better"))
        lines.append(
            [
                name,
                f"{mean(mine, 'accuracy'):.2f}",
                f"{mean(mine, 'auc'):.2f}",
                f"{mean(mine, 'log_loss'):.4f}",
                f"{mean(mine, 'nodes'):.1f}",
                f"{mean(mine, 'seconds'):.2f}",
                f"{mean(mine, 'to_lightgbm'):+.2f}",
                f"{low['to_lightgbm']:+.2f} ({low['problem']})",
                f"{least['to_better']:+.2f} ({least['problem']})",
            ]
        )
    print_table(f"Means over {len(listed)} problems", [head, *lines])


def mean(rows, column):
    values = [row[column] for row in rows if not np.isnan(row[column])]
    return float(np.mean(values)) if values else np.nan


if __name__ == "__main__":
    main()
