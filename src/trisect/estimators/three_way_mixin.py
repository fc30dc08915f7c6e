"""Three-way decisions for classifiers with probabilities."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from trisect.decisions import (
    BND,
    DEFERRED,
    POS,
    ClassCosts,
    CostMatrix,
    InstanceCosts,
    as_costs,
    positive_class,
)

__all__ = ["ThreeWayMixin", "class_probabilities", "costs_for_classes", "positive_index"]

# Probabilities may leave [0, 1] by rounding, but not by more than this.
_ROUNDING = 1e-6


class ThreeWayMixin:
    """Adds three-way decisions to a classifier with `predict_proba`.

    Decisions use the costs in ``costs_`` by default, or the thresholds in ``thresholds_`` if
    the estimator has learned some. The positive class is the one that the costs name, else
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
        costs : CostMatrix, InstanceCosts, ClassCosts, array-like, dict or frame, optional
            Costs to use instead of those of the estimator, and instead of learned
            thresholds, in any form that `trisect.decisions.as_costs` takes: for all
            instances alike, or one set per instance. With more than two classes they must
            be `ClassCosts`.
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
            return learned.regions(class_probabilities(self, X)[:, positive_index(self)])
        used = costs_for_classes(self.costs_ if costs is None else costs, self.classes_)
        positive = self._positive(used, pos_label)
        p = class_probabilities(self, X)
        if isinstance(used, ClassCosts):
            if len(self.classes_) > 2:
                return (used.decide(p) != DEFERRED).astype(np.int8)
            used = used.of_two(positive)
        return used.decide(p[:, positive])

    def decide_classes(
        self, X: ArrayLike, costs: Any = None, *, pos_label: Any = None
    ) -> NDArray[Any]:
        """Accept a class for each instance, or defer.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.
        costs : CostMatrix, InstanceCosts, ClassCosts, array-like, dict or frame, optional
            Costs to use instead of those of the estimator, as in `decide`.
        pos_label : label, optional
            The positive class. To reject it is to accept the other one.

        Returns
        -------
        ndarray of object of shape (n_instances,)
            The label of the accepted class, or None where the instance is deferred.
        """
        check_is_fitted(self)
        used = costs_for_classes(self.costs_ if costs is None else costs, self.classes_)
        if isinstance(used, ClassCosts) and len(self.classes_) > 2:
            return self._with_none()[used.decide(class_probabilities(self, X))]
        regions = self.decide(X, costs, pos_label=pos_label)
        return self._labels(regions, self._positive(used, pos_label))

    def _labels(self, regions: NDArray[np.int8], positive: int) -> NDArray[Any]:
        """Return the labels of the classes that regions of two classes accept."""
        chosen = np.where(regions == POS, positive, 1 - positive)
        chosen[regions == BND] = DEFERRED
        return self._with_none()[chosen]

    def _with_none(self) -> NDArray[Any]:
        """Return the labels, with None in the place of an index that means deferred."""
        return np.append(self.classes_.astype(object), [None])

    def _positive(self, costs: Any = None, pos_label: Any = None) -> int:
        """Return the index of the class to accept: as asked for, as in the costs, as fitted."""
        if len(self.classes_) > 2:
            return len(self.classes_) - 1
        # With costs or a positive class of its own, an estimator was told or said it in fit.
        said = any(getattr(self, name, None) is not None for name in ("costs", "pos_label"))
        default = getattr(self, "pos_label_", None) if said else None
        label = positive_class(self.classes_, pos_label, costs, default)
        return positive_index(self, label)


def costs_for_classes(costs: Any, classes: NDArray[Any]) -> CostMatrix | InstanceCosts | ClassCosts:
    """Convert costs from any form, and check that they are for these classes.

    Parameters
    ----------
    costs : CostMatrix, InstanceCosts, ClassCosts, array-like, dict or data frame
        Costs, see `trisect.decisions.as_costs`.
    classes : ndarray of shape (n_classes,)
        Labels of the classes.

    Returns
    -------
    CostMatrix, InstanceCosts or ClassCosts
        The last in the order of the classes; with more than two classes always the last.
    """
    if isinstance(costs, ClassCosts):
        return costs.for_classes(classes)
    if len(classes) > 2:
        raise _for_two_classes(len(classes))
    return as_costs(costs)


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
        raise _for_two_classes(len(model.classes_))
    if pos_label is None:
        pos_label = getattr(model, "pos_label_", model.classes_[1])
    found = np.flatnonzero(model.classes_ == pos_label)
    if not len(found):
        raise ValueError(f"pos_label={pos_label!r} is not one of {model.classes_.tolist()}.")
    return int(found[0])


def _for_two_classes(n_classes: int) -> ValueError:
    return ValueError(
        f"Costs of accepting and rejecting are for two classes, but there are {n_classes}: use "
        "ClassCosts, with one cost for each confusion."
    )
