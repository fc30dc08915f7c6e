"""The method on one screen: decide on raw rows, count what it costs, look at how the network grew.

Run it as ``trisect demo [FOLDER]``. The data come with the library; the pictures, which need
matplotlib, go into the folder. ``trisect demo --write FILE`` writes the data as csv.
"""

import sys
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect.decisions import CostMatrix, bootstrap_interval, two_way_regions
from trisect.files import AtomicFile, read_table
from trisect.metrics import three_way_confusion
from trisect.sample_data import CREDIT, credit_csv
from trisect.tables import TableClassifier
from trisect.tables.cells import Cells, read_texts

__all__ = ["run", "write_credit"]

WIDTH = 96
SEED = 1
TARGET, POSITIVE, NEGATIVE = "next_month", "pays", "defaults"
# What a mistake costs, in reviews.
COSTS: dict[str, Any] = {"false_accept": 5, "false_reject": 3, "review": 1}
SHOWN = ("client", "limit", "education", "age", "september_status", "august_status")

LEGEND = {
    "gamma": "from here the last level accepts what is left: it defers nothing",
    "wrong": "misclassified by the network of the level; similar ones form a group (a granule), "
    f"which is decided by the share in it that {POSITIVE}",
    "result": "risk of these decisions, nothing where all of a group are of one class",
    "test": "wrong instances times the unit cost of their level, added up over the levels",
    "delay": "the dearest of these products so far, because levels wait for each other",
}

Columns = dict[str, Cells]


class Split(NamedTuple):
    """Rows and classes to learn from and to be judged by."""

    X_train: Columns
    X_test: Columns
    y_train: NDArray[Any]
    y_test: NDArray[Any]


def write_credit(path: Path) -> int:
    """Write the clients as a csv file; returns the exit code, 0."""
    if path.exists():
        raise ValueError(f"{path} exists already: name a file that does not.")
    with AtomicFile(path) as file:
        file.write(credit_csv())
    say(f"{path}: 3,000 clients, a column {TARGET} that says whether they pay. {CREDIT}")
    return 0


def run(folder: Path) -> int:
    """Run the demonstration, with pictures in a folder; returns the exit code, 0."""
    data = load()
    n_train, n_test = len(data.y_train), len(data.y_test)
    say(
        f"{n_train + n_test:,} clients with credit cards in Taiwan in 2005, as in a csv file: "
        f"{n_train:,} to learn from, {n_test} to test. To accept is to count on it that a client "
        f"{POSITIVE} next month, to reject is to expect that the client {NEGATIVE}, to defer is to "
        "have a person look."
    )
    costs = CostMatrix.from_review(**COSTS, accept=POSITIVE)
    model = TableClassifier(costs=costs, random_state=SEED).fit(data.X_train, data.y_train)
    show_decisions(model, data, costs)
    show_costs(model, data, costs)
    show_levels(model.estimator_)
    show_columns(model)
    show_pictures(model, data, costs, folder)
    print()
    say(f"The data: {CREDIT}")
    return 0


def load() -> Split:
    """Read the file that comes with the library, and hold a quarter of it back."""
    with as_file(files("trisect.sample_data").joinpath("credit.csv.xz")) as path:
        columns = read_table(path).columns
    labels = read_texts(columns.pop(TARGET))
    y = np.array(labels.values)[labels.codes]
    train, test = train_test_split(np.arange(len(y)), stratify=y, random_state=SEED)
    X_train, X_test = (
        {name: cells[rows] for name, cells in columns.items()} for rows in (train, test)
    )
    return Split(X_train, X_test, y[train], y[test])


def show_decisions(model: TableClassifier, data: Split, costs: CostMatrix) -> None:
    """Print what is decided."""
    heading("1. What is decided")
    say(
        f"Say a review costs {COSTS['review']}, to reject a client who {POSITIVE} "
        f"{COSTS['false_reject']}, to accept one who {NEGATIVE} {COSTS['false_accept']}. With p, "
        f"the probability that the client {POSITIVE}, the cheapest is to accept from "
        f"p = {costs.alpha:.2f}, to reject up to {costs.beta:.2f} and to have the rest looked at."
    )
    given = ", ".join(f"{name}={value}" for name, value in COSTS.items())
    print(
        f"\n    costs = CostMatrix.from_review({given}, accept={POSITIVE!r})\n"
        "    model = TableClassifier(costs=costs).fit(X_train, y_train)\n"
        "    model.decide(X_test)\n"
    )
    regions = model.decide(data.X_test)
    confusion = three_way_confusion(data.y_test, regions, pos_label=POSITIVE)
    print(f"{'test clients who':>20}{'accepted':>10}{'deferred':>10}{'rejected':>10}")
    for name, row in zip((POSITIVE, NEGATIVE), confusion, strict=True):
        print(f"{name:>20}" + "".join(f"{count:>10}" for count in row))
    print("\nSix of them:\n")
    p = model.predict_proba(data.X_test)[:, 1]
    rows = [row for region in (1, 0, -1) for row in np.flatnonzero(regions == region)[:2]]
    shown = [
        {name: written(data.X_test[name], row) for name in SHOWN}
        | {"p": f"{p[row]:.2f}", "decided": ("defer", "accept", "reject")[regions[row]]}
        | {TARGET: data.y_test[row]}
        for row in rows
    ]
    for cells in [{name: name for name in shown[0]}, *shown]:
        widths = [max(len(name), *(len(row[name]) for row in shown)) for name in cells]
        print("  ".join(f"{c:>{w}}" for c, w in zip(cells.values(), widths, strict=True)))


def show_costs(model: TableClassifier, data: Split, costs: CostMatrix) -> None:
    """Print what decisions cost, against deciding everything and against other classifiers."""
    n = len(data.y_test)
    heading(f"2. What it costs, against deciding everything: {n} test clients")
    p = model.predict_proba(data.X_test)[:, 1]
    print(f"{'':34}{'cost':>6}{'per client (95 % interval)':>29}{'looked at':>11}{'AUC':>8}")
    spent = {
        "nobody decides": charge("all are looked at", data, np.zeros(n, dtype=np.int8), costs),
        "always": charge("always decide", data, two_way_regions(p, costs.gamma), costs, p),
        "three": charge("three ways", data, model.decide(data.X_test), costs, p),
    }
    rivals = {
        "random forest": RandomForestClassifier(),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    }
    for name, rival in rivals.items():
        other = TableClassifier(rival, costs, random_state=SEED).fit(data.X_train, data.y_train)
        q = other.predict_proba(data.X_test)[:, 1]
        charge(f"three ways, {name}", data, other.decide(data.X_test), costs, q)
    saved = 1 - spent["three"] / spent["always"]
    print()
    say(
        f"Three ways cost {abs(saved):.0%} {'less' if saved > 0 else 'more'} than always deciding. "
        f"One split of {n} clients says little of which classifier is better: "
        "benchmarks/tables.py compares on ten folds of all 30,000."
    )


def charge(
    name: str, data: Split, regions: NDArray[Any], costs: CostMatrix, p: NDArray[Any] | None = None
) -> float:
    """Print what decisions cost, and return it."""
    charges = costs.charge(data.y_test == POSITIVE, regions)
    low, high = bootstrap_interval(charges)
    auc = "" if p is None else f"{roc_auc_score(data.y_test == POSITIVE, p):.3f}"
    mean = f"{charges.mean():.2f} ({low:.2f} to {high:.2f})"
    print(f"{name:34}{charges.sum():>6.0f}{mean:>29}{np.mean(regions == 0):>11.0%}{auc:>8}")
    return float(charges.sum())


def show_levels(network: Any) -> None:
    """Print how the network grew."""
    heading("3. How the network grew")
    say(
        "Each level adds one hidden node and sorts the undecided training instances by p: accept "
        "from alpha up, reject from beta down, defer in between. What is deferred is what the next "
        "level has to decide, and what its node learns from first. Both thresholds follow from "
        "what decisions cost at the level, and they close in on each other."
    )
    print(
        f"\n{'':>14}|{'thresholds':^23}|{'training instances':^36}|{'costs':^21}\n"
        f"  level nodes |{'alpha':>7}{'beta':>7}{'gamma':>7}  "
        f"|{'accepted':>9}{'deferred':>9}{'rejected':>9}{'wrong':>7}  "
        f"|{'result':>7}{'test':>7}{'delay':>7}"
    )
    for number, level in enumerate(network.levels_, start=1):
        kept = number == network.best_level_ + 1
        row = (
            f"{'>' if kept else ' '}{number:>6}{level.n_hidden:>6} "
            f"|{level.alpha:>7.3f}{level.beta:>7.3f}{level.gamma:>7.3f}  "
            f"|{level.n_pos:>9}{level.n_bnd:>9}{level.n_neg:>9}{level.n_misclassified:>7}  "
            f"|{level.result_cost:>7.1f}{level.test_cost:>7.0f}{level.delay_cost:>7.0f}"
        )
        print(bold(row) if kept else row)
    full = len(network.levels_) == network.max_levels
    why = "the most levels allowed" if full else "nothing was left, or new nodes no longer paid"
    print()
    say(
        f"Growth ended after level {len(network.levels_)}: {why}. Validation data, a ninth of the "
        f"training data, favour level {network.best_level_ + 1} (marked >), so the network keeps "
        f"{counted(network.n_hidden_, 'hidden node')}."
    )
    print()
    for name, meaning in LEGEND.items():
        print(fill(meaning, WIDTH, initial_indent=f"  {name:8}", subsequent_indent=" " * 10))


def show_columns(model: TableClassifier) -> None:
    """Print what was made of the columns."""
    heading("4. What was made of the columns")
    rows = model.report_columns_.rows
    n_numbers = sum(len(row.outputs) for row in rows)
    say(
        f"{len(rows)} columns became {n_numbers} numbers. print(model.report_columns_) shows all "
        "columns; these are the first:"
    )
    print()
    print("\n".join(str(model.report_columns_).splitlines()[:8]))


def show_pictures(model: TableClassifier, data: Split, costs: CostMatrix, folder: Path) -> None:
    """Draw the pictures and print their names."""
    heading("5. Pictures")
    if find_spec("matplotlib") is None:
        say("They need matplotlib: pip install 'trisect[plots]'.")
        return
    import matplotlib.pyplot as plt

    from trisect.plots import ProcessCostDisplay, RegionsDisplay, ThresholdsDisplay

    plt.switch_backend("agg")
    folder.mkdir(parents=True, exist_ok=True)
    p = model.predict_proba(data.X_test)[:, 1]
    network = model.estimator_
    pictures: dict[str, tuple[str, Any]] = {
        "regions": (
            "the decisions of part 1",
            RegionsDisplay.from_predictions(data.y_test, p, costs, names=(POSITIVE, NEGATIVE)),
        ),
        "thresholds": (
            "alpha and beta of all levels allowed",
            ThresholdsDisplay.from_levels(network.cost_matrices_),
        ),
        "process-costs": ("the costs of each level", ProcessCostDisplay.from_estimator(network)),
    }
    for name, (content, display) in pictures.items():
        path = folder / f"{name}.png"
        display.figure_.savefig(path, dpi=120)
        plt.close(display.figure_)
        print(f"{path}: {content}")


def written(cells: Cells, row: int) -> str:
    """A cell as it stands in the file."""
    one = read_texts(cells[row : row + 1])
    return "" if one.codes[0] < 0 else one.values[one.codes[0]]


def heading(text: str) -> None:
    """Print a heading."""
    print(f"\n{bold(text)}\n")


def say(text: str) -> None:
    """Print a paragraph, and at once, so that nobody waits in front of an empty screen."""
    print(fill(text, WIDTH, break_on_hyphens=False), flush=True)


def bold(text: str) -> str:
    """Make text bold where a person reads it."""
    return f"\033[1m{text}\033[0m" if sys.stdout.isatty() else text


def counted(number: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
