"""A cascade of classifiers, from cheap to expensive, each deciding the clear cases."""

from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.utils import get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from trisect._sklearn import (
    BaseComposition,
    StrOptions,
    check_y,
    fit_context,
    num_samples,
    routing_enabled,
    safe_indexing,
)
from trisect.decisions import (
    CostMatrix,
    Walk,
    as_cost_matrix,
    level_costs,
    positive_class,
    resolve_unit_costs,
    threshold_regions,
)
from trisect.estimators.decision_rule import (
    accepted_index,
    accepted_labels,
    class_probabilities,
    positive_index,
)
from trisect.estimators.three_way import ThreeWayClassifier
from trisect.estimators.three_way_mixin import ThreeWayMixin

__all__ = ["SequentialThreeWayClassifier"]


class SequentialThreeWayClassifier(ThreeWayMixin, ClassifierMixin, BaseComposition):
    """Decide each instance with the cheapest classifier that is certain enough.

    Each stage accepts or rejects the clear cases and passes the others on to the next. A
    stage can name the columns that it uses: an instance that is decided early never
    needs the columns of later stages, which may be expensive to measure.

    Parameters
    ----------
    stages : list of (str, estimator) or (str, estimator, columns)
        Name, classifier and, optionally, columns of each stage, from cheap to expensive.
        Columns are names, indices, a slice or a mask.
    costs : CostMatrix, array-like of shape (2, 3), dict, or a sequence of these, default=None
        What decisions cost, see `trisect.decisions.as_costs`: one matrix for all stages, or
        one for each. By default a mistake costs 1 and deferring 0.2.
    unit_test_costs : array-like of shape (n_stages,), default=None
        Cost of testing one instance at each stage; nothing by default.
    unit_delay_costs : array-like of shape (n_stages,), default=None
        Cost of making one instance wait for each stage; nothing by default.
    final : {"defer", "decide"}, default="defer"
        Whether the last stage defers what it is not sure of to a review, as all other
        classifiers of this library do, or decides all remaining instances, with gamma.
    calibration : {"sigmoid", "isotonic", "temperature"} or None, default=None
        How to calibrate the probabilities of each stage.
    cv : int, splitter, iterable or None, default=None
        Folds for calibration.
    pos_label : label, default=None
        The positive class, which it is right to accept; by default the one that the costs
        name, or ``classes_[1]``, with a warning if the classes are texts.

    Attributes
    ----------
    stages_ : list of ThreeWayClassifier
        The fitted stages.
    stage_costs_ : list of CostMatrix
        Costs of each stage.
    costs_ : CostMatrix
        Costs of the last stage, in which the decisions of the whole cascade are scored.
    classes_ : ndarray of shape (2,)
        Class labels.
    pos_label_ : label
        The positive class.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from trisect import CostMatrix, SequentialThreeWayClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = SequentialThreeWayClassifier(
    ...     [("look", GaussianNB(), [0, 1]), ("lab", RandomForestClassifier(random_state=0))],
    ...     CostMatrix.from_review(false_accept=5, false_reject=10, review=1),
    ...     unit_test_costs=[0.1, 2.0],
    ... )
    >>> walk = model.fit(X[:400], y[:400]).decide_sequentially(X[400:])
    >>> int(walk.n_seen[1]) < int(walk.n_seen[0])
    True
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "stages": [list],
        "costs": [CostMatrix, dict, "array-like", None],
        "unit_test_costs": ["array-like", None],
        "unit_delay_costs": ["array-like", None],
        "final": [StrOptions({"defer", "decide"})],
        "calibration": [StrOptions({"sigmoid", "isotonic", "temperature"}), None],
        "cv": ["cv_object"],
        "pos_label": [Real, str, "boolean", None],
    }

    def __init__(
        self,
        stages,
        costs=None,
        *,
        unit_test_costs=None,
        unit_delay_costs=None,
        final="defer",
        calibration=None,
        cv=None,
        pos_label=None,
    ):
        self.stages = stages
        self.costs = costs
        self.unit_test_costs = unit_test_costs
        self.unit_delay_costs = unit_delay_costs
        self.final = final
        self.calibration = calibration
        self.cv = cv
        self.pos_label = pos_label

    @property
    def _named(self) -> list[tuple[str, Any]]:
        try:
            return [(stage[0], stage[1]) for stage in self.stages]
        except (TypeError, IndexError):
            return self.stages

    @_named.setter
    def _named(self, value: list[tuple[str, Any]]) -> None:
        self.stages = [
            (name, estimator, *stage[2:])
            for (name, estimator), stage in zip(value, self.stages, strict=True)
        ]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; if `deep`, with the stages and theirs, by name."""
        return self._get_params("_named", deep=deep)

    def set_params(self, **params: Any) -> Self:
        """Set parameters, those of a stage as ``name__parameter``."""
        self._set_params("_named", **params)
        return self

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Fit every stage on all training instances.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Training instances.
        y : array-like of shape (n_instances,)
            Their classes, two of them.
        **params : dict
            Routed to the stages if metadata routing is enabled; otherwise passed to the
            `fit` of every stage.

        Returns
        -------
        SequentialThreeWayClassifier
            The fitted estimator.
        """
        self._check_stages()
        X = self._checked(X, reset=True)
        X, y = indexable(X, y)
        y = check_y(y, estimator=self)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) != 2:
            kind = "one class" if len(self.classes_) == 1 else f"{len(self.classes_)} classes"
            raise ValueError(
                f"Only binary classification is supported, but y has {kind}: accepting and "
                "rejecting are for two."
            )
        n_stages = len(self.stages)
        self.stage_costs_ = [as_cost_matrix(one) for one in level_costs(self.costs, n_stages)]
        self.costs_ = self.stage_costs_[-1]
        # Without costs, decide says which class is accepted, if nobody has named it.
        default = self.classes_[1] if self.costs is None else None
        self.pos_label_ = positive_class(self.classes_, self.pos_label, self.costs_, default)
        for name in ("unit_test_costs", "unit_delay_costs"):
            units = resolve_unit_costs(getattr(self, name), n_stages, name, np.zeros(n_stages))
            setattr(self, f"{name}_", units)
        routed: dict[str, Any] = {name: params for name, _ in self._named}
        if routing_enabled():
            routing = process_routing(self, "fit", **params)
            routed = {name: routing[name].fit for name, _ in self._named}
        given = [None] * n_stages if self.costs is None else self.stage_costs_
        self.stages_ = [
            clone(self._stage(stage[1]))
            .set_params(costs=given[i], pos_label=self.pos_label_)
            .fit(self._columns(X, i), y, **routed[stage[0]])
            for i, stage in enumerate(self.stages)
        ]
        return self

    def decide_sequentially(self, X: Any, costs: Any = None, *, pos_label: Any = None) -> Walk:
        """Decide stage by stage.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.
        costs : CostMatrix, InstanceCosts, array-like, dict, or a sequence of matrices, optional
            Costs to use instead of those of the estimator; a sequence has one matrix for
            each stage.
        pos_label : label, optional
            The positive class, by default ``pos_label_``.

        Returns
        -------
        Walk
            Regions, levels (the number of the stage that decided each instance, from 1),
            and the test and delay costs, if unit costs were given.
        """
        return self._walk(X, costs, pos_label)[0]

    def decide(self, X: Any, costs: Any = None, *, pos_label: Any = None) -> NDArray[np.int8]:
        """Accept, defer or reject each instance.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.
        costs : CostMatrix, InstanceCosts, array-like, dict, or a sequence of matrices, optional
            Costs to use instead of those of the estimator; a sequence has one matrix for
            each stage.
        pos_label : label, optional
            The positive class, by default ``pos_label_``.

        Returns
        -------
        ndarray of int8
            1 accepts, 0 defers, -1 rejects; with ``final="decide"`` nothing is deferred.
        """
        return self._walk(X, costs, pos_label)[0].regions

    def decide_classes(self, X: Any, costs: Any = None, *, pos_label: Any = None) -> NDArray[Any]:
        """Accept a class for each instance, or defer.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.
        costs : CostMatrix, InstanceCosts, array-like, dict, or a sequence of matrices, optional
            Costs to use instead of those of the estimator, as in `decide`.
        pos_label : label, optional
            The positive class, by default ``pos_label_``.

        Returns
        -------
        ndarray of object of shape (n_instances,)
            The label of the accepted class, or None where the instance is deferred.
        """
        regions = self.decide(X, costs, pos_label=pos_label)
        positive = accepted_index(self, self._chain(costs)[-1], pos_label)
        return accepted_labels(regions, self.classes_, positive)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict class probabilities, by the last stage that each instance reached.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.

        Returns
        -------
        ndarray of shape (n_instances, 2)
        """
        return self._walk(X, quiet=True)[1]

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the more probable class, by the last stage that each instance reached.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.

        Returns
        -------
        ndarray of shape (n_instances,)
        """
        most_probable = self._walk(X, quiet=True)[1].argmax(axis=1)
        return self.classes_[most_probable]

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata that this estimator passes on."""
        router = MetadataRouter(owner=self)
        for name, estimator in self._named:
            mapping = MethodMapping().add(caller="fit", callee="fit")
            router.add(**{name: self._stage(estimator)}, method_mapping=mapping)
        return router

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = [get_tags(estimator).input_tags for _, estimator in self._named]
        tags.input_tags.sparse = all(tag.sparse for tag in inner)
        tags.input_tags.allow_nan = self._allows_nan()
        tags.classifier_tags.multi_class = False
        return tags

    def _stage(self, estimator: Any) -> ThreeWayClassifier:
        return ThreeWayClassifier(estimator, calibration=self.calibration, cv=self.cv)

    def _checked(self, X: Any, reset: bool) -> Any:
        """Check the shape, and the values unless the stages do.

        Columns of later stages may be NaN where they were never measured.
        """
        if hasattr(X, "columns"):
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X
        return validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype=None,
            ensure_all_finite=not self._allows_nan(),
        )

    def _allows_nan(self) -> bool:
        return all(
            len(stage) == 3 or get_tags(stage[1]).input_tags.allow_nan for stage in self.stages
        )

    def _columns(self, X: Any, stage: int) -> Any:
        named = self.stages[stage][2:]
        return safe_indexing(X, named[0], axis=1) if named and named[0] is not None else X

    def _chain(self, costs: Any) -> list[Any]:
        """Return the costs of each stage."""
        return self.stage_costs_ if costs is None else level_costs(costs, len(self.stages_))

    def _walk(
        self, X: Any, costs: Any = None, pos_label: Any = None, *, quiet: bool = False
    ) -> tuple[Walk, NDArray[np.float64]]:
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        n, chain = num_samples(X), self._chain(costs)
        positive = positive_index(self) if quiet else accepted_index(self, chain[-1], pos_label)
        regions, levels = np.zeros(n, dtype=np.int8), np.zeros(n, dtype=np.intp)
        probabilities = np.zeros((n, 2))
        waiting = np.arange(n)
        last = len(self.stages_) - 1
        for i, (stage, matrix) in enumerate(zip(self.stages_, chain, strict=True)):
            if not len(waiting):
                break
            matrix.check_length(n)
            part = X if len(waiting) == n else safe_indexing(X, waiting)
            found = class_probabilities(stage, self._columns(part, i))
            probabilities[waiting] = found
            p, own = found[:, positive], matrix.take(waiting)
            decide_all = i == last and self.final == "decide"
            here = threshold_regions(p, own.gamma, own.gamma) if decide_all else own.decide(p)
            decided = waiting[here != 0]
            regions[waiting] = here
            levels[decided] = i + 1
            waiting = waiting[here == 0]
        walk = Walk(
            regions=regions,
            levels=levels,
            probabilities=probabilities[:, positive],
            unit_test_costs=self.unit_test_costs_,
            unit_delay_costs=self.unit_delay_costs_,
            n_hidden=np.zeros(len(self.stages_), dtype=np.intp),
        )
        return walk, probabilities

    def _check_stages(self) -> None:
        if not self.stages:
            raise ValueError("stages is empty: give at least one (name, estimator).")
        for stage in self.stages:
            if not isinstance(stage, tuple) or len(stage) not in (2, 3):
                raise ValueError(
                    f"Each stage is (name, estimator) or (name, estimator, columns), got {stage!r}."
                )
        self._validate_names([name for name, _ in self._named])
