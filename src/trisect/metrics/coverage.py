"""The share of instances that is decided, and how much of it is right."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from trisect.decisions import POS, as_weights
from trisect.metrics._truth import (
    accepted_classes,
    checked_regions,
    is_deferred,
    positive_mask,
)


def coverage(decisions: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Compute the share of instances that are decided, that is, accepted or rejected.

    Parameters
    ----------
    decisions : array-like of shape (n_instances,)
        Regions as ``decide`` returns them, POS (1), BND (0) or NEG (-1), or what
        ``decide_classes`` returns: classes, and None for deferred instances.
    sample_weight : array-like of shape (n_instances,), optional
        Weights of the instances.

    Examples
    --------
    >>> from trisect.metrics import coverage
    >>> coverage([1, 0, -1, -1])
    0.75
    """
    decided = ~is_deferred(decisions)
    return float(np.average(decided, weights=as_weights(sample_weight, len(decided))))


def deferral_rate(decisions: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Compute the share of instances that are deferred.

    Parameters
    ----------
    decisions : array-like of shape (n_instances,)
        Regions as ``decide`` returns them, POS (1), BND (0) or NEG (-1), or what
        ``decide_classes`` returns: classes, and None for deferred instances.
    sample_weight : array-like of shape (n_instances,), optional
        Weights of the instances.

    Examples
    --------
    >>> from trisect.metrics import deferral_rate
    >>> deferral_rate([1, 0, -1, -1])
    0.25
    """
    return 1.0 - coverage(decisions, sample_weight=sample_weight)


def decided_accuracy(
    y_true: ArrayLike,
    decisions: ArrayLike,
    *,
    y_pred: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the share of right decisions among the decided instances.

    Parameters
    ----------
    y_true : array-like of shape (n_instances,)
        True labels.
    decisions : array-like of shape (n_instances,)
        Regions as ``decide`` returns them, POS (1), BND (0) or NEG (-1), or what
        ``decide_classes`` returns: classes, and None for deferred instances.
    y_pred : array-like of shape (n_instances,), optional
        Predicted labels, if there are more than two classes and `decisions` are regions. By
        default accepted means positive and rejected means negative.
    pos_label : label, optional
        The positive class; by default the larger label.
    sample_weight : array-like of shape (n_instances,), optional
        Weights of the instances.

    Returns
    -------
    float
        NaN if nothing is decided.

    Examples
    --------
    >>> from trisect.metrics import decided_accuracy
    >>> decided_accuracy([1, 1, 0, 0], [1, 0, -1, 1])
    0.6666666666666666
    """
    truth, classes = np.asarray(y_true), accepted_classes(decisions)
    labels = classes if y_pred is None else np.asarray(y_pred)
    if labels is None:
        regions = checked_regions(decisions, len(truth), y_true)
        right = (regions == POS) == positive_mask(truth, pos_label)
    elif labels.shape != truth.shape or len(np.asarray(decisions)) != len(truth):
        raise ValueError(f"{truth.size} true and {labels.size} predicted labels were given.")
    else:
        right = labels == truth
    weight = as_weights(sample_weight, len(truth)) * ~is_deferred(decisions)
    return float(np.average(right, weights=weight)) if weight.any() else float("nan")


def decided_error(
    y_true: ArrayLike,
    decisions: ArrayLike,
    *,
    y_pred: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the share of mistakes among the decided instances.

    Parameters
    ----------
    y_true, decisions, y_pred, pos_label, sample_weight
        As for `decided_accuracy`, of which this is the rest.

    Returns
    -------
    float
        NaN if nothing is decided.

    Examples
    --------
    >>> from trisect.metrics import decided_error
    >>> decided_error([1, 1, 0, 0], [1, 0, -1, 1])
    0.33333333333333337
    """
    return 1.0 - decided_accuracy(
        y_true, decisions, y_pred=y_pred, pos_label=pos_label, sample_weight=sample_weight
    )
