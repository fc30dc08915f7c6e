"""The rows of the paper's tables, with its grids and our limits, and three that it lacks.

The paper's growing networks have two rows each. "Algorithm 1" is the reproduction: a reading of the
paper's algorithm, with costs drawn at random and the paper's label 1, which is our label 0, as the
positive one. "refined" is the growth of this library with the costs that users get by default.

The networks of the paper search one grid, six activations by two initialisations, and choose on
the validation fold, which also decides when to stop training; the swarm, which trains up to ten
networks per configuration, searches a sample of it. The refined growth settles what it needs as
part of a fit and is not searched: its rows are the estimator as users get it.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from trisect_experiments.models import Configuration, Fixed, Model, rivals
from trisect_experiments.models.network import initial_grid, network_model

OURS = "STWD-SFNN"
SVC_ITERATIONS = 100_000

MAX_LEVELS = 10
"""The paper's networks have at most ten nodes."""

GROWTHS: dict[str, Configuration] = {
    "Algorithm 1": {
        "growth": "paper",
        "costs": "random",
        "pos_label": 0,
        "max_levels": MAX_LEVELS,
    },
    "refined": {"max_levels": MAX_LEVELS},
}
"""The two ways that the paper's networks grow, by name."""
ALGORITHM, REFINED = GROWTHS


def svc_space(n_features: int) -> list[Configuration]:
    """Three kernels, C and gamma in 2^-4 .. 2^4: 243 configurations.

    Corners of this grid, such as a polynomial kernel with gamma 16, do not converge within hours;
    the solver stops after `SVC_ITERATIONS` and is judged as it is.
    """
    powers = [2.0**k for k in range(-4, 5)]
    points = product(("poly", "rbf", "sigmoid"), powers, powers)
    return [{"kernel": k, "C": c, "gamma": g, "max_iter": SVC_ITERATIONS} for k, c, g in points]


def knn_space(n_features: int) -> list[Configuration]:
    """10 to 100 neighbours, Euclidean and cosine distance: 20 configurations."""
    metrics = ("euclidean", "cosine")
    return [{"n_neighbors": k, "metric": m} for k, m in product(range(10, 101, 10), metrics)]


def _grown(name: str, kind: str, **settings: Any) -> dict[str, Model]:
    """The two rows of a growing network, by the name of its growth."""
    configurations = {
        ALGORITHM: initial_grid(**GROWTHS[ALGORITHM], **settings),
        REFINED: [{**GROWTHS[REFINED], **settings}],
    }
    notes = {
        ALGORITHM: "a reading of the paper's algorithm, one random draw of costs for all folds",
        REFINED: "the growth of this library with its defaults, costs (mistake 1, review 0.2) "
        "included, nothing searched",
    }
    return {
        growth: network_model(f"{name} ({growth})", kind, *grid, note=notes[growth])
        for growth, grid in configurations.items()
    }


STWD = _grown(OURS, "stwd")
TWD = _grown("TWD-SFNN-R", "twd")
NO_KMEANS = _grown(f"{OURS}-NK", "stwd", granules="rows")
STATIC = tuple(
    network_model(f"{rule}-SFNN-R", "sfnn", *initial_grid(n_hidden=rule))
    for rule in ("m1", "m2", "m3")
)
# A search trains ten to a hundred networks, so that neither tries all twelve configurations.
SEARCHED_CONFIGURATIONS = 4
GRID = network_model(
    "GS-SFNN",
    "sfnn",
    *initial_grid(n_hidden="grid"),
    n_configurations=SEARCHED_CONFIGURATIONS,
    note="all sizes from 1 to 10 nodes",
)
SWARM = network_model(
    "PSO-SFNN",
    "sfnn",
    *initial_grid(n_hidden="swarm", n_hidden__n_particles=5, n_hidden__n_iterations=20),
    n_configurations=SEARCHED_CONFIGURATIONS,
    note="5 particles, 20 iterations",
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
    # A thousand trees on all features take an hour on some datasets, and are hardly better.
    Model(
        "RF",
        rivals.build_forest,
        Fixed(*({"max_features": f, "n_estimators": 100} for f in ("log2", "sqrt", 0.6, 1.0))),
        rivals.scikit_learn,
        search_rows=1_000,
        note="100 trees, where the paper searches 100 to 1,000",
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

MODERN = (
    Model("LightGBM", rivals.build_lightgbm, Fixed({}), rivals.lightgbm),
    Model(
        "HistGradientBoosting", rivals.build_hist_gradient_boosting, Fixed({}), rivals.scikit_learn
    ),
    Model(
        "MLP",
        rivals.build_mlp,
        Fixed(*({"hidden_layer_sizes": [nodes], **rivals.PATIENT} for nodes in (10, 100))),
        rivals.scikit_learn,
        search_rows=2_000,
        note="early stopping after 50 epochs without an improvement",
    ),
)

GROWN = tuple(model for rows in (TWD, NO_KMEANS, STWD) for model in rows.values())
MODELS: dict[str, Model] = {
    model.name: model for model in (*STATIC, GRID, SWARM, *GROWN, *CLASSIC, *MODERN)
}
