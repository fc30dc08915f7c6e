"""Random initial weights: the family follows the activation, the spread the layer."""

from __future__ import annotations  # NumPy loads numpy.random when it is named

import numpy as np
from numpy.typing import NDArray

from trisect.network.activations import ACTIVATIONS
from trisect.network.parameters import Gates, Knots, Network

__all__ = ["DISTRIBUTIONS", "initial_network"]

LARGEST_BIAS = 0.01


def _uniform(rng: np.random.Generator, variance: float, shape: tuple[int, int]) -> NDArray:
    limit = np.sqrt(3.0 * variance)
    return rng.uniform(-limit, limit, size=shape)


def _normal(rng: np.random.Generator, variance: float, shape: tuple[int, int]) -> NDArray:
    return rng.normal(0.0, np.sqrt(variance), size=shape)


DISTRIBUTIONS = {"uniform": _uniform, "normal": _normal}
"""The distributions that weights may be drawn from, by name."""


def initial_network(
    n_features: int,
    n_hidden: int,
    n_classes: int,
    activation: str,
    distribution: str,
    rng: np.random.Generator,
    knots: Knots | None = None,
) -> Network:
    """Draw a network.

    The variance of a weight is 2 / fan_in for the relu family (relu, leaky_relu,
    selu) and 2 / (fan_in + fan_out) for the tanh family (tanh, sigmoid, swish);
    biases are uniform in [0, 0.01).

    Parameters
    ----------
    n_features, n_hidden, n_classes : int
        Sizes of the three layers.
    activation : str
        Name of the activation function.
    distribution : {"uniform", "normal"}
        Distribution of the weights.
    rng : numpy.random.Generator
        Source of the draw.
    knots : Knots, optional
        Which inputs are positions between knots. If given, the network is gated: its gates
        are open, and its curves straight.

    Returns
    -------
    Network
        The network before training.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.network import initial_network
    >>> initial_network(4, 2, 3, "selu", "uniform", np.random.default_rng(0)).W1.shape
    (2, 4)
    """
    draw = DISTRIBUTIONS[distribution]
    relu_like = ACTIVATIONS[activation].family == "relu"

    def weights(fan_in: int, fan_out: int, shape: tuple[int, int]) -> NDArray:
        variance = 2.0 / fan_in if relu_like else 2.0 / (fan_in + fan_out)
        return draw(rng, variance, shape)

    return Network(
        weights(n_features, n_hidden, (n_hidden, n_features)),
        rng.uniform(0.0, LARGEST_BIAS, size=n_hidden).astype(np.float32),
        weights(n_hidden, n_classes, (n_hidden, n_classes)),
        rng.uniform(0.0, LARGEST_BIAS, size=n_classes).astype(np.float32),
        activation,
        None if knots is None else Gates.open(knots, n_hidden, n_features),
    )
