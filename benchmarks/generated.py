"""The generated problems of `zoo.py`: each is hard for a reason that its name says.

A problem is drawn anew for every seed, its shape (centres, curves, trees) as well as its
rows. Where the true probabilities of the classes are known, so is the best possible accuracy;
their sharpness is then set so that this is near a stated figure.
"""

from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp, softmax
from sklearn.datasets import make_classification

from trisect_experiments.datasets import generators

N_TEST = 10_000
"""Test rows of every problem: the standard error of an accuracy of 90 % is then 0.3 points."""


class Draw(NamedTuple):
    """Training and test rows, and the accuracy of the best rule on the test rows (or NaN)."""

    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    best: float


def problems():
    """Yield the name of each problem and the function that draws it from a seed.

    Examples
    --------
    >>> draws = dict(problems())
    >>> X_train, y_train, X_test, y_test, best = draws["checkerboard"](seed=0)
    >>> X_train.shape, X_test.shape, best
    ((10000, 2), (10000, 2), 1.0)
    """
    for name, (make, n_train) in PROBLEMS.items():
        yield name, partial(draw, make, n_train)


def draw(make, n_train, seed):
    X, y, p = make(np.random.default_rng([seed, n_train]), n_train + N_TEST)
    test = slice(n_train, None)
    best = np.nan if p is None else float(np.mean(p[test].argmax(axis=1) == y[test]))
    return Draw(X[:n_train], y[:n_train], X[test], y[test], best)


@lru_cache(maxsize=4)
def drawn(name, seed):
    """One draw by the name of its problem; the last few are kept."""
    return draw(*PROBLEMS[name], seed)


def rows_of(key):
    """Training and test rows of the problem and seed that a stored fit names."""
    return drawn(key.dataset, key.seed)[:4]


def labelled(rng, X, scores, accuracy):
    """Draw labels from the softmax of scores, made so sharp that the best accuracy is given.

    Scores of shape (n,) are those of the second of two classes.
    """
    scores = np.asarray(scores, dtype=float)
    if scores.ndim == 1:
        scores = np.column_stack([np.zeros(len(scores)), scores])
    low, high = 0.0, 1e4
    for _ in range(50):
        middle = (low + high) / 2
        short = softmax(middle * scores, axis=1).max(axis=1).mean() < accuracy
        low, high = (middle, high) if short else (low, middle)
    p = softmax(high * scores, axis=1)
    return X, drawn_labels(rng, p), p


def drawn_labels(rng, p):
    below = p.cumsum(axis=1) < rng.random((len(p), 1))
    return below.sum(axis=1).clip(max=p.shape[1] - 1)


def certain(X, y):
    """Labels that follow from the columns."""
    return X, y, np.eye(2)[y]


# Clumps


def clusters(rng, n, n_classes=2, n_clusters=4):
    X, y = make_classification(
        n, 20, n_informative=10, n_redundant=4, n_classes=n_classes,
        n_clusters_per_class=n_clusters, random_state=int(rng.integers(2**31)),
    )  # fmt: skip
    return X, y, None


def clouds(rng, n, n_classes, per_class, n_columns, spread, n_noise=0):
    """Round Gaussian clouds of different sizes, several to a class, in a cube of side 2."""
    centres = rng.uniform(-1, 1, (n_classes * per_class, n_columns))
    sizes = spread * rng.uniform(0.7, 1.4, len(centres))
    cloud = rng.integers(len(centres), size=n)
    X = centres[cloud] + sizes[cloud, None] * rng.standard_normal((n, n_columns))
    distances = ((X[:, None] - centres) ** 2).sum(axis=2)
    density = -distances / (2 * sizes**2) - n_columns * np.log(sizes)
    by_class = density.reshape(n, per_class, n_classes)  # cloud c belongs to class c % n_classes
    p = softmax(logsumexp(by_class, axis=1), axis=1)
    X = np.hstack([X, rng.standard_normal((n, n_noise))])
    return X, cloud % n_classes, p


# Shapes that no column shows on its own


def ring(rng, n):
    X, y = generators.make_ring(n, int(rng.integers(2**31)))
    return certain(X, y)


def noisy_ring(rng, n):
    """Three nested shells in five columns, of which three count."""
    X = rng.standard_normal((n, 5))
    radius = np.linalg.norm(X[:, :3], axis=1)
    edges = np.array([0.7, 1.5, 2.3])
    return labelled(rng, X, -np.abs(radius[:, None] - edges), 0.85)


def checkerboard(rng, n):
    return certain(*generators.make_checkerboard(n, int(rng.integers(2**31))))


def parity(rng, n, n_signs):
    return certain(*generators.make_parity(n, int(rng.integers(2**31)), n_signs=n_signs))


# Curves of single columns

CURVES = (
    lambda x: x,
    lambda x: np.sin(3 * x),
    lambda x: np.abs(x),
    lambda x: 2.0 * (x > 0.5),
    lambda x: 2 * np.exp(-8 * (x + 0.3) ** 2),
    lambda x: np.minimum(x**2, 3.0),
    lambda x: np.tanh(4 * x),
    lambda x: 2.0 * (np.abs(x - 0.2) < 0.4),
)


def curves(rng, n, n_classes=2, n_columns=12, accuracy=0.88):
    """A sum of one curve per column; each class has curves of its own."""
    X = correlated(rng, n, n_columns)
    scores = np.zeros((n, n_classes))
    for k in range(1, n_classes):
        for column in range(min(n_columns, len(CURVES))):
            shape = CURVES[(column + k) % len(CURVES)]
            f = shape(X[:, column] * rng.uniform(0.7, 1.3))
            scores[:, k] += rng.choice([-1, 1]) * (f - f.mean())
    return labelled(rng, X, scores, accuracy)


def waves(rng, n):
    """Fast waves of two columns among six: many turns, no interactions."""
    X = rng.uniform(-1, 1, (n, 6))
    return labelled(rng, X, np.sin(14 * X[:, 0]) + np.sin(9 * X[:, 1]) + X[:, 2], 0.9)


def straight(rng, n, n_columns=15):
    X = correlated(rng, n, n_columns)
    return labelled(rng, X, X @ rng.standard_normal(n_columns), 0.85)


def correlated(rng, n, n_columns):
    mix = np.eye(n_columns) + 0.3 * rng.standard_normal((n_columns, n_columns))
    X = rng.standard_normal((n, n_columns)) @ mix
    return X / X.std(axis=0)


# Interactions


def pairs(rng, n):
    X = rng.standard_normal((n, 10))
    a, b, c, d, e, f = X[:, :6].T
    score = a * b + np.maximum(c, d) + (e > 0) * f * 1.5 + 0.5 * X[:, 6]
    return labelled(rng, X, score - score.mean(), 0.88)


def triples(rng, n):
    X = rng.uniform(-1, 1, (n, 8))
    a, b, c, d, e, f = X[:, :6].T
    score = 6 * a * b * c + 2.0 * ((d > 0) & (e > 0) & (f > 0)) + 0.5 * X[:, 6]
    return labelled(rng, X, score - score.mean(), 0.88)


def ratios(rng, n, n_classes=4):
    """Classes told apart by ratios and differences of columns, as in measurements of shapes."""
    X = np.exp(0.5 * rng.standard_normal((n, 6)))
    a, b, c, d, e, f = X.T
    marks = np.column_stack([a / b, c / (d + e), a - f, (b * c) / d])[:, :n_classes]
    marks = (marks - marks.mean(axis=0)) / marks.std(axis=0)
    return labelled(rng, X, np.tanh(marks), 0.85)


# Trees


def tree_values(rng, X, depth, n_values):
    """The leaf values of a random tree of full depth."""
    leaf, first = np.zeros(len(X), dtype=int), 0
    for level in range(depth):
        columns = rng.integers(X.shape[1], size=2**level)
        shares = rng.uniform(0.25, 0.75, 2**level)
        edges = np.array([np.quantile(X[:, c], s) for c, s in zip(columns, shares, strict=True)])
        node = leaf - first
        first += 2**level
        leaf = first + 2 * node + (X[np.arange(len(X)), columns[node]] > edges[node])
    return rng.standard_normal((2**depth, n_values))[leaf - first]


def tree(rng, n):
    X = correlated(rng, n, 8)
    return labelled(rng, X, tree_values(rng, X, 6, 1)[:, 0], 0.9)


def trees(rng, n, n_classes):
    X = correlated(rng, n, 12)
    scores = sum(tree_values(rng, X, 3, n_classes) for _ in range(5))
    return labelled(rng, X, scores, 0.85)


# Columns as they come: tails, ties, categories, columns of no use


def heavy_tails(rng, n):
    """Log-normal and Student columns, whose logarithms and ranks count."""
    X = np.hstack([np.exp(2 * rng.standard_normal((n, 5))), rng.standard_t(1.2, (n, 5))])
    ranks = np.hstack([np.log(X[:, :5]) / 2, np.arctan(X[:, 5:])])
    score = ranks @ rng.choice([-1.0, 1.0], 10) + np.abs(ranks[:, 0]) + ranks[:, 1] * ranks[:, 5]
    return labelled(rng, X, score - score.mean(), 0.88)


def counts(rng, n):
    """Counts with many zeros, and one column of two values."""
    rate = np.exp(rng.standard_normal((n, 8)))
    X = rng.poisson(rate * (rng.random((n, 8)) < 0.6)).astype(float)
    X = np.column_stack([X, rng.random(n) < 0.2])
    score = np.log1p(X[:, :8]) @ rng.standard_normal(8) + 1.5 * (X[:, 0] == 0) - X[:, 8] * X[:, 1]
    return labelled(rng, X, score - score.mean(), 0.85)


def categories(rng, n, one_hot):
    """Five columns of codes without an order, rare ones among them, beside three numbers."""
    codes, score = [], np.zeros(n)
    for n_levels in (3, 6, 10, 20, 40):
        shares = rng.dirichlet(np.ones(n_levels))
        codes.append(rng.choice(n_levels, size=n, p=shares))
        score += rng.standard_normal(n_levels)[codes[-1]]
    score += 1.5 * (codes[0] == 0) * rng.standard_normal(6)[codes[1]]
    numbers = rng.standard_normal((n, 3))
    score += numbers[:, 0] + np.abs(numbers[:, 1])
    columns = [np.eye(c.max() + 1)[c] if one_hot else c[:, None] for c in codes]
    return labelled(rng, np.hstack([numbers, *columns]), score - score.mean(), 0.87)


def rare(rng, n, share=0.03):
    X = correlated(rng, n, 10)
    score = CURVES[1](X[:, 0]) + X[:, 1] + X[:, 2] * X[:, 3] + CURVES[4](X[:, 4])
    score -= np.quantile(score, 1 - share)
    return labelled(rng, X, score, 0.985)


def rare_classes(rng, n):
    """Six classes, the rarest of which has one row in fifty."""
    X, _, p = curves(rng, n, 6, accuracy=0.9)
    shares, scores = np.array([0.6, 0.2, 0.1, 0.05, 0.03, 0.02]), np.log(p + 1e-12)
    for _ in range(50):  # Shift the classes until their mean probabilities are these shares.
        scores += np.log(shares / softmax(scores, axis=1).mean(axis=0))
    p = softmax(scores, axis=1)
    return X, drawn_labels(rng, p), p


def noise_columns(rng, n, n_noise=95):
    X, y, p = curves(rng, n, n_columns=8, accuracy=0.92)
    return np.hstack([X, rng.standard_normal((n, n_noise))]), y, p


def wide(rng, n, n_columns=200):
    """Many columns that twelve hidden factors mix, with noise of their own."""
    factors = rng.standard_normal((n, 12))
    X = factors @ rng.standard_normal((12, n_columns)) + rng.standard_normal((n, n_columns))
    a, b, c, d, e = factors[:, :5].T
    return labelled(rng, X, a + b * c + np.abs(d) - 0.8 + e, 0.9)


def everything(rng, n, n_classes=2):
    """Curves, pairs and trees of twenty columns; the classes mix the same five of these."""
    X = correlated(rng, n, 20)
    parts = [
        CURVES[1](X[:, 0]) + CURVES[4](X[:, 1]) + 0.5 * X[:, 2],
        X[:, 3] * X[:, 4] + CURVES[3](X[:, 5]),
        np.abs(X[:, 6]) + 0.5 * X[:, 7] - X[:, 8],
        np.maximum(X[:, 9], X[:, 10]) + CURVES[7](X[:, 0]),
        tree_values(rng, X[:, :12], 4, 1)[:, 0],
    ]
    parts = np.column_stack([(part - part.mean()) / part.std() for part in parts])
    scores = parts @ (np.ones(5) if n_classes == 2 else rng.standard_normal((5, n_classes)))
    return labelled(rng, X, scores, 0.87)


PROBLEMS = {
    "clusters": (clusters, 10_000),
    "clusters, 5 classes": (partial(clusters, n_classes=5, n_clusters=2), 10_000),
    "clouds": (partial(clouds, n_classes=2, per_class=12, n_columns=8, spread=0.5), 5_000),
    "clouds, 8 classes": (
        partial(clouds, n_classes=8, per_class=3, n_columns=8, spread=0.45, n_noise=4), 8_000,
    ),
    "clouds, few rows": (
        partial(clouds, n_classes=3, per_class=2, n_columns=6, spread=0.5, n_noise=2), 300,
    ),
    "ring": (ring, 5_000),
    "shells, 3 classes": (noisy_ring, 5_000),
    "checkerboard": (checkerboard, 10_000),
    "parity of 3": (partial(parity, n_signs=3), 10_000),
    "straight": (straight, 3_000),
    "straight, few rows": (straight, 200),
    "curves": (curves, 5_000),
    "curves, 4 classes": (partial(curves, n_classes=4), 8_000),
    "curves, few rows": (partial(curves, n_columns=8, accuracy=0.92), 500),
    "waves": (waves, 5_000),
    "pairs": (pairs, 5_000),
    "triples": (triples, 10_000),
    "ratios, 4 classes": (ratios, 5_000),
    "tree": (tree, 5_000),
    "trees, 4 classes": (partial(trees, n_classes=4), 8_000),
    "heavy tails": (heavy_tails, 5_000),
    "counts": (counts, 3_000),
    "categories as codes": (partial(categories, one_hot=False), 8_000),
    "categories one-hot": (partial(categories, one_hot=True), 8_000),
    "rare": (rare, 20_000),
    "rare classes, 6": (rare_classes, 10_000),
    "noise columns": (noise_columns, 3_000),
    "wide": (wide, 2_000),
    "many rows": (everything, 100_000),
    "many rows, 7 classes": (partial(everything, n_classes=7), 50_000),
}  # fmt: skip
