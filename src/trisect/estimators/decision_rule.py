"""What a fitted classifier decides with: costs, the positive class, and learned thresholds."""

from typing import Any, NamedTuple

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
    threshold_regions,
)

__all__ = [
    "DecisionRule",
    "accepted_index",
    "accepted_labels",
    "class_probabilities",
    "costs_for_classes",
    "decision_rule",
    "positive_index",
    "refuse_pos_label",
]

# Probabilities may leave [0, 1] by rounding, but not by more than this.
_ROUNDING = 1e-6


class DecisionRule(NamedTuple):
    """How the probabilities of a classifier become decisions.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        Labels, in the order of the probabilities.
    costs : CostMatrix, InstanceCosts or ClassCosts
        For two classes one of the first two; else the last, in the order of the classes.
    positive : int or None
        Index of the class to accept; None with more than two classes.
    learned : LearnedThresholds, another object with alpha and beta, or None
        Thresholds to use instead of those that follow from the costs.
    """

    classes: NDArray[Any]
    costs: CostMatrix | InstanceCosts | ClassCosts
    positive: int | None
    learned: Any

    @property
    def pos_label(self) -> Any:
        """The class to accept; None with more than two classes."""
        return None if self.positive is None else self.classes[self.positive]

    @property
    def thresholds(self) -> tuple[Any, Any] | None:
        """Alpha and beta; None with more than two classes."""
        if isinstance(self.costs, ClassCosts):
            return None
        if self.learned is not None:
            return self.learned.alpha, self.learned.beta
        return self.costs.thresholds

    def scores(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what costs are compared with: p of the positive class, or of all classes."""
        return probabilities if self.positive is None else probabilities[:, self.positive]

    def regions(self, probabilities: NDArray[np.float64]) -> NDArray[np.int8]:
        """Accept (1), defer (0) or reject (-1); of more than two classes none is rejected."""
        scores = self.scores(probabilities)
        if isinstance(self.costs, ClassCosts):
            return (self.costs.decide(scores) != DEFERRED).astype(np.int8)
        if self.learned is not None:
            return threshold_regions(scores, self.learned.alpha, self.learned.beta)
        return self.costs.decide(scores)

    def labels(self, probabilities: NDArray[np.float64]) -> NDArray[Any]:
        """Return the accepted classes, and None for what is deferred."""
        if isinstance(self.costs, ClassCosts):
            return _with_none(self.classes)[self.costs.decide(probabilities)]
        assert self.positive is not None
        return accepted_labels(self.regions(probabilities), self.classes, self.positive)


def decision_rule(model: Any, costs: Any = None, pos_label: Any = None) -> DecisionRule:
    """Find out what a fitted classifier decides with.

    Parameters
    ----------
    model : estimator
        Fitted classifier with ``classes_``.
    costs : CostMatrix, InstanceCosts, ClassCosts, array-like, dict or frame, optional
        Costs to use instead of its own (``costs_``) and of thresholds that it has learned
        (``thresholds_``).
    pos_label : label, optional
        The positive class. By default it is the one that the costs name, else that of the
        model (``pos_label_``), else the last class, with a warning if classes are texts.
    """
    if hasattr(model, "fit"):
        check_is_fitted(model)
    if costs is None and not hasattr(model, "costs_"):
        raise ValueError(f"{type(model).__name__} has no costs of its own: pass some.")
    classes = model.classes_
    used = costs_for_classes(model.costs_ if costs is None else costs, classes)
    if isinstance(used, ClassCosts) and len(classes) > 2:
        refuse_pos_label(pos_label, len(classes))
        return DecisionRule(classes, used, None, None)
    learned = getattr(model, "thresholds_", None) if costs is None else None
    positive = accepted_index(model, used, pos_label)
    if learned is not None and positive != positive_index(model):
        raise ValueError("Learned thresholds hold only for the pos_label they were learned for.")
    if isinstance(used, ClassCosts):
        used = used.of_two(positive)
    return DecisionRule(classes, used, positive, learned)


def accepted_index(model: Any, costs: Any = None, pos_label: Any = None) -> int:
    """Return the index of the class to accept: as asked for, as in the costs, as fitted.

    That of the fit counts if the model was told it, or has said it: with costs or a positive
    class of its own, or with learned thresholds. Otherwise it is a guess, the last class, with
    a warning if the classes are texts.
    """
    fitted = getattr(model, "pos_label_", None)
    told = (
        not hasattr(model, "costs")
        or fitted == model.classes_[0]
        or any(
            getattr(part, name, None) is not None
            for part in (model, getattr(model, "estimator_", None))
            for name in ("costs", "pos_label", "thresholds_")
        )
    )
    default = fitted if told else None
    return positive_index(model, positive_class(model.classes_, pos_label, costs, default))


def refuse_pos_label(pos_label: Any, n_classes: int) -> None:
    """Raise if a positive class is named, though there are more than two."""
    if pos_label is not None:
        raise ValueError(f"pos_label={pos_label!r} is for two classes, but there are {n_classes}.")


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
        raise ValueError(
            f"Costs of accepting and rejecting are for two classes, but there are {len(classes)}: "
            "use ClassCosts, with one cost for each confusion."
        )
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
        raise ValueError(
            f"To accept and to reject takes two classes, but there are {len(model.classes_)}. With "
            "more, decide and decide_classes accept one of them or defer, by ClassCosts."
        )
    if pos_label is None:
        pos_label = getattr(model, "pos_label_", model.classes_[1])
    found = np.flatnonzero(model.classes_ == pos_label)
    if not len(found):
        raise ValueError(f"pos_label={pos_label!r} is not one of {model.classes_.tolist()}.")
    return int(found[0])


def accepted_labels(
    regions: NDArray[np.int8], classes: NDArray[Any], positive: int
) -> NDArray[Any]:
    """Return the labels of the classes that regions of two classes accept, or None."""
    chosen = np.where(regions == POS, positive, 1 - positive)
    chosen[regions == BND] = DEFERRED
    return _with_none(classes)[chosen]


def _with_none(classes: ArrayLike) -> NDArray[Any]:
    """Return the labels, with None in the place of an index that means deferred."""
    return np.append(np.asarray(classes).astype(object), [None])
