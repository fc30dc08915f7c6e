"""Seconds of whole default fits on the fifteen datasets, ours against LightGBM's, in one run.

Training rows of the first of ten folds, one thread, defaults on both sides, taking
turns; the best of several turns counts, because a busy machine only slows down.

    python benchmarks/fits.py
"""

import argparse
import time

import numpy as np
from common import DATASETS, data_folder, print_table, show_seconds, write_json
from lightgbm import LGBMClassifier
from threadpoolctl import threadpool_limits

from trisect import STWDSFNNClassifier
from trisect_experiments.datasets import load_dataset
from trisect_experiments.protocol import folds, impute_median


def seconds(estimator, X, y):
    begin = time.perf_counter()
    estimator.fit(X, y)
    return time.perf_counter() - begin


def measure(name, turns):
    """Fit both in turns on the training rows of the first fold, and keep the best of each."""
    data = load_dataset(name, data_folder())
    fold = next(iter(folds(data.y)))
    X, y = impute_median(data.X, fold.train)[fold.train], data.y[fold.train]
    STWDSFNNClassifier(max_levels=1, random_state=0).fit(X, y)  # compiles, once
    ours, theirs = [], []
    for turn in range(turns):
        model = STWDSFNNClassifier(random_state=turn)
        ours.append(seconds(model, X, y))
        theirs.append(seconds(LGBMClassifier(n_jobs=1, verbosity=-1), X, y))
    return {
        "dataset": name,
        "rows": len(X),
        "features": X.shape[1],
        "trisect_seconds": min(ours),
        "lightgbm_seconds": min(theirs),
        "ratio": min(ours) / min(theirs),
        "nodes": model.n_hidden_,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    with threadpool_limits(limits=1):
        rows = [measure(name, arguments.turns) for name in arguments.datasets]
    head = ["dataset", "rows x features", "trisect s", "LightGBM s", "times LightGBM"]
    lines = [
        [
            r["dataset"], f"{r['rows']:,} x {r['features']:,}", show_seconds(r["trisect_seconds"]),
            show_seconds(r["lightgbm_seconds"]), f"{r['ratio']:.2f}",
        ]
        for r in rows
    ]  # fmt: skip
    middle = float(np.median([r["ratio"] for r in rows]))
    print_table("One default fit", [head, *lines, ["median", "", "", "", f"{middle:.2f}"]])
    if arguments.json:
        write_json(arguments.json, rows)


if __name__ == "__main__":
    main()
