"""What decisions cost, in the user's unit."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from trisect.decisions import ClassCosts, as_costs, as_weights
from trisect.metrics._truth import positive_mask


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
    decisions : array-like of int of shape (n_instances,)
        Regions as ``decide`` returns them: 1 accepts, 0 defers, -1 rejects. With
        `ClassCosts`, indices of the accepted classes as ``decide_classes`` returns
        them, with -1 for deferred instances.
    costs : CostMatrix, InstanceCosts, ClassCosts, array-like or data frame
        Costs, for all instances alike or for each, see `trisect.decisions.as_costs`.
    pos_label : label, optional
        The positive class; by default the larger label.
    labels : array-like of shape (n_classes,), optional
        With `ClassCosts`, the labels in the order of the costs; by default the sorted
        labels of `y_true`.
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
        charges = costs.charge(_class_indices(y_true, labels), decisions)
    else:
        charges = as_costs(costs).charge(positive_mask(y_true, pos_label), decisions)
    weight = as_weights(sample_weight, len(charges))
    total = float(charges @ weight)
    return total / float(weight.sum()) if normalize else total


def _class_indices(y_true: ArrayLike, labels: ArrayLike | None) -> Any:
    truth = np.asarray(y_true)
    known = np.unique(truth) if labels is None else np.asarray(labels)
    order = np.argsort(known)
    place = np.searchsorted(known, truth, sorter=order).clip(max=len(known) - 1)
    index = order[place]
    if not np.array_equal(known[index], truth):
        raise ValueError(f"y_true has labels that are not among {known.tolist()}.")
    return index
