"""Decisions at prediction time: accept, defer or reject, whatever the classifier."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from trisect.decisions import (
    BND,
    DEFERRED,
    POS,
    ClassCosts,
    CostMatrix,
    as_costs,
    cheapest_regions,
)

__all__ = ["DecidingMixin", "decide_classes_with", "decide_with", "fitted_part", "unwrapped"]

DEFAULT_REVIEW = 0.2
"""What deferring costs by default, where a mistake costs 1."""

# Rounding of a classifier's own arithmetic, beyond which its output is no probability.
_ROUNDING = 1e-6


class DecidingMixin:
    """Adds three-way decisions to a classifier with `predict_proba`.

    The costs that decisions use by default are in ``costs_``, and the positive class is
    ``pos_label_`` if the estimator has one, else ``classes_[1]``.
    """

    costs_: Any
    classes_: NDArray[Any]

    def decide(self, X: ArrayLike, costs: Any = None, *, pos_label: Any = None) -> NDArray[np.int8]:
        """Accept, defer or reject each instance, whichever is expected to cost least.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.
        costs : CostMatrix, InstanceCosts, ClassCosts, array-like or data frame, optional
            Costs to use instead of those of the estimator: for all instances, or for each
            in an array of shape (n_instances, 2, 3) or a frame with a column per cost.
        pos_label : label, optional
            The positive class, of which accepting is the right action.

        Returns
        -------
        ndarray of int8
            1 accepts, 0 defers, -1 rejects. With more than two classes 1 accepts the
            class that `decide_classes` names, and nothing is rejected.
        """
        check_is_fitted(self)
        costs = self._costs_for_deciding(costs)
        if isinstance(costs, ClassCosts):
            return (self.decide_classes(X, costs) != DEFERRED).astype(np.int8)
        p = positive_probabilities(self, X, pos_label)
        return cheapest_regions(p, as_costs(costs, len(p)))

    def decide_classes(
        self, X: ArrayLike, costs: Any = None, *, pos_label: Any = None
    ) -> NDArray[np.intp]:
        """Name the class that is accepted for each instance, or defer.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.
        costs : CostMatrix, InstanceCosts, ClassCosts, array-like or data frame, optional
            Costs to use instead of those of the estimator.
        pos_label : label, optional
            The positive class. Rejecting it means to accept the other one.

        Returns
        -------
        ndarray of int
            Index into ``classes_``, or -1 where the instance is deferred.
        """
        check_is_fitted(self)
        used = self._costs_for_deciding(costs)
        if isinstance(used, ClassCosts):
            if used.n_classes != len(self.classes_):
                raise ValueError(
                    f"Costs of {used.n_classes} classes were given for {len(self.classes_)}."
                )
            return used.decide(class_probabilities(self, X))
        regions = self.decide(X, costs, pos_label=pos_label)
        positive = positive_index(self, pos_label)
        return np.where(regions == BND, DEFERRED, np.where(regions == POS, positive, 1 - positive))

    def _costs_for_deciding(self, costs: Any) -> Any:
        return self.costs_ if costs is None else costs


def class_probabilities(model: Any, X: Any) -> NDArray[np.float64]:
    """Return the probabilities of a classifier, or say that they are none."""
    p = np.asarray(model.predict_proba(X), dtype=np.float64)
    if not np.all((p >= -_ROUNDING) & (p <= 1 + _ROUNDING)):
        inside = getattr(model, "estimator", model)
        raise ValueError(
            f"predict_proba of {type(inside).__name__} returned numbers outside [0, 1] or NaN; "
            "calibrate its scores first, for example with calibration='sigmoid'."
        )
    return p.clip(0, 1)


def positive_index(model: Any, pos_label: Any = None) -> int:
    """Return the index of the positive class, which must be one of two."""
    if len(model.classes_) != 2:
        raise ValueError(
            f"Costs of accepting and rejecting are for two classes, there are "
            f"{len(model.classes_)}: use ClassCosts, one cost for each confusion."
        )
    if pos_label is None:
        pos_label = getattr(model, "pos_label_", model.classes_[1])
    found = np.flatnonzero(model.classes_ == pos_label)
    if not len(found):
        raise ValueError(f"pos_label={pos_label!r} is not one of {model.classes_.tolist()}.")
    return int(found[0])


def positive_probabilities(model: Any, X: Any, pos_label: Any = None) -> NDArray[np.float64]:
    """Return the probability of the positive class."""
    return class_probabilities(model, X)[:, positive_index(model, pos_label)]


def matrices_for(costs: Any, n_levels: int) -> list[CostMatrix]:
    """Return a cost matrix for each level, from one for all or from one for each."""
    if costs is None:
        costs = CostMatrix.from_review(false_accept=1, false_reject=1, review=DEFAULT_REVIEW)
    one = isinstance(costs, CostMatrix)
    if not one and not any(isinstance(item, CostMatrix) for item in costs):
        one = np.ndim(costs) == 2
    matrices = [as_costs(costs)] * n_levels if one else [as_costs(item) for item in costs]
    if len(matrices) != n_levels:
        raise ValueError(f"{len(matrices)} cost matrices were given for {n_levels} levels.")
    return [matrix for matrix in matrices if isinstance(matrix, CostMatrix)]


def fitted_part(estimator: Any) -> Any:
    """Return the classifier inside a search or at the end of a pipeline."""
    while True:
        if hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        elif hasattr(estimator, "steps"):
            estimator = estimator.steps[-1][1]
        else:
            return estimator


def decide_with(estimator: Any, X: Any, costs: Any = None) -> NDArray[np.int8]:
    """Decide with an estimator, a search or a pipeline that ends in one.

    Parameters
    ----------
    estimator : estimator
        Fitted. If it cannot decide itself it needs `predict_proba`, and `costs`.
    X : array-like of shape (n_instances, n_features)
        Instances.
    costs : CostMatrix, InstanceCosts, ClassCosts, array-like or data frame, optional
        Costs to use instead of those of the estimator.

    Returns
    -------
    ndarray of int8
        1 accepts, 0 defers, -1 rejects.
    """
    model, X = unwrapped(estimator, X)
    return _decider(model, costs).decide(X, costs)


def decide_classes_with(estimator: Any, X: Any, costs: Any = None) -> NDArray[np.intp]:
    """Name the accepted classes with an estimator, a search or a pipeline.

    Parameters
    ----------
    estimator : estimator
        Fitted. If it cannot decide itself it needs `predict_proba`, and `costs`.
    X : array-like of shape (n_instances, n_features)
        Instances.
    costs : CostMatrix, InstanceCosts, ClassCosts, array-like or data frame, optional
        Costs to use instead of those of the estimator.

    Returns
    -------
    ndarray of int
        Index into ``classes_``, or -1 where the instance is deferred.
    """
    model, X = unwrapped(estimator, X)
    return _decider(model, costs).decide_classes(X, costs)


def unwrapped(estimator: Any, X: Any) -> tuple[Any, Any]:
    """Return the classifier inside a search or pipeline, and X as it gets to see it."""
    if hasattr(estimator, "best_estimator_"):
        return unwrapped(estimator.best_estimator_, X)
    if hasattr(estimator, "steps") and not hasattr(estimator, "decide"):
        head = estimator[:-1]
        return unwrapped(estimator.steps[-1][1], head.transform(X) if len(head) else X)
    return estimator, X


def _decider(model: Any, costs: Any) -> Any:
    if hasattr(model, "decide"):
        return model
    if not hasattr(model, "predict_proba"):
        raise TypeError(
            f"{type(model).__name__} neither decides nor has probabilities: wrap it in "
            "ThreeWayClassifier(..., calibration='sigmoid')."
        )
    if costs is None:
        raise ValueError(f"{type(model).__name__} has no costs of its own: give some.")
    return _Borrowed(model)


class _Borrowed(DecidingMixin, BaseEstimator):
    """A classifier that learns to decide for the time of one call."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.classes_ = model.classes_

    def fit(self, X: Any, y: Any = None) -> None:
        """Exist, as an estimator must; the model is fitted."""

    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the model."""
        return self.model.predict_proba(X)
