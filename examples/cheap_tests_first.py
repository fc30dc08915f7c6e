"""How much testing does a cascade save?

Breast-cancer data: thirty measurements of cell nuclei in an image. Suppose that a quick look
gives the ten mean values for 1 EUR, and that the full set, with spreads and extreme values,
costs another 8 EUR in the laboratory. A cascade sends only the uncertain cases there.

    python examples/cheap_tests_first.py
"""

import argparse
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect import CostMatrix, SequentialThreeWayClassifier
from trisect.metrics import three_way_cost

# Malignant is positive: missing one is far worse than a needless biopsy.
COSTS = CostMatrix.from_review(
    false_accept=100, false_reject=1_000, review=40, unit="EUR", accept="malignant"
)
UNIT_COSTS = [1, 8]


def classifier():
    return make_pipeline(StandardScaler(), LogisticRegression(C=0.3))


def policies(names):
    """The quick look alone, the laboratory for all, and the cascade of both."""
    look = ("look", classifier(), list(names[:10]))
    lab = ("lab", classifier(), list(names))
    options = {"costs": COSTS}
    return {
        "quick look alone": SequentialThreeWayClassifier(
            [look], unit_test_costs=UNIT_COSTS[:1], **options
        ),
        "laboratory for all": SequentialThreeWayClassifier(
            [lab], unit_test_costs=[sum(UNIT_COSTS)], **options
        ),
        "cascade": SequentialThreeWayClassifier([look, lab], unit_test_costs=UNIT_COSTS, **options),
    }


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", metavar="FOLDER", help="where to save the picture")
    options = parser.parse_args(arguments)
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    y = y.map({0: "malignant", 1: "benign"}).to_numpy()
    totals = {}
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        for name, model in policies(X.columns).items():
            walk = model.fit(X.iloc[train], y[train]).decide_sequentially(X.iloc[test])
            decisions = three_way_cost(y[test], walk.regions, COSTS)
            row = (walk.test_cost, decisions, np.count_nonzero(walk.regions == 0))
            totals[name] = np.add(totals.get(name, 0), row)

    print(f"{COSTS}\n")
    print(f"{'':20}{'tests':>9}{'decisions':>11}{'total':>9}{'reviews':>9}   (sums over all folds)")
    for name, (tests, decisions, reviews) in totals.items():
        total = tests + decisions
        print(f"{name:20}{tests:>9.0f}{decisions:>11.0f}{total:>9.0f}{reviews:>9.0f}")
    saved = 1 - totals["cascade"][0] / totals["laboratory for all"][0]
    print(
        f"\nThe cascade spends {saved:.0%} less on tests than sending everyone to the laboratory."
    )
    print(f"\nLast fold:\n{walk}")

    if options.pictures:
        from trisect.plots import FlowDisplay

        display = FlowDisplay.from_estimator(model, X)
        display.figure_.savefig(Path(options.pictures) / "cascade-flow.png", dpi=120)


if __name__ == "__main__":
    main()
