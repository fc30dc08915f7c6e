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
    from trisect.estimators.deciding import decide
    from trisect.estimators.sfnn import SFNNClassifier
    from trisect.estimators.stwd_sfnn import STWDSFNNClassifier
    from trisect.estimators.three_way import ThreeWayClassifier
    from trisect.estimators.twd_sfnn import TWDSFNNClassifier

__version__ = "0.1.0"

__all__ = [
    "ClassCosts",
    "CostMatrix",
    "InstanceCosts",
    "SFNNClassifier",
    "STWDSFNNClassifier",
    "SequentialThreeWayClassifier",
    "TWDSFNNClassifier",
    "ThreeWayClassifier",
    "__version__",
    "decide",
    "nested",
    "sample_cost_matrices",
]

_HOME = {
    "ClassCosts": "trisect.decisions",
    "CostMatrix": "trisect.decisions",
    "InstanceCosts": "trisect.decisions",
    "SFNNClassifier": "trisect.estimators.sfnn",
    "STWDSFNNClassifier": "trisect.estimators.stwd_sfnn",
    "SequentialThreeWayClassifier": "trisect.estimators.cascade",
    "TWDSFNNClassifier": "trisect.estimators.twd_sfnn",
    "ThreeWayClassifier": "trisect.estimators.three_way",
    "decide": "trisect.estimators.deciding",
    "nested": "trisect.decisions",
    "sample_cost_matrices": "trisect.decisions",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
