"""Who looks at which biopsy today, and is the model still right?

Wisconsin breast-cancer data, which come with scikit-learn. A laboratory reads what the model
does not decide: two pathologists and a trainee, each with so much time. The costs and the team
are assumed: put in your own. docs/guide/desk.md goes through every step.

    python examples/review_desk.py
"""

import argparse
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect import CostMatrix, ThreeWayClassifier
from trisect.desk import (
    CapacityDisplay,
    DaysDisplay,
    DecisionMonitor,
    Reviewer,
    allocate,
    draw_days,
    explain,
    simulate_days,
)

COSTS = CostMatrix.from_review(false_accept=400, false_reject=60, review=25, unit="EUR")
TEAM = [
    Reviewer("Dr Okafor", cost=25, error=0.01, capacity=6),
    Reviewer("Dr Lindqvist", cost=25, error=0.01, capacity=4),
    Reviewer("trainee", cost=12, sensitivity=0.95, specificity=0.9, capacity=8),
]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", metavar="FOLDER", help="where to save the pictures")
    options = parser.parse_args(arguments)

    X, benign = load_breast_cancer(return_X_y=True, as_frame=True)
    X = X[[name for name in X.columns if name.startswith("mean")]]
    X_train, X_new, y_train, y_new = train_test_split(
        X, benign, test_size=0.6, stratify=benign, random_state=0
    )
    classifier = ThreeWayClassifier(LogisticRegression(C=0.1), COSTS)
    model = make_pipeline(StandardScaler(), classifier).fit(X_train, y_train)
    p = model.predict_proba(X_new)[:, 1]

    today = slice(0, 120)
    day = allocate(p[today], COSTS, TEAM)
    asked = int((COSTS.decide(p[today]) == 0).sum())
    print(f"Of 120 biopsies the costs alone would send {asked} to review. The day:\n{day}\n")

    first = day.cases("Dr Okafor")[0]
    print(f"The first case of Dr Okafor:\n{explain(model, X_new.iloc[[first]], X_train)}\n")

    days = draw_days(p, y_new == 1, [60, 80, 120, 60, 50] * 4, random_state=0)
    logs = [simulate_days(days, COSTS, TEAM, way) for way in ("queue", "quota", "allocation")]
    print("Four weeks at the desk:", *logs, sep="\n")

    monitor = DecisionMonitor(p, COSTS, y_new)
    for number, cases in enumerate(days, start=1):
        monitor.update(cases.p, cases.truth.astype(int), period=number)
    print(f"\nThe monitor after four weeks:\n{monitor.report()}")

    if options.pictures:
        folder = Path(options.pictures)
        capacity = CapacityDisplay.from_probabilities(p[today], COSTS, TEAM)
        capacity.figure_.savefig(folder / "desk-capacity.png", dpi=120)
        DaysDisplay.from_logs(*logs).figure_.savefig(folder / "desk-days.png", dpi=120)


if __name__ == "__main__":
    main()
