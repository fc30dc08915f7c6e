"""Checks of arrays that decisions are made of: probabilities, truth, regions, weights."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def as_probabilities(p: ArrayLike) -> NDArray[np.float64]:
    """Return p as an array, or raise if it holds anything but probabilities."""
    values = np.asarray(p, dtype=np.float64)
    if not np.all((values >= 0) & (values <= 1)):
        raise ValueError("Probabilities must lie in [0, 1] and not be NaN.")
    return values


def as_truth(positive: ArrayLike) -> NDArray[np.bool_]:
    """Return which instances are positive, or raise if that cannot be told from the values.

    Labels are no truth values: every text that is not empty counts as true in Python, and so
    do -1 and 2.
    """
    values = np.asarray(positive)
    if values.dtype == bool:
        return values
    numbers = values.dtype.kind in "iuf" or (values.dtype == object and _are_flags(values))
    if values.size and not (numbers and np.isin(values, (0, 1)).all()):
        raise ValueError(
            "Whether instances are positive must be given as True and False (or 1 and 0), got "
            f"{_sample(values)}. Compare labels with the positive class first, as in "
            "y == 'approve'."
        )
    return values.astype(bool)


def _are_flags(values: NDArray[Any]) -> bool:
    return all(isinstance(value, bool | np.bool_) for value in values.ravel().tolist())


def as_regions(regions: ArrayLike) -> NDArray[np.int8]:
    """Return regions as an array, or raise if it may hold anything else, such as labels.

    Labels 0 and 1 look like regions and mean something else. An array of dtype int8, as
    `decide` returns it, is taken for regions if its values are; any other integers only if
    -1 is among them, which it is not among such labels. Metrics, which know the labels,
    see to labels -1 and 1 as well.
    """
    values = np.asarray(regions)
    if not values.size:
        return values.astype(np.int8)
    sound = values.dtype.kind in "iu" and np.isin(values, (-1, 0, 1)).all()
    if sound and (values.dtype == np.int8 or (values == -1).any()):
        return values.astype(np.int8, copy=False)
    if not sound:
        raise ValueError(
            "regions must be POS (1), BND (0) or NEG (-1), as decide returns them, got "
            f"{_sample(values)} of dtype {values.dtype}."
        )
    raise ValueError(
        f"regions hold only {np.unique(values).tolist()} and have dtype {values.dtype}, so they "
        "may be labels: pass what decide returns, not what predict returns. If they are regions "
        "(1 accepts, 0 defers, -1 rejects), pass np.asarray(regions, dtype=np.int8)."
    )


def _sample(values: NDArray[Any]) -> str:
    """Show the first few different values."""
    return ", ".join(map(repr, list(dict.fromkeys(values.ravel()[:1000].tolist()))[:4]))


def as_weights(sample_weight: ArrayLike | None, n_instances: int) -> NDArray[np.float64]:
    """Return one weight per instance, ones by default."""
    if sample_weight is None:
        return np.ones(n_instances)
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != (n_instances,) or not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError(
            f"sample_weight must hold {n_instances} finite weights, none of them negative."
        )
    if not weight.any():
        raise ValueError("At least one sample weight must be above 0.")
    return weight
