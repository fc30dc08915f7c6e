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

from trisect_experiments.calibration import calibration
from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.models.model import Model
from trisect_experiments.models.network import (
    compile_ahead,
    decision_measures,
    hidden_nodes,
    level_records,
)
from trisect_experiments.plan import Job
from trisect_experiments.protocol import Parts, divide, evaluate
from trisect_experiments.records import Key, Result

ROC_GRID = np.linspace(0.0, 1.0, 101)
"""False-positive rates at which the true-positive rate of a fit is kept."""

_WARM: set[tuple[str, int]] = set()

# The configurations of a fold come one after another: its rows are divided once for all of them.
_LAST_PARTS: dict[tuple[Any, ...], Parts] = {}


def fit_one(job: Job, data: Dataset) -> Result:
    """Fit a configuration on one fold and score it; an error becomes part of the result."""
    try:
        with threadpool_limits(1), warnings.catch_warnings():
            # A model that stops at its limit of iterations is judged as it is.
            warnings.simplefilter("ignore", ConvergenceWarning)
            return _fit(job.key, job.model, _parts(job, data))
    except Exception as error:
        where = traceback.format_exc(limit=-3)
        return Result(job.key, error=f"{type(error).__name__}: {error}\n{where}")


def _parts(job: Job, data: Dataset) -> Parts:
    division = (job.key.data, job.n_splits, job.key.fold, job.key.seed, job.max_rows)
    parts = _LAST_PARTS.get(division)
    if parts is None:
        parts = divide(data.X, data.y, *division[1:])
        # Several threads may get here at once, so nothing is read back.
        _LAST_PARTS.clear()
        _LAST_PARTS[division] = parts
    return parts


def _fit(key: Key, model: Model, parts: Parts) -> Result:
    # What a fit compiles or loads depends on the model and its columns, not on the configuration.
    warm = (key.model, parts.X_train.shape[1])
    if warm not in _WARM:
        _WARM.add(warm)
        _warm_up(key, model, parts)
    estimator = model.build(key.parameters, key.seed)
    extra = _validation(model, parts.X_validation, parts.y_validation)
    start = time.perf_counter()
    estimator.fit(parts.X_train, parts.y_train, **extra)
    trained = time.perf_counter()
    labels, scores = _predict(estimator, parts.X_test)
    tested = time.perf_counter()
    held_out = evaluate(parts.y_validation, *_predict(estimator, parts.X_validation))
    details: dict[str, Any] = {"roc": _roc(parts.y_test, scores)}
    if hasattr(estimator, "predict_proba"):
        details |= calibration(parts.y_test, scores)
    if levels := level_records(estimator, parts.X_test, parts.y_test):
        details["levels"] = levels
    details |= decision_measures(estimator, parts.X_test, parts.y_test)
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
    """Fit a few rows of each class and drop the result, so that code is loaded and compiled.

    Few rows do not need all of it, so the rest is asked for.
    """
    few = np.concatenate([np.flatnonzero(parts.y_train == label)[:50] for label in (0, 1)])
    X, y = parts.X_train[few], parts.y_train[few]
    # What goes wrong here goes wrong again in the fit that counts, and is recorded there.
    with contextlib.suppress(Exception):
        estimator = model.build(key.parameters, key.seed)
        compile_ahead(estimator)
        _predict(estimator.fit(X, y, **_validation(model, X, y)), X)


def _validation(model: Model, X: NDArray[Any], y: NDArray[Any]) -> dict[str, NDArray[Any]]:
    return {"X_val": X, "y_val": y} if model.uses_validation else {}


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
