"""Three-way decisions for any classifier."""

from itertools import islice
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import ShuffleSplit, check_cv
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
    LearnedThresholds,
    as_cost_matrix,
    as_costs,
    default_costs,
    learn_thresholds,
    positive_class,
)
from trisect.estimators.decision_rule import (
    class_probabilities,
    positive_index,
    refuse_pos_label,
)
from trisect.estimators.three_way_mixin import ThreeWayMixin

__all__ = ["ThreeWayClassifier"]


class ThreeWayClassifier(ThreeWayMixin, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Accept, defer or reject with any classifier, at the least expected cost.

    `predict` and `predict_proba` are those of the classifier; `decide` adds three-way
    decisions. These rely on the probabilities: if the probabilities are unreliable,
    calibrate them, or let the thresholds be learned. The classifier may be a pipeline.

    Parameters
    ----------
    estimator : estimator
        A classifier with `predict_proba`, or with `decision_function` and calibration.
    costs : CostMatrix, array-like of shape (2, 3), dict or ClassCosts, default=None
        What decisions cost, in any unit, see `trisect.decisions.as_costs`; use `ClassCosts`
        for more than two classes. By default a mistake costs 1 and deferring 0.2; costs of the
        classifier inside are not used, so that it is an error if only these are given.
    calibration : {"sigmoid", "isotonic", "temperature"} or None, default=None
        How to calibrate the probabilities, by `sklearn.calibration.CalibratedClassifierCV`.
    cv : int, splitter, iterable or None, default=None
        Folds for calibration and for learned thresholds; None means five. With
        `confidence`, only one split is made: a fifth of the rows (or one in `cv`, drawn at
        random, or the first split of a splitter) is kept from the classifier, and the
        promise rests on it.
    thresholds : {"auto", "closed_form", "learned"}, default="auto"
        Whether to compute the thresholds from the costs, or to learn the pair with the
        least cost on predictions for held-out folds. "auto" learns them if there is a cap
        to keep, and computes them otherwise.
    max_deferred : float, default=None
        Cap on the share deferred, for learned thresholds.
    max_error : float or dict, default=None
        Cap on the share of mistakes among the decided, for learned thresholds, or a dict
        with caps among the "decided", "accepted" and "rejected".
    max_cost : float, default=None
        Cap on the mean cost of an instance, for learned thresholds.
    confidence : float, default=None
        With this confidence the caps hold on new data, see
        `trisect.decisions.learn_thresholds`. By default they hold on the held-out folds
        alone, and may be exceeded on new data. A classifier that is fitted already, in a
        `sklearn.frozen.FrozenEstimator`, leaves all rows given to `fit` to the promise.
    shrinkage : float, default=3.0
        How much learned thresholds rely on the probabilities beside the measured cost, see
        `trisect.decisions.learn_thresholds`. With 0 only their order matters, which suits
        scores that are not probabilities. For the networks of this library, 3 was the
        cheapest of 0, 0.3, 1 and 3 in development, on a par with the closed form.
    pos_label : label, default=None
        The positive class, which it is right to accept; by default the one that the costs
        name, the ``pos_label`` of the classifier inside, or ``classes_[1]``, with a warning
        if the classes are texts.

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
        "costs": [CostMatrix, ClassCosts, dict, "array-like", None],
        "calibration": [StrOptions({"sigmoid", "isotonic", "temperature"}), None],
        "cv": ["cv_object"],
        "thresholds": [StrOptions({"auto", "closed_form", "learned"})],
        "max_deferred": [Interval(Real, 0, 1, closed="both"), None],
        "max_error": [Interval(Real, 0, 1, closed="both"), dict, None],
        "max_cost": [Interval(Real, None, None, closed="neither"), None],
        "confidence": [Interval(Real, 0, 1, closed="neither"), None],
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
        thresholds="auto",
        max_deferred=None,
        max_error=None,
        max_cost=None,
        confidence=None,
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
        self.max_cost = max_cost
        self.confidence = confidence
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
        costs : InstanceCosts, array-like of shape (n_instances, 2, 3), dict or frame, optional
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
        learns = self._learns()
        if costs is not None and not learns:
            raise ValueError(
                "Costs given to fit are for learning thresholds, which are computed from the costs "
                "of the estimator here: set thresholds='learned', or give them to decide."
            )
        own = self._costs(classes)
        measured = own if costs is None else as_costs(costs, len(y))
        positive = None
        if len(classes) > 2:
            refuse_pos_label(self.pos_label, len(classes))
        else:
            default = getattr(_classifier_of(self.estimator), "pos_label", None)
            if default is None and self.costs is None and not learns:
                # Without costs, decide says which class is accepted, if nobody has named it.
                default = classes[1]
            positive = positive_class(classes, self.pos_label, measured, default)
        if isinstance(own, ClassCosts) and positive is not None:
            own = own.of_two(classes.tolist().index(positive))
            measured = own if costs is None else measured
        if routing_enabled():
            params = process_routing(self, "fit", **params).estimator.fit
        model, thresholds, fitted = self._model(), None, None
        if learns:
            thresholds, fitted = self._learned(model, X, y, positive, measured, params)
        if fitted is None:
            fitted = clone(model).fit(X, y, **params)
        self.costs_, self.thresholds_, self.estimator_ = own, thresholds, fitted
        self.classes_ = fitted.classes_
        if positive is not None:
            self.pos_label_ = positive
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
        caps = (self.max_deferred, self.max_error, self.max_cost)
        learns = self.thresholds == "learned" or any(cap is not None for cap in caps)
        if two_class_costs or learns:
            tags.classifier_tags.multi_class = False
        return tags

    def _learns(self) -> bool:
        """Whether thresholds are learned; raise if caps would be ignored."""
        caps = ("max_deferred", "max_error", "max_cost")
        given = [name for name in caps if getattr(self, name) is not None]
        if self.confidence is not None and not given:
            raise ValueError(f"confidence needs something to promise: one of {', '.join(caps)}.")
        if self.thresholds == "closed_form" and given:
            raise ValueError(
                f"{given[0]}={getattr(self, given[0])!r} needs learned thresholds, but "
                "thresholds='closed_form' computes them from the costs alone."
            )
        return self.thresholds == "learned" or bool(given)

    def _costs(self, classes: NDArray[Any]) -> CostMatrix | ClassCosts:
        n_classes = len(classes)
        if n_classes > 2 and self._learns():
            raise ValueError(
                "Only binary classification is supported with learned thresholds, but y has "
                f"{n_classes} classes."
            )
        if self.costs is None:
            inside = _classifier_of(self.estimator)
            if getattr(inside, "costs", None) is not None:
                raise ValueError(
                    f"{type(inside).__name__} has costs of its own, but what wraps it has none and "
                    "would decide with the default costs: give it the costs too."
                )
            return default_costs(n_classes)
        if isinstance(self.costs, ClassCosts):
            return self.costs.for_classes(classes)
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
        self, model: Any, X: Any, y: NDArray[Any], positive: Any, costs: Any, params: Any
    ) -> tuple[LearnedThresholds, Any]:
        """Learn thresholds on rows that the classifier, or its like, was not fitted on.

        A promise is about the one classifier that it was tested with, which is returned
        with the thresholds.
        """
        p = np.full(len(y), np.nan)
        for train, test in self._splits(X, y):
            part = model
            if train is not None:
                own = check_method_params(X, params=params, indices=train)
                part = clone(model).fit(safe_indexing(X, train), y[train], **own)
            index = positive_index(part, positive)
            p[test] = class_probabilities(part, safe_indexing(X, test))[:, index]
        held_out = np.flatnonzero(~np.isnan(p))
        weight = params.get("sample_weight")
        thresholds = learn_thresholds(
            p[held_out],
            y[held_out] == positive,
            costs.take(held_out),
            max_deferred=self.max_deferred,
            max_error=self.max_error,
            max_cost=self.max_cost,
            confidence=self.confidence,
            shrinkage=self.shrinkage,
            sample_weight=None if weight is None else np.asarray(weight)[held_out],
        )
        return thresholds, part if self.confidence is not None else None

    def _splits(self, X: Any, y: NDArray[Any]) -> Any:
        """Return rows to fit on and rows to learn from: folds, or one split for a promise."""
        if self.confidence is None:
            return check_cv(self.cv, y, classifier=True).split(X, y)
        if isinstance(self.estimator, FrozenEstimator) and self.calibration is None:
            return [(None, np.arange(len(y)))]
        if self.cv is None or isinstance(self.cv, Integral):
            # Drawn at random and not by class, because the proof wants independent rows.
            share = 1 / (5 if self.cv is None else self.cv)
            return ShuffleSplit(1, test_size=share, random_state=0).split(X, y)
        return islice(check_cv(self.cv, y, classifier=True).split(X, y), 1)


def _classifier_of(estimator: Any) -> Any:
    """Return the classifier at the end of a pipeline, or the estimator itself."""
    while hasattr(estimator, "steps"):
        estimator = estimator.steps[-1][1]
    return estimator
