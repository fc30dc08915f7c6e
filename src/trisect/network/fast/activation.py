"""The six activation functions and their derivatives, for a block of rows."""

from trisect.network.activations import LEAK as _LEAK
from trisect.network.activations import LEAKY_RELU, RELU, SELU, SIGMOID, SWISH, TANH
from trisect.network.activations import SELU_ALPHA as _SELU_ALPHA
from trisect.network.activations import SELU_SCALE as _SELU_SCALE
from trisect.network.fast.compiler import ONE, TWO, ZERO, F, reordered
from trisect.network.fast.vector_math import exp32

__all__ = ["activate"]

LEAK, SELU_ALPHA, SELU_SCALE = F(_LEAK), F(_SELU_ALPHA), F(_SELU_SCALE)


@reordered
def activate(activation, Z, size, A, slope):
    """A = activation(Z), and its derivative."""
    for m in range(Z.shape[0]):
        z, a, s = Z[m], A[m], slope[m]
        if activation == RELU:
            for i in range(size):
                a[i] = max(z[i], ZERO)
                s[i] = ONE if z[i] > ZERO else ZERO
        elif activation == LEAKY_RELU:
            for i in range(size):
                s[i] = ONE if z[i] > ZERO else LEAK
                a[i] = z[i] * s[i]
        elif activation == SELU:
            for i in range(size):
                e = SELU_ALPHA * exp32(min(z[i], ZERO))
                a[i] = SELU_SCALE * (z[i] if z[i] > ZERO else e - SELU_ALPHA)
                s[i] = SELU_SCALE * (ONE if z[i] > ZERO else e)
        elif activation == TANH:
            for i in range(size):
                t = ONE - TWO / (exp32(TWO * z[i]) + ONE)
                a[i] = t
                s[i] = ONE - t * t
        elif activation == SIGMOID:
            for i in range(size):
                t = ONE / (exp32(-z[i]) + ONE)
                a[i] = t
                s[i] = t * (ONE - t)
        elif activation == SWISH:
            for i in range(size):
                t = ONE / (exp32(-z[i]) + ONE)
                a[i] = z[i] * t
                s[i] = t + z[i] * t * (ONE - t)
