"""Checks of arrays that decisions are made of: probabilities, regions, weights."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def as_probabilities(p: ArrayLike) -> NDArray[np.float64]:
    """Return p as an array, or raise if it holds anything but probabilities."""
    values = np.asarray(p, dtype=np.float64)
    if not np.all((values >= 0) & (values <= 1)):
        raise ValueError("Probabilities must lie in [0, 1] and not be NaN.")
    return values


def as_regions(regions: ArrayLike) -> NDArray[np.int8]:
    """Return regions as an array, or raise if it holds anything but POS, BND and NEG."""
    values = np.asarray(regions)
    if not np.isin(values, (-1, 0, 1)).all():
        raise ValueError("regions must be POS (1), BND (0) or NEG (-1).")
    return values.astype(np.int8, copy=False)


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
