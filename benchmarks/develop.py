"""Compare settings of STWDSFNNClassifier without touching what the benchmarks test on.

The training rows of the first of ten folds (seed 0) are divided into ten folds again
(seed 1); a setting is fitted on eight of these, validated on one, and scored on one.
This is how defaults are chosen; `docs/experiments.md` keeps the record.

    python benchmarks/develop.py --settings "" "growth__selection='one_se'" "scale='quantile'"
"""

import argparse
import sys
import time

import numpy as np
from common import data_folder, parse_settings, print_table, write_json
from sklearn.metrics import log_loss, roc_auc_score

from trisect import STWDSFNNClassifier
from trisect.growth import RefinedGrowth
from trisect_experiments.datasets import load_dataset
from trisect_experiments.protocol import folds, impute_median

DATASETS = ("EOL", "SB", "OD", "OSP", "EGSS", "HTRU", "BM", "ROE", "PCB", "ESR")


def development_folds(data, n_folds):
    """Yield training, validation and scoring data from the first fold's training rows."""
    rows = next(iter(folds(data.y))).train
    X, y = data.X[rows], data.y[rows]
    for k, fold in enumerate(folds(y, random_state=1)):
        if k == n_folds:
            return
        filled = impute_median(X, fold.train)
        yield [(filled[part], y[part]) for part in fold]


def score(parameters, parts):
    """Fit one setting; return accuracy, AUC, log loss, nodes and seconds."""
    (X, y), (X_val, y_val), (X_test, y_test) = parts
    model = STWDSFNNClassifier(RefinedGrowth(), random_state=0).set_params(**parameters)
    begin = time.process_time()
    model.fit(X, y, X_val=X_val, y_val=y_val)
    seconds = time.process_time() - begin
    p = model.predict_proba(X_test)
    accuracy = np.mean(model.classes_[p.argmax(axis=1)] == y_test)
    auc = roc_auc_score(y_test, p[:, 1])
    return 100 * accuracy, 100 * auc, log_loss(y_test, p), model.n_hidden_, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--settings", nargs="+", default=[""], metavar="'a=1, b=2'")
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    rows = []
    for name in arguments.datasets:
        parts = list(development_folds(load_dataset(name, data_folder()), arguments.folds))
        for text in arguments.settings:
            scores = np.mean([score(parse_settings(text), part) for part in parts], axis=0)
            names = ("accuracy", "auc", "log_loss", "nodes", "seconds")
            rows.append({"dataset": name, "setting": text or "default"})
            rows[-1].update(zip(names, map(float, scores), strict=True))
            print(rows[-1], file=sys.stderr, flush=True)
    head = ["setting", "accuracy %", "AUC %", "log loss", "nodes", "seconds"]
    lines = []
    for text in arguments.settings:
        found = [r for r in rows if r["setting"] == (text or "default")]
        mean = {k: np.mean([r[k] for r in found]) for k in ("accuracy", "auc", "log_loss")}
        nodes, seconds = (np.mean([r[k] for r in found]) for k in ("nodes", "seconds"))
        shown = [f"{mean['accuracy']:.2f}", f"{mean['auc']:.2f}", f"{mean['log_loss']:.4f}"]
        lines.append([text or "default", *shown, f"{nodes:.1f}", f"{seconds:.2f}"])
    print_table(f"Means over {len(arguments.datasets)} datasets", [head, *lines])
    if arguments.json:
        write_json(arguments.json, rows)


if __name__ == "__main__":
    main()
