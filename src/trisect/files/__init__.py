"""Tables in files: csv, JSON lines, parquet and arrow, read in blocks and written whole.

Importing the package loads nothing else: each public name is fetched from its module the first
time that it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trisect.files.atomic import AtomicFile
    from trisect.files.block import Block, Refused, TableFile
    from trisect.files.gathering import Table
    from trisect.files.reading import open_table, read_table
    from trisect.files.refused import RefusedRows, refused_path
    from trisect.files.sampling import Sample, sample_table
    from trisect.files.writing import TableWriter, open_output

_HOME = {
    "AtomicFile": "atomic",
    "Block": "block",
    "Refused": "block",
    "RefusedRows": "refused",
    "Sample": "sampling",
    "Table": "gathering",
    "TableFile": "block",
    "TableWriter": "writing",
    "open_output": "writing",
    "open_table": "reading",
    "read_table": "reading",
    "refused_path": "refused",
    "sample_table": "sampling",
}

__all__ = [
    "AtomicFile",
    "Block",
    "Refused",
    "RefusedRows",
    "Sample",
    "Table",
    "TableFile",
    "TableWriter",
    "open_output",
    "open_table",
    "read_table",
    "refused_path",
    "sample_table",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
