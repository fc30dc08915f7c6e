"""Three-way decisions with whatever is fitted: classifiers, pipelines, searches."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from trisect.decisions import Walk
from trisect.estimators.three_way_mixin import ThreeWayMixin

__all__ = ["as_decider", "decide", "decide_sequentially", "unwrap"]


def decide(model: Any, X: Any, costs: Any = None, *, pos_label: Any = None) -> NDArray[np.int8]:
    """Accept, defer or reject each instance with any fitted classifier.

    A pipeline that ends in a classifier of this library, and a search over one, have no
    `decide` of their own; this function looks into them. A classifier of another library
    needs probabilities, and costs to decide with.

    Parameters
    ----------
    model : estimator
        Fitted: a classifier with `decide` or with `predict_proba`, a pipeline that ends in
        one, or a search over either.
    X : array-like of shape (n_instances, n_features)
        Instances, as `model` takes them.
    costs : CostMatrix, InstanceCosts, ClassCosts, array-like, dict or frame, optional
        What decisions cost, see `trisect.decisions.as_costs`; by default the costs, or the
        learned thresholds, of the classifier.
    pos_label : label, optional
        The positive class, which it is right to accept.

    Returns
    -------
    ndarray of int8
        1 accepts, 0 defers, -1 rejects.

    See Also
    --------
    trisect.ThreeWayClassifier : Wraps a classifier or a pipeline before it is fitted, with
        calibration, learned thresholds and guarantees.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from trisect import decide
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    >>> regions = decide(pipeline, X, {"false_accept": 5, "false_reject": 10, "review": 1})
    >>> sorted(set(regions.tolist()))
    [-1, 0, 1]
    """
    inside, X = unwrap(model, X)
    return as_decider(inside, costs).decide(X, costs, pos_label=pos_label)


def decide_sequentially(model: Any, X: Any, costs: Any = None, **options: Any) -> Walk:
    """Decide level by level, with a pipeline or a search as well.

    Parameters
    ----------
    model : fitted estimator
        `STWDSFNNClassifier` or `SequentialThreeWayClassifier`, or a pipeline or search that
        ends in one.
    X : array-like of shape (n_instances, n_features)
        Instances, as the model takes them.
    costs : CostMatrix or array-like of shape (2, 3), optional
        Costs to use instead of those of the classifier.
    **options : dict
        Passed to the method of the classifier.

    Returns
    -------
    Walk
        Regions, and the level that decided each instance.
    """
    inside, X = unwrap(model, X)
    if not hasattr(inside, "decide_sequentially"):
        raise TypeError(f"{type(inside).__name__} has no levels to walk through: use decide.")
    return inside.decide_sequentially(X, costs, **options)


def unwrap(estimator: Any, X: Any) -> tuple[Any, Any]:
    """Return the classifier inside a search or pipeline, and X as transformed for it."""
    if hasattr(estimator, "best_estimator_"):
        return unwrap(estimator.best_estimator_, X)
    if hasattr(estimator, "steps") and not hasattr(estimator, "decide"):
        head = estimator[:-1]
        return unwrap(estimator.steps[-1][1], head.transform(X) if len(head) else X)
    return estimator, X


def as_decider(model: Any, costs: Any = None) -> Any:
    """Return a fitted classifier with `decide` and `decide_classes`.

    A classifier that has none needs `predict_proba`, and costs to decide with.
    """
    if hasattr(model, "decide"):
        return model
    if not hasattr(model, "predict_proba"):
        raise TypeError(
            f"{type(model).__name__} neither decides nor has probabilities: wrap it in "
            "ThreeWayClassifier(..., calibration='sigmoid')."
        )
    if costs is None:
        raise ValueError(f"{type(model).__name__} has no costs of its own: pass some.")
    return _Decider(model)


class _Decider(ThreeWayMixin, BaseEstimator):
    """A fitted classifier with decisions added."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.classes_ = model.classes_

    def fit(self, X: Any, y: Any = None) -> None:
        """Do nothing: scikit-learn expects the method, but the model is fitted."""

    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the model."""
        return self.model.predict_proba(X)
