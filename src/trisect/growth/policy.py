"""What every way to grow has in common: its interface and its result."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from trisect.growth.data import TrainingData
from trisect.growth.level import Level
from trisect.growth.progress import Progress
from trisect.growth.read_outs import ReadOuts
from trisect.growth.rules import Rules
from trisect.growth.settings import Architecture, Settings
from trisect.growth.settlement import Settlement
from trisect.network import Network

__all__ = ["QUIET", "Grown", "Growth"]

QUIET = Progress()


class Grown(NamedTuple):
    """The result of growth.

    Parameters
    ----------
    levels : sequence of Level
        The levels, in order.
    best_level : int
        Index of the level that is kept.
    network : Network
        Its network, after all training.
    settings : Settings
        What was settled before growth.
    settlement : Settlement
        Where each training instance was settled.
    rows : ndarray of int
        Row of each of these instances in the table that the user gave.
    read_outs : ReadOuts or None
        What the first nodes of the network say on their own; for two classes.
    """

    levels: Sequence[Level]
    best_level: int
    network: Network
    settings: Settings
    settlement: Settlement
    rows: NDArray[np.int32]
    read_outs: ReadOuts | None


class Growth(BaseEstimator, ABC):
    """A way to grow: parameters, and one method that grows a network."""

    _parameter_constraints: dict[str, list[Any]] = {}  # noqa: RUF012
    multi_class: ClassVar[bool] = True
    """Whether it takes more than two classes."""
    can_continue: ClassVar[bool] = True
    """Whether it can go on from levels that were grown before."""

    def class_factors(self, y: np.ndarray, n_classes: int, weight: np.ndarray) -> np.ndarray:
        """Compute what the loss of each class is multiplied by; ones by default."""
        return np.ones(n_classes)

    def n_tasks(self, max_levels: int) -> int:
        """Count the tasks that `grow` reports at most."""
        return max_levels

    @abstractmethod
    def grow(
        self,
        data: TrainingData,
        rules: Rules,
        architecture: Architecture,
        rng: np.random.Generator,
        progress: Progress = QUIET,
        start: Grown | None = None,
    ) -> Grown:
        """Grow a network.

        Parameters
        ----------
        data : TrainingData
            Unscaled data in random order.
        rules : Rules
            How levels decide.
        architecture : Architecture
            What is fixed about the network.
        rng : numpy.random.Generator
            Source of all randomness.
        progress : Progress, optional
            Hears of levels and epochs; may end them.
        start : Grown, optional
            What to continue from.

        Returns
        -------
        Grown
            Levels, the one to keep, and the settings.
        """
