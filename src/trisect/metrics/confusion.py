"""The confusion table of three-way decisions."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import BND, NEG, POS
from trisect.metrics._truth import checked_regions, positive_mask


def three_way_confusion(
    y_true: ArrayLike, regions: ArrayLike, *, pos_label: Any = None
) -> NDArray[np.intp]:
    """Count the accepted, deferred and rejected instances of each true state.

    The layout is that of a cost matrix, so the sum of their elementwise product is the cost.

    Parameters
    ----------
    y_true : array-like of shape (n_instances,)
        True labels of two classes.
    regions : array-like of shape (n_instances,)
        POS (1), BND (0) or NEG (-1) for each instance.
    pos_label : label, optional
        The positive class; by default the larger label.

    Returns
    -------
    ndarray of int of shape (2, 3)
        Rows positive and negative, columns accept, defer and reject.

    Examples
    --------
    >>> from trisect.metrics import three_way_confusion
    >>> three_way_confusion([1, 1, 1, 0, 0], [1, 0, -1, -1, -1])
    array([[1, 1, 1],
           [0, 0, 2]])
    """
    positive = positive_mask(y_true, pos_label)
    regions = checked_regions(regions, len(positive), y_true)
    return np.array(
        [
            [np.count_nonzero(state & (regions == region)) for region in (POS, BND, NEG)]
            for state in (positive, ~positive)
        ]
    )
