"""Scaling: what is done to a column before the nodes see it."""

from trisect.scaling.kinds import SCALES, fit_scaling
from trisect.scaling.predicting import scaled_probabilities, scaled_walk
from trisect.scaling.scaling import Scaling

__all__ = [
    "SCALES",
    "Scaling",
    "fit_scaling",
    "scaled_probabilities",
    "scaled_walk",
]
