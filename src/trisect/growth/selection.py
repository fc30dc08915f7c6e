"""Which level to keep."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trisect.growth.level import Level
from trisect.network import Examples, focal_losses

__all__ = ["SELECTIONS", "select_level"]

SELECTIONS = ("one_se", "best", "last")
"""The rules by which a level may be kept."""


def select_level(levels: Sequence[Level], validation: Examples, rule: str = "one_se") -> int:
    """Choose a level by its loss on validation data.

    Parameters
    ----------
    levels : sequence of Level
        Levels in order of growth.
    validation : Examples
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
    weight = validation.weight / validation.weight.sum()
    means = losses @ weight
    best = int(np.argmin(means))
    if rule == "best":
        return best
    excess = means - means[best]
    return int(np.argmax(excess <= _standard_errors(losses - losses[best], weight)))


def _standard_errors(differences: NDArray, weight: NDArray) -> NDArray:
    """Compute the standard error of the weighted mean of each row."""
    means = differences @ weight
    squares = np.square(differences - means[:, None]) @ np.square(weight)
    return np.sqrt(squares)
