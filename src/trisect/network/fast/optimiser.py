"""Updates by Adam."""

import numpy as np

from trisect.network.fast.compiler import ONE, ZERO, F, inlined, reordered

__all__ = ["update"]

NEGLIGIBLE = F(1e-25)


@reordered
def _update_part(optimiser, first, last, step, rate, l2, size):
    """One Adam update of parameters first .. last - 1; clears their gradient.

    The gradient is a sum over ``size`` instances, and the regularised loss is
    (sum of losses + l2 / 2 * |parameters|^2) / size.
    """
    parameters, gradient = optimiser.parameters, optimiser.gradient
    moment1, moment2 = optimiser.moment1, optimiser.moment2
    keep1, keep2 = F(0.9), F(0.999)
    scale1 = F(rate / (1.0 - 0.9**step))
    scale2 = F(1.0 / (1.0 - 0.999**step))
    shrink, epsilon = F(1.0 / size), F(1e-8)
    for k in range(first, last):
        g = (gradient[k] + l2 * parameters[k]) * shrink
        m = keep1 * moment1[k] + (ONE - keep1) * g
        v = keep2 * moment2[k] + (ONE - keep2) * g * g
        p = parameters[k] - scale1 * m / (np.sqrt(v * scale2) + epsilon)
        # Numbers that fade out would end as denormals, which are very slow.
        moment1[k] = m if abs(m) > NEGLIGIBLE else ZERO
        moment2[k] = max(v, NEGLIGIBLE)
        parameters[k] = p if abs(p) > NEGLIGIBLE else ZERO
        gradient[k] = ZERO


@inlined
def update(optimiser, step, rate, size):
    """Update all parameters, each part with its own penalty and pace."""
    for part in range(optimiser.penalties.size):
        first, last = optimiser.parts[part, 0], optimiser.parts[part, 1]
        pace = rate * optimiser.paces[part]
        _update_part(optimiser, first, last, step, pace, optimiser.penalties[part], size)
