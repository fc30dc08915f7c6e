"""The model file: one JSON document with all that a fitted model needs to predict and decide.

Importing the package loads nothing else: each public name is fetched from its module the first
time that it is used, so that reading a file needs NumPy alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trisect.model_file.document import Document, feature_names, to_document
    from trisect.model_file.schema import SCHEMA

_HOME = {
    "SCHEMA": "schema",
    "Document": "document",
    "feature_names": "document",
    "to_document": "document",
}

__all__ = ["SCHEMA", "Document", "feature_names", "to_document"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
