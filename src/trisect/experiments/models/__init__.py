"""The model registry: one entry per model; adding a model is adding an entry.

>>> from trisect.experiments.models import MODELS
>>> MODELS["KNN"].configurations(n_features=10, limit=1)
[{'n_neighbors': 30, 'metric': 'euclidean'}]
"""

from trisect.experiments.models.classic import CLASSIC
from trisect.experiments.models.model import Model, package_code, trisect_code
from trisect.experiments.models.modern import MODERN
from trisect.experiments.models.network import NETWORK

MODELS: dict[str, Model] = {model.name: model for model in (*CLASSIC, *NETWORK, *MODERN)}

__all__ = ["MODELS", "Model", "models_of", "package_code", "trisect_code"]


def models_of(table: str) -> tuple[Model, ...]:
    """Models of a table, in the order of the registry; ``"all"`` gives every one."""
    chosen = tuple(m for m in MODELS.values() if table == "all" or table in m.tables)
    if not chosen:
        known = sorted({name for model in MODELS.values() for name in model.tables})
        raise ValueError(f"No table {table!r}; the tables are {', '.join([*known, 'all'])}.")
    return chosen
