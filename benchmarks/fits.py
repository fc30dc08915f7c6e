"""Seconds of whole default fits on the fifteen datasets, ours and rivals', in one run.

All rows but the first of ten folds, one thread each, taking turns; medians of the turns. CatBoost
and the less patient MLPClassifier take part in the first turn alone. LightGBM and CatBoost have
their defaults. MLPClassifier has 100 nodes and early stopping behind a StandardScaler, once with
the patience that it has in `accuracy.py` and once with its default, ten epochs, which are often
too few. On three datasets ours also uses two threads, and beside it stands what two cores give at
best: how much more two processes get done that fit at once. These take turns of their own, because
what they are compared with changes by the minute. All other fits are kept in a store, so a run that
is stopped goes on; --fresh measures anew.

    python benchmarks/fits.py --fresh --page docs/results/speed.md
"""

import argparse
from pathlib import Path

import joblib
import numpy as np
from common import DATASETS, markdown_table, print_table, replace_section, show_seconds, write_json
from entrants import ENTRANTS, LIGHTGBM, MLP, OURS
from paper_data import WHOLE, loaded, rows_of_fold
from resumable import complete, fit

from trisect_experiments.records import Key, canonical

THREADED, REPEATS = ("BM", "QSAR", "ESR"), 3
"""Where two threads are tried, and how often for each seed."""

IMPATIENT = "MLP, patience 10"
MODELS = {
    OURS: (OURS, {}),
    LIGHTGBM: (LIGHTGBM, {}),
    MLP: (MLP, {}),
    IMPATIENT: (MLP, {"n_iter_no_change": 10}),
    "CatBoost": ("CatBoost", {}),
}
SLOW_TURNS = {IMPATIENT: 1, "CatBoost": 1}
"""Turns of those that no claim is about, or whose fits would take most of the time of a run."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--models", nargs="+", default=list(MODELS), metavar="NAME")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--store", default=Path(__file__).with_suffix(".sqlite"))
    parser.add_argument("--fresh", action="store_true", help="forget what the store holds")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--page", metavar="FILE", help="a page with a section for this table")
    arguments = parser.parse_args()
    if arguments.fresh:
        Path(arguments.store).unlink(missing_ok=True)
    rows = [measure(name, arguments) for name in arguments.datasets]
    table = by_dataset(rows)
    print_table("One default fit: seconds, and times ours", table)
    if arguments.json:
        write_json(arguments.json, rows)
    if arguments.page:
        replace_section(arguments.page, "fits", markdown_table(table))


def measure(dataset, arguments):
    """Fit all models in turns, and keep the median of each."""
    data = loaded(dataset)
    keys = {}
    for turn in range(arguments.turns):
        for model in arguments.models:
            if turn < SLOW_TURNS.get(model, turn + 1):
                entrant, configuration = MODELS[model]
                code, settings = ENTRANTS[entrant].code(), canonical(configuration)
                # The turn is the seed: one fit may be luckier than another.
                key = Key(dataset, entrant, WHOLE, 0, settings, turn, data.fingerprint, code)
                keys.setdefault(model, []).append(key)
    in_turns = sorted((key for found in keys.values() for key in found), key=lambda key: key.seed)
    # Seconds of another machine, or of a busy one, say nothing here.
    results = complete(in_turns, rows_of_fold, arguments.store, known=())
    seconds = {m: np.median([results[k].train_seconds for k in keys.get(m, [])]) for m in keys}
    row = {"dataset": dataset, "rows": results[in_turns[0]].n_train, "features": data.n_features}
    threaded = dataset in THREADED and OURS in keys
    gains = gains_of_two(keys[OURS]) if threaded else (np.nan, np.nan)
    row |= zip(("two_threads", "two_processes"), map(float, gains), strict=True)
    return row | {f"{model}_seconds": float(seconds.get(model, np.nan)) for model in MODELS}


def gains_of_two(keys):
    """Say how many times as fast two threads are, and how much more two processes get done."""
    gains = []
    with joblib.Parallel(2, batch_size=1) as run:
        run(joblib.delayed(fit)(key, rows_of_fold) for key in keys[:2])  # Processes load the code.
        for key in keys:
            threaded, task = canonical({"n_jobs": 2}), joblib.delayed(fit)(key, rows_of_fold)
            turns = []
            for _ in range(REPEATS):
                fits = [fit(k, rows_of_fold) for k in (key, key._replace(configuration=threaded))]
                both = np.mean([result.train_seconds for result in run([task, task])])
                turns.append([*(result.train_seconds for result in fits), both])
            alone, threads, processes = np.median(turns, axis=0)
            gains.append((alone / threads, 2 * alone / processes))
    return np.median(gains, axis=0)


def by_dataset(rows):
    """Seconds of every model, and how these compare with ours."""
    slow = (MLP, IMPATIENT, "CatBoost")
    table = [["dataset", "rows x features", *(f"{model} s" for model in MODELS), "ours / LightGBM"]]
    table[0] += [f"{model} / ours" for model in slow] + ["n_jobs=2", "two processes"]
    ratios = []
    for row in rows:
        seconds = {model: row[f"{model}_seconds"] for model in MODELS}
        ours = seconds[OURS]
        ratios.append([ours / seconds[LIGHTGBM], *(seconds[model] / ours for model in slow)])
        ratios[-1] += [row["two_threads"], row["two_processes"]]
        shown = [show_seconds(value) if value == value else "" for value in seconds.values()]
        size = f"{row['rows']:,} x {row['features']:,}"
        table.append([row["dataset"], size, *shown, *map(two_digits, ratios[-1])])
    times, *others = np.array(ratios).T
    feet = {
        "median": [np.median(column) for column in (times, *others)],
        "worst": [times.max(), *(column.min() for column in others)],
    }
    for word, values in feet.items():
        table.append([word, *[""] * (1 + len(MODELS)), *map(two_digits, values)])
    kept = [column for column in zip(*table, strict=True) if any(column[1:])]
    return [list(line) for line in zip(*kept, strict=True)]


def two_digits(value):
    return f"{value:.2f}" if value == value else ""


if __name__ == "__main__":
    main()
