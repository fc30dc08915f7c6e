"""The compiled loops: one epoch of training, and the forward pass.

Everything here works on single-precision arrays and numbers. Several networks of
the same size (``groups``) are carried side by side, so that rival candidates for a
new node share one read of the data; an ordinary network is one group.

Rows are handled in blocks that stay in cache. Inside a block every buffer has the
rows as its last axis, so that rows are the vector lanes of the activation, the
loss and, with few features, of the products too. With many features the products
run along the features instead, and each row is read once from memory and once from
cache.

The compiler's cache notices a change in the file of a kernel, not in the files it calls.
So touch ``curve_training.py`` and ``walking.py`` when a loop that they use changes here.
"""

import numpy as np
from numba import njit

from trisect.network.activations import LEAK as _LEAK
from trisect.network.activations import LEAKY_RELU, RELU, SELU, SIGMOID, SWISH, TANH
from trisect.network.activations import SELU_ALPHA as _SELU_ALPHA
from trisect.network.activations import SELU_SCALE as _SELU_SCALE
from trisect.network.parameters import parts_of
from trisect.network.fast.vector_math import exp32, log32

__all__ = [
    "forward",
    "scale_by_knots",
    "scale_linearly",
    "summed_losses",
    "train_epoch",
    "two_class_probabilities",
]

BLOCK = 128
FEW_FEATURES = 48
F = np.float32
ZERO, ONE, TWO = F(0.0), F(1.0), F(2.0)
LEAK, SELU_ALPHA, SELU_SCALE = F(_LEAK), F(_SELU_ALPHA), F(_SELU_SCALE)
LEAST_SHARE = F(1e-7)
NEGLIGIBLE = F(1e-25)
CERTAIN = F(40.0)

# Sums may be reordered, which vector lanes need; infinities and NaN keep their meaning.
compiled = njit(
    nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz", "arcp"}, error_model="numpy"
)
# Long products keep their order: else the process that compiles may round otherwise than one
# that loads the compiled code.
compiled_in_order = njit(nogil=True, cache=True, fastmath={"contract", "nsz"}, error_model="numpy")


@compiled
def _gather(X, rows, start, size, XT):
    """Copy a block of rows feature-major."""
    for i in range(size):
        row = X[rows[start + i]]
        for j in range(row.size):
            XT[j, i] = row[j]


@compiled
def _products_by_lane(XT, W1, b1, size, Z):
    """Z = W1 x + b1 with the rows as lanes; XT is feature-major."""
    n_nodes, n_features = W1.shape
    for m in range(n_nodes):
        z = Z[m]
        bias = b1[m]
        for i in range(size):
            z[i] = bias
        j = 0
        while j + 4 <= n_features:
            w0, w1, w2, w3 = W1[m, j], W1[m, j + 1], W1[m, j + 2], W1[m, j + 3]
            x0, x1, x2, x3 = XT[j], XT[j + 1], XT[j + 2], XT[j + 3]
            for i in range(size):
                z[i] += (w0 * x0[i] + w1 * x1[i]) + (w2 * x2[i] + w3 * x3[i])
            j += 4
        while j < n_features:
            w0, x0 = W1[m, j], XT[j]
            for i in range(size):
                z[i] += w0 * x0[i]
            j += 1


@compiled
def _gradient_by_lane(XT, D, size, gW1):
    """gW1 += D x^T with the rows as lanes; XT is feature-major."""
    n_nodes, n_features = gW1.shape
    for m in range(n_nodes):
        d = D[m]
        j = 0
        while j + 4 <= n_features:
            x0, x1, x2, x3 = XT[j], XT[j + 1], XT[j + 2], XT[j + 3]
            s0, s1, s2, s3 = ZERO, ZERO, ZERO, ZERO
            for i in range(size):
                s0 += d[i] * x0[i]
                s1 += d[i] * x1[i]
                s2 += d[i] * x2[i]
                s3 += d[i] * x3[i]
            gW1[m, j] += s0
            gW1[m, j + 1] += s1
            gW1[m, j + 2] += s2
            gW1[m, j + 3] += s3
            j += 4
        while j < n_features:
            x0 = XT[j]
            s0 = ZERO
            for i in range(size):
                s0 += d[i] * x0[i]
            gW1[m, j] += s0
            j += 1


@compiled
def _products_by_row(X, rows, start, size, W1, b1, Z):
    """Z = W1 x + b1 as dot products along the features, four nodes at a time."""
    n_nodes = W1.shape[0]
    for i in range(size):
        row = X[rows[start + i]]
        m = 0
        while m + 4 <= n_nodes:
            w0, w1, w2, w3 = W1[m], W1[m + 1], W1[m + 2], W1[m + 3]
            s0, s1, s2, s3 = ZERO, ZERO, ZERO, ZERO
            for j in range(row.size):
                x = row[j]
                s0 += w0[j] * x
                s1 += w1[j] * x
                s2 += w2[j] * x
                s3 += w3[j] * x
            Z[m, i] = s0 + b1[m]
            Z[m + 1, i] = s1 + b1[m + 1]
            Z[m + 2, i] = s2 + b1[m + 2]
            Z[m + 3, i] = s3 + b1[m + 3]
            m += 4
        while m + 2 <= n_nodes:
            w0, w1 = W1[m], W1[m + 1]
            s0, s1 = ZERO, ZERO
            for j in range(row.size):
                s0 += w0[j] * row[j]
                s1 += w1[j] * row[j]
            Z[m, i] = s0 + b1[m]
            Z[m + 1, i] = s1 + b1[m + 1]
            m += 2
        while m < n_nodes:
            w0 = W1[m]
            s0 = ZERO
            for j in range(row.size):
                s0 += w0[j] * row[j]
            Z[m, i] = s0 + b1[m]
            m += 1


@compiled
def _gradient_by_row(X, rows, start, size, D, gW1):
    """gW1 += D x^T along the features, four rows and two nodes at a time."""
    n_nodes = gW1.shape[0]
    i = 0
    while i + 4 <= size:
        x0, x1 = X[rows[start + i]], X[rows[start + i + 1]]
        x2, x3 = X[rows[start + i + 2]], X[rows[start + i + 3]]
        for m in range(0, n_nodes - 1, 2):
            g, h = gW1[m], gW1[m + 1]
            d0, d1, d2, d3 = D[m, i], D[m, i + 1], D[m, i + 2], D[m, i + 3]
            e0, e1, e2, e3 = D[m + 1, i], D[m + 1, i + 1], D[m + 1, i + 2], D[m + 1, i + 3]
            for j in range(x0.size):
                g[j] += (d0 * x0[j] + d1 * x1[j]) + (d2 * x2[j] + d3 * x3[j])
                h[j] += (e0 * x0[j] + e1 * x1[j]) + (e2 * x2[j] + e3 * x3[j])
        if n_nodes % 2:
            m = n_nodes - 1
            g = gW1[m]
            d0, d1, d2, d3 = D[m, i], D[m, i + 1], D[m, i + 2], D[m, i + 3]
            for j in range(x0.size):
                g[j] += (d0 * x0[j] + d1 * x1[j]) + (d2 * x2[j] + d3 * x3[j])
        i += 4
    while i < size:
        x0 = X[rows[start + i]]
        for m in range(n_nodes):
            g = gW1[m]
            d0 = D[m, i]
            for j in range(x0.size):
                g[j] += d0 * x0[j]
        i += 1


@compiled
def _activate(activation, Z, size, A, slope):
    """A = activation(Z) and, where ``slope`` has room for it, its derivative."""
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


@compiled_in_order
def _focal_gradient(size, theta, S, G):
    """Turn margins S[0] and signed weights S[1] into gradients G[1] and losses S[0]."""
    for i in range(size):
        e = exp32(-S[0, i])
        p = ONE / (ONE + e)
        q = e * p
        log_p = -log32(ONE + e)
        power = q * q if theta == TWO else exp32(theta * log32(q))
        G[1, i] = -S[1, i] * power * (q - theta * p * log_p)
        S[0, i] = -abs(S[1, i]) * power * log_p


@compiled
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


@compiled_in_order
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
            S[c, i] = exp32(S[c, i] - highest)
            total += S[c, i]
        p = S[y[r], i] / total
        q = max(ONE - p, LEAST_SHARE)
        log_p = log32(p)
        power = ONE if theta == ZERO else exp32(theta * log32(q))
        share = weight[r] * power * (ONE - theta * p * log_p / q)
        loss -= weight[r] * power * log_p
        for c in range(n_classes):
            G[c, i] = share * S[c, i] / total
        G[y[r], i] = share * (p - ONE)
    return loss


@compiled
def _loss_gradient(offset, y, weight, rows, start, size, theta, S, G, sums):
    """Turn the logits S into the gradient G of the loss by them; returns the sum if asked."""
    if S.shape[0] == 2:
        return _two_class_gradient(offset, y, weight, rows, start, size, theta, S, G, sums)
    return _many_class_gradient(offset, y, weight, rows, start, size, theta, S, G)


@compiled
def _logits(A, W2, b2, first, n_hidden, size, S):
    """S = W2^T A + b2 of one group of nodes."""
    for c in range(S.shape[0]):
        s = S[c]
        bias = b2[c]
        for i in range(size):
            s[i] = bias
        for m in range(first, first + n_hidden):
            w, a = W2[m, c], A[m]
            for i in range(size):
                s[i] += w * a[i]


@compiled
def adam_step(parameters, gradient, moment1, moment2, first, last, step, rate, l2, size):
    """One Adam update of parameters first .. last - 1; clears their gradient.

    The gradient is a sum over ``size`` instances, and the regularised loss is
    (sum of losses + l2 / 2 * |parameters|^2) / size.
    """
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


_split = compiled(parts_of)


# Inlined as if it were written out, because a call of its own would round otherwise.
@njit(inline="always")
def _back_to_nodes(A, slope, G, W2, first, n_hidden, size, D, gb1, gW2, gb2):
    """Turn the gradient G by the logits into D, that by the nodes; add up all but gW1."""
    for c in range(G.shape[0]):
        g = G[c]
        total = ZERO
        for i in range(size):
            total += g[i]
        gb2[c] += total
    for m in range(first, first + n_hidden):
        a, d, s = A[m], D[m], slope[m]
        for i in range(size):
            d[i] = ZERO
        for c in range(G.shape[0]):
            g, w = G[c], W2[m, c]
            total = ZERO
            for i in range(size):
                total += a[i] * g[i]
                d[i] += w * g[i]
            gW2[m, c] += total
        total = ZERO
        for i in range(size):
            d[i] *= s[i]
            total += d[i]
        gb1[m] += total


@compiled
def train_epoch(
    X, y, weight, rows, offset, starts, batch, activation, theta, l2, rates,
    n_groups, parameters, gradient, moment1, moment2, step, sums=True,
):  # fmt: skip
    """Train all groups for one pass over the batches; return the summed losses.

    Parameters
    ----------
    X : (n, n_features) float32
    y : (n,) int32, classes 0 .. n_classes - 1
    weight : (n,) float32, weight of each instance in the loss
    rows : (r,) int32, the rows of X to train on, in order
    offset : (r, n_classes) float32, logits to start from, or (0, n_classes)
    starts : (b,) int64, where each batch begins in ``rows``, in order of use
    l2 : (n_groups,) float32, the weight of the parameters' squares in each group
    rates : (b,) float32, the learning rate of each batch
    parameters, gradient, moment1, moment2 : flat float32 vectors, changed in place
    step : number of updates made before
    sums : whether the sums are wanted, which without focusing cost as much as the gradient
    """
    n_features, n_classes = X.shape[1], offset.shape[1]
    n_nodes = (parameters.size - n_groups * n_classes) // (n_features + 1 + n_classes)
    n_hidden = n_nodes // n_groups
    W1, b1, W2, b2 = _split(parameters, n_groups, n_features, n_classes)
    gW1, gb1, gW2, gb2 = _split(gradient, n_groups, n_features, n_classes)
    by_lane = n_features <= FEW_FEATURES
    XT = np.empty((n_features if by_lane else 1, BLOCK), np.float32)
    Z = np.empty((n_nodes, BLOCK), np.float32)
    A = np.empty((n_nodes, BLOCK), np.float32)
    slope = np.empty((n_nodes, BLOCK), np.float32)
    S = np.empty((n_classes, BLOCK), np.float32)
    G = np.empty((n_classes, BLOCK), np.float32)
    losses = np.zeros(n_groups, np.float64)
    for k in range(starts.size):
        stop = min(starts[k] + batch, rows.size)
        for start in range(starts[k], stop, BLOCK):
            size = min(BLOCK, stop - start)
            if by_lane:
                _gather(X, rows, start, size, XT)
                _products_by_lane(XT, W1, b1, size, Z)
            else:
                _products_by_row(X, rows, start, size, W1, b1, Z)
            _activate(activation, Z, size, A, slope)
            for group in range(n_groups):
                first = group * n_hidden
                _logits(A, W2, b2[group], first, n_hidden, size, S)
                losses[group] += _loss_gradient(
                    offset, y, weight, rows, start, size, theta, S, G, sums
                )
                _back_to_nodes(A, slope, G, W2, first, n_hidden, size, Z, gb1, gW2, gb2[group])
            if by_lane:
                _gradient_by_lane(XT, Z, size, gW1)
            else:
                _gradient_by_row(X, rows, start, size, Z, gW1)
        step += 1
        for group in range(n_groups):
            end = 0
            for width in (n_features, 1, n_classes):
                first = end + group * n_hidden * width
                adam_step(
                    parameters, gradient, moment1, moment2, first, first + n_hidden * width,
                    step, rates[k], l2[group], stop - starts[k],
                )  # fmt: skip
                end += n_nodes * width
            first = end + group * n_classes
            adam_step(
                parameters, gradient, moment1, moment2, first, first + n_classes,
                step, rates[k], l2[group], stop - starts[k],
            )  # fmt: skip
    return losses


@compiled
def forward(X, rows, activation, W1, b1, W2, b2, out):
    """Write the logits of ``rows`` of X into ``out`` (groups, rows, classes)."""
    n_nodes, n_features = W1.shape
    n_groups, n_classes = b2.shape
    n_hidden = n_nodes // n_groups
    by_lane = n_features <= FEW_FEATURES
    XT = np.empty((n_features if by_lane else 1, BLOCK), np.float32)
    Z = np.empty((n_nodes, BLOCK), np.float32)
    A = np.empty((n_nodes, BLOCK), np.float32)
    slope = np.empty((n_nodes, BLOCK), np.float32)
    S = np.empty((n_classes, BLOCK), np.float32)
    for start in range(0, rows.size, BLOCK):
        size = min(BLOCK, rows.size - start)
        if by_lane:
            _gather(X, rows, start, size, XT)
            _products_by_lane(XT, W1, b1, size, Z)
        else:
            _products_by_row(X, rows, start, size, W1, b1, Z)
        _activate(activation, Z, size, A, slope)
        for group in range(n_groups):
            _logits(A, W2, b2[group], group * n_hidden, n_hidden, size, S)
            for c in range(n_classes):
                for i in range(size):
                    out[group, start + i, c] = S[c, i]


@compiled
def summed_losses(X, y, weight, theta, activation, W1, b1, W2, b2):
    """Sum the weighted focal losses of all rows of X, for each group."""
    n_nodes, n_features = W1.shape
    n_groups, n_classes = b2.shape
    n_hidden = n_nodes // n_groups
    by_lane = n_features <= FEW_FEATURES
    XT = np.empty((n_features if by_lane else 1, BLOCK), np.float32)
    Z = np.empty((n_nodes, BLOCK), np.float32)
    A = np.empty((n_nodes, BLOCK), np.float32)
    slope = np.empty((n_nodes, BLOCK), np.float32)
    S = np.empty((n_classes, BLOCK), np.float32)
    G = np.empty((n_classes, BLOCK), np.float32)
    rows = np.arange(X.shape[0]).astype(np.int32)
    offset = np.empty((0, n_classes), np.float32)
    losses = np.zeros(n_groups, np.float64)
    for start in range(0, rows.size, BLOCK):
        size = min(BLOCK, rows.size - start)
        if by_lane:
            _gather(X, rows, start, size, XT)
            _products_by_lane(XT, W1, b1, size, Z)
        else:
            _products_by_row(X, rows, start, size, W1, b1, Z)
        _activate(activation, Z, size, A, slope)
        for group in range(n_groups):
            _logits(A, W2, b2[group], group * n_hidden, n_hidden, size, S)
            losses[group] += _loss_gradient(offset, y, weight, rows, start, size, theta, S, G, True)
    return losses


@compiled
def scale_linearly(X, rows, center, factor, limit, out):
    """Write (x - center) * factor, clipped to +-limit, for the rows named."""
    for i in range(rows.size):
        r = rows[i]
        for j in range(X.shape[1]):
            out[i, j] = min(max((X[r, j] - center[j]) * factor[j], -limit), limit)


@compiled
def scale_by_knots(X, rows, columns, knots, values, slopes, first, out):
    """Write the piecewise linear image of the columns named, flat beyond the end knots.

    The image of column ``columns[k]`` becomes column ``first + k``. A column has 32
    knots; those not in use are infinite, and the slope of the last in use is zero.
    """
    for i in range(rows.size):
        r = rows[i]
        for k in range(columns.size):
            x = max(X[r, columns[k]], knots[k, 0])
            # Five halvings without a branch, which nobody could foresee.
            low = 16 if x >= knots[k, 16] else 0
            low += 8 if x >= knots[k, low + 8] else 0
            low += 4 if x >= knots[k, low + 4] else 0
            low += 2 if x >= knots[k, low + 2] else 0
            low += 1 if x >= knots[k, low + 1] else 0
            out[i, first + k] = values[k, low] + (x - knots[k, low]) * slopes[k, low]


@compiled
def two_class_probabilities(X, center, factor, limit, activation, W1, b1, W2, b2, out):
    """Scale linearly, evaluate and write the probabilities of two classes, in one pass.

    Returns zero, or NaN if some feature is not finite.
    """
    n_rows, n_features = X.shape
    n_nodes = W1.shape[0]
    XT = np.empty((n_features, BLOCK), np.float32)
    Z = np.empty((n_nodes, BLOCK), np.float32)
    A = np.empty((n_nodes, BLOCK), np.float32)
    slope = np.empty((n_nodes, BLOCK), np.float32)
    margin = np.empty(BLOCK, np.float32)
    nothing = 0.0
    for start in range(0, n_rows, BLOCK):
        size = min(BLOCK, n_rows - start)
        for i in range(size):
            for j in range(n_features):
                x = X[start + i, j]
                nothing += x * 0.0
                XT[j, i] = min(max((x - center[j]) * factor[j], -limit), limit)
        _products_by_lane(XT, W1, b1, size, Z)
        _activate(activation, Z, size, A, slope)
        bias = b2[1] - b2[0]
        for i in range(size):
            margin[i] = bias
        for m in range(n_nodes):
            w, a = W2[m, 1] - W2[m, 0], A[m]
            for i in range(size):
                margin[i] += w * a[i]
        for i in range(size):
            e = exp32(-abs(margin[i]))
            less = np.float64(e / (ONE + e))
            more = 1.0 - less
            out[start + i, 0] = less if margin[i] > ZERO else more
            out[start + i, 1] = more if margin[i] > ZERO else less
    return nothing
