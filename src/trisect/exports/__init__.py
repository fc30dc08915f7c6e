"""Models where the data live: SQL, ONNX, C, JavaScript and Python without imports.

Each export goes from the raw columns to the decision, except ONNX, which starts from the
numbers that the columns become. All of them are made from the document of the model file and
evaluate its numbers in double precision.

Importing the package loads nothing else: each public name is fetched from its module the first
time that it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trisect.exports.c import to_c
    from trisect.exports.javascript import to_javascript
    from trisect.exports.onnx import to_onnx
    from trisect.exports.python import to_python
    from trisect.exports.sql import DIALECTS, to_sql

_HOME = {
    "DIALECTS": "sql",
    "to_c": "c",
    "to_javascript": "javascript",
    "to_onnx": "onnx",
    "to_python": "python",
    "to_sql": "sql",
}

__all__ = ["DIALECTS", "to_c", "to_javascript", "to_onnx", "to_python", "to_sql"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
