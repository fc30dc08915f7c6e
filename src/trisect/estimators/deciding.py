"""Decisions of classifiers inside pipelines and searches."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import Walk
from trisect.estimators._unwrapping import as_decider, unwrap

__all__ = ["decide", "decide_sequentially"]


def decide(model: Any, X: Any, costs: Any = None, *, pos_label: Any = None) -> NDArray[np.int8]:
    """Accept, defer or reject each instance, with a pipeline or a search as well.

    A `sklearn.pipeline.Pipeline` passes `predict` on to its last step, but knows nothing of
    decisions; this function does.

    Parameters
    ----------
    model : fitted estimator
        A classifier that decides, such as `STWDSFNNClassifier`; any classifier with
        probabilities if costs are given; or a pipeline or search that ends in one.
    X : array-like of shape (n_instances, n_features)
        Instances, as the model takes them.
    costs : CostMatrix, InstanceCosts, ClassCosts, array-like or data frame, optional
        Costs to use instead of those of the classifier.
    pos_label : label, optional
        The positive class, which it is right to accept.

    Returns
    -------
    ndarray of int8
        1 accepts, 0 defers, -1 rejects.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from trisect import decide
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    >>> regions = decide(model, X, [[0, 1, 10], [5, 1, 0]])
    >>> sorted(set(regions.tolist()))
    [-1, 0, 1]
    """
    inner, X = unwrap(model, X)
    return as_decider(inner, costs).decide(X, costs, pos_label=pos_label)


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
    inner, X = unwrap(model, X)
    if not hasattr(inner, "decide_sequentially"):
        raise TypeError(f"{type(inner).__name__} has no levels to walk through: use decide.")
    return inner.decide_sequentially(X, costs, **options)
