"""The products of inputs and weights, forwards and backwards.

With few features the rows of a block are the vector lanes, and the block is copied
feature-major first. With many features the products run along the features, and each row
is read once from memory and once from cache.
"""

from trisect.network.fast.compiler import ZERO, in_order, reordered
from trisect.network.fast.lanes import LANES, load, splat, total
from trisect.network.fast.lanes import store

__all__ = [
    "gather",
    "gradient_by_lane",
    "gradient_by_row",
    "products_by_lane",
    "products_by_row",
]


@reordered
def gather(X, rows, start, size, XT):
    """Copy a block of rows feature-major."""
    for i in range(size):
        row = X[rows[start + i]]
        for j in range(XT.shape[0]):
            XT[j, i] = row[j]


@reordered
def products_by_lane(XT, W1, b1, size, Z):
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


@reordered
def gradient_by_lane(XT, D, size, gW1):
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


@in_order
def products_by_row(X, rows, start, size, W1, b1, Z):
    """Z = W1 x + b1 as dot products along the features, four rows and two nodes at a time."""
    n_nodes, n_straight = W1.shape
    whole = n_straight - n_straight % LANES
    for i in range(0, size, 4):
        # What is missing in the last four rows or two nodes is computed twice.
        i1, i2, i3 = min(i + 1, size - 1), min(i + 2, size - 1), min(i + 3, size - 1)
        x0, x1 = X[rows[start + i]], X[rows[start + i1]]
        x2, x3 = X[rows[start + i2]], X[rows[start + i3]]
        for m in range(0, n_nodes, 2):
            n = min(m + 1, n_nodes - 1)
            v, w = W1[m], W1[n]
            s0, s1, s2, s3 = splat(ZERO), splat(ZERO), splat(ZERO), splat(ZERO)
            t0, t1, t2, t3 = splat(ZERO), splat(ZERO), splat(ZERO), splat(ZERO)
            for j in range(0, whole, LANES):
                a, b = load(v, j), load(w, j)
                y0, y1, y2, y3 = load(x0, j), load(x1, j), load(x2, j), load(x3, j)
                s0, s1, s2, s3 = s0 + a * y0, s1 + a * y1, s2 + a * y2, s3 + a * y3
                t0, t1, t2, t3 = t0 + b * y0, t1 + b * y1, t2 + b * y2, t3 + b * y3
            c, d = b1[m], b1[n]
            z0, z1, z2, z3 = c + total(s0), c + total(s1), c + total(s2), c + total(s3)
            u0, u1, u2, u3 = d + total(t0), d + total(t1), d + total(t2), d + total(t3)
            for j in range(whole, n_straight):
                z0, z1, z2, z3 = z0 + v[j] * x0[j], z1 + v[j] * x1[j], z2 + v[j] * x2[j], z3 + v[j] * x3[j]
                u0, u1, u2, u3 = u0 + w[j] * x0[j], u1 + w[j] * x1[j], u2 + w[j] * x2[j], u3 + w[j] * x3[j]
            Z[m, i], Z[m, i1], Z[m, i2], Z[m, i3] = z0, z1, z2, z3
            Z[n, i], Z[n, i1], Z[n, i2], Z[n, i3] = u0, u1, u2, u3


@in_order
def gradient_by_row(X, rows, start, size, D, gW1):
    """gW1 += D x^T along the features, four rows and two nodes at a time."""
    n_nodes, n_straight = gW1.shape
    whole = n_straight - n_straight % LANES
    i = 0
    while i + 4 <= size:
        x0, x1 = X[rows[start + i]], X[rows[start + i + 1]]
        x2, x3 = X[rows[start + i + 2]], X[rows[start + i + 3]]
        for m in range(0, n_nodes - 1, 2):
            g, h = gW1[m], gW1[m + 1]
            d0, d1, d2, d3 = D[m, i], D[m, i + 1], D[m, i + 2], D[m, i + 3]
            e0, e1, e2, e3 = D[m + 1, i], D[m + 1, i + 1], D[m + 1, i + 2], D[m + 1, i + 3]
            p0, p1, p2, p3 = splat(d0), splat(d1), splat(d2), splat(d3)
            q0, q1, q2, q3 = splat(e0), splat(e1), splat(e2), splat(e3)
            for j in range(0, whole, LANES):
                y0, y1, y2, y3 = load(x0, j), load(x1, j), load(x2, j), load(x3, j)
                store(g, j, load(g, j) + p0 * y0 + p1 * y1 + p2 * y2 + p3 * y3)
                store(h, j, load(h, j) + q0 * y0 + q1 * y1 + q2 * y2 + q3 * y3)
            for j in range(whole, n_straight):
                g[j] += d0 * x0[j] + d1 * x1[j] + d2 * x2[j] + d3 * x3[j]
                h[j] += e0 * x0[j] + e1 * x1[j] + e2 * x2[j] + e3 * x3[j]
        if n_nodes % 2:
            g, m = gW1[n_nodes - 1], n_nodes - 1
            d0, d1, d2, d3 = D[m, i], D[m, i + 1], D[m, i + 2], D[m, i + 3]
            p0, p1, p2, p3 = splat(d0), splat(d1), splat(d2), splat(d3)
            for j in range(0, whole, LANES):
                y0, y1, y2, y3 = load(x0, j), load(x1, j), load(x2, j), load(x3, j)
                store(g, j, load(g, j) + p0 * y0 + p1 * y1 + p2 * y2 + p3 * y3)
            for j in range(whole, n_straight):
                g[j] += d0 * x0[j] + d1 * x1[j] + d2 * x2[j] + d3 * x3[j]
        i += 4
    while i < size:
        x0 = X[rows[start + i]]
        for m in range(n_nodes):
            g, d0 = gW1[m], D[m, i]
            for j in range(n_straight):
                g[j] += d0 * x0[j]
        i += 1
