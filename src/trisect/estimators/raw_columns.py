"""Errors that name the columns which are not numbers, and say where such tables belong."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

__all__ = ["validated"]

MOST_NAMED = 5


def validated(estimator: Any, X: Any, *args: Any, **options: Any) -> Any:
    """Validate data as `sklearn.utils.validation.validate_data` does, with better errors.

    Parameters
    ----------
    estimator : estimator
        The estimator that gets the data.
    X : array-like or data frame
        The data.
    *args, **options
        Passed on to `validate_data`.
    """
    try:
        _refuse_dates(X)
        return validate_data(estimator, X, *args, **options)
    except (TypeError, ValueError) as error:
        columns = list(_raw_columns(X))
        if not columns:
            raise
        name = type(estimator).__name__
        more = len(columns) - MOST_NAMED
        named = ", ".join(columns[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        raise ValueError(
            f"{name} takes finite numbers, but these columns hold others: {named}. "
            f"TableClassifier({name}()) takes tables with texts, dates and gaps as they are."
        ) from error


def _frame(X: Any) -> Any:
    """Wrap a data frame, or return None if it is none."""
    if not (hasattr(X, "columns") or hasattr(X, "column_names")):
        return None
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True, pass_through=True)
    return frame if isinstance(frame, nw.DataFrame) else None


def _refuse_dates(X: Any) -> None:
    """Raise if there are dates, which polars and pyarrow would turn into huge numbers."""
    frame = _frame(X)
    if frame is not None and any(dtype.is_temporal() for dtype in frame.schema.values()):
        raise TypeError("Dates are no numbers.")


def _raw_columns(X: Any) -> Iterator[str]:
    """Name each column with cells that are no finite numbers, and what they are."""
    for name, cells in _columns(X):
        problem = _problem(cells)
        if problem:
            yield f"{name!r} ({problem})"


def _columns(X: Any) -> Iterator[tuple[Any, NDArray[Any]]]:
    frame = _frame(X)
    if frame is not None:
        for series in frame.iter_columns():
            yield series.name, series.to_numpy()
    elif not hasattr(X, "toarray"):
        array = np.asarray(X, dtype=None if hasattr(X, "dtype") else object)
        if array.ndim == 2:
            yield from enumerate(array.T)


def _problem(cells: NDArray[Any]) -> str:
    """Say what keeps cells from being finite numbers, or nothing."""
    kind = cells.dtype.kind
    if kind in "Mm":
        return "dates" if kind == "M" else "durations"
    if kind in "OUS":
        return _problem_of_objects(cells.tolist())
    if kind != "f" or np.isfinite(cells).all():
        return ""
    missing, infinite = np.count_nonzero(np.isnan(cells)), np.count_nonzero(np.isinf(cells))
    parts = [f"missing cells: {missing} NaN"] if missing else []
    return ", ".join([*parts, f"infinite cells: {infinite} inf"] if infinite else parts)


def _problem_of_objects(cells: list[Any]) -> str:
    texts = [cell for cell in cells if isinstance(cell, str) and not _is_number(cell)]
    if texts:
        return f"text such as {texts[0]!r}"
    if any(hasattr(cell, "isoformat") for cell in cells):
        return "dates"
    # NaN differs from itself; pandas.NA cannot say.
    missing = sum(cell is None or type(cell).__name__ == "NAType" or cell != cell for cell in cells)
    return f"missing cells: {missing}, None or NaN" if missing else ""


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False
