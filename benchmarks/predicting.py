"""Rows predicted per second, against MLPClassifier and a random forest, in one run.

A million rows of twenty features, one thread. MLPClassifier has as many nodes as our
network, alone and behind a StandardScaler, since ours scales too; the forest has a
hundred trees and predicts the first tenth of the rows, once; the others all of them,
the best of nine turns.

    python benchmarks/predicting.py
"""

import argparse
import time
import warnings

import numpy as np
from common import print_table, write_json
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from trisect import STWDSFNNClassifier
from trisect.growth import RefinedGrowth

TRAINING_ROWS = 20_000
N_FEATURES = 20
TURNS = 9


def measure(n_rows):
    """Predict the same rows with each model in turns, and keep the best turn of each."""
    X, y = make_classification(
        TRAINING_ROWS, N_FEATURES, n_informative=10, n_clusters_per_class=4, random_state=0
    )
    many = np.random.default_rng(0).normal(size=(n_rows, N_FEATURES))
    models = {
        f"trisect, {scale} scaling": STWDSFNNClassifier(
            RefinedGrowth(selection="last"), scale=scale, random_state=0
        ).fit(X, y)
        for scale in ("standard", "quantile", "evidence")
    }
    nodes = {name: model.n_hidden_ for name, model in models.items()}
    mlp = MLPClassifier((max(nodes.values()),), max_iter=5, random_state=0)
    models["MLPClassifier"] = mlp.fit(X, y)
    models["StandardScaler and MLPClassifier"] = make_pipeline(StandardScaler(), clone(mlp))
    models["StandardScaler and MLPClassifier"].fit(X, y)
    seconds = dict.fromkeys(models, np.inf)
    for turn in range(1 + TURNS):
        for name, model in models.items():
            begin = time.perf_counter()
            model.predict_proba(many)
            if turn:  # The first one warms up.
                seconds[name] = min(seconds[name], time.perf_counter() - begin)
    rates = {name: n_rows / best for name, best in seconds.items()}
    forest, few = RandomForestClassifier(100, random_state=0).fit(X, y), many[: n_rows // 10]
    begin = time.perf_counter()
    forest.predict_proba(few)
    rates["random forest, 100 trees"] = len(few) / (time.perf_counter() - begin)
    return [
        {
            "model": name,
            "nodes": nodes.get(name, max(nodes.values()) if "MLP" in name else None),
            "rows_per_second": rate,
            "ratio": rate / rates["MLPClassifier"],
        }
        for name, rate in rates.items()
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    with threadpool_limits(limits=1):
        rows = measure(arguments.rows)
    head = ["model", "nodes", "rows per second", "times MLPClassifier"]
    lines = [
        [
            r["model"], str(r["nodes"] or ""), f"{r['rows_per_second']:,.0f}",
            f"{r['ratio']:.3g}",
        ]
        for r in rows
    ]  # fmt: skip
    print_table(f"predict_proba on {arguments.rows:,} x {N_FEATURES}", [head, *lines])
    if arguments.json:
        write_json(arguments.json, rows)


if __name__ == "__main__":
    main()
