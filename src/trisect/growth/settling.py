"""Settle what the data should decide before growth: scaling, activation, l2 weight."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from trisect.growth.refined import RefinedGrowth
from trisect.growth.selection import standard_error
from trisect.network import Examples, Network, focal_losses

__all__ = ["L2_GRID", "Settings", "settle"]

L2_GRID = (0.003, 0.03, 0.3, 3.0, 10.0)
USUAL_L2 = 0.3
# Many columns overfit under the usual weight, and then no scaling can be told from another.
MANY_COLUMNS, USUAL_L2_OF_MANY = 32, 3.0


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
    the one before it, because few instances tell little; so standard scaling, the usual
    l2 weight (0.3, or 3 for more than 32 columns) and the first activation stay unless
    the data speak against them. The l2 weights are walked from the usual one up, or else
    down, while the loss falls. Learned curves come last, under all that was chosen. They
    have met the classes before, in a network of their own, so they have to lower the loss
    by more than one standard error of the paired differences.

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
        Makes the data under the scaling "learned"; without it, that is not tried.

    Returns
    -------
    Settings
        What was chosen.
    """
    seed = int(rng.integers(2**63))
    tried = dict(options)
    networks: dict[Settings, Network] = {}
    losses: dict[Settings, float] = {}

    def loss(settings: Settings) -> float:
        if settings not in losses:
            run = replace(growth, activation=settings.activation, l2=settings.l2)
            examples, validation = tried[settings.scale]
            network = run.probe(examples, validation, np.random.default_rng(seed))
            networks[settings] = network
            losses[settings] = float(validation.losses([network])[0])
        return losses[settings]

    def error_of_difference(one: Settings, other: Settings) -> float:
        validation = tried[one.scale][1]
        of_one, of_other = (
            focal_losses(networks[s].logits(tried[s.scale][1].X), validation.y)
            for s in (one, other)
        )
        return standard_error(of_one - of_other, validation.weight)

    n_validation = len(next(iter(options.values()))[1])
    notable = 1.0 - 0.5 / np.sqrt(n_validation)

    def best(first: Settings, *others: Settings) -> Settings:
        chosen = first
        for other in others:
            if loss(other) < notable * loss(chosen):
                chosen = other
        return chosen

    n_columns = min(examples.X.shape[1] for examples, _ in options.values())
    usual = USUAL_L2 if n_columns <= MANY_COLUMNS else USUAL_L2_OF_MANY
    usual = usual if usual in penalties else penalties[0]
    chosen = best(*(Settings(scale, activations[0], usual) for scale in options))
    start = penalties.index(usual)
    for direction in (penalties[start + 1 :], penalties[:start][::-1]):
        for penalty in direction:
            further = best(chosen, chosen._replace(l2=penalty))
            if further == chosen:
                break
            chosen = further
        if chosen.l2 != usual:
            break
    chosen = best(*(chosen._replace(activation=activation) for activation in activations))
    if learned is None:
        return chosen
    tried["learned"] = learned()
    bent = chosen._replace(scale="learned")
    if loss(bent) < loss(chosen) - error_of_difference(chosen, bent):
        return bent
    return chosen
