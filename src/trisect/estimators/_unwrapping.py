"""Access to the classifier inside a search or a pipeline, for scorers and displays."""

from typing import Any

from sklearn.base import BaseEstimator

from trisect.estimators.three_way_mixin import ThreeWayMixin

__all__ = ["as_decider", "unwrap"]


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
