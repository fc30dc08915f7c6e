"""The models that the benchmarks compare: ours, and rivals at their best defaults.

Every one is built by a function of a configuration and a seed, and uses one thread. Those
that need scaled columns stand behind a StandardScaler.
"""

from functools import partial
from pathlib import Path
from typing import NamedTuple

from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect import STWDSFNNClassifier
from trisect.growth import PaperGrowth, RefinedGrowth
from trisect_experiments.models import package_code, rivals, trisect_code
from trisect_experiments.models.code import source_digest

EPOCHS, PATIENCE = rivals.PATIENT["max_iter"], rivals.PATIENT["n_iter_no_change"]


class Entrant(NamedTuple):
    """How a model is built, the version of its code, and whether it takes validation rows."""

    build: object
    code: object
    uses_validation: bool = False


def build_ours(configuration, seed):
    return STWDSFNNClassifier(RefinedGrowth(), random_state=seed).set_params(**configuration)


def build_mlp(configuration, seed):
    return rivals.build_mlp(rivals.PATIENT | configuration, seed)


def build_logistic(configuration, seed):
    model = LogisticRegression(max_iter=1_000, **configuration, random_state=seed)
    return make_pipeline(StandardScaler(), model)


def build_catboost(configuration, seed):
    from catboost import CatBoostClassifier  # Wanted by some benchmarks only.

    options = {"thread_count": 1, "verbose": 0, "allow_writing_files": False}
    return CatBoostClassifier(**configuration, **options, random_seed=seed)


def build_tuned(configuration, seed):
    from tuned_lightgbm import TunedLightGBM

    return TunedLightGBM(**configuration, random_state=seed)


def our_code():
    return trisect_code(STWDSFNNClassifier, PaperGrowth)


def mlp_code():
    return f"{rivals.scikit_learn()}, {EPOCHS} epochs, patience {PATIENCE}"


def tuned_code():
    file = Path(__file__).with_name("tuned_lightgbm.py")
    return f"{rivals.lightgbm()} {source_digest([file], file.parent)}"


OURS, LIGHTGBM, MLP = "trisect", "LightGBM", "MLPClassifier"
ENTRANTS = {
    OURS: Entrant(build_ours, our_code, uses_validation=True),
    LIGHTGBM: Entrant(rivals.build_lightgbm, rivals.lightgbm),
    "CatBoost": Entrant(build_catboost, partial(package_code, "catboost")),
    "HistGradientBoosting": Entrant(rivals.build_hist_gradient_boosting, rivals.scikit_learn),
    "Random forest": Entrant(rivals.build_forest, rivals.scikit_learn),
    MLP: Entrant(build_mlp, mlp_code),
    "LightGBM, tuned": Entrant(build_tuned, tuned_code, uses_validation=True),
    "Logistic regression": Entrant(build_logistic, rivals.scikit_learn),
}
