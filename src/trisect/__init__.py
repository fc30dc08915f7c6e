"""Three-way decisions on tabular data with a network that grows itself.

Importing the package loads nothing else: each public name is fetched from its
module the first time that it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trisect.decisions import (
        ClassCosts,
        CostMatrix,
        InstanceCosts,
        nested,
        sample_cost_matrices,
    )
    from trisect.estimators.cascade import SequentialThreeWayClassifier
    from trisect.estimators.deciding import decide, decide_classes, decide_sequentially
    from trisect.estimators.sfnn import SFNNClassifier
    from trisect.estimators.stwd_sfnn import STWDSFNNClassifier
    from trisect.estimators.three_way import ThreeWayClassifier
    from trisect.estimators.twd_sfnn import TWDSFNNClassifier
    from trisect.model_file.writing import save_model
    from trisect.runtime.model import load_model
    from trisect.tables.classifier import TableClassifier
    from trisect.tables.encoder import TableEncoder

__version__ = "0.1.0"

__all__ = [
    "ClassCosts",
    "CostMatrix",
    "InstanceCosts",
    "SFNNClassifier",
    "STWDSFNNClassifier",
    "SequentialThreeWayClassifier",
    "TWDSFNNClassifier",
    "TableClassifier",
    "TableEncoder",
    "ThreeWayClassifier",
    "__version__",
    "decide",
    "decide_classes",
    "decide_sequentially",
    "load_model",
    "nested",
    "sample_cost_matrices",
    "save_model",
]

_HOME = {
    "ClassCosts": "trisect.decisions",
    "CostMatrix": "trisect.decisions",
    "InstanceCosts": "trisect.decisions",
    "SFNNClassifier": "trisect.estimators.sfnn",
    "STWDSFNNClassifier": "trisect.estimators.stwd_sfnn",
    "SequentialThreeWayClassifier": "trisect.estimators.cascade",
    "TWDSFNNClassifier": "trisect.estimators.twd_sfnn",
    "TableClassifier": "trisect.tables.classifier",
    "TableEncoder": "trisect.tables.encoder",
    "ThreeWayClassifier": "trisect.estimators.three_way",
    "decide": "trisect.estimators.deciding",
    "decide_classes": "trisect.estimators.deciding",
    "decide_sequentially": "trisect.estimators.deciding",
    "load_model": "trisect.runtime.model",
    "nested": "trisect.decisions",
    "sample_cost_matrices": "trisect.decisions",
    "save_model": "trisect.model_file.writing",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
