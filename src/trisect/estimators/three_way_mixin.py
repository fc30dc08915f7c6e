"""Three-way decisions for classifiers with probabilities."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from trisect.decisions import BND, DEFERRED, POS, ClassCosts, as_costs

__all__ = ["ThreeWayMixin", "class_probabilities", "positive_index", "positive_probabilities"]

# Probabilities may leave [0, 1] by rounding, but not by more than this.
_ROUNDING = 1e-6


class ThreeWayMixin:
    """Adds three-way decisions to a classifier with `predict_proba`.

    Decisions use the costs in ``costs_`` by default, or the thresholds in ``thresholds_`` if
    the estimator has learned some. The positive class is
    ``pos_label_`` if the estimator has this attribute, and ``classes_[1]`` otherwise.
    """

    costs_: Any
    classes_: NDArray[Any]

    def decide(self, X: ArrayLike, costs: Any = None, *, pos_label: Any = None) -> NDArray[np.int8]:
        """Accept, defer or reject each instance, whichever has the least expected cost.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.
        costs : CostMatrix, InstanceCosts, ClassCosts, array-like or data frame, optional
            Costs to use instead of those of the estimator, and instead of learned
            thresholds: for all instances alike, or one set per instance in an array of
            shape (n_instances, 2, 3) or a data frame with a column per cost.
        pos_label : label, optional
            The positive class, which it is right to accept.

        Returns
        -------
        ndarray of int8
            1 accepts, 0 defers, -1 rejects. With more than two classes 1 accepts the
            class that `decide_classes` returns, and nothing is rejected.
        """
        check_is_fitted(self)
        learned = getattr(self, "thresholds_", None)
        if costs is None and learned is not None:
            if positive_index(self, pos_label) != positive_index(self):
                raise ValueError(
                    "Learned thresholds hold only for the pos_label they were learned for."
                )
            return learned.regions(positive_probabilities(self, X))
        costs = self.costs_ if costs is None else costs
        if isinstance(costs, ClassCosts):
            return (self.decide_classes(X, costs) != DEFERRED).astype(np.int8)
        p = positive_probabilities(self, X, pos_label)
        return as_costs(costs, len(p)).decide(p)

    def decide_classes(
        self, X: ArrayLike, costs: Any = None, *, pos_label: Any = None
    ) -> NDArray[np.intp]:
        """Accept a class for each instance, or defer.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.
        costs : CostMatrix, InstanceCosts, ClassCosts, array-like or data frame, optional
            Costs to use instead of those of the estimator.
        pos_label : label, optional
            The positive class. To reject it is to accept the other one.

        Returns
        -------
        ndarray of int
            Index into ``classes_``, or -1 where the instance is deferred.
        """
        check_is_fitted(self)
        used = self.costs_ if costs is None else costs
        if isinstance(used, ClassCosts):
            if used.n_classes != len(self.classes_):
                raise ValueError(
                    f"Costs of {used.n_classes} classes were given for {len(self.classes_)}."
                )
            return used.decide(class_probabilities(self, X))
        regions = self.decide(X, costs, pos_label=pos_label)
        positive = positive_index(self, pos_label)
        return np.where(regions == BND, DEFERRED, np.where(regions == POS, positive, 1 - positive))


def class_probabilities(model: Any, X: Any) -> NDArray[np.float64]:
    """Return the probabilities of a classifier, or raise if they are none."""
    p = np.asarray(model.predict_proba(X), dtype=np.float64)
    if not np.all((p >= -_ROUNDING) & (p <= 1 + _ROUNDING)):
        inside = getattr(model, "estimator", model)
        raise ValueError(
            f"predict_proba of {type(inside).__name__} returned numbers outside [0, 1] or NaN; "
            "calibrate its scores first, for example with calibration='sigmoid'."
        )
    return p.clip(0, 1)


def positive_index(model: Any, pos_label: Any = None) -> int:
    """Return the index in ``classes_`` of the positive one of two classes."""
    if len(model.classes_) != 2:
        raise ValueError(
            f"Costs of accepting and rejecting are for two classes, but there are "
            f"{len(model.classes_)}: use ClassCosts, with one cost for each confusion."
        )
    if pos_label is None:
        pos_label = getattr(model, "pos_label_", model.classes_[1])
    found = np.flatnonzero(model.classes_ == pos_label)
    if not len(found):
        raise ValueError(f"pos_label={pos_label!r} is not one of {model.classes_.tolist()}.")
    return int(found[0])


def positive_probabilities(model: Any, X: Any, pos_label: Any = None) -> NDArray[np.float64]:
    """Return the probability of the positive class for each instance."""
    return class_probabilities(model, X)[:, positive_index(model, pos_label)]
