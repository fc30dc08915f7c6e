"""A particle swarm: points that fly through a box towards the best places seen."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Swarm", "SwarmResult"]


@dataclass(frozen=True, eq=False)
class SwarmResult:
    """Where a swarm ended.

    Parameters
    ----------
    position : ndarray of shape (n_dimensions,)
        The best position that any particle has been at.
    value : float
        Its value.
    history : ndarray of shape (n_iterations + 1,)
        The best value so far, at the start and after each iteration.
    """

    position: NDArray[np.float64]
    value: float
    history: NDArray[np.float64]


@dataclass(frozen=True)
class Swarm:
    """A particle swarm that looks for the highest value of a function in a box.

    In each iteration a particle at x with velocity v, whose own best position is p and
    the swarm's g, gets ``v = inertia v + cognitive r (p - x) + social s (g - x)`` with
    fresh uniform numbers r and s for each coordinate, and moves by v. A particle that
    would leave the box stops at its wall. The defaults of the three factors keep a
    swarm from flying apart without any limit on the velocity.

    Parameters
    ----------
    n_particles : int, default=10
        Number of particles.
    n_iterations : int, default=50
        Number of moves of each particle.
    inertia : float, default=0.7298
        Share of its velocity that a particle keeps.
    cognitive : float, default=1.4962
        Pull of the best position of the particle itself.
    social : float, default=1.4962
        Pull of the best position of the swarm.

    Examples
    --------
    >>> from trisect.estimators.swarm import Swarm
    >>> result = Swarm().maximise(lambda x: -((x - 2.0) ** 2).sum(), [-5, -5], [5, 5], 0)
    >>> result.position.round(1)
    array([2., 2.])
    """

    n_particles: int = 10
    n_iterations: int = 50
    inertia: float = 0.7298
    cognitive: float = 1.4962
    social: float = 1.4962

    def maximise(
        self,
        function: Callable[[NDArray[np.float64]], float],
        lower: ArrayLike,
        upper: ArrayLike,
        random_state: Any = None,
    ) -> SwarmResult:
        """Let the swarm fly.

        Parameters
        ----------
        function : callable
            Gets a position and returns its value.
        lower, upper : array-like of shape (n_dimensions,)
            The corners of the box.
        random_state : None, int or numpy.random.Generator
            Seed or source of all randomness.

        Returns
        -------
        SwarmResult
            The best position, its value, and how it was approached.
        """
        rng = np.random.default_rng(random_state)
        low, high = (np.atleast_1d(np.asarray(c, dtype=np.float64)) for c in (lower, upper))
        if low.shape != high.shape or low.ndim != 1 or not (low <= high).all():
            raise ValueError(
                "lower and upper must be equally long and lower must not exceed upper, "
                f"got {low.tolist()} and {high.tolist()}."
            )
        shape = (self.n_particles, len(low))
        x = rng.uniform(low, high, size=shape)
        v = rng.uniform(low - high, high - low, size=shape) / 2
        best = x.copy()
        values = np.array([function(position) for position in x], dtype=np.float64)
        history = [values.max()]
        for _ in range(self.n_iterations):
            leader = best[values.argmax()]
            r, s = rng.uniform(size=(2, *shape))
            v = self.inertia * v + self.cognitive * r * (best - x) + self.social * s * (leader - x)
            moved = np.clip(x + v, low, high)
            # A particle at a wall has lost the speed that took it there.
            v = np.where(moved == x + v, v, 0.0)
            x = moved
            found = np.array([function(position) for position in x], dtype=np.float64)
            better = found > values
            best[better], values[better] = x[better], found[better]
            history.append(values.max())
        winner = int(values.argmax())
        return SwarmResult(best[winner], float(values[winner]), np.array(history))
