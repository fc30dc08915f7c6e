"""Which credit applications should a person look at?

Default of Credit Card Clients (UCI, 30,000 clients in Taiwan): will a client pay next
month? Accepting a client who then defaults costs part of the credit line, rejecting a good
one forgoes the margin, and a review takes an officer twenty minutes. The costs below are
assumed, not measured: put in your own.

    python examples/credit_triage.py --data-dir FOLDER_WITH_DCC.parquet
"""

import argparse
import os
import sys
from pathlib import Path

import numpy as np
from sklearn.model_selection import train_test_split

from trisect import CostMatrix, InstanceCosts, STWDSFNNClassifier, ThreeWayClassifier
from trisect.decisions import BND, bootstrap_interval
from trisect.metrics import decided_accuracy, deferral_rate, three_way_confusion

PAYS, DEFAULTS = 0, 1
COSTS = CostMatrix.from_review(
    false_accept=6_000, false_reject=1_500, review=(800, 900), unit="TWD", accept=PAYS
)
MOST_REVIEWED = 0.05


def load(folder):
    from trisect_experiments.datasets import load_dataset

    dataset = load_dataset("DCC", folder)
    return np.asarray(dataset.X, dtype=np.float32), np.asarray(dataset.y)


def report(name, y, regions, costs=COSTS):
    charges = costs.charge(y == PAYS, regions)
    low, high = bootstrap_interval(charges)
    right = decided_accuracy(y, regions, pos_label=PAYS)
    print(
        f"{name:38} {charges.mean():7.0f}   ({low:.0f} to {high:.0f})"
        f"{deferral_rate(regions):11.1%}{'' if np.isnan(right) else f'{1 - right:.1%}':>11}"
    )
    return charges.mean()


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", default=os.environ.get("TRISECT_DATA"))
    parser.add_argument("--rows", type=int, default=12_000, help="clients to use")
    parser.add_argument("--pictures", metavar="FOLDER", help="where to save the pictures")
    options = parser.parse_args(arguments)
    if options.data_dir is None or not (Path(options.data_dir) / "DCC.parquet").exists():
        print("No DCC.parquet: pass its folder as --data-dir or TRISECT_DATA.", file=sys.stderr)
        return

    X, y = load(options.data_dir)
    X, _, y, _ = train_test_split(X, y, train_size=options.rows, stratify=y, random_state=0)
    X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
    print(f"Costs of a decision:\n{COSTS}\n")

    network = STWDSFNNClassifier(max_levels=5, random_state=0)
    model = ThreeWayClassifier(network, COSTS, pos_label=PAYS, thresholds="learned", cv=3)
    model.fit(X_train, y_train)
    p = model.predict_proba(X_test)[:, 0]
    print(f"{'':38} per client  (95 % interval)   reviewed  mistakes among the decided")
    two_way = report("decide every client", y_test, np.where(p >= COSTS.gamma, 1, -1))
    report("review every client", y_test, np.full(len(p), BND))
    three_way = report("three ways, closed form", y_test, model.decide(X_test, COSTS))
    report("three ways, learned thresholds", y_test, model.decide(X_test))

    model.set_params(max_deferred=MOST_REVIEWED).fit(X_train, y_train)
    report(f"... at most {MOST_REVIEWED:.0%} reviewed", y_test, model.decide(X_test))
    print(f"\nThree ways save {1 - three_way / two_way:.0%} of the cost of always deciding.")
    print("Clients that pay (first row) and default, by accept, defer, reject:")
    print(three_way_confusion(y_test, model.decide(X_test, COSTS), pos_label=PAYS))

    # A mistake costs more the larger the credit line, so each client has costs of their own.
    limit = X_test[:, 0]
    own = InstanceCosts.from_review(
        false_accept=0.05 * limit, false_reject=0.01 * limit + 100, review=700, unit="TWD"
    )
    print("\nWith 5 % of the credit line at stake, and 700 a review:")
    report("one threshold for all", y_test, model.decide(X_test, own.mean()), own)
    report("costs of each client", y_test, model.decide(X_test, own), own)

    if options.pictures:
        from trisect.plots import RegionsDisplay, ReviewCostDisplay

        folder = Path(options.pictures)
        regions = RegionsDisplay.from_predictions(y_test, p, COSTS, names=("pays", "defaults"))
        regions.figure_.savefig(folder / "credit-regions.png", dpi=120)
        review = ReviewCostDisplay.from_predictions(y_test, p, COSTS)
        review.figure_.savefig(folder / "credit-review-cost.png", dpi=120)


if __name__ == "__main__":
    main()
