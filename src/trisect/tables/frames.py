"""Tables of any library as columns of cells."""

from collections.abc import Collection, Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.tables.cells import Cells, Texts, float_of, is_nothing, moment_of

__all__ = ["cells_of", "columns_of", "has_names", "names_of"]

_DAY = np.timedelta64(1, "D")
_SCALARS = (str, Real, Decimal, np.generic, date, time, timedelta)


def has_names(X: Any) -> bool:
    """Whether a table names its columns."""
    return isinstance(X, Mapping) or hasattr(X, "columns") or hasattr(X, "column_names")


def names_of(X: Any) -> list[str]:
    """Names of the columns of a table, ``x0``, ``x1`` and so on if they have none."""
    if hasattr(X, "toarray"):
        raise TypeError(
            "Sparse data was passed, but a table with columns of many kinds is dense: "
            "use toarray()."
        )
    if isinstance(X, Mapping):
        return list(map(str, X))
    frame = _frame(X)
    if frame is None:
        return [f"x{i}" for i in range(_array(X).shape[1])]
    names = [str(name) for name in frame.columns]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"Column names must differ, but these repeat: {', '.join(repeated)}.")
    return names


def columns_of(X: Any, wanted: Collection[str]) -> dict[str, Cells]:
    """Read columns of a table as cells.

    Parameters
    ----------
    X : data frame, mapping of str to sequence, or array-like of shape (n_rows, n_columns)
        A frame of pandas, polars, pyarrow or another library that narwhals reads.
    wanted : collection of str
        Names of the columns to read.

    Returns
    -------
    dict of str to Cells
        Columns of equal length, in the order of the table.

    Examples
    --------
    >>> columns_of({"age": [31, None], "job": ["nurse", "NA"]}, ["age"])
    {'age': array([31., nan])}
    """
    if isinstance(X, Mapping):
        columns = {str(n): cells_of(c, str(n)) for n, c in X.items() if str(n) in wanted}
        lengths = {name: len(cells) for name, cells in columns.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"The columns differ in length: {lengths}.")
        return columns
    places = [(i, name) for i, name in enumerate(names_of(X)) if name in wanted]
    frame = _frame(X)
    if frame is None:
        array = _array(X)
        return {name: cells_of(array[:, i], name) for i, name in places}
    return {name: _series_cells(frame[:, i], name) for i, name in places}


def _frame(X: Any) -> Any:
    """Wrap a data frame, or return None if it is none."""
    # Arrays and dictionaries, as a service has them, get along without another library.
    if isinstance(X, np.ndarray | list | tuple):
        return None
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(f"{type(X).__name__} holds no data yet: call its collect() first.")
    return frame if isinstance(frame, nw.DataFrame) else None


def _array(X: Any) -> NDArray[Any]:
    array = np.asarray(X)
    if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
        array = np.asarray(X, dtype=object)  # numbers among texts stay numbers
    if array.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {array.ndim}D array instead: a table has rows and columns. "
            "Reshape your data, array.reshape(-1, 1) if it is one column."
        )
    return array


def _series_cells(series: Any, name: str) -> Cells:
    """Read a column of a data frame."""
    import narwhals.stable.v2 as nw

    kind = series.dtype
    if kind.is_numeric():
        return _floats(series)
    if kind in (nw.String, nw.Categorical, nw.Enum, nw.Boolean):
        native = series.to_native()
        if hasattr(native, "dictionary_encode"):
            return _arrow_texts(native)
        return Texts.of(series.to_list(), len(series))
    if kind in (nw.Datetime, nw.Date):
        if getattr(kind, "time_zone", None):
            series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        return series.cast(nw.Datetime("us")).to_numpy().astype("M8[us]")
    if kind == nw.Duration:
        return series.to_numpy().astype("m8[us]") / _DAY
    return cells_of(series.to_list(), name)


def _floats(series: Any) -> NDArray[np.float64]:
    """Read numbers; what is missing is NaN whatever the library writes."""
    import narwhals.stable.v2 as nw

    return series.cast(nw.Float64).to_numpy().astype(np.float64, copy=False)


def _arrow_texts(column: Any) -> Texts:
    """Read texts of Arrow, which finds the different ones in a tenth of the time."""
    encoded = column.combine_chunks().dictionary_encode()
    values, codes = (
        encoded.dictionary.to_pylist(),
        encoded.indices.fill_null(len(encoded.dictionary)),
    )
    return Texts.of([*values, None], len(values) + 1)[codes.to_numpy(zero_copy_only=False)]


def cells_of(cells: Any, name: str) -> Cells:
    """Read an array, or a sequence of Python objects, as the cells of a column."""
    if isinstance(cells, Texts):
        return cells
    array = cells if isinstance(cells, np.ndarray) else _object_array(cells)
    kind = array.dtype.kind
    if array.ndim != 1:
        raise ValueError(f"Column {name!r} has {array.ndim} dimensions, not one.")
    if kind in "iuf":
        return array.astype(np.float64, copy=False)
    if kind == "M":
        return array.astype("M8[us]", copy=False)
    if kind == "m":
        return array.astype("m8[us]") / _DAY
    if kind == "c":
        raise ValueError(f"Complex data not supported: column {name!r} holds complex numbers.")
    return _object_cells(array, name) if kind == "O" else Texts.of(array.tolist(), len(array))


def _object_array(cells: Any) -> NDArray[Any]:
    values = list(cells)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _object_cells(array: NDArray[Any], name: str) -> Cells:
    """Read Python objects: numbers and times if all of them are, and otherwise texts."""
    kinds = {type(cell) for cell in array if not is_nothing(cell)}
    if not kinds:
        return np.full(len(array), np.nan)
    if all(issubclass(k, Real | Decimal) and not issubclass(k, bool) for k in kinds):
        numbers = [np.nan if is_nothing(cell) else float_of(cell) for cell in array]
        return np.array(numbers, dtype=np.float64)
    if all(issubclass(kind, date | time | np.datetime64) for kind in kinds):
        moments = [np.datetime64("NaT") if is_nothing(c) else moment_of(c) for c in array]
        return np.array(moments, dtype="M8[us]")
    if all(issubclass(kind, timedelta | np.timedelta64) for kind in kinds):
        days = [np.timedelta64("NaT") if is_nothing(c) else np.timedelta64(c) for c in array]
        return np.array(days, dtype="m8[us]") / _DAY
    odd = [kind for kind in kinds if not issubclass(kind, _SCALARS)]
    if odd:
        raise TypeError(
            f"Column {name!r} holds values of type {odd[0].__name__}, but the argument must be a "
            "table of strings, numbers, dates and booleans: take the column apart, or leave it "
            f"out with kinds={{{name!r}: 'ignore'}}."
        )
    return Texts.of(array, len(array))
