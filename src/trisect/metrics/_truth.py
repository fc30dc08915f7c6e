"""What metrics ask of labels and regions."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import as_regions


def positive_mask(y_true: ArrayLike, pos_label: Any = None) -> NDArray[np.bool_]:
    """Return a mask of the positive instances, in labels of at most two classes.

    The positive class is 1 by default if the labels are among 0 and 1, or -1 and 1, and
    otherwise the larger of two labels, like ``classes_[1]``.
    """
    labels = np.asarray(y_true)
    if labels.ndim != 1 or not len(labels):
        raise ValueError(f"y_true must be a non-empty list of labels, got shape {labels.shape}.")
    classes = np.unique(labels)
    if len(classes) > 2:
        raise ValueError(f"y_true has {len(classes)} classes; three-way regions are for two.")
    if pos_label is not None:
        return np.asarray(labels == pos_label, dtype=bool)
    if labels.dtype.kind in "biuf" and any(set(classes.tolist()) <= {low, 1} for low in (0, -1)):
        return labels == 1
    if len(classes) == 2:
        return labels == classes[1]
    raise ValueError(
        f"y_true holds one class only, {classes[0]!r}: name the positive class with pos_label."
    )


def checked_regions(regions: ArrayLike, n_instances: int | None = None) -> NDArray[np.int8]:
    """Return regions as a non-empty array, one for each instance."""
    values = as_regions(regions)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"regions must be a non-empty list, got shape {values.shape}.")
    if n_instances is not None and len(values) != n_instances:
        raise ValueError(f"{len(values)} regions were given for {n_instances} instances.")
    return values
