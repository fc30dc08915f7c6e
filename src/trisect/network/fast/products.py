"""The products of inputs and weights, forwards and backwards.

With few features the rows of a block are the vector lanes, and the block is copied
feature-major first. With many features the products run along the features, and each row
is read once from memory and once from cache.
"""

from trisect.network.fast.compiler import ZERO, reordered

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


@reordered
def products_by_row(X, rows, start, size, W1, b1, Z):
    """Z = W1 x + b1 as dot products along the features, four nodes at a time."""
    n_nodes, n_straight = W1.shape
    for i in range(size):
        row = X[rows[start + i]][:n_straight]
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


@reordered
def gradient_by_row(X, rows, start, size, D, gW1):
    """gW1 += D x^T along the features, four rows and two nodes at a time."""
    n_nodes, n_straight = gW1.shape
    i = 0
    while i + 4 <= size:
        x0, x1 = X[rows[start + i]][:n_straight], X[rows[start + i + 1]][:n_straight]
        x2, x3 = X[rows[start + i + 2]][:n_straight], X[rows[start + i + 3]][:n_straight]
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
        x0 = X[rows[start + i]][:n_straight]
        for m in range(n_nodes):
            g = gW1[m]
            d0 = D[m, i]
            for j in range(x0.size):
                g[j] += d0 * x0[j]
        i += 1
