"""How kernels are compiled."""

from typing import Any

import numpy as np
from numba import njit

__all__ = ["helper", "helper_in_order", "kernel"]

F = np.float32
ZERO, ONE, TWO = F(0.0), F(1.0), F(2.0)

REORDERED = {"reassoc", "contract", "nsz", "arcp"}
IN_ORDER = {"contract", "nsz"}

_internal: dict[str, Any] = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
helper = njit(fastmath=REORDERED, **_internal)
helper_in_order = njit(fastmath=IN_ORDER, **_internal)
kernel = njit(nogil=True, cache=True, fastmath=REORDERED, error_model="numpy", no_cfunc_wrapper=True)
inlined = njit(inline="always", **_internal)
