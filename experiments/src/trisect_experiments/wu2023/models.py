"""The rows of the paper's tables, with its grids and our limits, and three that it lacks.

All networks search the same grid, six activations by two initialisations, and choose on the
validation fold, which also decides when to stop training. The swarm, which trains up to ten
networks per configuration, searches a sample of it.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from trisect_experiments.models import Configuration, Fixed, Model, rivals
from trisect_experiments.models.network import initial_grid, network_model

OURS = "STWD-SFNN"
SVC_ITERATIONS = 100_000
TREES = 100


def svc_space(n_features: int) -> list[Configuration]:
    """Three kernels, C and gamma in 2^-4 .. 2^4: 243 configurations.

    Corners of this grid, such as a polynomial kernel with gamma 16, do not converge within hours;
    the solver stops after `SVC_ITERATIONS` and is judged as it is.
    """
    powers = [2.0**k for k in range(-4, 5)]
    points = product(("poly", "rbf", "sigmoid"), powers, powers)
    return [{"kernel": k, "C": c, "gamma": g, "max_iter": SVC_ITERATIONS} for k, c, g in points]


def forest_space(n_features: int) -> list[Configuration]:
    """`TREES` trees with log2 D, sqrt D or 0.6 D of the D features per split.

    The paper goes up to 1,000 trees, and to all features, with which trees take many times as long.
    """
    widths = [np.log2(n_features), np.sqrt(n_features), 0.6 * n_features]
    features = sorted({max(1, round(float(width))) for width in widths})
    return [{"n_estimators": TREES, "max_features": f} for f in features]


def knn_space(n_features: int) -> list[Configuration]:
    """10 to 100 neighbours, Euclidean and cosine distance: 20 configurations."""
    metrics = ("euclidean", "cosine")
    return [{"n_neighbors": k, "metric": m} for k, m in product(range(10, 101, 10), metrics)]


STWD = network_model(OURS, "stwd", *initial_grid())
STATIC = tuple(
    network_model(f"{rule}-SFNN-R", "sfnn", *initial_grid(n_hidden=rule))
    for rule in ("m1", "m2", "m3")
)
GRID = network_model("GS-SFNN", "sfnn", *initial_grid(n_hidden="grid"))
SWARM = network_model(
    "PSO-SFNN",
    "sfnn",
    *initial_grid(n_hidden="swarm", n_hidden__n_particles=5, n_hidden__n_iterations=20),
    n_configurations=4,
    note="5 particles, 20 iterations",
)
TWD = network_model(
    "TWD-SFNN-R",
    "twd",
    *initial_grid(),
    note=f"trained as {OURS} is, grown until nothing is deferred",
)
NO_KMEANS = network_model(
    f"{OURS}-NK",
    "stwd",
    *initial_grid(growth="paper", granules="rows"),
    note="the paper's growth, which ends with one node where no two rows are alike",
)

CLASSIC = (
    Model(
        "SVC",
        rivals.build_svc,
        svc_space,
        rivals.scikit_learn,
        n_configurations=12,
        search_rows=1_000,
        fit_rows=5_000,
        note=f"stopped after {SVC_ITERATIONS:,} iterations",
    ),
    Model(
        "RF",
        rivals.build_forest,
        forest_space,
        rivals.scikit_learn,
        search_rows=2_000,
        note=f"{TREES} trees, up to 0.6 of the features per split, "
        "where the paper goes up to 1,000 trees and all features",
    ),
    Model(
        "KNN",
        rivals.build_knn,
        knn_space,
        rivals.scikit_learn,
        n_configurations=8,
        search_rows=5_000,
    ),
)

# With MLPClassifier's defaults, batches of 200 and 200 epochs, a fit takes several times as long.
_MLP = {"batch_size": 512, "max_iter": 100}
MODERN = (
    Model("LightGBM", rivals.build_lightgbm, Fixed({}), rivals.lightgbm),
    Model(
        "HistGradientBoosting", rivals.build_hist_gradient_boosting, Fixed({}), rivals.scikit_learn
    ),
    Model(
        "MLP",
        rivals.build_mlp,
        Fixed(*({"hidden_layer_sizes": [nodes], **_MLP} for nodes in (10, 100))),
        rivals.scikit_learn,
        search_rows=2_000,
        note="batches of 512 instances, at most 100 epochs, little training where rows are few",
    ),
)

MODELS: dict[str, Model] = {
    model.name: model for model in (*STATIC, GRID, SWARM, TWD, NO_KMEANS, STWD, *CLASSIC, *MODERN)
}
