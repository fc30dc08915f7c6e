"""One fit: divide the rows, train, score, and keep what figures need."""

from __future__ import annotations

import contextlib
import time
import traceback
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import roc_curve
from threadpoolctl import threadpool_limits

from trisect_experiments.models.model import Model
from trisect_experiments.models.network import hidden_nodes, level_records
from trisect_experiments.protocol import Parts, divide, evaluate
from trisect_experiments.records import Key, Result

ROC_GRID = np.linspace(0.0, 1.0, 101)
"""False-positive rates at which the true-positive rate of a fit is kept."""

_WARM: set[tuple[str, str]] = set()

# The configurations of a fold come one after another: its rows are divided once for all of them.
_LAST_PARTS: dict[tuple[Any, ...], Parts] = {}


def fit_one(
    key: Key,
    model: Model,
    X: NDArray[np.float64],
    y: NDArray[np.int64],
    n_splits: int,
    max_rows: int | None = None,
) -> Result:
    """Fit a configuration on one fold and score it; an error becomes part of the result.

    Parameters
    ----------
    key : Key
        What to fit; fold, configuration and seed are read from it.
    model : Model
        How to build the estimator.
    X, y : ndarray
        All rows of the dataset.
    n_splits : int
        Number of folds.
    max_rows : int, optional
        Cap on the training rows; a seeded stratified sample is taken above it.
    """
    try:
        with threadpool_limits(1), warnings.catch_warnings():
            # A model that stops at its limit of iterations is judged as it is.
            warnings.simplefilter("ignore", ConvergenceWarning)
            # MLPClassifier clips a batch that is larger than the data, which is what is wanted.
            warnings.filterwarnings("ignore", "Got `batch_size`", UserWarning)
            division = (key.data, n_splits, key.fold, key.seed, max_rows)
            return _fit(key, model, _parts(division, X, y))
    except Exception as error:
        where = traceback.format_exc(limit=-3)
        return Result(key, error=f"{type(error).__name__}: {error}\n{where}")


def _parts(division: tuple[Any, ...], X: NDArray[np.float64], y: NDArray[np.int64]) -> Parts:
    parts = _LAST_PARTS.get(division)
    if parts is None:
        parts = divide(X, y, *division[1:])
        # Several threads may get here at once, so nothing is read back.
        _LAST_PARTS.clear()
        _LAST_PARTS[division] = parts
    return parts


def _fit(key: Key, model: Model, parts: Parts) -> Result:
    if model.warm_up:
        _warm_up(key, model, parts)
    estimator = model.build(key.parameters, key.seed)
    extra = {}
    if model.uses_validation:
        extra = {"X_val": parts.X_validation, "y_val": parts.y_validation}
    start = time.perf_counter()
    estimator.fit(parts.X_train, parts.y_train, **extra)
    trained = time.perf_counter()
    labels, scores = _predict(estimator, parts.X_test)
    tested = time.perf_counter()
    held_out = evaluate(parts.y_validation, *_predict(estimator, parts.X_validation))
    details: dict[str, Any] = {"roc": _roc(parts.y_test, scores)}
    if levels := level_records(estimator, parts.X_test, parts.y_test):
        details["levels"] = levels
    return Result(
        key,
        *evaluate(parts.y_test, labels, scores),
        validation_accuracy=held_out.accuracy,
        validation_auc=held_out.auc,
        train_seconds=trained - start,
        test_seconds=tested - trained,
        nodes=hidden_nodes(estimator),
        n_train=len(parts.y_train),
        details=details,
    )


def _warm_up(key: Key, model: Model, parts: Parts) -> None:
    """Fit a few rows of each class once per process and configuration, and drop the result."""
    if (key.model, key.configuration) in _WARM:
        return
    _WARM.add((key.model, key.configuration))
    few = np.concatenate([np.flatnonzero(parts.y_train == label)[:50] for label in (0, 1)])
    X, y = parts.X_train[few], parts.y_train[few]
    extra = {"X_val": X, "y_val": y} if model.uses_validation else {}
    # What goes wrong here goes wrong again in the fit that counts, and is recorded there.
    with contextlib.suppress(Exception):
        model.build(key.parameters, key.seed).fit(X, y, **extra).predict(X)


def _predict(estimator: Any, X: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Labels, and a score that grows with the chance of label 1."""
    if hasattr(estimator, "predict_proba"):
        probabilities = estimator.predict_proba(X)
        return estimator.classes_[probabilities.argmax(axis=1)], probabilities[:, -1]
    return estimator.predict(X), estimator.decision_function(X)


def _roc(y: NDArray[np.int64], scores: NDArray[np.float64]) -> list[float]:
    """The ROC curve on `ROC_GRID`; empty when one class is missing."""
    if np.unique(y).size < 2:
        return []
    fpr, tpr, _ = roc_curve(y, scores)
    curve = np.interp(ROC_GRID, fpr, tpr)
    curve[0] = 0.0
    return [round(float(value), 5) for value in curve]
