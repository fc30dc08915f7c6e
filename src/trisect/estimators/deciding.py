"""Three-way decisions with whatever is fitted: classifiers, pipelines, searches."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import Walk
from trisect.estimators.decision_rule import class_probabilities, decision_rule

__all__ = ["decide", "decide_classes", "decide_sequentially", "unwrap"]


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
    if hasattr(inside, "decide"):
        return inside.decide(X, costs, **_if_given(pos_label))
    return decision_rule(inside, costs, pos_label).regions(class_probabilities(inside, X))


def decide_classes(model: Any, X: Any, costs: Any = None, *, pos_label: Any = None) -> NDArray[Any]:
    """Accept a class for each instance, or defer, with any fitted classifier.

    Parameters
    ----------
    model, X, costs, pos_label
        As for `decide`.

    Returns
    -------
    ndarray of object of shape (n_instances,)
        The label of the accepted class, or None where the instance is deferred.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from trisect import ClassCosts, decide_classes
    >>> X, y = load_iris(return_X_y=True)
    >>> pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    >>> decide_classes(pipeline, X[[0, 70]], ClassCosts.uniform(3, mistake=5, defer=1))
    array([0, None], dtype=object)
    """
    inside, X = unwrap(model, X)
    if hasattr(inside, "decide_classes"):
        return inside.decide_classes(X, costs, **_if_given(pos_label))
    return decision_rule(inside, costs, pos_label).labels(class_probabilities(inside, X))


def _if_given(pos_label: Any) -> dict[str, Any]:
    """Return the option to pass on; models from a file know their positive class, and take none."""
    return {} if pos_label is None else {"pos_label": pos_label}


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
    name = type(estimator).__name__
    if hasattr(estimator, "best_params_"):
        raise TypeError(f"{name} was fitted with refit=False, so that it has no classifier to ask.")
    if not hasattr(estimator, "decide") and not hasattr(estimator, "predict_proba"):
        raise TypeError(
            f"{name} neither decides nor has probabilities: a classifier with a decision function "
            "gets some from ThreeWayClassifier(..., calibration='sigmoid')."
        )
    return estimator, X
