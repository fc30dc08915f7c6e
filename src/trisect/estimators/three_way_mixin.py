"""Three-way decisions for classifiers with probabilities."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.estimators.decision_rule import class_probabilities, decision_rule

__all__ = ["ThreeWayMixin"]


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
            The positive one of two classes, which it is right to accept.

        Returns
        -------
        ndarray of int8
            1 accepts, 0 defers, -1 rejects. With more than two classes 1 accepts the
            class that `decide_classes` returns, and nothing is rejected.
        """
        rule = decision_rule(self, costs, pos_label)
        return rule.regions(class_probabilities(self, X))

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
            The positive one of two classes. To reject it is to accept the other one.

        Returns
        -------
        ndarray of object of shape (n_instances,)
            The label of the accepted class, or None where the instance is deferred.
        """
        rule = decision_rule(self, costs, pos_label)
        return rule.labels(class_probabilities(self, X))
