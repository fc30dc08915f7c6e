"""Rows predicted per second, against MLPClassifier and a random forest, in one run.

A million rows of twenty features, one thread. MLPClassifier has as many nodes as our
network, alone and behind a StandardScaler, since ours scales too; the forest has a
hundred trees and predicts the first tenth of the rows, once; the others all of them,
the best of five turns.

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

TRAINING_ROWS = 20_000
N_FEATURES = 20


def rate(model, X, turns):
    """Return the rows per second of the best of several turns."""
    model.predict_proba(X[:1000])
    best = np.inf
    for _ in range(turns):
        begin = time.perf_counter()
        model.predict_proba(X)
        best = min(best, time.perf_counter() - begin)
    return len(X) / best


def measure(n_rows):
    """Predict the same rows with each model."""
    X, y = make_classification(
        TRAINING_ROWS, N_FEATURES, n_informative=10, n_clusters_per_class=4, random_state=0
    )
    many = np.random.default_rng(0).normal(size=(n_rows, N_FEATURES))
    rows = []
    for scale in ("standard", "quantile", "evidence"):
        ours = STWDSFNNClassifier(scale=scale, selection="last", random_state=0).fit(X, y)
        rows.append({"model": f"trisect, {scale} scaling", "nodes": ours.n_hidden_})
        rows[-1]["rows_per_second"] = rate(ours, many, 5)
    mlp = MLPClassifier((ours.n_hidden_,), max_iter=5, random_state=0)
    rivals = {
        "MLPClassifier": mlp,
        "StandardScaler and MLPClassifier": make_pipeline(StandardScaler(), clone(mlp)),
    }
    for name, rival in rivals.items():
        rows.append({"model": name, "nodes": ours.n_hidden_})
        rows[-1]["rows_per_second"] = rate(rival.fit(X, y), many, 5)
    forest = RandomForestClassifier(100, random_state=0).fit(X, y)
    rows.append({"model": "random forest, 100 trees", "nodes": None})
    rows[-1]["rows_per_second"] = rate(forest, many[: len(many) // 10], 1)
    bare = next(row for row in rows if row["model"] == "MLPClassifier")["rows_per_second"]
    for row in rows:
        row["ratio"] = row["rows_per_second"] / bare
    return rows


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
