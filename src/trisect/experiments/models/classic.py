"""The paper's three classic rivals: SVC, RF and KNN, with the paper's grids.

Trees need no scaling; the other two see standardised features. Every estimator uses one thread,
because the runner already fills the cores, and because times are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler
from sklearn.svm import SVC

from trisect.experiments.models.model import Configuration, Model, package_code

SVC_ITERATIONS = 100_000
SEARCHED_TREES = 100


def _scikit_learn() -> str:
    return package_code("scikit-learn")


def build_svc(configuration: Mapping[str, Any], seed: int) -> Any:
    """A support vector classifier on standardised features.

    Corners of the paper's grid, such as a polynomial kernel with gamma 16, do not converge in
    hours; the solver stops after `SVC_ITERATIONS` and is judged as it is.
    """
    machine = SVC(**configuration, random_state=seed, cache_size=500, max_iter=SVC_ITERATIONS)
    return make_pipeline(StandardScaler(), machine)


def svc_space(n_features: int) -> list[Configuration]:
    """Three kernels, C and gamma in 2^-4 .. 2^4: 243 configurations."""
    powers = [2.0**k for k in range(-4, 5)]
    kernels = ("poly", "rbf", "sigmoid")
    return [{"kernel": k, "C": c, "gamma": g} for k, c, g in product(kernels, powers, powers)]


def build_rf(configuration: Mapping[str, Any], seed: int) -> Any:
    """A random forest."""
    return RandomForestClassifier(**configuration, random_state=seed, n_jobs=1)


def rf_space(n_features: int) -> list[Configuration]:
    """100 to 1,000 trees; D, log2 D, sqrt D or 0.6 D features per split (doubles left out)."""
    widths = [n_features, np.log2(n_features), np.sqrt(n_features), 0.6 * n_features]
    features = sorted({max(1, round(float(width))) for width in widths})
    trees = range(100, 1001, 100)
    return [{"n_estimators": t, "max_features": f} for t, f in product(trees, features)]


def searched_rf_space(n_features: int) -> list[Configuration]:
    """The part of `rf_space` with `SEARCHED_TREES` trees that look at some features per split.

    Trees that look at all of them take many times as long as the others.
    """
    return [
        c
        for c in rf_space(n_features)
        if c["n_estimators"] == SEARCHED_TREES and c["max_features"] < max(2, n_features)
    ]


def build_knn(configuration: Mapping[str, Any], seed: int) -> Any:
    """K nearest neighbours on standardised features.

    On rows of unit length the cosine distance is half the square of the Euclidean one, so the
    neighbours are the same; scaling rows to unit length lets a tree find them.
    """
    options = dict(configuration)
    steps: list[Any] = [StandardScaler()]
    if options["metric"] == "cosine":
        steps.append(Normalizer())
        options["metric"] = "euclidean"
    return make_pipeline(*steps, KNeighborsClassifier(**options, n_jobs=1))


def knn_space(n_features: int) -> list[Configuration]:
    """10 to 100 neighbours, Euclidean and cosine distance: 20 configurations."""
    metrics = ("euclidean", "cosine")
    return [{"n_neighbors": k, "metric": m} for k, m in product(range(10, 101, 10), metrics)]


CLASSIC = (
    Model(
        "SVC",
        build_svc,
        svc_space,
        ("classic",),
        _scikit_learn,
        n_configurations=12,
        search_rows=1_000,
        fit_rows=5_000,
        note=f"stopped after {SVC_ITERATIONS:,} iterations",
    ),
    Model(
        "RF",
        build_rf,
        searched_rf_space,
        ("classic",),
        _scikit_learn,
        search_rows=2_000,
        note=f"{SEARCHED_TREES} trees, up to 0.6 of the features per split, "
        "where the paper goes up to 1,000 trees and all features",
    ),
    Model(
        "KNN",
        build_knn,
        knn_space,
        ("classic",),
        _scikit_learn,
        n_configurations=8,
        search_rows=5_000,
    ),
)
