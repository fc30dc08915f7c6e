"""Exponential and logarithm in single precision that the compiler can vectorise.

A call into the C library costs more than the dot product of a whole row, so both functions
are short polynomials; the exponent of a float is read and written through its bits.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from trisect.network.exact import (
    E0,
    E1,
    E2,
    E3,
    E4,
    E5,
    EXP_HIGHEST,
    EXP_LOWEST,
    EXPONENT_BIAS,
    EXPONENT_SHIFT,
    HALF,
    LN2_HIGH,
    LN2_LOW,
    LOG2E,
    ONE,
    F,
)
from trisect.network.fast.compiler import exact, in_order, reordered

__all__ = ["exp32", "exp32_exact", "exp32_in_order", "log32", "log32_in_order"]

L0, L1, L2 = F(7.0376836292e-2), F(-1.1514610310e-1), F(1.1676998740e-1)
L3, L4, L5 = F(-1.2420140846e-1), F(1.4249322787e-1), F(-1.6668057665e-1)
L6, L7, L8 = F(2.0000714765e-1), F(-2.4999993993e-1), F(3.3333331174e-1)
SQRT2 = F(1.4142135623730951)
SMALLEST = F(1.17549435e-38)
MANTISSA, EXPONENT_OF_ONE = np.int32(0x007FFFFF), np.int32(0x3F800000)


@intrinsic
def _float_from_bits(typing_context, bits):
    """Read the 32 bits of an integer as a float."""

    def codegen(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.FloatType())

    return types.float32(types.int32), codegen


@intrinsic
def _bits_from_float(typing_context, value):
    """Read the 32 bits of a float as an integer."""

    def codegen(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.IntType(32))

    return types.int32(types.float32), codegen


def _exp(x):
    """Return exp(x) with x clipped to [-87, 88]; relative error below 2e-7, reordered 3e-7."""
    x = min(max(x, EXP_LOWEST), EXP_HIGHEST)
    n = np.floor(x * LOG2E + HALF)
    r = x - n * LN2_HIGH - n * LN2_LOW
    tail = ((((E0 * r + E1) * r + E2) * r + E3) * r + E4) * r + E5
    return (tail * r * r + r + ONE) * _float_from_bits(
        (np.int32(n) + EXPONENT_BIAS) << EXPONENT_SHIFT
    )


def _log(x):
    """Return log(x) with x raised to the smallest normal float; error below 2e-7."""
    bits = _bits_from_float(max(x, SMALLEST))
    exponent = F((bits >> EXPONENT_SHIFT) - EXPONENT_BIAS)
    mantissa = _float_from_bits((bits & MANTISSA) | EXPONENT_OF_ONE)
    large = mantissa > SQRT2
    mantissa = mantissa * HALF if large else mantissa
    exponent = exponent + ONE if large else exponent
    r = mantissa - ONE
    tail = L0
    tail = tail * r + L1
    tail = tail * r + L2
    tail = tail * r + L3
    tail = tail * r + L4
    tail = tail * r + L5
    tail = tail * r + L6
    tail = tail * r + L7
    tail = tail * r + L8
    square = r * r
    return r - HALF * square + tail * r * square + exponent * LN2_LOW + exponent * LN2_HIGH


exp32, log32 = reordered(_exp), reordered(_log)
exp32_in_order, log32_in_order = in_order(_exp), in_order(_log)
exp32_exact = exact(_exp)
