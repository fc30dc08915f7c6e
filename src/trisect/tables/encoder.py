"""Raw tables to numbers."""

from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from trisect._sklearn import Interval, check_sample_weight, check_y, fit_context
from trisect.tables.cells import Cells, is_missing, is_nothing
from trisect.tables.column import Column, Target
from trisect.tables.encoding import EncodedTable, encode_table, quoted
from trisect.tables.frames import columns_of, has_names, names_of
from trisect.tables.kinds import KINDS, learn_column
from trisect.tables.left_out import LeftOut
from trisect.tables.report import ColumnReport, ColumnSummary

__all__ = ["EncodedTable", "TableEncoder"]

FOLDS = 5
"""Folds by which the evidence of many categories is cross-fitted."""


class TableEncoder(TransformerMixin, BaseEstimator):
    """Turn a raw table into the numbers that a classifier learns from.

    A column of numbers stays as it is, with gaps filled with the median. Yes and no become 1
    and 0. A few categories become a number each; many become the evidence that each holds
    about the target. Dates become the days since the first one and parts such as the weekday.
    Constant and empty columns and identifiers are left out. Numbers, dates and yes or no are
    recognised when they are written as text, as in a csv file. Gaps have a number of their own
    where they tell something about the target. ``report_columns_`` says what was done to each
    column, and `kinds` overrules it.

    When a fitted encoder meets a category that it has not seen, or a text in a column of
    numbers, it takes the cell for missing and warns with `TableWarning`, which names the
    column and counts the cells. Columns may come in any order; further ones are ignored with a
    warning.

    Parameters
    ----------
    kinds : dict of str to str, default=None
        What columns are, where they are not recognised rightly: "number", "flag" (yes or
        no), "category" (a number each), "evidence" (many categories), "date", a form of dates
        such as "%d.%m.%Y", or "ignore".
    max_categories : int, default=16
        Most categories of a column that have a number each.
    min_frequency : int, default=10
        Fewest rows of a category, or of gaps, that has a number; rarer categories share one.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds by which evidence is cross-fitted.

    Attributes
    ----------
    columns_ : list of Column
        What is done to each column: plain records, with ``to_dict`` and `column_from_dict`.
    report_columns_ : ColumnReport
        What was done to each column, as a table that can be printed.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they have any.

    See Also
    --------
    TableClassifier : An encoder and a classifier in one.

    Notes
    -----
    ``fit(X, y).transform(X)`` is not ``fit_transform(X, y)`` if there are columns with many
    categories: in the latter, the evidence of a row does not contain its own class. Classifiers
    must learn from the latter, as they do in a pipeline.

    Examples
    --------
    >>> import pandas as pd
    >>> from trisect import TableEncoder
    >>> X = pd.DataFrame({
    ...     "age": [31, None, 52, 44] * 10,
    ...     "job": ["nurse", "clerk", "nurse", "cook"] * 10,
    ...     "since": ["2024-02-29", "2023-01-01", "2024-06-30", "2023-12-24"] * 10,
    ... })
    >>> encoder = TableEncoder(random_state=0).fit(X, ["yes", "no", "yes", "yes"] * 10)
    >>> print(encoder.report_columns_)
    column  kind      missing  numbers  note
    age     number      25.0%        2  gaps filled with 44 and told (p = 4e-09)
    job     category                 2  0 is nurse
    since   date                     4  first 2023-01-01
    >>> encoder.transform(X[:2]).shape
    (2, 8)
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "kinds": [dict, None],
        "max_categories": [Interval(Integral, 2, None, closed="left")],
        "min_frequency": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, kinds=None, *, max_categories=16, min_frequency=10, random_state=None):
        self.kinds = kinds
        self.max_categories = max_categories
        self.min_frequency = min_frequency
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn what to do to each column.

        Parameters
        ----------
        X : data frame, mapping of str to sequence, or array-like
            A table: a frame of pandas, polars or pyarrow, a dictionary of columns, or an
            array.
        y : array-like of shape (n_rows,)
            The class of each row.
        sample_weight : array-like of shape (n_rows,), default=None
            Weights of the rows in the evidence of categories.

        Returns
        -------
        TableEncoder
            The fitted encoder.
        """
        self._fit(X, y, sample_weight)
        return self

    def fit_transform(self, X: Any, y: Any, sample_weight: Any = None) -> NDArray[np.float64]:
        """Learn what to do to each column, and turn the table into numbers to learn from.

        Parameters
        ----------
        X : data frame, mapping of str to sequence, or array-like
            A table.
        y : array-like of shape (n_rows,)
            The class of each row.
        sample_weight : array-like of shape (n_rows,), default=None
            Weights of the rows in the evidence of categories.

        Returns
        -------
        ndarray of shape (n_rows, n_numbers)
            Numbers, in which the evidence of a row comes from rows of other folds.
        """
        columns, target = self._fit(X, y, sample_weight)
        return np.hstack([
            column.training_numbers(columns[column.name], target)
            for column in self.columns_
            if column.outputs
        ])  # fmt: skip

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Turn a table into numbers.

        Parameters
        ----------
        X : data frame, mapping of str to sequence, or array-like
            A table with the columns of the training data, in any order.

        Returns
        -------
        ndarray of shape (n_rows, n_numbers)
            Finite numbers.

        Warns
        -----
        TableWarning
            If there are cells that cannot be understood, or columns that were not there when
            the encoder was fitted.
        """
        encoded = self.encode(X)
        encoded.warn(stacklevel=2)
        return encoded.numbers

    def encode(self, X: Any) -> EncodedTable:
        """Turn a table into numbers, and return what was odd instead of warning of it.

        Parameters
        ----------
        X : data frame, mapping of str to sequence, or array-like
            A table with the columns of the training data, in any order.

        Returns
        -------
        EncodedTable
            Numbers, cells that count as missing because they are not understood, by column,
            and names of columns that are ignored.
        """
        check_is_fitted(self)
        names = names_of(X)
        if not has_names(X) and len(names) != self.n_features_in_:
            raise ValueError(
                f"X has {len(names)} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        return encode_table(self.columns_, X)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the numbers.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Ignored if it names the columns of the training data; other names are refused.

        Returns
        -------
        ndarray of str
        """
        check_is_fitted(self)
        names = [column.name for column in self.columns_]
        if input_features is not None and list(input_features) != names:
            raise ValueError(
                f"input_features should have length equal to number of features ({len(names)}) "
                "and be the columns of the training data: input_features is not equal to "
                "feature_names_in_."
            )
        outputs = [name for column in self.columns_ for name in column.outputs]
        return np.array(outputs, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.target_tags.required = True
        return tags

    @fit_context(prefer_skip_nested_validation=True)
    def _fit(self, X: Any, y: Any, sample_weight: Any) -> tuple[dict[str, Cells], Target]:
        """Learn from a table; returns its columns as cells, and the target."""
        names = names_of(X)
        kinds = self._kinds(names)
        wanted = {name for name in names if kinds.get(name) != "ignore"}
        columns = columns_of(X, wanted)
        n_rows = _checked_rows(columns, names)
        target = self._target(y, n_rows, sample_weight)
        learned, summaries = [], []
        for name in names:
            cells = columns.get(name, np.empty(0))
            found = learn_column(
                name, cells, kinds.get(name), target, self.max_categories, self.min_frequency
            )
            missing = float(is_missing(cells).mean()) if len(cells) else 0.0
            learned.append(found.column)
            summaries.append(ColumnSummary.of(found.column, missing, found.note))
        self._check_learned(learned)
        self.columns_ = learned
        self.report_columns_ = ColumnReport(summaries)
        self.n_features_in_ = len(names)
        self.__dict__.pop("feature_names_in_", None)
        if has_names(X):
            self.feature_names_in_ = np.array(names, dtype=object)
        return columns, target

    def _kinds(self, names: list[str]) -> dict[str, str]:
        kinds = self.kinds or {}
        unknown = [name for name in kinds if name not in names]
        if unknown:
            raise ValueError(f"kinds names columns that are not there: {quoted(unknown)}.")
        for name, kind in kinds.items():
            if kind not in KINDS and kind != "ignore" and "%" not in str(kind):
                raise ValueError(
                    f"kinds[{name!r}] is {kind!r}: say one of {quoted([*KINDS, 'ignore'])}, or "
                    "a form of dates such as '%d.%m.%Y'."
                )
        return kinds

    def _target(self, y: Any, n_rows: int, sample_weight: Any) -> Target:
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: "
                "categories are encoded by what they say about it."
            )
        _refuse_missing_labels(y)
        y = check_y(y, estimator=self)
        check_classification_targets(y)
        if len(y) != n_rows:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: {[n_rows, len(y)]}."
            )
        weight = check_sample_weight(sample_weight, y, dtype=np.float64, ensure_non_negative=True)
        classes, codes = np.unique(y, return_inverse=True)
        return Target([str(c) for c in classes], codes, weight, self._folds(codes))

    def _folds(self, codes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Deal the rows of each class out to the folds."""
        order = check_random_state(self.random_state).permutation(len(codes))
        folds = np.empty(len(codes), dtype=np.intp)
        folds[order[np.argsort(codes[order], kind="stable")]] = np.arange(len(codes)) % FOLDS
        return folds

    def _check_learned(self, columns: list[Column]) -> None:
        if not any(column.outputs for column in columns):
            reasons = [f"{c.name!r} ({c.reason})" for c in columns if isinstance(c, LeftOut)]
            raise ValueError(
                f"Every column is left out, so that nothing can be learnt: {', '.join(reasons)}. "
                "Say what they are with kinds."
            )


def _refuse_missing_labels(y: Any) -> None:
    labels = np.asarray(y)
    if labels.dtype.kind != "O" or labels.ndim != 1:
        return
    missing = np.flatnonzero([is_nothing(label) for label in labels])
    if len(missing):
        count = "1 missing label" if len(missing) == 1 else f"{len(missing):,} missing labels"
        raise ValueError(f"y has {count}, the first in row {missing[0]}: leave these rows out.")


def _checked_rows(columns: dict[str, Cells], names: list[str]) -> int:
    """Count the rows, or say that there are too few rows or columns."""
    if not columns:
        raise ValueError(
            f"Found array with {len(names)} feature(s) (shape=(0, {len(names)})) while a minimum "
            "of 1 is required: there is no column to learn from."
        )
    n_rows = len(next(iter(columns.values())))
    if n_rows < 2:
        raise ValueError(
            f"Found array with {n_rows} sample(s) (shape=({n_rows}, {len(names)})) while a "
            f"minimum of 2 is required: nothing can be learnt from {n_rows} samples."
        )
    return n_rows
