"""Three models that the paper lacks and a user would pick today, nearly as they come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect.experiments.models.model import Configuration, Model, package_code


def _scikit_learn() -> str:
    return package_code("scikit-learn")


def _lightgbm() -> str:
    return package_code("lightgbm")


def _defaults(n_features: int) -> list[Configuration]:
    return [{}]


def build_lightgbm(configuration: Mapping[str, Any], seed: int) -> Any:
    """LightGBM, one thread, deterministic."""
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        **configuration, random_state=seed, n_jobs=1, deterministic=True, verbosity=-1
    )


def build_hist_gradient_boosting(configuration: Mapping[str, Any], seed: int) -> Any:
    """scikit-learn's histogram gradient boosting."""
    return HistGradientBoostingClassifier(**configuration, random_state=seed)


def build_mlp(configuration: Mapping[str, Any], seed: int) -> Any:
    """scikit-learn's multilayer perceptron on standardised features."""
    return make_pipeline(StandardScaler(), MLPClassifier(**configuration, random_state=seed))


def mlp_space(n_features: int) -> list[Configuration]:
    """One hidden layer of 10 nodes, as many as a grown network may have, or of 100.

    Batches have the paper's size. With the defaults, 200 instances and 200 epochs, a fit takes
    several times as long.
    """
    settings = {"batch_size": 512, "max_iter": 100}
    return [{"hidden_layer_sizes": [nodes], **settings} for nodes in (10, 100)]


MODERN = (
    Model("LightGBM", build_lightgbm, _defaults, ("modern",), _lightgbm),
    Model(
        "HistGradientBoosting",
        build_hist_gradient_boosting,
        _defaults,
        ("modern",),
        _scikit_learn,
    ),
    Model(
        "MLP",
        build_mlp,
        mlp_space,
        ("modern",),
        _scikit_learn,
        search_rows=2_000,
        network=True,
        note="batches of 512 instances, at most 100 epochs, little training where rows are few",
    ),
)
