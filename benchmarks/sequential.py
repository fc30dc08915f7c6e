"""Deciding level by level against deciding at once with the whole network.

The default network is fitted on the folds of the protocol (one fold tests, the next validates,
eight train; seed 0), and decides its test rows in both ways under three sets of costs (false
accept, false reject, review). Ratios are walk over whole network: summed costs, hidden nodes
evaluated, and rows per second on test rows of the first fold, repeated until there are enough
(costs 5, 10, 1; processor time, best of several turns). Below 20 reviews in all, a ratio of
costs is a matter of one or two instances and stands in brackets.

    python benchmarks/sequential.py --markdown docs/results/sequential.md
"""

import argparse
import time
from pathlib import Path

import numpy as np
from common import DATASETS, print_table, write_json
from paper_data import each_fold
from threadpoolctl import threadpool_limits

from trisect import CostMatrix, STWDSFNNClassifier

RATIOS = ((5, 10, 1), (20, 20, 1), (3, 3, 1))
CELLS = 8_000_000
REPEATS = 5
FEW_REVIEWS = 20


def costs_of(ratio):
    accept, reject, review = ratio
    return CostMatrix.from_review(false_accept=accept, false_reject=reject, review=review)


def measure(name, n_folds):
    """Sum costs and nodes over the folds, and time the first fold's model."""
    sums = {ratio: np.zeros(4) for ratio in RATIOS}
    result = {"dataset": name}
    for k, train, validation, (X, y) in each_fold(name, n_folds):
        model = STWDSFNNClassifier(random_state=k)
        model.fit(*train, X_val=validation[0], y_val=validation[1])
        positive = y == 1
        for ratio in RATIOS:
            costs = costs_of(ratio)
            walk = model.decide_sequentially(X, costs)
            spent = [
                costs.charge(positive, regions).sum()
                for regions in (walk.regions, model.decide(X, costs))
            ]
            sums[ratio] += [*spent, walk.nodes_evaluated, model.n_hidden_ * len(positive)]
        if k == 0:
            result |= speed(model, X)
    for ratio, (walked, whole, nodes, all_nodes) in sums.items():
        result[f"cost {ratio}"] = walked / whole if whole else float(walked > 0) + 1
        result[f"whole {ratio}"] = whole
        result[f"nodes {ratio}"] = nodes / all_nodes
    return result


def speed(model, X):
    """Time both ways in turns on enough rows; return rows per second of each."""
    rows = X[np.resize(np.arange(len(X)), max(CELLS // X.shape[1], 1))]
    ways = {
        "walk": lambda: model.decide_sequentially(rows, costs_of(RATIOS[0])),
        "whole": lambda: model.decide(rows, costs_of(RATIOS[0])),
    }
    best = dict.fromkeys(ways, np.inf)
    for _ in range(REPEATS):
        for way, decide in ways.items():
            begin = time.process_time()
            decide()
            best[way] = min(best[way], time.process_time() - begin)
    return {f"rows per second, {way}": len(rows) / seconds for way, seconds in best.items()}


def table_of(results):
    """Arrange the results, with means over the datasets last."""
    table = [("", *(f"{'-'.join(map(str, r))}: cost, nodes" for r in RATIOS), "whole", "walk")]
    for r in results:
        row = [r["dataset"]]
        for ratio in RATIOS:
            cost = f"{r[f'cost {ratio}']:.3f}"
            few = r[f"whole {ratio}"] < FEW_REVIEWS
            row.append(f"{f'({cost})' if few else cost}, {r[f'nodes {ratio}']:.2f}")
        row += [f"{r[f'rows per second, {way}'] / 1e6:.2f}" for way in ("whole", "walk")]
        table.append(tuple(row))
    means = ["mean"]
    for ratio in RATIOS:
        counted = [r for r in results if r[f"whole {ratio}"] >= FEW_REVIEWS]
        cost = np.mean([r[f"cost {ratio}"] for r in counted])
        means.append(f"{cost:.3f}, {np.mean([r[f'nodes {ratio}'] for r in results]):.2f}")
    table.append((*means, "", ""))
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    arguments = parser.parse_args()
    results = []
    with threadpool_limits(limits=1):
        for name in arguments.datasets:
            results.append(measure(name, arguments.folds))
            print_table(name, table_of(results[-1:])[:-1])
    table = table_of(results)
    print_table("Deciding level by level; millions of rows per second", table)
    if arguments.json:
        write_json(arguments.json, results)
    if arguments.markdown:
        head, *rows = table
        lines = ["# Deciding level by level", "", " ".join(__doc__.split("\n\n")[1].split()), ""]
        lines += ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
        lines += ["", "The last two columns are millions of rows per second."]
        command = "python benchmarks/sequential.py --markdown docs/results/sequential.md"
        lines += ["", f"Made by `{command}`."]
        Path(arguments.markdown).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
