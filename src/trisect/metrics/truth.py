"""What counts as the truth: which label is positive, and which regions are possible."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import BND, NEG, POS


def positive_mask(y_true: ArrayLike, pos_label: Any = None) -> NDArray[np.bool_]:
    """Tell which instances are positive.

    Parameters
    ----------
    y_true : array-like of shape (n_instances,)
        True labels of at most two classes.
    pos_label : label, optional
        The positive class. By default 1 if the labels are among 0 and 1, or -1 and 1,
        and otherwise the larger of two labels, as ``classes_[1]`` is.

    Returns
    -------
    ndarray of bool
    """
    labels = np.asarray(y_true)
    if labels.ndim != 1 or not len(labels):
        raise ValueError(f"y_true must be a non-empty list of labels, got shape {labels.shape}.")
    classes = np.unique(labels)
    if len(classes) > 2:
        raise ValueError(f"y_true has {len(classes)} classes; three-way regions are for two.")
    if pos_label is not None:
        return np.asarray(labels == pos_label, dtype=bool)
    kind = labels.dtype.kind
    if kind in "biuf" and (set(classes.tolist()) <= {0, 1} or set(classes.tolist()) <= {-1, 1}):
        return labels == 1
    if len(classes) == 2:
        return labels == classes[1]
    raise ValueError(
        f"y_true holds one class only, {classes[0]!r}: name the positive class with pos_label."
    )


def as_regions(regions: ArrayLike, n_instances: int | None = None) -> NDArray[np.int8]:
    """Return regions as an array, or say what is wrong with them."""
    values = np.asarray(regions)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"regions must be a non-empty list, got shape {values.shape}.")
    if not np.isin(values, (NEG, BND, POS)).all():
        raise ValueError("regions must be POS (1), BND (0) or NEG (-1).")
    if n_instances is not None and len(values) != n_instances:
        raise ValueError(f"{len(values)} regions were given for {n_instances} instances.")
    return values.astype(np.int8)


def as_weights(sample_weight: ArrayLike | None, n_instances: int) -> NDArray[np.float64]:
    """Return one weight per instance, ones by default."""
    if sample_weight is None:
        return np.ones(n_instances)
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != (n_instances,) or not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError(
            f"sample_weight must hold {n_instances} finite weights, none of them negative."
        )
    return weight
