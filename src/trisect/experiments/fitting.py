"""One fit: divide the rows, train, score, and record what figures will need."""

from __future__ import annotations

import contextlib
import time
import traceback
import warnings
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import roc_curve
from sklearn.model_selection import train_test_split
from threadpoolctl import threadpool_limits

from trisect.experiments.models.model import Model
from trisect.experiments.protocol import evaluate, folds, impute_median
from trisect.experiments.records import Key, Result

ROC_GRID = np.linspace(0.0, 1.0, 101)
"""False-positive rates at which the true-positive rate of a fit is kept."""

_WARM: set[tuple[str, str]] = set()

# The configurations of a fold come one after another, so that its rows need dividing once.
_LAST_PARTS: dict[tuple[Any, ...], Parts] = {}

_LEVEL_FIELDS = (
    "alpha",
    "beta",
    "gamma",
    "n_instances",
    "n_hard",
    "n_misclassified",
    "n_pos",
    "n_bnd",
    "n_neg",
    "result_cost",
    "test_cost",
    "delay_cost",
    "validation_score",
)


class Parts(NamedTuple):
    """The rows of one fold: training, validation and test."""

    X_train: NDArray[np.float64]
    y_train: NDArray[np.int64]
    X_validation: NDArray[np.float64]
    y_validation: NDArray[np.int64]
    X_test: NDArray[np.float64]
    y_test: NDArray[np.int64]


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
            # A batch of more rows than there are is all of them.
            warnings.filterwarnings("ignore", "Got `batch_size`", UserWarning)
            return _fit(key, model, X, y, n_splits, max_rows)
    except Exception as error:
        where = traceback.format_exc(limit=-3)
        return Result(key, error=f"{type(error).__name__}: {error}\n{where}")


def _fit(
    key: Key,
    model: Model,
    X: NDArray[np.float64],
    y: NDArray[np.int64],
    n_splits: int,
    max_rows: int | None,
) -> Result:
    parts = _parts(key, X, y, n_splits, max_rows)
    estimator = model.build(key.parameters, key.seed)
    extra = {}
    if model.uses_validation:
        extra = {"X_val": parts.X_validation, "y_val": parts.y_validation}
    if model.warm_up:
        _warm_up(key, model, parts.X_train, parts.y_train)

    start = time.perf_counter()
    estimator.fit(parts.X_train, parts.y_train, **extra)
    trained = time.perf_counter()
    labels, scores = _predict(estimator, parts.X_test)
    tested = time.perf_counter()

    result = evaluate(parts.y_test, labels, scores)
    held_out = evaluate(parts.y_validation, *_predict(estimator, parts.X_validation))
    details: dict[str, Any] = {"roc": _roc(parts.y_test, scores)}
    levels = getattr(estimator, "levels_", None)
    if levels is not None:
        details["levels"] = [_level(level) for level in levels]
        staged = _staged(estimator, parts.X_test)
        for record, predicted in zip(details["levels"], staged, strict=False):
            record["accuracy"] = float(np.mean(predicted == parts.y_test))
    return Result(
        key,
        *result,
        held_out.accuracy,
        held_out.auc,
        trained - start,
        tested - trained,
        _nodes(estimator),
        len(parts.y_train),
        details,
    )


def _parts(
    key: Key,
    X: NDArray[np.float64],
    y: NDArray[np.int64],
    n_splits: int,
    max_rows: int | None,
) -> Parts:
    """Divide the rows as a key says, with missing cells filled, or return the last division."""
    division = (key.data, key.seed, key.fold, n_splits, max_rows)
    parts = _LAST_PARTS.get(division)
    if parts is None:
        train, validation, test = next(islice(folds(y, n_splits, key.seed), key.fold, None))
        if max_rows is not None and train.size > max_rows:
            train, _ = train_test_split(
                train, train_size=max_rows, stratify=y[train], random_state=key.seed
            )
            train = np.sort(train)
        X = impute_median(X, train)
        parts = Parts(X[train], y[train], X[validation], y[validation], X[test], y[test])
        # Threads of one process may come here together, so nothing is read back.
        _LAST_PARTS.clear()
        _LAST_PARTS[division] = parts
    return parts


def _warm_up(key: Key, model: Model, X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
    """Fit a few rows of each class once per process and configuration, and forget the result."""
    if (key.model, key.configuration) in _WARM:
        return
    _WARM.add((key.model, key.configuration))
    few = np.concatenate([np.flatnonzero(y == label)[:50] for label in np.unique(y)])
    extra = {"X_val": X[few], "y_val": y[few]} if model.uses_validation else {}
    # What goes wrong here goes wrong again in the fit that counts, and is recorded there.
    with contextlib.suppress(Exception):
        model.build(key.parameters, key.seed).fit(X[few], y[few], **extra).predict(X[few])


def _predict(estimator: Any, X: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Labels, and a score that grows with the chance of the larger label."""
    if hasattr(estimator, "predict_proba"):
        probabilities = estimator.predict_proba(X)
        return estimator.classes_[probabilities.argmax(axis=1)], probabilities[:, -1]
    return estimator.predict(X), estimator.decision_function(X)


def _staged(estimator: Any, X: NDArray[np.float64]) -> Iterator[NDArray[Any]]:
    """Labels after each level, where the levels can tell."""
    if hasattr(estimator, "staged_predict"):
        yield from estimator.staged_predict(X)
    elif all(hasattr(level, "network") for level in estimator.levels_):
        scaled = estimator.scaling_.transform(X)
        for level in estimator.levels_:
            yield estimator.classes_[level.network.logits(scaled).argmax(axis=1)]


def _nodes(estimator: Any) -> float:
    """Hidden nodes of a network, also when it is the last step of a pipeline; NaN for others."""
    last = estimator[-1] if hasattr(estimator, "steps") else estimator
    if hasattr(last, "n_hidden_"):
        return float(last.n_hidden_)
    sizes = getattr(last, "hidden_layer_sizes", None)
    return float(np.sum(sizes)) if sizes is not None else float("nan")


def _roc(y: NDArray[np.int64], scores: NDArray[np.float64]) -> list[float]:
    """The ROC curve on `ROC_GRID`; empty when one class is missing."""
    if np.unique(y).size < 2:
        return []
    fpr, tpr, _ = roc_curve(y == y.max(), scores)
    curve = np.interp(ROC_GRID, fpr, tpr)
    curve[0] = 0.0
    return [round(float(value), 5) for value in curve]


def _level(level: Any) -> dict[str, float]:
    """The numbers of a level's record that figures use, whichever of them it has."""
    read = level.get if isinstance(level, Mapping) else lambda name: getattr(level, name, None)
    numbers = {name: read(name) for name in _LEVEL_FIELDS}
    return {k: float(v) for k, v in numbers.items() if isinstance(v, int | float | np.number)}
