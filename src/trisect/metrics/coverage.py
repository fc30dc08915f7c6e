"""The share of instances that is decided, and how much of it is right."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from trisect.decisions import BND, POS, as_weights
from trisect.metrics._truth import checked_regions, positive_mask


def coverage(regions: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Compute the share of instances that are decided, that is, accepted or rejected.

    Parameters
    ----------
    regions : array-like of shape (n_instances,)
        POS (1), BND (0) or NEG (-1) for each instance.
    sample_weight : array-like of shape (n_instances,), optional
        Weights of the instances.

    Examples
    --------
    >>> from trisect.metrics import coverage
    >>> coverage([1, 0, -1, -1])
    0.75
    """
    decided = checked_regions(regions) != BND
    return float(np.average(decided, weights=as_weights(sample_weight, len(decided))))


def deferral_rate(regions: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Compute the share of instances that are deferred.

    Parameters
    ----------
    regions : array-like of shape (n_instances,)
        POS (1), BND (0) or NEG (-1) for each instance.
    sample_weight : array-like of shape (n_instances,), optional
        Weights of the instances.

    Examples
    --------
    >>> from trisect.metrics import deferral_rate
    >>> deferral_rate([1, 0, -1, -1])
    0.25
    """
    return 1.0 - coverage(regions, sample_weight=sample_weight)


def decided_accuracy(
    y_true: ArrayLike,
    regions: ArrayLike,
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
    regions : array-like of shape (n_instances,)
        POS (1), BND (0) or NEG (-1) for each instance.
    y_pred : array-like of shape (n_instances,), optional
        Predicted labels, for more than two classes. By default accepted means positive
        and rejected means negative.
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
    truth = np.asarray(y_true)
    regions = checked_regions(regions, len(truth), y_true if y_pred is None else None)
    if y_pred is None:
        right = (regions == POS) == positive_mask(truth, pos_label)
    else:
        labels = np.asarray(y_pred)
        if labels.shape != truth.shape:
            raise ValueError(f"{truth.size} true and {labels.size} predicted labels were given.")
        right = labels == truth
    weight = as_weights(sample_weight, len(truth)) * (regions != BND)
    return float(np.average(right, weights=weight)) if weight.any() else float("nan")


def decided_error(
    y_true: ArrayLike,
    regions: ArrayLike,
    *,
    y_pred: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the share of mistakes among the decided instances.

    Parameters
    ----------
    y_true, regions, y_pred, pos_label, sample_weight
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
        y_true, regions, y_pred=y_pred, pos_label=pos_label, sample_weight=sample_weight
    )
