"""The focal loss of a block of rows, and its gradient by the logits."""

import numpy as np

from trisect.network.fast.compiler import ONE, TWO, ZERO, F, in_order, reordered
from trisect.network.fast.vector_math import exp32, exp32_in_order, log32, log32_in_order

__all__ = ["loss_gradient"]

LEAST_SHARE = F(1e-7)
CERTAIN = F(40.0)


@in_order
def _focal_gradient(size, theta, S, G):
    """Turn margins S[0] and signed weights S[1] into gradients G[1] and losses S[0]."""
    for i in range(size):
        e = exp32_in_order(-S[0, i])
        p = ONE / (ONE + e)
        q = e * p
        log_p = -log32_in_order(ONE + e)
        power = q * q if theta == TWO else exp32_in_order(theta * log32_in_order(q))
        G[1, i] = -S[1, i] * power * (q - theta * p * log_p)
        S[0, i] = -abs(S[1, i]) * power * log_p


@reordered
def _two_class_gradient(offset, y, weight, rows, start, size, theta, S, G, sums):
    """Focal loss of the logits S[1] - S[0] of two classes; returns its sum, or zero.

    With u the margin of the true class and q = 1 - p the probability that is
    missing, the derivative is -w q^theta (q - theta p log p).
    """
    loss = ZERO
    has_offset = offset.shape[0] > 0
    for i in range(size):
        r = rows[start + i]
        z = S[1, i] - S[0, i]
        if has_offset:
            z += offset[start + i, 1] - offset[start + i, 0]
        S[0, i] = min(z, CERTAIN) if y[r] == 1 else min(-z, CERTAIN)
        S[1, i] = weight[r] if y[r] == 1 else -weight[r]
    if theta == ZERO:
        for i in range(size):
            e = exp32(-S[0, i])
            G[1, i] = -S[1, i] * (e / (ONE + e))
        if sums:
            for i in range(size):
                e = exp32(-S[0, i])
                loss += abs(S[1, i]) * log32(ONE + e)
    else:
        _focal_gradient(size, theta, S, G)
        for i in range(size):
            loss += S[0, i]
    for i in range(size):
        G[0, i] = -G[1, i]
    return loss


@in_order
def _many_class_gradient(offset, y, weight, rows, start, size, theta, S, G):
    """Focal loss of a softmax over the logits S; returns its sum."""
    n_classes = S.shape[0]
    has_offset = offset.shape[0] > 0
    loss = ZERO
    for i in range(size):
        r = rows[start + i]
        highest = F(-np.inf)
        for c in range(n_classes):
            if has_offset:
                S[c, i] += offset[start + i, c]
            highest = max(highest, S[c, i])
        total = ZERO
        for c in range(n_classes):
            S[c, i] = exp32_in_order(S[c, i] - highest)
            total += S[c, i]
        p = S[y[r], i] / total
        q = max(ONE - p, LEAST_SHARE)
        log_p = log32_in_order(p)
        power = ONE if theta == ZERO else exp32_in_order(theta * log32_in_order(q))
        share = weight[r] * power * (ONE - theta * p * log_p / q)
        loss -= weight[r] * power * log_p
        for c in range(n_classes):
            G[c, i] = share * S[c, i] / total
        G[y[r], i] = share * (p - ONE)
    return loss


@reordered
def loss_gradient(offset, y, weight, rows, start, size, theta, S, G, sums):
    """Turn the logits S into the gradient G of the loss by them; returns the sum if asked."""
    if S.shape[0] == 2:
        return _two_class_gradient(offset, y, weight, rows, start, size, theta, S, G, sums)
    return _many_class_gradient(offset, y, weight, rows, start, size, theta, S, G)
