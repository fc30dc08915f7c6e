"""The method on one screen: grow a network, look at its levels, decide with costs.

Run it as ``trisect demo [FOLDER]``. The data come with scikit-learn; the pictures, which need
matplotlib, go into the folder.
"""

import sys
import time
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect.decisions import CostMatrix, two_way_regions
from trisect.estimators.stwd_sfnn import STWDSFNNClassifier
from trisect.metrics import three_way_confusion, three_way_cost

__all__ = ["run"]

WIDTH = 96
SEED = 0
POSITIVE, NEGATIVE = "benign", "malignant"
# What a mistake costs, in second looks.
COSTS: dict[str, Any] = {"false_accept": 20, "false_reject": 5, "review": 1}

LEGEND = {
    "gamma": "from here the last level allowed, the tenth, accepts: it defers nothing",
    "wrong": "misclassified by the network of the level; similar ones form a group (a granule), "
    f"which is decided by the share of {POSITIVE} ones in it",
    "result": "risk of these decisions, nothing where all of a group are of one class",
    "test": "wrong instances times the unit cost of their level, added up over the levels",
    "delay": "the dearest of these products so far, because levels wait for each other",
}


class Split(NamedTuple):
    """Instances and classes to learn from and to be judged by."""

    X_train: NDArray[Any]
    X_test: NDArray[Any]
    y_train: NDArray[Any]
    y_test: NDArray[Any]


def run(folder: Path) -> int:
    """Run the demonstration, with pictures in a folder; returns the exit code, 0."""
    data = Split(*train_test_split(*load_breast_cancer(return_X_y=True), random_state=SEED))
    n_train, n_features = data.X_train.shape
    say(
        f"Breast-cancer data of scikit-learn: {n_train} instances to train on, "
        f"{len(data.X_test)} to test, {n_features} features. Positive means {POSITIVE}: to "
        f"accept is to call a tumour {POSITIVE}, to reject is to call it {NEGATIVE}, to defer "
        "is to ask for a second look."
    )
    # What the kernels' compilation takes, once after installation, is no part of the fit.
    STWDSFNNClassifier(max_levels=2, random_state=SEED).fit(data.X_train, data.y_train)
    model = STWDSFNNClassifier(random_state=SEED).fit(data.X_train, data.y_train)
    show_levels(model)
    show_rivals(model, data)
    costs = CostMatrix.from_review(**COSTS)
    show_decisions(model, data, costs)
    show_pictures(model, data, costs, folder)
    return 0


def show_levels(model: STWDSFNNClassifier) -> None:
    """Print how the network grew."""
    heading("1. The network grows, level by level")
    say(
        "Each level adds one hidden node and sorts the undecided training instances by p, the "
        f"probability of {POSITIVE}: accept from alpha up, reject from beta down, defer in "
        "between. What is deferred is what the next level has to decide, and what its node learns "
        "from first. Both thresholds follow from what decisions cost at the level, and they close "
        "in on each other."
    )
    print(
        f"\n{'':>14}|{'thresholds':^23}|{'training instances':^36}|{'costs':^21}\n"
        f"  level nodes |{'alpha':>7}{'beta':>7}{'gamma':>7}  "
        f"|{'accepted':>9}{'deferred':>9}{'rejected':>9}{'wrong':>7}  "
        f"|{'result':>7}{'test':>7}{'delay':>7}"
    )
    for number, level in enumerate(model.levels_, start=1):
        kept = number == model.best_level_ + 1
        row = (
            f"{'>' if kept else ' '}{number:>6}{level.n_hidden:>6} "
            f"|{level.alpha:>7.3f}{level.beta:>7.3f}{level.gamma:>7.3f}  "
            f"|{level.n_pos:>9}{level.n_bnd:>9}{level.n_neg:>9}{level.n_misclassified:>7}  "
            f"|{level.result_cost:>7.2f}{level.test_cost:>7.1f}{level.delay_cost:>7.1f}"
        )
        print(bold(row) if kept else row)
    full = len(model.levels_) == model.max_levels
    why = "the most levels allowed" if full else "nothing was left to decide"
    print()
    say(
        f"Growth ended after level {len(model.levels_)}: {why}. Validation data, a ninth of the "
        f"training data, favour level {model.best_level_ + 1} (marked >), so the network keeps "
        f"{counted(model.n_hidden_, 'hidden node')}."
    )
    print()
    for name, meaning in LEGEND.items():
        print(fill(meaning, WIDTH, initial_indent=f"  {name:8}", subsequent_indent=" " * 10))


def show_rivals(model: STWDSFNNClassifier, data: Split) -> None:
    """Print test scores next to those of other classifiers."""
    heading(f"2. Next to other classifiers, on the {len(data.y_test)} test instances")
    print(f"{'':28}{'accuracy':>10}{'weighted F1':>14}{'AUC':>8}{'hidden nodes':>15}{'fit, s':>9}")
    entries = [("trisect STWDSFNNClassifier", model, model.n_hidden_, model.fit_seconds_)]
    entries += [(name, *rest) for name, *rest in fitted_rivals(data)]
    for name, rival, nodes, seconds in entries:
        predicted = rival.predict(data.X_test)
        f1 = f1_score(data.y_test, predicted, average="weighted")
        auc = roc_auc_score(data.y_test, rival.predict_proba(data.X_test)[:, 1])
        print(
            f"{name:28}{np.mean(predicted == data.y_test):>10.3f}{f1:>14.3f}{auc:>8.3f}"
            f"{nodes or '-':>15}{seconds:>9.3f}"
        )
    print()
    say(
        f"One split of {len(data.y_test)} instances says little: one instance is worth "
        f"{100 / len(data.y_test):.1f} points of accuracy. benchmarks/accuracy.py compares on "
        "fifteen datasets and ten folds."
    )


def fitted_rivals(data: Split) -> Iterator[tuple[str, Any, int | None, float]]:
    """Yield name, fitted classifier, hidden nodes and seconds of the fit."""
    perceptron = MLPClassifier(random_state=SEED)
    rivals = {
        "MLPClassifier, standardised": make_pipeline(StandardScaler(), perceptron),
        "RandomForestClassifier": RandomForestClassifier(random_state=SEED),
        "majority class": DummyClassifier(),
    }
    for name, rival in rivals.items():
        begin = time.perf_counter()
        with warnings.catch_warnings():
            # Its default number of epochs is part of what it is compared by.
            warnings.simplefilter("ignore", ConvergenceWarning)
            rival.fit(data.X_train, data.y_train)
        seconds = time.perf_counter() - begin
        nodes = perceptron.hidden_layer_sizes[0] if name.startswith("MLP") else None
        yield name, rival, nodes, seconds


def show_decisions(model: STWDSFNNClassifier, data: Split, costs: CostMatrix) -> None:
    """Print what three-way decisions cost, against always deciding."""
    heading("3. Decide with your own costs")
    say(
        f"Say a second look costs {COSTS['review']}, calling a {POSITIVE} tumour {NEGATIVE} "
        f"{COSTS['false_reject']}, calling a {NEGATIVE} one {POSITIVE} {COSTS['false_accept']}. "
        f"Cheapest is then to accept from p = {costs.alpha:.2f}, to reject up to "
        f"{costs.beta:.2f} and to have the rest looked at; without second looks, to accept from "
        f"{costs.gamma:.2f}."
    )
    given = ", ".join(f"{name}={value}" for name, value in COSTS.items())
    print(f"\n    costs = CostMatrix.from_review({given})\n    model.decide(X_test, costs)\n")
    p = model.predict_proba(data.X_test)[:, 1]
    ways = {
        "always decide": two_way_regions(p, costs.gamma),
        "three ways": model.decide(data.X_test, costs),
    }
    print(
        f"{'':15}{'accepted':>10}{'deferred':>10}{'rejected':>10}"
        f"{'wrongly accepted':>19}{'wrongly rejected':>18}{'cost':>8}"
    )
    spent = {}
    for name, regions in ways.items():
        confusion = three_way_confusion(data.y_test, regions)
        spent[name] = three_way_cost(data.y_test, regions, costs)
        accepted, deferred, rejected = confusion.sum(axis=0)
        print(
            f"{name:15}{accepted:>10}{deferred:>10}{rejected:>10}"
            f"{confusion[1, 0]:>19}{confusion[0, 2]:>18}{spent[name]:>8.0f}"
        )
    always, three = spent.values()
    compared = "less" if three < always else "more" if three > always else "neither more nor less"
    amount = f"{abs(always - three):.0f} " if three != always else ""
    print()
    say(
        f"Here {counted(int(deferred), 'second look')} cost {COSTS['review'] * deferred}, and "
        f"all decisions together {amount}{compared} than always deciding."
    )


def show_pictures(model: STWDSFNNClassifier, data: Split, costs: CostMatrix, folder: Path) -> None:
    """Draw the pictures and print their names."""
    heading("4. Pictures")
    if find_spec("matplotlib") is None:
        say("They need matplotlib: pip install 'trisect[plots]'.")
        return
    import matplotlib.pyplot as plt

    from trisect.plots import ProcessCostDisplay, RegionsDisplay, ThresholdsDisplay

    plt.switch_backend("agg")
    folder.mkdir(parents=True, exist_ok=True)
    p = model.predict_proba(data.X_test)[:, 1]
    names = (POSITIVE, NEGATIVE)
    pictures: dict[str, tuple[str, Any]] = {
        "thresholds": (
            "alpha and beta of all levels allowed",
            ThresholdsDisplay.from_levels(model.cost_matrices_),
        ),
        "process-costs": ("the costs of each level", ProcessCostDisplay.from_estimator(model)),
        "regions": (
            "the decisions of part 3",
            RegionsDisplay.from_predictions(data.y_test, p, costs, names=names),
        ),
    }
    for name, (content, display) in pictures.items():
        path = folder / f"{name}.png"
        display.figure_.savefig(path, dpi=120)
        plt.close(display.figure_)
        print(f"{path}: {content}")


def heading(text: str) -> None:
    """Print a heading."""
    print(f"\n{bold(text)}\n")


def say(text: str) -> None:
    """Print a paragraph, and at once, so that nobody waits in front of an empty screen."""
    print(fill(text, WIDTH), flush=True)


def bold(text: str) -> str:
    """Make text bold where a person reads it."""
    return f"\033[1m{text}\033[0m" if sys.stdout.isatty() else text


def counted(number: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
