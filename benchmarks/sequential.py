"""Sequential inference against evaluating the largest network on every row, in one run.

The same fitted network decides the same rows with the same compiled code in three ways: level
by level through all levels; through the levels that are worth their nodes (levels="auto",
judging by their validation scores); and with its largest network alone. A ratio above 1 means
that a walk is faster than the largest network alone. The rows are test rows, repeated until
there are enough. The costs are 5 for a false accept, 10 for a false reject and 1 for a review.
Times are processor times, which a busy machine disturbs less, and the best of several turns.

    python benchmarks/sequential.py --markdown docs/results/sequential.md
"""

import argparse
import time
from pathlib import Path

import numpy as np
from common import DATASETS, data_folder, print_table, write_json
from threadpoolctl import threadpool_limits

from trisect import CostMatrix, STWDSFNNClassifier
from trisect_experiments.datasets import load_dataset
from trisect_experiments.protocol import folds, impute_median

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
CELLS = 8_000_000
TRAINING_ROWS = 20_000
REPEATS = 11
SLOWER = 0.95
WHY = (
    "Networks of so few nodes are evaluated in a few nanoseconds per row, less than it takes to "
    "read and scale the row, so a walk saves little time even where it saves most of the nodes. A "
    "walk through all levels loses where many instances are unsure to the end, because levels "
    "that are trained jointly share no nodes. Where auto evaluates the nodes of the largest "
    "network it does the same work, but for some 0.3 ms to choose the levels, so that the ratio "
    "there shows how far times on a shared machine can be relied on."
)


def seconds(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


def measure(name, folder):
    """Fit once, then take turns and keep the best of each."""
    dataset = load_dataset(name, folder)
    y = np.asarray(dataset.y)
    fold = next(folds(y))
    X = impute_median(dataset.X, fold.train).astype(np.float32)
    train = np.random.default_rng(0).permutation(fold.train)[:TRAINING_ROWS]
    model = STWDSFNNClassifier(random_state=0).fit(X[train], y[train])
    test = X[np.resize(fold.test, max(CELLS // X.shape[1], 1))]
    kinds = {"walk": "all", "auto": "auto", "largest": [model.best_level_ + 1]}

    def decide(kind):
        return model.decide_sequentially(test, COSTS, levels=kinds[kind])

    walks = {kind: decide(kind) for kind in kinds}
    times = {
        kind: min(values)
        for kind, values in zip(
            kinds,
            zip(
                *[[seconds(lambda k=k: decide(k)) for k in kinds] for _ in range(REPEATS)],
                strict=True,
            ),
            strict=True,
        )
    }
    return {
        "dataset": name,
        "rows": len(test),
        "features": test.shape[1],
        "nodes": {kind: walk.nodes_evaluated / len(test) for kind, walk in walks.items()},
        "same_decision": {
            kind: float(np.mean(walk.regions == walks["largest"].regions))
            for kind, walk in walks.items()
        },
        "ms": {kind: 1e3 * value for kind, value in times.items()},
        "ratio": {kind: times["largest"] / times[kind] for kind in ("walk", "auto")},
    }


def summary(results):
    """Say where the walks stand, and why."""
    lines = []
    for kind, title in (("walk", "All levels"), ("auto", '`levels="auto"`')):
        ratios = {r["dataset"]: r["ratio"][kind] for r in results}
        slower = [
            f"{name} {ratio:.2f}" for name, ratio in ratios.items() if round(ratio, 2) < SLOWER
        ]
        lines.append(
            f"- {title}: ratio {min(ratios.values()):.2f} to {max(ratios.values()):.2f}, median "
            f"{np.median(list(ratios.values())):.2f}; below {SLOWER:g} on {len(slower)} of "
            f"{len(ratios)}{': ' + ', '.join(slower) if slower else ''}."
        )
    return [*lines, "", WHY]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    arguments = parser.parse_args()
    with threadpool_limits(limits=1):
        results = [measure(name, data_folder()) for name in arguments.datasets]
    head = ("", "rows", "largest: nodes", "ms", "all levels: nodes", "ms", "ratio")
    table = [(*head, "auto: nodes", "ms", "ratio")]
    for r in results:
        row = [r["dataset"], f"{r['rows']:,}"]
        for kind in ("largest", "walk", "auto"):
            row += [f"{r['nodes'][kind]:.2f}", f"{r['ms'][kind]:.1f}"]
            row += [f"{r['ratio'][kind]:.2f}"] if kind in r["ratio"] else []
        table.append(tuple(row))
    print_table("Deciding level by level against the largest network on every row", table)
    if arguments.json:
        write_json(arguments.json, results)
    if arguments.markdown:
        head, *rows = table
        lines = ["# Deciding level by level", "", " ".join(__doc__.split("\n\n")[1].split()), ""]
        lines += ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
        lines += ["", *summary(results)]
        command = "python benchmarks/sequential.py --markdown docs/results/sequential.md"
        lines += ["", f"Made by `{command}`."]
        Path(arguments.markdown).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
