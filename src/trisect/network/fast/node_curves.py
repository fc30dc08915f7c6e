"""Gates, and curves of each node's own: the nodes are the vector lanes, in groups of eight.

A position is an interval and a share of it. What it adds to eight nodes is two loads and a
multiplication away: the values of their curves at the interval's left end, and the rises.
"""

import numpy as np

from trisect.network.fast.compiler import ZERO, F, in_order

__all__ = ["LANES", "close_gates", "locate", "look_up", "open_gates", "spread"]

LANES = 8


@in_order
def open_gates(networks, n_hidden, W, starts, rises):
    """Work gates and centres into weights W and, by lanes, into starts and rises of curves."""
    W1, first, line, center = networks.W1, networks.first, networks.line, networks.center
    n_nodes, n_features = W1.shape
    n_straight = n_features - (first.size - 1)
    for m in range(n_nodes):
        own, shared = networks.node_gates[m], networks.gates[m // n_hidden]
        group, lane = m // LANES, m % LANES
        for j in range(n_straight):
            W[m, j] = shared[j] * own[j] * W1[m, j]
        for j in range(first.size - 1):
            k = n_straight + j
            gate, weight, start = shared[k] * own[k], W1[m, k], ZERO
            for t in range(first[j], first[j + 1]):
                rise = gate * (weight * line[t] + networks.bends[m, t])
                rises[group, t, lane] = rise
                start -= center[t] * rise
            for t in range(first[j], first[j + 1]):
                starts[group, t, lane] = start
                start += rises[group, t, lane]


@in_order
def close_gates(networks, gradient, n_hidden, gW, by_starts, by_rises):
    """Turn the gradient by weights, starts and rises into that by the parameters."""
    W1, first, line, center = networks.W1, networks.first, networks.line, networks.center
    n_nodes, n_features = W1.shape
    n_straight = n_features - (first.size - 1)
    for m in range(n_nodes):
        own, shared = networks.node_gates[m], networks.gates[m // n_hidden]
        by_own, by_shared = gradient.node_gates[m], gradient.gates[m // n_hidden]
        group, lane = m // LANES, m % LANES
        for j in range(n_straight):
            g, w = gW[m, j], W1[m, j]
            gradient.W1[m, j] = g * shared[j] * own[j]
            by_own[j] = g * shared[j] * w
            by_shared[j] += g * own[j] * w
            gW[m, j] = ZERO
        for j in range(first.size - 1):
            k = n_straight + j
            gate, weight = shared[k] * own[k], W1[m, k]
            total = ZERO
            for t in range(first[j], first[j + 1]):
                total += by_starts[group, t, lane]
            after, by_weight, by_gate = ZERO, ZERO, ZERO
            for t in range(first[j + 1] - 1, first[j] - 1, -1):
                # A rise lifts all that comes after it, and lowers the start by the centre.
                g = by_rises[group, t, lane] + after - center[t] * total
                after += by_starts[group, t, lane]
                by_gate += g * (weight * line[t] + networks.bends[m, t])
                by_weight += g * line[t]
                gradient.bends[m, t] = gate * g
                by_starts[group, t, lane] = ZERO
                by_rises[group, t, lane] = ZERO
            gradient.W1[m, k] = gate * by_weight
            by_own[k] = by_gate * shared[k]
            by_shared[k] += by_gate * own[k]


@in_order
def locate(X, rows, start, size, begins, interval, share):
    """Take the positions of a block of rows apart."""
    n_positions = begins.size
    for i in range(size):
        row = X[rows[start + i]]
        positions, at, s = row[row.size - n_positions :], interval[i], share[i]
        for j in range(n_positions):
            k = np.int32(positions[j])
            s[j] = positions[j] - F(k)
            at[j] = begins[j] + np.uint32(k)


@in_order
def look_up(interval, share, size, starts, rises, Z):
    """Add to Z what the positions of a block are worth to each node."""
    n_positions = interval.shape[1]
    for group in range(starts.shape[0]):
        S, R, m = starts[group], rises[group], group * LANES
        for i in range(size):
            at, s = interval[i], share[i]
            z0, z1, z2, z3 = Z[m, i], Z[m + 1, i], Z[m + 2, i], Z[m + 3, i]
            z4, z5, z6, z7 = Z[m + 4, i], Z[m + 5, i], Z[m + 6, i], Z[m + 7, i]
            for j in range(n_positions):
                t, x = at[j], s[j]
                z0 += S[t, 0] + x * R[t, 0]
                z1 += S[t, 1] + x * R[t, 1]
                z2 += S[t, 2] + x * R[t, 2]
                z3 += S[t, 3] + x * R[t, 3]
                z4 += S[t, 4] + x * R[t, 4]
                z5 += S[t, 5] + x * R[t, 5]
                z6 += S[t, 6] + x * R[t, 6]
                z7 += S[t, 7] + x * R[t, 7]
            Z[m, i], Z[m + 1, i], Z[m + 2, i], Z[m + 3, i] = z0, z1, z2, z3
            Z[m + 4, i], Z[m + 5, i], Z[m + 6, i], Z[m + 7, i] = z4, z5, z6, z7


@in_order
def spread(interval, share, size, D, by_starts, by_rises):
    """Add the gradient D by the nodes to the gradient by starts and rises."""
    n_positions = interval.shape[1]
    for group in range(by_starts.shape[0]):
        S, R, m = by_starts[group], by_rises[group], group * LANES
        for i in range(size):
            at, s = interval[i], share[i]
            d0, d1, d2, d3 = D[m, i], D[m + 1, i], D[m + 2, i], D[m + 3, i]
            d4, d5, d6, d7 = D[m + 4, i], D[m + 5, i], D[m + 6, i], D[m + 7, i]
            for j in range(n_positions):
                t, x = at[j], s[j]
                S[t, 0] += d0
                S[t, 1] += d1
                S[t, 2] += d2
                S[t, 3] += d3
                S[t, 4] += d4
                S[t, 5] += d5
                S[t, 6] += d6
                S[t, 7] += d7
                R[t, 0] += x * d0
                R[t, 1] += x * d1
                R[t, 2] += x * d2
                R[t, 3] += x * d3
                R[t, 4] += x * d4
                R[t, 5] += x * d5
                R[t, 6] += x * d6
                R[t, 7] += x * d7
