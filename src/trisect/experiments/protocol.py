"""How a model is judged: folds, imputation, scores and the interval of a mean.

The paper divides every dataset 8 : 1 : 1. With ten folds, fold ``k`` tests, fold ``k + 1``
validates and the other eight train; configurations are chosen on the validation fold only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import t as student_t
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold


class Fold(NamedTuple):
    """Row indices of one split: ``train``, ``validation`` and ``test``, each sorted."""

    train: NDArray[np.intp]
    validation: NDArray[np.intp]
    test: NDArray[np.intp]


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
    """Split rows into stratified, shuffled folds: fold k tests, fold k + 1 validates.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Class labels; every fold keeps their proportions.
    n_splits : int, default=10
        Number of folds, at least 3 so that something is left to train on.
    random_state : int, default=0
        Seed of the shuffle. The same labels and seed give the same folds.

    Yields
    ------
    Fold
        ``(train, validation, test)`` index arrays that are disjoint and cover all rows.

    Examples
    --------
    >>> train, validation, test = next(folds([1, 2] * 10, n_splits=10))
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


def impute_median(X: ArrayLike, train: NDArray[np.intp]) -> NDArray[np.float64]:
    """Fill missing cells with the column medians of the training rows only.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Features; NaN marks a missing cell.
    train : ndarray of int
        The rows that the medians are taken from. A column without a single value there is
        filled with 0.

    Returns
    -------
    ndarray of shape (n_samples, n_features)
        A filled copy, or `X` itself when nothing is missing.

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


def evaluate(y_true: ArrayLike, labels: ArrayLike, probabilities: ArrayLike) -> Scores:
    """Score predictions the way the paper's tables do.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels of two classes.
    labels : array-like of shape (n_samples,)
        Predicted labels.
    probabilities : array-like of shape (n_samples,) or (n_samples, 2)
        Probability (or any score) of the larger label; with two columns, in the order of the
        sorted labels, as ``predict_proba`` returns them.

    Returns
    -------
    Scores
        Accuracy, weighted F1, AUC. The AUC of one class is that of the other, so which label
        counts as positive does not matter. It is NaN when `y_true` has one class only.

    Examples
    --------
    >>> evaluate([1, 1, 2, 2], [1, 2, 2, 2], [0.1, 0.6, 0.7, 0.9])
    Scores(accuracy=0.75, weighted_f1=0.7333333333333334, auc=1.0)
    """
    truth, predicted = np.asarray(y_true), np.asarray(labels)
    score = np.asarray(probabilities, dtype=np.float64)
    if score.ndim == 2 and score.shape[1] == 2:
        score = score[:, 1]
    if score.ndim != 1 or not (truth.shape == predicted.shape == score.shape):
        raise ValueError(
            "y_true, labels and probabilities must describe the same rows of a two-class problem; "
            f"their shapes are {truth.shape}, {predicted.shape} and "
            f"{np.asarray(probabilities).shape}."
        )
    classes = np.unique(truth)
    if classes.size > 2:
        raise ValueError(f"y_true has {classes.size} classes; the protocol is for two.")
    auc = float(roc_auc_score(truth == classes[-1], score)) if classes.size == 2 else float("nan")
    return Scores(
        float(accuracy_score(truth, predicted)),
        float(f1_score(truth, predicted, average="weighted", zero_division=0)),
        auc,
    )


def mean_interval(values: ArrayLike) -> Interval:
    """Mean and half-width of its 95 % Student t interval.

    With ten values the half-width is 2.262 times the standard deviation over the root of ten,
    as in the paper. One value has a half-width of NaN. Values that are NaN make both NaN.

    Examples
    --------
    >>> mean_interval([0.9, 0.9, 0.9])
    Interval(mean=0.9, half_width=0.0)
    """
    sample = np.asarray(values, dtype=np.float64).ravel()
    if sample.size == 0:
        raise ValueError("mean_interval needs at least one value; none was given.")
    if sample.size == 1:
        return Interval(float(sample[0]), float("nan"))
    spread = sample.std(ddof=1) / np.sqrt(sample.size)
    # A constant sample must give its own value, not one off by a rounding error.
    mean = sample[0] if np.all(sample == sample[0]) else sample.mean()
    half_width = 0.0 if mean is sample[0] else student_t.ppf(0.975, sample.size - 1) * spread
    return Interval(float(mean), float(half_width))
