"""Settle what the data should decide before growth: scaling, activation, l2 weight."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from trisect.growth.refined import RefinedGrowth
from trisect.network import Examples

__all__ = ["L2_GRID", "Settings", "settle"]

L2_GRID = (0.003, 0.03, 0.3, 3.0, 10.0)
USUAL_L2 = 0.3
# Many columns overfit under the usual weight, and then no scaling can be told from another.
MANY_COLUMNS, USUAL_L2_OF_MANY = 32, 3.0
# Learned curves have been fitted to the classes by a network before; so they must gain more.
LEARNED_GAIN = 2.0
# They start from the evidence, and where that is far behind they do not catch up.
HOPELESS = 1.5


class Settings(NamedTuple):
    """A choice that the data make."""

    scale: str
    activation: str
    l2: float


def settle(
    growth: RefinedGrowth,
    options: Mapping[str, tuple[Examples, Examples]],
    activations: Sequence[str],
    penalties: Sequence[float],
    rng: np.random.Generator,
    learned: Callable[[], tuple[Examples, Examples]] | None = None,
) -> Settings:
    """Choose a scaling, an l2 weight and an activation by growing a few nodes.

    They are chosen one after another under what has been chosen before. A choice has to
    lower the validation loss by a share of 0.5 / sqrt(validation instances) to win over
    the one before it, because few instances tell little, and learned curves by twice that.
    So standard scaling, the usual l2 weight (0.3, or 3 for more than 32 columns) and the
    first activation stay unless the data speak against them. The l2 weights are walked
    from the usual one up, or else down, while the loss falls.

    Parameters
    ----------
    growth : RefinedGrowth
        How to grow.
    options : mapping of str to (Examples, Examples)
        Training and validation data under each scaling.
    activations : sequence of str
        The activations to choose from; the rest is settled under the first.
    penalties : sequence of float
        The l2 weights to choose from, in increasing order.
    rng : numpy.random.Generator
        Source of the randomness that all runs share.
    learned : callable, optional
        Makes the data under the scaling "learned", which is tried last and only if the
        loss under "evidence" is at most half as much again as the lowest so far.

    Returns
    -------
    Settings
        What was chosen.
    """
    seed = int(rng.integers(2**63))
    losses: dict[Settings, float] = {}
    tried = dict(options)

    def loss(settings: Settings) -> float:
        if settings not in losses:
            run = replace(growth, activation=settings.activation, l2=settings.l2)
            examples, validation = tried[settings.scale]
            losses[settings] = run.probe(examples, validation, np.random.default_rng(seed))
        return losses[settings]

    n_validation = len(next(iter(options.values()))[1])
    notable = 0.5 / np.sqrt(n_validation)

    def best(first: Settings, *others: Settings) -> Settings:
        chosen = first
        for other in others:
            newly_learned = other.scale == "learned" != chosen.scale
            gain = notable * (LEARNED_GAIN if newly_learned else 1.0)
            if loss(other) < (1.0 - gain) * loss(chosen):
                chosen = other
        return chosen

    n_columns = min(examples.X.shape[1] for examples, _ in options.values())
    usual = USUAL_L2 if n_columns <= MANY_COLUMNS else USUAL_L2_OF_MANY
    usual = usual if usual in penalties else penalties[0]
    chosen = best(*(Settings(scale, activations[0], usual) for scale in options))
    if learned is not None and loss(chosen._replace(scale="evidence")) <= HOPELESS * loss(chosen):
        tried["learned"] = learned()
        chosen = best(chosen, chosen._replace(scale="learned"))
    start = penalties.index(usual)
    for direction in (penalties[start + 1 :], penalties[:start][::-1]):
        for penalty in direction:
            further = best(chosen, chosen._replace(l2=penalty))
            if further == chosen:
                break
            chosen = further
        if chosen.l2 != usual:
            break
    return best(*(chosen._replace(activation=activation) for activation in activations))
