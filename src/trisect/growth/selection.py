"""Which level to keep."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trisect.growth.level import Level
from trisect.network import Part, focal_losses

__all__ = ["SELECTIONS", "select_level", "standard_error"]

SELECTIONS = ("one_se", "best", "last")
"""The rules by which a level may be kept."""


def select_level(levels: Sequence[Level], validation: Part, rule: str = "one_se") -> int:
    """Choose a level by its loss on validation data.

    Parameters
    ----------
    levels : sequence of Level
        Levels in order of growth.
    validation : Part
        Validation data.
    rule : {"one_se", "best", "last"}, default="one_se"
        "one_se" keeps the smallest level whose mean loss is within one standard
        error of the lowest; the error is that of the paired differences between
        the two levels, which the noise that both share does not enter. "best"
        keeps the lowest loss, "last" the last level.

    Returns
    -------
    int
        Index of the level.
    """
    if rule == "last":
        return len(levels) - 1
    losses = np.stack(
        [focal_losses(level.network.logits(validation.X), validation.y) for level in levels]
    ).astype(np.float64)
    means = losses @ (validation.weight / validation.weight.sum())
    best = int(np.argmin(means))
    if rule == "best":
        return best
    errors = [standard_error(row - losses[best], validation.weight) for row in losses]
    return int(np.argmax(means - means[best] <= np.array(errors)))


def standard_error(differences: NDArray, weight: NDArray) -> float:
    """Compute the standard error of a weighted mean.

    Parameters
    ----------
    differences : ndarray of shape (n_instances,)
        Numbers, such as losses of one network less those of another.
    weight : ndarray of shape (n_instances,)
        Their weights.

    Returns
    -------
    float
        The standard error of their mean.
    """
    differences, share = differences.astype(np.float64), weight / weight.sum()
    return float(np.sqrt(np.square(differences - differences @ share) @ np.square(share)))
