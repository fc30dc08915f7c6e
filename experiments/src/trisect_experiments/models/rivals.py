"""Classifiers to compare with: how each is built from a configuration.

Trees need no scaling; the others get standardised features. Every estimator uses one thread,
because the runner already fills the cores and because times are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler
from sklearn.svm import SVC

from trisect_experiments.models.code import package_code

PATIENT = {"early_stopping": True, "max_iter": 1_000, "n_iter_no_change": 50}
"""Configuration of a multilayer perceptron that is trained for as long as that helps. Ten epochs
of patience, the default, end it on plateaus: on a ring in the plane at 62 %, where fifty reach
97 %."""

scikit_learn = partial(package_code, "scikit-learn")
lightgbm = partial(package_code, "lightgbm")


def build_svc(configuration: Mapping[str, Any], seed: int) -> Any:
    """A support vector classifier on standardised features."""
    return make_pipeline(StandardScaler(), SVC(**configuration, random_state=seed, cache_size=500))


def build_forest(configuration: Mapping[str, Any], seed: int) -> Any:
    """A random forest."""
    return RandomForestClassifier(**configuration, random_state=seed, n_jobs=1)


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


def build_mlp(configuration: Mapping[str, Any], seed: int) -> Any:
    """scikit-learn's multilayer perceptron on standardised features."""
    return make_pipeline(StandardScaler(), MLPClassifier(**configuration, random_state=seed))


def build_hist_gradient_boosting(configuration: Mapping[str, Any], seed: int) -> Any:
    """scikit-learn's histogram gradient boosting."""
    return HistGradientBoostingClassifier(**configuration, random_state=seed)


def build_lightgbm(configuration: Mapping[str, Any], seed: int) -> Any:
    """LightGBM, one thread, deterministic."""
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        **configuration, random_state=seed, n_jobs=1, deterministic=True, verbosity=-1
    )
