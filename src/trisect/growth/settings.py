"""What is fixed about a network before growth, and what the data settle."""

from typing import NamedTuple

from trisect.scaling import Scaling

__all__ = ["AUTO", "Architecture", "Settings"]

AUTO = "auto"
"""Leaves a choice to the data."""


class Architecture(NamedTuple):
    """What the user fixed about the network, or left to the data ("auto")."""

    scale: str = AUTO
    activation: str = AUTO
    initialisation: str = "uniform"


class Settings(NamedTuple):
    """What was settled before growth: scaling, activation and l2 weight."""

    scaling: Scaling
    activation: str
    l2: float
