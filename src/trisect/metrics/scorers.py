"""Scorers for model selection by the cost of decisions."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.utils.metadata_routing import MetadataRequest

from trisect.decisions import ClassCosts, as_weights
from trisect.estimators.deciding import decide, decide_classes, unwrap
from trisect.estimators.decision_rule import accepted_index, costs_for_classes
from trisect.metrics._truth import positive_mask
from trisect.metrics.cost import three_way_cost
from trisect.metrics.coverage import coverage, decided_accuracy


class ThreeWayScorer:
    """Score the decisions of an estimator, as `scoring` of scikit-learn's searches.

    Parameters
    ----------
    score : {"cost", "total_cost", "coverage", "decided_accuracy"}, default="cost"
        "cost" is the mean cost of an instance, negated so that greater is better;
        "total_cost" adds the test costs of a cascade; "coverage" is the share decided;
        "decided_accuracy" is the share of right decisions among the decided.
    costs : CostMatrix, ClassCosts, array-like of shape (2, 3) or dict, optional
        What decisions cost; by default the costs of the estimator. Costs per instance are
        passed when scoring instead: enable metadata routing, call
        ``scorer.set_score_request(costs=True)``, and pass ``costs`` to the search.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> from trisect import ThreeWayClassifier
    >>> from trisect.metrics import three_way_cost_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = ThreeWayClassifier(
    ...     LogisticRegression(solver="newton-cholesky"), [[0, 1, 10], [5, 1, 0]]
    ... )
    >>> scores = cross_val_score(model, X, y, scoring=three_way_cost_scorer, cv=3)
    >>> bool((scores < 0).all() and (scores > -1).all())
    True
    """

    def __init__(self, score: str = "cost", costs: Any = None) -> None:
        if score not in _SCORES:
            raise ValueError(f"score must be one of {sorted(_SCORES)}, got {score!r}.")
        self.score = score
        self.costs = costs
        self._request = MetadataRequest(owner=self)
        for name in ("costs", "sample_weight"):
            self._request.score.add_request(param=name, alias=None)

    def __call__(
        self, estimator: Any, X: Any, y: Any, costs: Any = None, sample_weight: Any = None
    ) -> float:
        """Return the score of an estimator on data, greater is better."""
        model, X = unwrap(estimator, X)
        used = costs if costs is not None else self.costs
        return _SCORES[self.score](model, X, y, used, sample_weight)

    def set_score_request(self, **requests: Any) -> Self:
        """Request metadata: True for ``costs`` or ``sample_weight``, or an alias."""
        for name, alias in requests.items():
            if name not in ("costs", "sample_weight"):
                raise TypeError(f"A three-way scorer takes costs and sample_weight, not {name!r}.")
            self._request.score.add_request(param=name, alias=alias)
        return self

    def get_metadata_routing(self) -> MetadataRequest:
        """Return the metadata that this scorer requests."""
        return self._request

    def __repr__(self) -> str:
        return f"ThreeWayScorer({self.score!r}, costs={self.costs!r})"


def _cost(model: Any, X: Any, y: Any, costs: Any, sample_weight: Any) -> float:
    used = costs if costs is not None else getattr(model, "costs_", None)
    if used is None:
        raise ValueError(f"Pass costs to the scorer: {type(model).__name__} has none of its own.")
    if isinstance(used, ClassCosts):
        return -three_way_cost(
            y,
            decide_classes(model, X, costs),
            used,
            labels=model.classes_,
            normalize=True,
            sample_weight=sample_weight,
        )
    return -_mean(_charges(model, y, decide(model, X, costs), used), sample_weight)


def _total_cost(model: Any, X: Any, y: Any, costs: Any, sample_weight: Any) -> float:
    if not hasattr(model, "decide_sequentially"):
        raise TypeError(f"{type(model).__name__} has no levels and so no test costs.")
    walk = model.decide_sequentially(X, costs)
    charges = _charges(model, y, walk.regions, model.costs_ if costs is None else costs)
    return -_mean(charges + walk.instance_test_costs, sample_weight)


def _charges(model: Any, y: Any, regions: Any, costs: Any) -> Any:
    """Charge regions of the class that a model accepts under these costs."""
    used: Any = costs_for_classes(costs, model.classes_)
    label = model.classes_[accepted_index(model, used)]
    return used.charge(positive_mask(y, label), regions)


def _mean(charges: Any, sample_weight: Any) -> float:
    return float(np.average(charges, weights=as_weights(sample_weight, len(charges))))


def _coverage(model: Any, X: Any, y: Any, costs: Any, sample_weight: Any) -> float:
    return coverage(decide(model, X, costs), sample_weight=sample_weight)


def _decided_accuracy(model: Any, X: Any, y: Any, costs: Any, sample_weight: Any) -> float:
    return decided_accuracy(y, decide_classes(model, X, costs), sample_weight=sample_weight)


_SCORES: dict[str, Callable[..., float]] = {
    "cost": _cost,
    "total_cost": _total_cost,
    "coverage": _coverage,
    "decided_accuracy": _decided_accuracy,
}

three_way_cost_scorer = ThreeWayScorer("cost")
"""Mean cost of an instance, negated, with the costs of the estimator."""
total_cost_scorer = ThreeWayScorer("total_cost")
"""Mean cost of an instance including the tests of a cascade, negated."""
coverage_scorer = ThreeWayScorer("coverage")
"""Share of instances decided."""
decided_accuracy_scorer = ThreeWayScorer("decided_accuracy")
"""Share of right decisions among the decided."""
