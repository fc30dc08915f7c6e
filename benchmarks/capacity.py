"""Problems that ten nodes cannot hold: up to sixty levels against LightGBM's defaults.

Made problems of 20,000 rows: eight tenths train, one validates, one tests; several seeds.
XOR in two dimensions runs with at most four levels.

    python benchmarks/capacity.py
"""

import argparse

import numpy as np
from common import markdown_table, print_table, replace_section, show_seconds, write_json
from lightgbm import LGBMClassifier

from trisect import STWDSFNNClassifier
from trisect_experiments.datasets import generators

PROBLEMS = {
    "ring": (generators.make_ring, {}, 60),
    "checkerboard": (generators.make_checkerboard, {}, 60),
    "letters": (generators.make_letters, {}, 60),
    **{f"parity of {k}": (generators.make_parity, {"n_signs": k}, 60) for k in range(2, 7)},
    "XOR": (generators.make_xor, {}, 4),
}


def trial(make, options, max_levels, seed, n_rows):
    """Fit both on one draw; return the accuracies, and our nodes and seconds."""
    X, y = make(n_rows, random_state=seed, **options)
    eight, nine = 8 * n_rows // 10, 9 * n_rows // 10
    train, validation, test = slice(0, eight), slice(eight, nine), slice(nine, None)
    ours = STWDSFNNClassifier(max_levels=max_levels, random_state=seed)
    ours.fit(X[train], y[train], X_val=X[validation], y_val=y[validation])
    theirs = LGBMClassifier(n_jobs=1, verbosity=-1).fit(X[train], y[train])
    return (
        100 * ours.score(X[test], y[test]),
        100 * np.mean(theirs.predict(X[test]) == y[test]),
        ours.n_hidden_,
        ours.fit_seconds_,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--problems", nargs="+", default=list(PROBLEMS), metavar="NAME")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--page", metavar="FILE", help="a page with a section for this table")
    arguments = parser.parse_args()
    rows = []
    for name in arguments.problems:
        trials = [trial(*PROBLEMS[name], seed, arguments.rows) for seed in range(arguments.seeds)]
        ours, theirs, nodes, seconds = np.mean(trials, axis=0)
        rows.append(
            {
                "problem": name,
                "trisect": ours,
                "trisect_worst": min(t[0] for t in trials),
                "lightgbm": theirs,
                "nodes": nodes,
                "seconds": seconds,
            }
        )
    head = ["problem", "trisect %", "worst seed", "LightGBM %", "difference", "nodes", "seconds"]
    lines = [
        [
            r["problem"], f"{r['trisect']:.1f}", f"{r['trisect_worst']:.1f}",
            f"{r['lightgbm']:.1f}", f"{r['trisect'] - r['lightgbm']:+.1f}",
            f"{r['nodes']:.1f}", show_seconds(r["seconds"]),
        ]
        for r in rows
    ]  # fmt: skip
    print_table(f"Test accuracy, mean of {arguments.seeds} seeds", [head, *lines])
    if arguments.json:
        write_json(arguments.json, rows)
    if arguments.page:
        replace_section(arguments.page, "capacity", markdown_table([head, *lines]))


if __name__ == "__main__":
    main()
