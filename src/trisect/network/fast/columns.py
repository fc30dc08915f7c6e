"""What happens between two batches, for a group of columns: update, and open the gates again."""

from trisect.network.fast.compiler import ZERO, in_order
from trisect.network.fast.gates import (
    add_up,
    close_positions,
    close_straight,
    open_positions,
    open_straight,
)
from trisect.network.fast.lanes import LANES
from trisect.network.fast.node_curves import STRIDE
from trisect.network.fast.optimiser import update_columns, update_rest

__all__ = ["column_group", "learn_columns", "learn_rest", "n_column_groups", "open_columns"]

# Groups at most, for as many threads, and their fewest columns: for fewer, handing them out costs
# as much as working on them.
MOST_GROUPS = 8


@in_order
def _width(n_features):
    return -(-n_features // (MOST_GROUPS * LANES)) * LANES


@in_order
def n_column_groups(n_features):
    """Return the number of groups of columns that are updated apart from each other."""
    return -(-n_features // _width(n_features))


@in_order
def column_group(n_features, number):
    """Return the first column of a group, and that after its last."""
    width = _width(n_features)
    return number * width, min((number + 1) * width, n_features)


@in_order
def open_columns(networks, n_hidden, begin, end, shared, sums):
    """Work the gates of some columns into weights and curves."""
    n_straight = shared.W.shape[1]
    if begin < n_straight:
        open_straight(networks, n_hidden, begin, min(end, n_straight), shared.W)
    if end > n_straight:
        left, right = max(begin - n_straight, 0), end - n_straight
        open_positions(networks, n_hidden, left, right, shared.ungated, shared.curves, sums)


@in_order
def learn_columns(networks, optimiser, gradient, n_hidden, begin, end, shared, n_parts, step, sums):
    """Update the parameters of some columns by the gradients of the parts of a batch."""
    n_nodes, n_straight = shared.by_W.shape[1], shared.by_W.shape[2]
    if begin < n_straight:
        last = min(end, n_straight)
        for m in range(n_nodes):
            add_up(shared.by_W, n_parts, m * n_straight + begin, m * n_straight + last)
        if networks.gates.size > 0:
            close_straight(networks, gradient, n_hidden, begin, last, shared.by_W[0])
        else:
            for m in range(n_nodes):
                for j in range(begin, last):
                    gradient.W1[m, j] = shared.by_W[0, m, j]
                    shared.by_W[0, m, j] = ZERO
    if end > n_straight:
        left, right = max(begin - n_straight, 0), end - n_straight
        first, last = networks.first[left] * STRIDE, networks.first[right] * STRIDE
        length = networks.line.size * STRIDE
        for group in range(shared.curves.shape[0]):
            add_up(shared.by_curves, n_parts, group * length + first, group * length + last)
        close_positions(
            networks, gradient, n_hidden, left, right, shared.ungated, shared.by_curves[0], sums
        )
    update_columns(optimiser, networks, n_hidden, begin, end, step)


@in_order
def learn_rest(networks, optimiser, shared, n_parts, step):
    """Update biases and the weights of outputs by the gradients of the parts of a batch."""
    n_rest = shared.by_rest.shape[1]
    add_up(shared.by_rest, n_parts, 0, n_rest)
    update_rest(optimiser, networks.b2.shape[0], shared.by_rest[0], step)
    for k in range(n_rest):
        shared.by_rest[0, k] = ZERO
