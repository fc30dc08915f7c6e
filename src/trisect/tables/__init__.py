"""Raw tables: what to do to each column of a data frame so that a network can learn from it.

Importing the package loads nothing else: each public name is fetched from its module the first
time that it is used, so that what applies a fitted column needs NumPy alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trisect.tables.categories import CategoryColumn
    from trisect.tables.classifier import TableClassifier
    from trisect.tables.column import Column
    from trisect.tables.dates import DateColumn
    from trisect.tables.encoder import TableEncoder
    from trisect.tables.encoding import EncodedTable
    from trisect.tables.evidence import EvidenceColumn
    from trisect.tables.flags import FlagColumn
    from trisect.tables.kinds import column_from_dict
    from trisect.tables.left_out import LeftOut
    from trisect.tables.numbers import NumberColumn
    from trisect.tables.report import ColumnReport, ColumnSummary, OddCells, TableWarning

_HOME = {
    "CategoryColumn": "categories",
    "Column": "column",
    "ColumnReport": "report",
    "ColumnSummary": "report",
    "DateColumn": "dates",
    "EncodedTable": "encoding",
    "EvidenceColumn": "evidence",
    "FlagColumn": "flags",
    "LeftOut": "left_out",
    "NumberColumn": "numbers",
    "OddCells": "report",
    "TableClassifier": "classifier",
    "TableEncoder": "encoder",
    "TableWarning": "report",
    "column_from_dict": "kinds",
}

__all__ = [
    "CategoryColumn",
    "Column",
    "ColumnReport",
    "ColumnSummary",
    "DateColumn",
    "EncodedTable",
    "EvidenceColumn",
    "FlagColumn",
    "LeftOut",
    "NumberColumn",
    "OddCells",
    "TableClassifier",
    "TableEncoder",
    "TableWarning",
    "column_from_dict",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
