"""Settle what the data should decide before growth: the scaling and the l2 weight."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from trisect.growth.refined import RefinedGrowth
from trisect.network import Examples

__all__ = ["L2_GRID", "settle"]

L2_GRID = (0.03, 0.3, 3.0)


def settle(
    growth: RefinedGrowth,
    options: Mapping[str, tuple[Examples, Examples]],
    penalties: Sequence[float],
    rng: np.random.Generator,
) -> tuple[str, float]:
    """Choose a scaling, and then an l2 weight, by growing a few nodes under each.

    Parameters
    ----------
    growth : RefinedGrowth
        How to grow.
    options : mapping of str to (Examples, Examples)
        Training and validation data under each scaling.
    penalties : sequence of float
        The l2 weights to choose from; scalings are compared under the middle one.
    rng : numpy.random.Generator
        Source of the randomness that all runs share.

    Returns
    -------
    scaling : str
        The scaling with the lowest validation loss.
    l2 : float
        The l2 weight with the lowest validation loss under that scaling.
    """
    seed = int(rng.integers(2**63))
    losses: dict[tuple[str, float], float] = {}

    def loss(run: tuple[str, float]) -> float:
        if run not in losses:
            name, penalty = run
            losses[run] = replace(growth, l2=penalty).probe(
                *options[name], np.random.default_rng(seed)
            )
        return losses[run]

    scaling, penalty = next(iter(options)), float(penalties[len(penalties) // 2])
    if len(options) > 1:
        scaling, _ = min(((name, penalty) for name in options), key=loss)
    if len(penalties) > 1:
        _, penalty = min(((scaling, float(value)) for value in penalties), key=loss)
    return scaling, penalty
