"""What does each level of sequential three-way decisions cost?

A study in the manner of the paper: the network grows level by level under a chain of cost
matrices whose deferral region narrows, and each level decides what the one before deferred,
with result, test and delay costs recorded. Then the fitted network decides new instances
level by level, and the costs of deciding are recorded in the same way.

    python examples/process_costs.py --growth paper
"""

import argparse
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from trisect import CostMatrix, STWDSFNNClassifier
from trisect.decisions import unit_costs
from trisect.growth import PaperGrowth, RefinedGrowth
from trisect.metrics import process_cost_table, three_way_confusion

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
LEVELS = 6
UNITS = unit_costs(LEVELS)


def noisy_data():
    """Breast-cancer data with a tenth of the labels flipped, so that some cases are unclear."""
    X, y = load_breast_cancer(return_X_y=True)
    flipped = np.random.default_rng(0).random(len(y)) < 0.1
    return train_test_split(X, np.where(flipped, 1 - y, y), stratify=y, random_state=0)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--growth", choices=["paper", "refined"], default="refined")
    parser.add_argument("--pictures", metavar="FOLDER", help="where to save the pictures")
    options = parser.parse_args(arguments)
    X_train, X_test, y_train, y_test = noisy_data()
    growth = PaperGrowth() if options.growth == "paper" else RefinedGrowth(selection="last")
    model = STWDSFNNClassifier(
        growth, max_levels=LEVELS, costs=COSTS, unit_test_costs=UNITS, unit_delay_costs=UNITS,
        random_state=0,
    )  # fmt: skip
    model.fit(X_train, y_train)

    print(f"Costs of the last level:\n{COSTS}\n")
    print(f"Growing the network:\n{process_cost_table(model)}\n")
    for final in ("decide", "defer"):
        walk = model.decide_sequentially(X_test, final=final)
        print(f"Deciding {len(X_test)} new instances, what is left at the end: {final}")
        print(process_cost_table(walk))
        print("positive and negative by accept, defer, reject:")
        print(f"{three_way_confusion(y_test, walk.regions)}\n")

    if options.pictures:
        from trisect.plots import FlowDisplay, ProcessCostDisplay, ThresholdsDisplay

        displays = {
            "process-costs": ProcessCostDisplay.from_estimator(model),
            "thresholds": ThresholdsDisplay.from_estimator(model),
            "flow": FlowDisplay.from_walk(walk),
        }
        for name, display in displays.items():
            display.figure_.savefig(Path(options.pictures) / f"{name}.png", dpi=120)


if __name__ == "__main__":
    main()
