"""How a model is judged: folds, imputation, scores and the interval of a mean.

With ten folds, fold ``k`` tests, fold ``k + 1`` validates and the other eight train;
configurations are chosen on the validation fold only. The code of this file is part of the name
of every stored result.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import t as student_t
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, train_test_split

from trisect_experiments.models.code import source_digest


class Fold(NamedTuple):
    """Row indices of one split: ``train``, ``validation`` and ``test``, each sorted."""

    train: NDArray[np.intp]
    validation: NDArray[np.intp]
    test: NDArray[np.intp]


class Parts(NamedTuple):
    """The rows of one fold, missing cells filled."""

    X_train: NDArray[np.float64]
    y_train: NDArray[np.int64]
    X_validation: NDArray[np.float64]
    y_validation: NDArray[np.int64]
    X_test: NDArray[np.float64]
    y_test: NDArray[np.int64]


class Interval(NamedTuple):
    """A mean and half the width of its 95 % confidence interval."""

    mean: float
    half_width: float


class Scores(NamedTuple):
    """Accuracy, weighted F1 and area under the ROC curve, each between 0 and 1."""

    accuracy: float
    weighted_f1: float
    auc: float


def folds(y: ArrayLike, n_splits: int = 10, random_state: int = 0) -> Iterator[Fold]:
    """Yield stratified, shuffled folds of the rows: fold k tests, fold k + 1 validates.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Class labels; every fold keeps their proportions.
    n_splits : int, default=10
        Number of folds, at least 3 so that something is left to train on.
    random_state : int, default=0
        Seed of the shuffle. The same labels and seed give the same folds.

    Examples
    --------
    >>> train, validation, test = next(folds([0, 1] * 10, n_splits=10))
    >>> len(train), len(validation), len(test)
    (16, 2, 2)
    """
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise ValueError(f"y must be one-dimensional; its shape is {labels.shape}.")
    if n_splits < 3:
        raise ValueError(
            f"n_splits={n_splits}: at least 3 folds are needed, one to test, one to validate "
            "and one or more to train."
        )
    values, counts = np.unique(labels, return_counts=True)
    if counts.size == 0 or counts.min() < n_splits:
        rare = (
            "no rows" if counts.size == 0 else f"{counts.min()} of class {values[counts.argmin()]}"
        )
        raise ValueError(
            f"n_splits={n_splits} needs at least {n_splits} rows of every class; y has {rare}. "
            "Use fewer folds or merge rare classes."
        )
    splitter = StratifiedKFold(n_splits=n_splits, shuffle=True, random_state=random_state)
    parts = [test for _, test in splitter.split(np.zeros(labels.size), labels)]
    for k, test in enumerate(parts):
        validation = parts[(k + 1) % n_splits]
        held_out = np.zeros(labels.size, dtype=bool)
        held_out[test] = held_out[validation] = True
        yield Fold(np.flatnonzero(~held_out), validation, test)


def divide(
    X: NDArray[np.float64],
    y: NDArray[np.int64],
    n_splits: int,
    fold: int,
    seed: int,
    max_rows: int | None = None,
) -> Parts:
    """The rows of one of the `folds`, with missing cells filled.

    Of more than `max_rows` training rows, a seeded stratified sample is taken.
    """
    train, validation, test = next(islice(folds(y, n_splits, seed), fold, None))
    if max_rows is not None and train.size > max_rows:
        train, _ = train_test_split(
            train, train_size=max_rows, stratify=y[train], random_state=seed
        )
        train = np.sort(train)
    X = impute_median(X, train)
    return Parts(X[train], y[train], X[validation], y[validation], X[test], y[test])


def impute_median(X: ArrayLike, train: NDArray[np.intp]) -> NDArray[np.float64]:
    """Fill missing cells (NaN) with the column medians of the training rows only.

    A column without a single value there is filled with 0. Returns a copy, or `X` itself when
    nothing is missing.

    Examples
    --------
    >>> impute_median([[1.0], [3.0], [np.nan], [99.0]], np.array([0, 1, 2])).ravel().tolist()
    [1.0, 3.0, 2.0, 99.0]
    """
    table = np.asarray(X, dtype=np.float64)
    missing = np.isnan(table)
    columns = np.flatnonzero(missing.any(axis=0))
    if columns.size == 0:
        return table
    filled = table.copy()
    for column in columns:
        known = table[train, column]
        known = known[~np.isnan(known)]
        filled[missing[:, column], column] = np.median(known) if known.size else 0.0
    return filled


def evaluate(y_true: ArrayLike, labels: ArrayLike, scores: ArrayLike) -> Scores:
    """Accuracy, weighted F1 and AUC of predictions of labels 0 and 1.

    `scores` are probabilities, or any other score, of label 1. The AUC is NaN when `y_true` has
    one class only.

    Examples
    --------
    >>> evaluate([0, 0, 1, 1], [0, 1, 1, 1], [0.1, 0.6, 0.7, 0.9])
    Scores(accuracy=0.75, weighted_f1=0.7333333333333334, auc=1.0)
    """
    truth, predicted, p = np.asarray(y_true), np.asarray(labels), np.asarray(scores)
    if p.ndim != 1 or not (truth.shape == predicted.shape == p.shape):
        raise ValueError(
            "y_true, labels and scores must describe the same rows; their shapes are "
            f"{truth.shape}, {predicted.shape} and {p.shape}."
        )
    return Scores(
        float(accuracy_score(truth, predicted)),
        float(f1_score(truth, predicted, average="weighted", zero_division=0)),
        float(roc_auc_score(truth, p)) if np.unique(truth).size == 2 else float("nan"),
    )


def mean_interval(values: ArrayLike) -> Interval:
    """Mean and half-width of its 95 % Student t interval.

    With ten values the half-width is 2.262 times the standard deviation over the root of ten.
    Fewer than three values have a half-width of NaN, because two say next to nothing about it.
    Values that are NaN make both NaN.

    Examples
    --------
    >>> mean_interval([0.9, 0.9, 0.9])
    Interval(mean=0.9, half_width=0.0)
    """
    sample = np.asarray(values, dtype=np.float64).ravel()
    if sample.size == 0:
        raise ValueError("mean_interval needs at least one value; none was given.")
    if sample.size < 3:
        return Interval(float(sample.mean()), float("nan"))
    if np.all(sample == sample[0]):
        # The mean of equal values may be off by a rounding error.
        return Interval(float(sample[0]), 0.0)
    spread = sample.std(ddof=1) / np.sqrt(sample.size)
    return Interval(float(sample.mean()), float(student_t.ppf(0.975, sample.size - 1) * spread))


@cache
def protocol_code() -> str:
    """A digest of the code of this file, see `trisect_experiments.models.code`."""
    return f"protocol {source_digest([Path(__file__)], Path(__file__).parent)}"
