"""What decisions cost, in the user's unit."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from trisect.decisions import DEFERRED, ClassCosts, as_costs, as_weights
from trisect.metrics._truth import checked_regions, positive_mask


def three_way_cost(
    y_true: ArrayLike,
    decisions: ArrayLike,
    costs: Any,
    *,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
    normalize: bool = False,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Add up what the decisions cost.

    Parameters
    ----------
    y_true : array-like of shape (n_instances,)
        True labels.
    decisions : array-like of shape (n_instances,)
        Regions as ``decide`` returns them: 1 accepts, 0 defers, -1 rejects. They are int8;
        labels, such as ``predict`` returns, are refused. With `ClassCosts`, the accepted
        classes as ``decide_classes`` returns them: labels, or None for deferred instances.
    costs : CostMatrix, InstanceCosts, ClassCosts, array-like, dict or data frame
        Costs, for all instances alike or for each, see `trisect.decisions.as_costs`.
    pos_label : label, optional
        The positive class; by default the one that the costs name, or the larger label.
    labels : array-like of shape (n_classes,), optional
        With `ClassCosts` that do not name their classes, the labels in the order of the
        costs; by default the sorted labels of `y_true`.
    normalize : bool, default=False
        Whether to return the mean cost of an instance instead of the sum.
    sample_weight : array-like of shape (n_instances,), optional
        Weights of the instances.

    Examples
    --------
    >>> from trisect.decisions import CostMatrix
    >>> from trisect.metrics import three_way_cost
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    >>> three_way_cost([1, 1, 0, 0], [1, -1, 0, 1], costs)
    16.0
    """
    if isinstance(costs, ClassCosts):
        charges = _class_charges(y_true, decisions, costs, labels)
    else:
        costs = as_costs(costs)
        positive = positive_mask(y_true, pos_label, costs)
        charges = costs.charge(positive, checked_regions(decisions, len(positive), y_true))
    weight = as_weights(sample_weight, len(charges))
    total = float(charges @ weight)
    return total / float(weight.sum()) if normalize else total


def _class_charges(
    y_true: ArrayLike, decisions: ArrayLike, costs: ClassCosts, labels: ArrayLike | None
) -> Any:
    if np.asarray(decisions).dtype == np.int8 != np.asarray(y_true).dtype:
        raise ValueError(
            "These decisions are int8, as decide returns regions. With ClassCosts pass what "
            "decide_classes returns: labels, or None for deferred instances."
        )
    truth, chosen = np.asarray(y_true), np.asarray(decisions, dtype=object)
    if costs.classes is not None:
        labels = costs.classes
    known = np.unique(truth) if labels is None else np.asarray(labels)
    place = {label: index for index, label in enumerate(known.tolist())}
    if costs.n_classes != len(place):
        raise ValueError(
            f"Costs of {costs.n_classes} classes were given for {len(place)} labels: "
            f"{known.tolist()}. Name those that are missing with labels."
        )
    for name, values in (("y_true", truth.tolist()), ("decisions", chosen.tolist())):
        unknown = [value for value in values if value not in place and value is not None]
        if unknown:
            raise ValueError(
                f"{name} holds {unknown[0]!r}, which is not among the labels {known.tolist()}. "
                "Decisions are labels, as decide_classes returns them, or None for deferred."
            )
    taken = [DEFERRED if label is None else place[label] for label in chosen.tolist()]
    return costs.charge([place[label] for label in truth.tolist()], taken)
