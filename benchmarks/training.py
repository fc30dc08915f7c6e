"""Milliseconds per epoch, ours against scikit-learn's MLPClassifier, in one run.

Same data (single precision), same batches of 512, same nodes, Adam, one thread; the
floor is the time to read X once. An epoch of ours is one call of the fast engine;
one of MLPClassifier is the difference between fits of one and of several epochs.

    python benchmarks/training.py
"""

import argparse
import time
import warnings

import numpy as np
from common import markdown_table, print_table, replace_section, write_json
from numba import njit
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_limits

from trisect.network import fast, initial_network
from trisect.network.contract import Batches, Rows
from trisect.network.parameters import pack, parts_of, side_by_side
from trisect.network.training import Training, adam_from_rest

SHAPES = [
    # rows, features, nodes, ratio to reach
    (200_000, 3, 1, 30),
    (50_000, 20, 2, 15),
    (50_000, 20, 10, 10),
    (10_000, 64, 2, 8),
    (10_000, 178, 2, 5),
    (8_000, 1_024, 2, 3),
    (8_000, 1_024, 10, 2),
]
BATCH = 512
REPEATS = 5
EPOCHS = 4


def ours(X, y, n_hidden, activation):
    """Return the seconds of an epoch."""
    rng = np.random.default_rng(0)
    network = initial_network(X.shape[1], n_hidden, 2, activation, "uniform", rng)
    flat, like = pack([network]), side_by_side([network])
    optimiser = adam_from_rest(flat, like, 0.1, Training(1, 1e-3))
    networks = parts_of(flat, like)
    order, none = np.arange(len(X), dtype=np.int32), np.empty((0, 2), np.float32)
    rows = Rows(X, y, np.ones(len(X), np.float32), order, none)
    starts = np.arange(0, len(X), BATCH)
    batches = Batches(starts, BATCH, np.full(len(starts), 1e-3, dtype=np.float32), 0)
    begin = time.perf_counter()
    for _ in range(EPOCHS):
        fast.train(rows, batches, networks, optimiser, theta=0.0)
    return (time.perf_counter() - begin) / EPOCHS


def theirs(X, y, n_hidden, activation):
    """Return the seconds of an epoch."""

    def fit(epochs):
        model = MLPClassifier(
            (n_hidden,), activation=activation, batch_size=BATCH, max_iter=epochs,
            n_iter_no_change=epochs + 1, random_state=0,
        )  # fmt: skip
        begin = time.perf_counter()
        model.fit(X, y)
        return time.perf_counter() - begin

    return (fit(1 + EPOCHS) - fit(1)) / EPOCHS


@njit(fastmath=True)
def read(X):
    """Read every number once."""
    total, flat = np.float32(0.0), X.reshape(-1)
    for i in range(flat.size):
        total += flat[i]
    return total


def measure(n_rows, n_features, n_hidden, activation):
    """Take turns, and keep the best of each, because a busy machine only slows down."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_features)).astype(np.float32)
    y = (X[:, 0] + X[:, 1] > 0).astype(np.int32)
    ours(X[:BATCH], y[:BATCH], n_hidden, activation)
    read(X[:BATCH])
    mine, rival, floor = [], [], []
    for _ in range(REPEATS):
        mine.append(ours(X, y, n_hidden, activation))
        rival.append(theirs(X, y, n_hidden, activation))
        begin = time.perf_counter()
        read(X)
        floor.append(time.perf_counter() - begin)
    return 1e3 * min(mine), 1e3 * min(rival), 1e3 * min(floor)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--activation", choices=["relu", "tanh"], default="relu")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--page", metavar="FILE", help="a page with a section for this table")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    for n_rows, n_features, n_hidden, goal in SHAPES:
        with threadpool_limits(limits=1):
            mine, rival, floor = measure(n_rows, n_features, n_hidden, arguments.activation)
        rows.append(
            {
                "rows": n_rows,
                "features": n_features,
                "nodes": n_hidden,
                "trisect_ms": mine,
                "mlp_ms": rival,
                "floor_ms": floor,
                "ratio": rival / mine,
                "to_reach": goal,
            }
        )
    head = ["rows x features, nodes", "trisect ms", "MLPClassifier ms", "floor ms", "ratio", "aim"]
    lines = [
        [
            f"{r['rows']:,} x {r['features']:,}, {r['nodes']}",
            f"{r['trisect_ms']:.2f}", f"{r['mlp_ms']:.1f}", f"{r['floor_ms']:.2f}",
            f"{r['ratio']:.1f}x", f"{r['to_reach']}x",
        ]
        for r in rows
    ]  # fmt: skip
    print_table(f"One epoch, {arguments.activation}", [head, *lines])
    if arguments.json:
        write_json(arguments.json, rows)
    if arguments.page:
        replace_section(arguments.page, "epochs", markdown_table([head, *lines]))


if __name__ == "__main__":
    main()
