"""What metrics ask of labels and regions."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import BND, as_regions, positive_class


def positive_mask(y_true: ArrayLike, pos_label: Any = None, costs: Any = None) -> NDArray[np.bool_]:
    """Return a mask of the positive instances, in labels of at most two classes.

    The positive class is the one that `pos_label` or the costs name. Otherwise it is 1 if
    the labels are among 0 and 1, or -1 and 1, and else the larger of two labels, like
    ``classes_[1]``, with a warning if they are texts.
    """
    labels = np.asarray(y_true)
    if labels.ndim != 1 or not len(labels):
        raise ValueError(f"y_true must be a non-empty list of labels, got shape {labels.shape}.")
    classes = np.unique(labels)
    if len(classes) > 2:
        raise ValueError(f"y_true has {len(classes)} classes; three-way regions are for two.")
    if len(classes) == 2:
        usual = _usual(labels, classes)
        return labels == positive_class(classes, pos_label, costs, default=1 if usual else None)
    accept, reject = (getattr(costs, name, None) for name in ("accept", "reject"))
    if pos_label is not None or accept is not None:
        return labels == (accept if pos_label is None else pos_label)
    if reject is not None:
        return labels != reject
    if _usual(labels, classes):
        return labels == 1
    raise ValueError(
        f"y_true holds one class only, {classes.tolist()[0]!r}: name the positive class with "
        "pos_label."
    )


def _usual(labels: NDArray[Any], classes: NDArray[Any]) -> bool:
    """Check whether labels are among 0 and 1, or among -1 and 1."""
    known = set(classes.tolist())
    return labels.dtype.kind in "biuf" and (known <= {0, 1} or known <= {-1, 1})


def accepted_classes(decisions: ArrayLike) -> NDArray[Any] | None:
    """Return decisions that are classes and None, as `decide_classes` returns them, else None."""
    values = np.asarray(decisions)
    if values.ndim != 1 or values.dtype != object:
        return None
    known = [value for value in values.tolist() if value is not None]
    regions = len(known) == len(values) and all(type(value) is int for value in known)
    return None if regions and set(known) <= {-1, 0, 1} else values


def is_deferred(decisions: ArrayLike) -> NDArray[np.bool_]:
    """Return which decisions defer, be they regions or classes."""
    classes = accepted_classes(decisions)
    if classes is None:
        return checked_regions(decisions) == BND
    return np.array([label is None for label in classes.tolist()], dtype=bool)


def checked_regions(
    regions: ArrayLike, n_instances: int | None = None, y_true: ArrayLike | None = None
) -> NDArray[np.int8]:
    """Return regions as a non-empty array, one for each instance, that cannot be labels."""
    values = as_regions(regions)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"regions must be a non-empty list, got shape {values.shape}.")
    if n_instances is not None and len(values) != n_instances:
        raise ValueError(f"{len(values)} regions were given for {n_instances} instances.")
    if y_true is not None:
        _refuse_labels(np.asarray(regions), np.asarray(y_true))
    return values


def _refuse_labels(regions: NDArray[Any], labels: NDArray[Any]) -> None:
    """Raise if regions have the type and the values of the labels: predict may have made them."""
    own, others = (set(np.unique(values).tolist()) for values in (regions, labels))
    alike = (regions.dtype == np.int8) == (labels.dtype == np.int8)
    for both in ({0, 1}, {-1, 1}):
        if alike and labels.dtype.kind in "iu" and own <= both and others <= both:
            raise ValueError(
                f"Both the labels and the regions are {regions.dtype} among {sorted(both)}, so "
                "the regions may be labels: pass what decide returns, not what predict returns. "
                "If they are regions, pass np.asarray(regions, dtype=np.int8) and labels of "
                "another dtype, such as y_true.astype(int)."
            )
