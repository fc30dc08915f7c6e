"""What the user's costs do to the network: from cheap mistakes to dear ones.

A mistake costs from 1.5 to 100 reviews. For each price the network is fitted with these costs,
which then steer its growth and choose its level, and once more without costs. Both decide the
test rows under the price. Folds of the protocol, seed 0.

    python benchmarks/steering.py --picture docs/results/steering.png
"""

import argparse

import numpy as np
from common import data_folder, print_table, write_json
from threadpoolctl import threadpool_limits

from trisect import CostMatrix, STWDSFNNClassifier
from trisect_experiments.datasets import load_dataset
from trisect_experiments.protocol import folds, impute_median

DATASETS = ("OSP", "HTRU", "DCC", "BM")
PRICES = (1.5, 2, 3, 5, 10, 20, 50, 100)
MEASURES = ("nodes", "deferred", "cost", "cost without steering", "nodes without")


def measure(name, n_folds):
    """Mean nodes, share deferred and cost per 1,000 instances at each price."""
    dataset = load_dataset(name, data_folder())
    y = np.asarray(dataset.y)
    found = {price: [] for price in PRICES}
    for k, fold in enumerate(folds(y)):
        if k == n_folds:
            break
        X = impute_median(dataset.X, fold.train)

        def fitted(costs, X=X, fold=fold, seed=k):
            model = STWDSFNNClassifier(costs=costs, random_state=seed)
            validation = {"X_val": X[fold.validation], "y_val": y[fold.validation]}
            return model.fit(X[fold.train], y[fold.train], **validation)

        plain, test, positive = fitted(None), X[fold.test], y[fold.test] == 1
        for price in PRICES:
            costs = CostMatrix.from_review(false_accept=price, false_reject=price, review=1)
            steered = fitted(costs)
            regions = steered.decide(test, costs)
            spent = [
                1000 * costs.charge(positive, r).mean()
                for r in (regions, plain.decide(test, costs))
            ]
            share = 100 * np.mean(regions == 0)
            found[price].append([steered.n_hidden_, share, *spent, plain.n_hidden_])
    return [
        {"dataset": name, "price": price, **dict(zip(MEASURES, np.mean(rows, axis=0), strict=True))}
        for price, rows in found.items()
    ]


def draw(results, path):
    """Draw nodes, share deferred and cost against the price of a mistake."""
    import matplotlib.pyplot as plt

    panels = (
        ("nodes", "hidden nodes kept", "nodes without"),
        ("deferred", "deferred, %", None),
        ("cost", "cost per 1,000 instances, reviews", "cost without steering"),
    )
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    for ax, (measure, label, without) in zip(axes, panels, strict=True):
        for number, name in enumerate(dict.fromkeys(r["dataset"] for r in results)):
            rows = [r for r in results if r["dataset"] == name]
            prices, colour = [r["price"] for r in rows], f"C{number}"
            ax.plot(prices, [r[measure] for r in rows], "o-", ms=4, color=colour, label=name)
            if without:
                ax.plot(prices, [r[without] for r in rows], ":", color=colour)
        ax.set(xscale="log", xlabel="price of a mistake, reviews", ylabel=label)
        ax.set_ylim(bottom=0)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].legend(title="dotted: fitted without costs", frameon=False)
    figure.savefig(path, dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--picture", metavar="FILE")
    arguments = parser.parse_args()
    with threadpool_limits(limits=1):
        results = [r for name in arguments.datasets for r in measure(name, arguments.folds)]
    rows = [[r["dataset"], f"{r['price']:g}", *(f"{r[m]:.1f}" for m in MEASURES)] for r in results]
    print_table("Prices of a mistake", [["dataset", "price", *MEASURES], *rows])
    if arguments.json:
        write_json(arguments.json, results)
    if arguments.picture:
        draw(results, arguments.picture)


if __name__ == "__main__":
    main()
