"""The model file: one JSON document with all that a fitted model needs to predict and decide.

Importing the package loads nothing else: each public name is fetched from its module the first
time that it is used, so that reading a file needs NumPy alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trisect.model_file.document import Document, feature_names, to_document
    from trisect.model_file.reading import parse_document, read_document
    from trisect.model_file.schema import SCHEMA
    from trisect.model_file.schema_check import ModelFileError
    from trisect.model_file.writing import document_bytes, save_model

_HOME = {
    "SCHEMA": "schema",
    "Document": "document",
    "ModelFileError": "schema_check",
    "document_bytes": "writing",
    "feature_names": "document",
    "parse_document": "reading",
    "read_document": "reading",
    "save_model": "writing",
    "to_document": "document",
}

__all__ = [
    "SCHEMA",
    "Document",
    "ModelFileError",
    "document_bytes",
    "feature_names",
    "parse_document",
    "read_document",
    "save_model",
    "to_document",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
