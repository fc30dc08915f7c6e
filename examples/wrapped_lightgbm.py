"""Can a LightGBM model defer uncertain cases?

Handwritten digits: a LightGBM classifier distinguishes 3 from 8 and defers the uncertain
images to a person, with closed-form thresholds on plain and on calibrated probabilities, and
with learned thresholds, also under a cap on the mistakes among automatic decisions. Finally,
all ten digits with one cost of deferring.

    python examples/wrapped_lightgbm.py
"""

import argparse

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, train_test_split

from trisect import ClassCosts, CostMatrix, ThreeWayClassifier
from trisect.metrics import (
    decided_accuracy,
    deferral_rate,
    three_way_cost,
    three_way_cost_scorer,
)

COSTS = CostMatrix.from_review(false_accept=20, false_reject=20, review=1, unit="cent")


def booster():
    return LGBMClassifier(n_estimators=40, num_leaves=7, n_jobs=1, random_state=0, verbose=-1)


def two_digits():
    X, y = load_digits(return_X_y=True)
    # Only the upper half of each image, so that some cases are uncertain.
    chosen = (y == 3) | (y == 8)
    X_train, X_test, y_train, y_test = train_test_split(
        X[chosen, :32], y[chosen], test_size=0.5, stratify=y[chosen], random_state=0
    )
    models = {
        "probabilities as they are": ThreeWayClassifier(booster(), COSTS),
        "calibrated by a sigmoid": ThreeWayClassifier(booster(), COSTS, calibration="sigmoid"),
        "learned thresholds": ThreeWayClassifier(booster(), COSTS, thresholds="learned"),
        "learned, 1 % mistakes at most": ThreeWayClassifier(booster(), COSTS, max_error=0.01),
    }
    print(f"3 or 8?\n{COSTS}\n\n{'':32}{'cost':>6}{'deferred':>10}{'mistakes':>10}")
    for name, model in models.items():
        regions = model.fit(X_train, y_train).decide(X_test)
        wrong = 1 - decided_accuracy(y_test, regions)
        cost = three_way_cost(y_test, regions, COSTS)
        print(f"{name:32}{cost:>6.0f}{deferral_rate(regions):>10.1%}{wrong:>10.1%}")
    print(f"\n{model.thresholds_}")

    grid = {"estimator__num_leaves": [3, 7], "calibration": [None, "sigmoid"]}
    search = GridSearchCV(
        ThreeWayClassifier(booster(), COSTS), grid, scoring=three_way_cost_scorer, cv=3
    ).fit(X_train, y_train)
    print(f"\nCheapest in a grid search: {search.best_params_}, {-search.best_score_:.2f} an image")


def ten_digits():
    X, y = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
    costs = ClassCosts.uniform(10, mistake=20, defer=1)
    model = ThreeWayClassifier(booster(), costs).fit(X_train, y_train)
    chosen = model.decide_classes(X_test)
    always = 20 * (model.predict(X_test) != y_test).sum()
    print(
        f"\nAll ten digits: deferring {np.equal(chosen, None).mean():.1%} costs "
        f"{three_way_cost(y_test, chosen, costs):.0f} instead of {always}."
    )


def main(arguments=None):
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(arguments)
    two_digits()
    ten_digits()


if __name__ == "__main__":
    main()
