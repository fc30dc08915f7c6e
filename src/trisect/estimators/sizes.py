"""How many hidden nodes: rules of thumb, and searches over sizes."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from trisect._sklearn import Interval
from trisect.estimators.swarm import Swarm
from trisect.network import Network

__all__ = [
    "RULES",
    "SEARCHES",
    "GridSizes",
    "SizeSearch",
    "SwarmSizes",
    "Trial",
    "Trials",
    "hidden_nodes",
]

RULES: dict[str, Callable[[int, int], int]] = {
    "m1": lambda inputs, outputs: _root(inputs + outputs + 2),
    "m2": lambda inputs, outputs: (inputs - 1).bit_length(),
    "m3": lambda inputs, outputs: _root(inputs * outputs),
}
"""Rules of thumb for the number of hidden nodes, by name."""


def _root(n: int) -> int:
    """Round the square root up, without the errors of floating point."""
    return math.isqrt(n - 1) + 1


def hidden_nodes(rule: str, n_features: int, n_classes: int) -> int:
    """Compute the number of hidden nodes that a rule of thumb gives.

    Parameters
    ----------
    rule : {"m1", "m2", "m3"}
        With D inputs and C outputs, "m1" is sqrt(D + C + 2), "m2" is log2(D) and "m3"
        is sqrt(D C), each rounded up and at least 1.
    n_features, n_classes : int
        Number of inputs and of outputs.

    Returns
    -------
    int
        Number of nodes.

    Examples
    --------
    >>> from trisect.estimators.sizes import hidden_nodes
    >>> [hidden_nodes(rule, n_features=58, n_classes=2) for rule in ("m1", "m2", "m3")]
    [8, 6, 11]
    """
    return max(RULES[rule](n_features, n_classes), 1)


class Trial(NamedTuple):
    """A network that was trained, its accuracy on validation data, and whether to stop."""

    network: Network
    accuracy: float
    stop: bool = False


class Trials:
    """The sizes tried so far, each trained once.

    Parameters
    ----------
    train : callable
        Trains a network with the number of hidden nodes that it is given.
    """

    def __init__(self, train: Callable[[int], Trial]) -> None:
        self._train = train
        self.tried: dict[int, Trial] = {}

    def run(self, n_hidden: int) -> Trial:
        """Train a network of a size, unless that has been done before."""
        if n_hidden not in self.tried:
            self.tried[n_hidden] = self._train(n_hidden)
        return self.tried[n_hidden]

    @property
    def stopped(self) -> bool:
        """Whether somebody asked to stop the search."""
        return any(trial.stop for trial in self.tried.values())


class SizeSearch(BaseEstimator, ABC):
    """A search for the number of hidden nodes."""

    @abstractmethod
    def choose(self, trials: Trials, rng: np.random.Generator) -> int:
        """Try sizes, and return the one to keep.

        Parameters
        ----------
        trials : Trials
            Runs and keeps the trials.
        rng : numpy.random.Generator
            Source of randomness for the search.

        Returns
        -------
        int
            Number of hidden nodes, one of those tried.
        """


class GridSizes(SizeSearch):
    """Try every size, and keep the one with the highest validation accuracy.

    Of equally accurate sizes the smallest is kept. Stopping at the first size that does not
    improve on the one before would cost up to two points of accuracy.

    Parameters
    ----------
    max_hidden : int, default=10
        Largest number of hidden nodes.
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "max_hidden": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, max_hidden=10):
        self.max_hidden = max_hidden

    def choose(self, trials: Trials, rng: np.random.Generator) -> int:
        """Try one size after another, see `SizeSearch.choose`."""
        for n_hidden in range(1, self.max_hidden + 1):
            if trials.run(n_hidden).stop:
                break
        return max(trials.tried, key=lambda size: trials.tried[size].accuracy)


class SwarmSizes(SizeSearch):
    """Search with a particle swarm over the number of nodes.

    The position of a particle is rounded to a size; its fitness is the validation accuracy
    of a network of that size, which is trained once.

    Parameters
    ----------
    max_hidden : int, default=10
        Largest number of hidden nodes.
    n_particles : int, default=5
        Number of particles.
    n_iterations : int, default=20
        Number of moves of each particle.
    inertia, cognitive, social : float, default=0.7298, 1.4962, 1.4962
        How far a particle keeps its velocity, and is drawn to its own best position and to
        that of the swarm; see `trisect.estimators.swarm.Swarm`.
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "max_hidden": [Interval(Integral, 1, None, closed="left")],
        "n_particles": [Interval(Integral, 1, None, closed="left")],
        "n_iterations": [Interval(Integral, 0, None, closed="left")],
        "inertia": [Interval(Real, 0, None, closed="left")],
        "cognitive": [Interval(Real, 0, None, closed="left")],
        "social": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        max_hidden=10,
        *,
        n_particles=5,
        n_iterations=20,
        inertia=0.7298,
        cognitive=1.4962,
        social=1.4962,
    ):
        self.max_hidden = max_hidden
        self.n_particles = n_particles
        self.n_iterations = n_iterations
        self.inertia = inertia
        self.cognitive = cognitive
        self.social = social

    def choose(self, trials: Trials, rng: np.random.Generator) -> int:
        """Let the swarm fly, see `SizeSearch.choose`."""

        def size(position: NDArray[np.float64]) -> int:
            return int(np.clip(np.rint(position[0]), 1, self.max_hidden))

        def fitness(position: NDArray[np.float64]) -> float:
            n_hidden = size(position)
            if trials.stopped and n_hidden not in trials.tried:
                return -np.inf
            return trials.run(n_hidden).accuracy

        swarm = Swarm(
            self.n_particles, self.n_iterations, self.inertia, self.cognitive, self.social
        )
        # Half a node beyond either end, so that all sizes are equally likely at the start.
        result = swarm.maximise(fitness, [0.5], [self.max_hidden + 0.5], rng)
        return size(result.position)


SEARCHES: dict[str, type[SizeSearch]] = {"grid": GridSizes, "swarm": SwarmSizes}
"""Searches for the number of hidden nodes, by name."""
