"""The products of straight inputs and weights, forwards and backwards.

With few inputs the rows of a block are the vector lanes, and the block is copied
feature-major first. With many inputs the products run along some of them at a time, and each
row is read once from memory and once from cache.
"""

from trisect.network.fast.compiler import ZERO, in_order, reordered
from trisect.network.fast.lanes import LANES, load, splat, store, total

__all__ = [
    "gather",
    "gradient_by_lane",
    "gradient_by_row",
    "products_by_lane",
    "products_by_row",
]


@reordered
def gather(X, rows, start, size, XT):
    """Copy the straight inputs of a block of rows feature-major."""
    for i in range(size):
        row = X[rows[start + i]]
        for j in range(XT.shape[0]):
            XT[j, i] = row[j]


@reordered
def products_by_lane(XT, W1, size, Z):
    """Z = W1 x with the rows as lanes; XT is feature-major."""
    for m in range(W1.shape[0]):
        z = Z[m]
        for i in range(size):
            z[i] = ZERO
        j = 0
        while j + 4 <= XT.shape[0]:
            w0, w1, w2, w3 = W1[m, j], W1[m, j + 1], W1[m, j + 2], W1[m, j + 3]
            x0, x1, x2, x3 = XT[j], XT[j + 1], XT[j + 2], XT[j + 3]
            for i in range(size):
                z[i] += (w0 * x0[i] + w1 * x1[i]) + (w2 * x2[i] + w3 * x3[i])
            j += 4
        while j < XT.shape[0]:
            w0, x0 = W1[m, j], XT[j]
            for i in range(size):
                z[i] += w0 * x0[i]
            j += 1


@reordered
def gradient_by_lane(XT, D, size, gW1):
    """gW1 += D x^T with the rows as lanes; XT is feature-major."""
    for m in range(gW1.shape[0]):
        d = D[m]
        j = 0
        while j + 4 <= XT.shape[0]:
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
        while j < XT.shape[0]:
            x0 = XT[j]
            s0 = ZERO
            for i in range(size):
                s0 += d[i] * x0[i]
            gW1[m, j] += s0
            j += 1


@in_order
def products_by_row(X, rows, start, size, W1, before, begin, end, Z):
    """Z = W1 x as dot products along the features, four rows and two nodes at a time.

    W1 lacks so many features before.
    """
    n_nodes = W1.shape[0]
    whole = end - (end - begin) % LANES
    for i in range(0, size, 4):
        # What is missing in the last four rows or two nodes is computed twice.
        i1, i2, i3 = min(i + 1, size - 1), min(i + 2, size - 1), min(i + 3, size - 1)
        x0, x1 = X[rows[start + i]], X[rows[start + i1]]
        x2, x3 = X[rows[start + i2]], X[rows[start + i3]]
        for m in range(0, n_nodes, 2):
            n = min(m + 1, n_nodes - 1)
            v, w, y, z = W1[m], W1[n], Z[m], Z[n]
            s0, s1, s2, s3 = splat(ZERO), splat(ZERO), splat(ZERO), splat(ZERO)
            t0, t1, t2, t3 = splat(ZERO), splat(ZERO), splat(ZERO), splat(ZERO)
            for j in range(begin, whole, LANES):
                a, b = load(v, j - before), load(w, j - before)
                c0, c1, c2, c3 = load(x0, j), load(x1, j), load(x2, j), load(x3, j)
                s0, s1, s2, s3 = s0 + a * c0, s1 + a * c1, s2 + a * c2, s3 + a * c3
                t0, t1, t2, t3 = t0 + b * c0, t1 + b * c1, t2 + b * c2, t3 + b * c3
            y[i], y[i1], y[i2], y[i3] = total(s0), total(s1), total(s2), total(s3)
            z[i], z[i1], z[i2], z[i3] = total(t0), total(t1), total(t2), total(t3)
    for i in range(size):
        x0 = X[rows[start + i]]
        for m in range(n_nodes if whole < end else 0):
            for j in range(whole, end):
                Z[m, i] += W1[m, j - before] * x0[j]


@in_order
def gradient_by_row(X, rows, start, size, D, before, begin, end, gW1):
    """gW1 += D x^T along the features, four rows and two nodes at a time.

    gW1 lacks so many features before.
    """
    n_nodes = gW1.shape[0]
    whole = end - (end - begin) % LANES
    fours = size - size % 4
    for i in range(0, fours, 4):
        x0, x1 = X[rows[start + i]], X[rows[start + i + 1]]
        x2, x3 = X[rows[start + i + 2]], X[rows[start + i + 3]]
        for m in range(0, n_nodes - n_nodes % 2, 2):
            g, h, d, e = gW1[m], gW1[m + 1], D[m], D[m + 1]
            p0, p1, p2, p3 = splat(d[i]), splat(d[i + 1]), splat(d[i + 2]), splat(d[i + 3])
            q0, q1, q2, q3 = splat(e[i]), splat(e[i + 1]), splat(e[i + 2]), splat(e[i + 3])
            for j in range(begin, whole, LANES):
                c0, c1, c2, c3 = load(x0, j), load(x1, j), load(x2, j), load(x3, j)
                store(g, j - before, load(g, j - before) + p0 * c0 + p1 * c1 + p2 * c2 + p3 * c3)
                store(h, j - before, load(h, j - before) + q0 * c0 + q1 * c1 + q2 * c2 + q3 * c3)
        if n_nodes % 2:
            g, d = gW1[n_nodes - 1], D[n_nodes - 1]
            p0, p1, p2, p3 = splat(d[i]), splat(d[i + 1]), splat(d[i + 2]), splat(d[i + 3])
            for j in range(begin, whole, LANES):
                c0, c1, c2, c3 = load(x0, j), load(x1, j), load(x2, j), load(x3, j)
                store(g, j - before, load(g, j - before) + p0 * c0 + p1 * c1 + p2 * c2 + p3 * c3)
    for i in range(size):
        x0 = X[rows[start + i]]
        for m in range(n_nodes):
            g, d0 = gW1[m], D[m, i]
            for j in range(whole if i < fours else begin, end):
                g[j - before] += d0 * x0[j]
