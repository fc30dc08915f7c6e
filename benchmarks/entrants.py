"""The models that the benchmarks compare: ours, and rivals at their best defaults.

Every one is built by a function of a configuration and a seed, and uses one thread. Those
that need scaled columns stand behind a StandardScaler.
"""

from functools import partial
from typing import NamedTuple

from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect import STWDSFNNClassifier
from trisect.growth import RefinedGrowth
from trisect_experiments.models import package_code, rivals, trisect_code

EPOCHS, PATIENCE = 1_000, 50
"""Epochs of MLPClassifier at most, and without an improvement. Early stopping ends every fit
long before the last; ten epochs of patience, the default, are too few on plateaus: they end
the ring of the zoo at 62 %, where fifty reach 97 %."""


class Entrant(NamedTuple):
    """How a model is built, and the version of the code that it stands for."""

    build: object
    code: object


def build_ours(configuration, seed):
    return STWDSFNNClassifier(RefinedGrowth(), random_state=seed).set_params(**configuration)


def build_mlp(configuration, seed):
    options = {"early_stopping": True, "max_iter": EPOCHS, "n_iter_no_change": PATIENCE}
    mlp = MLPClassifier(**(options | configuration), random_state=seed)
    return make_pipeline(StandardScaler(), mlp)


def build_logistic(configuration, seed):
    model = LogisticRegression(max_iter=1_000, **configuration, random_state=seed)
    return make_pipeline(StandardScaler(), model)


def build_catboost(configuration, seed):
    from catboost import CatBoostClassifier  # Wanted by some benchmarks only.

    options = {"thread_count": 1, "verbose": 0, "allow_writing_files": False}
    return CatBoostClassifier(**configuration, **options, random_seed=seed)


OURS, LIGHTGBM, MLP = "trisect", "LightGBM", "MLPClassifier"
ENTRANTS = {
    OURS: Entrant(build_ours, trisect_code),
    LIGHTGBM: Entrant(rivals.build_lightgbm, rivals.lightgbm),
    "CatBoost": Entrant(build_catboost, partial(package_code, "catboost")),
    "HistGradientBoosting": Entrant(rivals.build_hist_gradient_boosting, rivals.scikit_learn),
    "Random forest": Entrant(rivals.build_forest, rivals.scikit_learn),
    MLP: Entrant(build_mlp, rivals.scikit_learn),
    "Logistic regression": Entrant(build_logistic, rivals.scikit_learn),
}
