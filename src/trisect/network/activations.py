"""The six activation functions, by name.

Each entry holds the code by which engines choose the function, the function and its
derivative in NumPy, and the family that decides how weights are initialised.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ACTIVATIONS", "Activation"]

RELU, LEAKY_RELU, SELU, TANH, SIGMOID, SWISH = range(6)
LEAK = 0.01
SELU_ALPHA = 1.6732632423543772
SELU_SCALE = 1.0507009873554805

Function = Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True)
class Activation:
    """An activation function and its derivative."""

    code: int
    family: str
    value: Function
    slope: Function


def _sigmoid(z: NDArray[Any]) -> NDArray[Any]:
    return 0.5 * (1.0 + np.tanh(0.5 * z))


def _selu(z: NDArray[Any]) -> NDArray[Any]:
    return SELU_SCALE * np.where(z > 0, z, SELU_ALPHA * np.expm1(np.minimum(z, 0)))


def _selu_slope(z: NDArray[Any]) -> NDArray[Any]:
    return SELU_SCALE * np.where(z > 0, 1.0, SELU_ALPHA * np.exp(np.minimum(z, 0)))


def _swish_slope(z: NDArray[Any]) -> NDArray[Any]:
    s = _sigmoid(z)
    return s + z * s * (1.0 - s)


ACTIVATIONS: dict[str, Activation] = {
    "relu": Activation(RELU, "relu", lambda z: np.maximum(z, 0.0), lambda z: (z > 0) * 1.0),
    "leaky_relu": Activation(
        LEAKY_RELU,
        "relu",
        lambda z: np.where(z > 0, z, LEAK * z),
        lambda z: np.where(z > 0, 1.0, LEAK),
    ),
    "selu": Activation(SELU, "relu", _selu, _selu_slope),
    "tanh": Activation(TANH, "tanh", np.tanh, lambda z: 1.0 - np.tanh(z) ** 2),
    "sigmoid": Activation(SIGMOID, "tanh", _sigmoid, lambda z: _sigmoid(z) * (1.0 - _sigmoid(z))),
    "swish": Activation(SWISH, "tanh", lambda z: z * _sigmoid(z), _swish_slope),
}
