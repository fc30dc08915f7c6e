"""Settle what the data should decide before growth: scaling, activation, l2 weight."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from trisect.growth.data import TrainingData
from trisect.growth.selection import notable
from trisect.growth.settings import AUTO, Architecture, Settings
from trisect.network import Network, mean_losses

__all__ = ["L2_GRID", "settle"]

L2_GRID = (0.03, 0.1, 0.3, 1.0, 3.0)
USUAL_L2 = 0.3
AUTO_SCALE = "curves"
AUTO_ACTIVATIONS = ("tanh", "swish")
PROBE_ROWS = 20_000

Probe = Callable[[TrainingData, str, float, int], Network]


class _Choice(NamedTuple):
    activation: str
    l2: float


def settle(
    data: TrainingData,
    architecture: Architecture,
    penalties: Sequence[float],
    probe: Probe,
    rng: np.random.Generator,
) -> Settings:
    """Choose a scaling, an l2 weight and an activation by growing a few nodes.

    Only what is left open is chosen, one thing after another under what has been chosen
    before. A choice has to lower the validation loss by a share of
    0.5 / sqrt(validation instances) to win over the one before it, because few instances
    prove little; so standard scaling, the usual l2 weight (0.3, or 3 for more than 32
    columns) and tanh stay unless the data speak against them. The l2 weights are walked
    from the usual one up, or else down, while the loss falls. Learned curves come last,
    for two classes and at most 16 columns. They have already seen the classes in a network
    of their own, so they have to lower the loss by more than one standard error of the
    paired differences.

    Parameters
    ----------
    data : TrainingData
        Unscaled data.
    architecture : Architecture
        What is fixed, and what is "auto".
    penalties : sequence of float
        The l2 weights to choose from, in increasing order.
    probe : callable
        Grows a few nodes on scaled data, under the activation, l2 weight and seed given.
    rng : numpy.random.Generator
        Source of all randomness.

    Returns
    -------
    Settings
        The scaling, activation and l2 weight chosen.
    """
    kind = AUTO_SCALE if architecture.scale == AUTO else architecture.scale
    scaling = data.fit_scaling(kind, rng)
    activations: tuple[str, ...] = AUTO_ACTIVATIONS
    if architecture.activation != AUTO:
        activations = (architecture.activation,)
    if len(activations) == len(penalties) == 1:
        return Settings(scaling, activations[0], penalties[0])
    probes = _Probes(data.scaled(scaling, PROBE_ROWS), probe, seed=int(rng.integers(2**63)))
    usual = USUAL_L2 if USUAL_L2 in penalties else penalties[0]
    chosen = _Choice(activations[0], usual)
    start = penalties.index(usual)
    for direction in (penalties[start + 1 :], penalties[:start][::-1]):
        for penalty in direction:
            further = probes.best(chosen, chosen._replace(l2=penalty))
            if further == chosen:
                break
            chosen = further
        if chosen.l2 != usual:
            break
    chosen = probes.best(*(chosen._replace(activation=name) for name in activations))
    return Settings(scaling, chosen.activation, chosen.l2)


class _Probes:
    """The probes made so far, with their validation losses."""

    def __init__(self, data: TrainingData, probe: Probe, seed: int) -> None:
        self._data, self._probe, self._seed = data, probe, seed
        self._losses: dict[_Choice, float] = {}
        self._notable = notable(len(data.validation))

    def best(self, first: _Choice, *others: _Choice) -> _Choice:
        """Return the first, or one that is notably better than those before it."""
        chosen = first
        for other in others:
            if self._loss(other) < self._notable * self._loss(chosen):
                chosen = other
        return chosen

    def _loss(self, choice: _Choice) -> float:
        if choice not in self._losses:
            network = self._probe(self._data, choice.activation, choice.l2, self._seed)
            self._losses[choice] = float(mean_losses([network], self._data.validation)[0])
        return self._losses[choice]
