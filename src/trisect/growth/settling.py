"""Settle what the data should decide before growth: scaling, activation, l2 weight."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from trisect.growth.data import TrainingData
from trisect.growth.selection import standard_error
from trisect.growth.settings import AUTO, Architecture, Settings
from trisect.network import Network, focal_losses, mean_losses
from trisect.scaling import Scaling

__all__ = ["L2_GRID", "settle"]

L2_GRID = (0.003, 0.03, 0.3, 3.0, 10.0)
USUAL_L2 = 0.3
# Many columns overfit under the usual weight, and then no scaling can be told from another.
MANY_COLUMNS, USUAL_L2_OF_MANY = 32, 3.0
AUTO_SCALES = ("standard", "evidence")
AUTO_ACTIVATIONS = ("tanh", "swish")
# The evidence scaling makes two inputs of a column, which large data have no room for.
EVIDENCE_CELLS = 20_000_000
# Curves of more columns take longer to learn, and gain little.
FEW_COLUMNS = 16
PROBE_ROWS = 20_000

Probe = Callable[[TrainingData, str, float, int], Network]


class _Choice(NamedTuple):
    scale: str
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
    scalings = _scalings(data, architecture.scale, rng)
    activations: tuple[str, ...] = AUTO_ACTIVATIONS
    if architecture.activation != AUTO:
        activations = (architecture.activation,)
    first = next(iter(scalings))
    if len(scalings) == len(activations) == len(penalties) == 1:
        return Settings(scalings[first], activations[0], penalties[0])
    probes = _Probes(data, scalings, probe, seed=int(rng.integers(2**63)))
    n_inputs = min(scaled.train.n_features for scaled in probes.scaled.values())
    usual = USUAL_L2 if n_inputs <= MANY_COLUMNS else USUAL_L2_OF_MANY
    usual = usual if usual in penalties else penalties[0]
    chosen = _Choice(first, activations[0], usual)
    chosen = probes.best(*(chosen._replace(scale=kind) for kind in scalings))
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
    few_columns = data.train.n_features <= FEW_COLUMNS
    if architecture.scale == AUTO and "evidence" in scalings and few_columns:
        # A spawned generator, so that unchosen curves do not shift later draws.
        [apart] = rng.spawn(1)
        probes.add("learned", data.learn_curves(scalings["evidence"], apart))
        bent = chosen._replace(scale="learned")
        if probes.surely_better(bent, chosen):
            chosen = bent
    return Settings(scalings[chosen.scale], chosen.activation, chosen.l2)


def _scalings(data: TrainingData, scale: str, rng: np.random.Generator) -> dict[str, Scaling]:
    """Fit the scalings to choose from."""
    if scale != AUTO:
        return {scale: data.fit_scaling(scale, rng)}
    straight, curved = AUTO_SCALES
    if data.n_classes > 2 or data.train.X.size > EVIDENCE_CELLS:
        curved = "quantile"
    scalings = {kind: data.fit_scaling(kind, rng) for kind in (straight, curved)}
    if scalings[curved].counts.max() <= 2:
        del scalings[curved]  # With two values per column, curves are straight lines.
    return scalings


class _Probes:
    """The probes made so far, with their networks and validation losses."""

    def __init__(
        self, data: TrainingData, scalings: dict[str, Scaling], probe: Probe, seed: int
    ) -> None:
        self._data, self._scalings = data, scalings
        self._probe, self._seed = probe, seed
        self._networks: dict[_Choice, Network] = {}
        self._losses: dict[_Choice, float] = {}
        self.scaled = {kind: data.scaled(s, PROBE_ROWS) for kind, s in scalings.items()}
        n_validation = len(next(iter(self.scaled.values())).validation)
        self._notable = 1.0 - 0.5 / np.sqrt(n_validation)

    def add(self, kind: str, scaling: Scaling) -> None:
        """Offer another scaling."""
        self._scalings[kind] = scaling
        self.scaled[kind] = self._data.scaled(scaling, PROBE_ROWS)

    def best(self, first: _Choice, *others: _Choice) -> _Choice:
        """Return the first, or one that is notably better than those before it."""
        chosen = first
        for other in others:
            if self._loss(other) < self._notable * self._loss(chosen):
                chosen = other
        return chosen

    def surely_better(self, one: _Choice, other: _Choice) -> bool:
        """Whether one lowers the loss of the other by more than a standard error."""
        gain = self._loss(other) - self._loss(one)
        validation = self.scaled[one.scale].validation
        of_one, of_other = (
            focal_losses(
                self._networks[choice].logits(self.scaled[choice.scale].validation.X),
                validation.y,
            )
            for choice in (one, other)
        )
        return gain > standard_error(of_other - of_one, validation.weight)

    def _loss(self, choice: _Choice) -> float:
        if choice not in self._losses:
            data = self.scaled[choice.scale]
            network = self._probe(data, choice.activation, choice.l2, self._seed)
            self._networks[choice] = network
            self._losses[choice] = float(mean_losses([network], data.validation)[0])
        return self._losses[choice]
