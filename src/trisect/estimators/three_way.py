"""Three-way decisions for any classifier."""

from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import check_cv
from sklearn.utils import get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from trisect._sklearn import (
    HasMethods,
    Interval,
    StrOptions,
    check_method_params,
    check_y,
    fit_context,
    routing_enabled,
    safe_indexing,
)
from trisect.decisions import (
    ClassCosts,
    CostMatrix,
    as_cost_matrix,
    as_costs,
    default_costs,
    learn_thresholds,
)
from trisect.estimators.three_way_mixin import (
    ThreeWayMixin,
    positive_index,
    positive_probabilities,
)

__all__ = ["ThreeWayClassifier"]


class ThreeWayClassifier(ThreeWayMixin, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Accept, defer or reject with any classifier, at the least expected cost.

    `predict` and `predict_proba` are those of the classifier; `decide` adds three-way
    decisions. These rely on the probabilities: if the probabilities are unreliable,
    calibrate them, or let the thresholds be learned.

    Parameters
    ----------
    estimator : estimator
        A classifier with `predict_proba`, or with `decision_function` and calibration.
    costs : CostMatrix, array-like of shape (2, 3) or ClassCosts, default=None
        What decisions cost, in any unit. For two classes an array is
        ``[[PP, BP, NP], [PN, BN, NN]]``; use `ClassCosts` for more. By default a mistake
        costs 1 and deferring 0.2.
    calibration : {"sigmoid", "isotonic", "temperature"} or None, default=None
        How to calibrate the probabilities, by `sklearn.calibration.CalibratedClassifierCV`.
    cv : int, splitter, iterable or None, default=None
        Folds for calibration and for learned thresholds; None means five.
    thresholds : {"closed_form", "learned"}, default="closed_form"
        Whether to compute the thresholds from the costs, or to learn the pair with the
        least cost on predictions for held-out folds.
    max_deferred : float, default=None
        Cap on the share deferred, for learned thresholds.
    max_error : float, default=None
        Cap on the share of mistakes among the decided, for learned thresholds.
    shrinkage : float, default=3.0
        How much learned thresholds rely on the probabilities beside the measured cost, see
        `trisect.decisions.learn_thresholds`. With 0 only their order matters, which suits
        scores that are not probabilities. For the networks of this library, 3 was the
        cheapest of 0, 0.3, 1 and 3 in development, on a par with the closed form.
    pos_label : label, default=None
        The positive class, which it is right to accept; by default ``classes_[1]``.

    Attributes
    ----------
    estimator_ : estimator
        The fitted classifier, calibrated on request.
    costs_ : CostMatrix or ClassCosts
        The costs in use.
    thresholds_ : LearnedThresholds or None
        The learned pair with its measured cost.
    pos_label_ : label
        The positive class, with two classes.
    classes_ : ndarray of shape (n_classes,)
        Class labels.

    See Also
    --------
    SequentialThreeWayClassifier : A cascade from cheap to expensive classifiers.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from trisect import CostMatrix, ThreeWayClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    >>> model = ThreeWayClassifier(LogisticRegression(solver="newton-cholesky"), costs)
    >>> regions = model.fit(X[:400], y[:400]).decide(X[400:])
    >>> sorted(set(regions.tolist()))
    [-1, 0, 1]
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "estimator": [
            HasMethods(["fit", "predict_proba"]),
            HasMethods(["fit", "decision_function"]),
        ],
        "costs": [CostMatrix, ClassCosts, "array-like", None],
        "calibration": [StrOptions({"sigmoid", "isotonic", "temperature"}), None],
        "cv": ["cv_object"],
        "thresholds": [StrOptions({"closed_form", "learned"})],
        "max_deferred": [Interval(Real, 0, 1, closed="both"), None],
        "max_error": [Interval(Real, 0, 1, closed="both"), None],
        "shrinkage": [Interval(Real, 0, None, closed="left")],
        "pos_label": [Real, str, "boolean", None],
    }

    def __init__(
        self,
        estimator,
        costs=None,
        *,
        calibration=None,
        cv=None,
        thresholds="closed_form",
        max_deferred=None,
        max_error=None,
        shrinkage=3.0,
        pos_label=None,
    ):
        self.estimator = estimator
        self.costs = costs
        self.calibration = calibration
        self.cv = cv
        self.thresholds = thresholds
        self.max_deferred = max_deferred
        self.max_error = max_error
        self.shrinkage = shrinkage
        self.pos_label = pos_label

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any, costs: Any = None, **params: Any) -> Self:
        """Fit the classifier, and calibrate it and learn thresholds on request.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Training instances.
        y : array-like of shape (n_instances,)
            Their classes.
        costs : array-like of shape (n_instances, 2, 3) or data frame, optional
            Costs per instance, with which to learn the thresholds.
        **params : dict
            Passed to the `fit` of the classifier, or routed there.

        Returns
        -------
        ThreeWayClassifier
            The fitted estimator.
        """
        X, y = indexable(X, y)
        y = check_y(y, estimator=self)
        check_classification_targets(y)
        classes = np.unique(y)
        if len(classes) < 2:
            raise ValueError(
                "ThreeWayClassifier needs instances of at least two classes, but y holds only "
                f"one class: {classes.tolist()}."
            )
        self.costs_ = self._costs(len(classes))
        if routing_enabled():
            params = process_routing(self, "fit", **params).estimator.fit
        model = self._model()
        self.thresholds_ = None
        if self.thresholds == "learned":
            self.thresholds_ = self._learned(model, X, y, classes, costs, params)
        elif costs is not None:
            as_costs(costs, len(y))
        self.estimator_ = clone(model).fit(X, y, **params)
        self.classes_ = self.estimator_.classes_
        if len(self.classes_) == 2:
            self.pos_label_ = self.classes_[1] if self.pos_label is None else self.pos_label
            positive_index(self)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict class labels, as the classifier does.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.

        Returns
        -------
        ndarray of shape (n_instances,)
        """
        check_is_fitted(self)
        return self.estimator_.predict(X)

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Predict class probabilities, calibrated on request.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.

        Returns
        -------
        ndarray of shape (n_instances, n_classes)
        """
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata that this estimator requests and passes on."""
        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(
                estimator=self._model(),
                method_mapping=MethodMapping().add(caller="fit", callee="fit"),
            )
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        if inner.classifier_tags is not None:
            tags.classifier_tags.multi_class = inner.classifier_tags.multi_class
        two_class_costs = self.costs is not None and not isinstance(self.costs, ClassCosts)
        if two_class_costs or self.thresholds == "learned":
            tags.classifier_tags.multi_class = False
        return tags

    def _costs(self, n_classes: int) -> CostMatrix | ClassCosts:
        if self.costs is None:
            return default_costs(n_classes)
        if isinstance(self.costs, ClassCosts):
            if self.costs.n_classes != n_classes:
                raise ValueError(
                    f"costs are for {self.costs.n_classes} classes, but y has {n_classes} classes."
                )
            if self.thresholds == "learned":
                raise ValueError("Learned thresholds need a CostMatrix, not ClassCosts.")
            return self.costs
        if n_classes > 2:
            raise ValueError(
                "Only binary classification is supported with costs of accepting and "
                f"rejecting, but y has {n_classes} classes: use ClassCosts."
            )
        return as_cost_matrix(self.costs)

    def _model(self) -> Any:
        if self.calibration is not None:
            model = CalibratedClassifierCV(self.estimator, method=self.calibration, cv=self.cv)
            return model.set_fit_request(sample_weight=True) if routing_enabled() else model
        if not hasattr(self.estimator, "predict_proba"):
            raise ValueError(
                f"{type(self.estimator).__name__} has a decision function but no probabilities: "
                "set calibration='sigmoid', 'isotonic' or 'temperature'."
            )
        return self.estimator

    def _learned(
        self, model: Any, X: Any, y: NDArray[Any], classes: NDArray[Any], costs: Any, params: Any
    ) -> Any:
        if len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported with learned thresholds, but y has "
                f"{len(classes)} classes."
            )
        positive = classes[1] if self.pos_label is None else self.pos_label
        p = np.full(len(y), np.nan)
        for train, test in check_cv(self.cv, y, classifier=True).split(X, y):
            part = clone(model).fit(
                safe_indexing(X, train),
                y[train],
                **check_method_params(X, params=params, indices=train),
            )
            p[test] = positive_probabilities(part, safe_indexing(X, test), positive)
        held_out = np.flatnonzero(~np.isnan(p))
        measured = as_costs(self.costs_ if costs is None else costs, len(y))
        weight = params.get("sample_weight")
        return learn_thresholds(
            p[held_out],
            y[held_out] == positive,
            measured.take(held_out),
            max_deferred=self.max_deferred,
            max_error=self.max_error,
            shrinkage=self.shrinkage,
            sample_weight=None if weight is None else np.asarray(weight)[held_out],
        )
