"""Small models of every kind, fitted once."""

from functools import cache

import numpy as np

from trisect import (
    CostMatrix,
    SFNNClassifier,
    STWDSFNNClassifier,
    TableClassifier,
    TableEncoder,
    ThreeWayClassifier,
    TWDSFNNClassifier,
)
from trisect.growth import RefinedGrowth

GROWTH = RefinedGrowth(node_updates=40, joint_updates=200, polish_updates=200, l2=0.001)
COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")


def network(**options):
    return STWDSFNNClassifier(GROWTH, **({"max_levels": 4, "random_state": 0} | options))


def numbers(n_classes=2, n=300):
    """Numeric rows, with a column of two values among them."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, 4)) * [1, 100, 0.01, 1]
    X[:, 3] = X[:, 3] > 0
    score = X[:, 0] * X[:, 1] / 100 + X[:, 3] + 0.3 * rng.normal(size=n)
    return X, np.digitize(score, np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]))


def table(n_classes=2, n=400):
    """Raw rows with every kind of column."""
    rng = np.random.default_rng(2)
    jobs = rng.choice(
        np.array(["nurse", "clerk", "cook", "smith", "mayor", "NA"], dtype=object),
        size=n,
        p=[0.3, 0.3, 0.2, 0.12, 0.015, 0.065],
    )
    jobs[:20:2] = ["midwife", "mason", "weaver", "tailor", "baker"] * 2
    ages = rng.integers(18, 90, n)
    towns = rng.integers(0, 30, n)
    days = np.datetime64("2023-01-01") + rng.integers(0, 700, n)
    score = 1.0 * (jobs == "nurse") + (ages > 50) + (towns > 15) + 0.5 * rng.normal(size=n)
    gaps = rng.random(n) < np.where(score > 1.5, 0.4, 0.05)
    X = {
        "row": [f"R{i:05}" for i in range(n)],
        "job": jobs.tolist(),
        "age": [None if gap else int(age) for age, gap in zip(ages, gaps, strict=True)],
        "town": [f"town {i}" for i in towns],
        "since": [str(day) for day in days],
        "member": rng.choice(["yes", "no"], n).tolist(),
    }
    cuts = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
    return X, np.array(["low", "middle", "top"])[np.digitize(score, cuts)]


def amounts(n=300):
    """Raw rows with numbers and dates as people write them."""
    rng = np.random.default_rng(3)
    paid = np.exp(rng.normal(7, 1, n)).round(2)
    german = [f"{x:,.2f} €".translate(str.maketrans(",.", ".,")) for x in paid]
    days = rng.integers(1, 29, n)
    months = rng.choice(["Jan", "Feb", "Mar", "Apr"], n)
    X = {
        "paid": german,
        "quote": [f"${x:,.0f}" for x in paid * rng.uniform(0.7, 1.3, n)],
        "share": [f"{x}%" for x in rng.integers(0, 100, n)],
        "due": [f"{day}-{month}-24" for day, month in zip(days, months, strict=True)],
        "seen": [f"{m}/{d}/2024 {h}:15 PM" for m, d, h in rng.integers(1, 12, (n, 3))],
    }
    return X, np.where(np.log(paid) + 0.5 * rng.normal(size=n) > 7, "late", "in time")


def pipeline():
    from sklearn.pipeline import make_pipeline

    return make_pipeline(TableEncoder(random_state=0), network(costs=COSTS, pos_label="middle"))


MODELS = {
    "curves": lambda: network().fit(*numbers()),
    "linear": lambda: network(scale="standard", costs=COSTS, pos_label=0).fit(*numbers()),
    "quantile": lambda: network(scale="quantile", activation="swish").fit(*numbers()),
    "three classes": lambda: network().fit(*numbers(3)),
    "table": lambda: TableClassifier(network(), COSTS, pos_label="low", random_state=0).fit(
        *table()
    ),
    "table of three classes": lambda: TableClassifier(network(), random_state=0).fit(*table(3)),
    "amounts": lambda: TableClassifier(network(), COSTS, pos_label="late", random_state=0).fit(
        *amounts()
    ),
    "pipeline": lambda: pipeline().fit(*table()),
    "one pair of thresholds": lambda: TWDSFNNClassifier(GROWTH, random_state=0).fit(*numbers()),
    "fixed size": lambda: SFNNClassifier(3, random_state=0).fit(*numbers()),
    "learned thresholds": lambda: ThreeWayClassifier(
        network(), COSTS, thresholds="learned", cv=2
    ).fit(*numbers()),
}


@cache
def fitted(name):
    """The fitted model and rows to decide on, among them some that it has not seen."""
    if name in ("table", "table of three classes", "pipeline"):
        X, _ = table()
        X = {column: cells[:150] for column, cells in X.items()}
        X["job"][:3] = ["pilot", None, "nurse"]
        X["age"][:3] = [1e300, -4, "old"]
        X["since"][:3] = ["1850-01-01", "soon", None]
    elif name == "amounts":
        X = {column: cells[:150] for column, cells in amounts()[0].items()}
        X["paid"][:4] = ["1.234", "29.4", 7.5, "unknown"]
        X["due"][:2] = ["31-february-24", "1-DECEMBER-99"]
    else:
        X, _ = numbers()
        X = np.vstack([X[:150], X[:1] * 1e30, X[:1] * -1e300, np.zeros((1, 4))])
    return MODELS[name](), X
