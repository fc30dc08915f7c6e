"""What decisions cost on the fifteen datasets: always deciding against three ways.

Default STWDSFNNClassifier on the folds of the protocol (one fold tests, the next validates,
eight train; seed 0). There are five policies: always decide (with gamma), decide three ways
with closed-form thresholds, decide three ways with the pair learned on the validation fold,
and decide level by level, through all levels or through those that are worth their nodes,
deferring what is uncertain at the end. Label 1 is positive. Costs are per 1,000 test
instances.

    python benchmarks/decision_costs.py --markdown docs/results/decision-costs.md

The settings behind these policies were chosen on folds of training rows:

    python benchmarks/decision_costs.py --develop --folds 5
"""

import argparse
import platform
import sys
from itertools import product
from pathlib import Path

import numpy as np
from common import DATASETS, data_folder, print_table, write_json
from sklearn.model_selection import cross_val_predict
from threadpoolctl import threadpool_limits

from trisect import CostMatrix, STWDSFNNClassifier
from trisect.decisions import leading_to, learn_thresholds
from trisect_experiments.datasets import load_dataset
from trisect_experiments.protocol import Fold, folds, impute_median

RATIOS = [(5, 10, 1), (20, 20, 1), (3, 3, 1)]
"""False accept, false reject, review."""
POLICIES = ("two_way", "closed_form", "learned", "sequential", "auto")
TITLES = {
    "closed_form": "closed form",
    "learned": "learned thresholds",
    "sequential": "sequential",
    "auto": 'sequential with `levels="auto"`',
}
POSITIVE = 1
SHRINKAGE = 3
SHRINKAGES, STRICTNESSES = (0, 0.3, 1, 3), (0, 1, 2, 3, 4)
CHOICE = (
    "Chosen: a shrinkage of 3, the cheapest of the four on five folds and as cheap as 1 on the "
    "validation fold; it gains next to nothing over the closed form, whose probabilities can be "
    "trusted here. And a strictness of 2, the least of these with which a walk through all levels "
    "costs at most 5 % more than to decide at once (the closed form of the first line)."
)
UNSEEN = 2
"""Folds, the first two, whose test rows have no part in development."""
CROSS_VALIDATED = 2
"""Inner folds of development in which thresholds are also learned on five folds."""


def fitted(X, y, fold, seed):
    """Fit once; return the model and the probabilities of validation and test rows."""
    model = STWDSFNNClassifier(random_state=seed)
    model.fit(X[fold.train], y[fold.train], X_val=X[fold.validation], y_val=y[fold.validation])
    return model, *(model.predict_proba(X[rows])[:, 1] for rows in (fold.validation, fold.test))


def costs_of(ratio):
    accept, reject, review = ratio
    return CostMatrix.from_review(false_accept=accept, false_reject=reject, review=review)


def measure_fold(X, y, fold, seed):
    """Fit once, and decide under each ratio in each way; costs are sums over the fold."""
    model, p_val, p = fitted(X, y, fold, seed)
    truth = y[fold.test] == POSITIVE
    results = {}
    for ratio in RATIOS:
        costs = costs_of(ratio)
        learned = learn_thresholds(
            p_val, y[fold.validation] == POSITIVE, costs, shrinkage=SHRINKAGE, n_resamples=1
        )
        walk, auto = (
            model.decide_sequentially(X[fold.test], costs, final="defer", levels=levels)
            for levels in ("all", "auto")
        )
        regions = {
            "two_way": np.where(p >= costs.gamma, 1, -1),
            "closed_form": costs.decide(p),
            "learned": learned.regions(p),
            "sequential": walk.regions,
            "auto": auto.regions,
        }
        results[ratio] = {
            policy: {
                "cost": float(costs.charge(truth, r).sum()),
                "deferred": int(np.count_nonzero(r == 0)),
            }
            for policy, r in regions.items()
        }
        results[ratio]["nodes"] = walk.nodes_evaluated, auto.nodes_evaluated
    return results, len(truth), model.n_hidden_ * len(truth)


def develop_fold(X, y, fold, seed):
    """Cost and nodes evaluated of each option under each ratio."""
    model, p_val, p = fitted(X, y, fold, seed)
    truth, truth_val = (y[rows] == POSITIVE for rows in (fold.test, fold.validation))
    learning = {"validation fold": (p, p_val, truth_val)}
    if seed < CROSS_VALIDATED:
        # What ThreeWayClassifier does: five folds, then a fit to all rows.
        rows = np.concatenate([fold.train, fold.validation])
        again = STWDSFNNClassifier(random_state=seed)
        held_out = cross_val_predict(again, X[rows], y[rows], method="predict_proba")[:, 1]
        p_all = again.fit(X[rows], y[rows]).predict_proba(X[fold.test])[:, 1]
        learning["five folds"] = (p_all, held_out, y[rows] == POSITIVE)
    largest = model.n_hidden_ * len(truth)
    for ratio in RATIOS:
        costs = costs_of(ratio)

        def cost(regions, costs=costs):
            return float(costs.charge(truth, regions).sum())

        for data, (p_test, p_learn, truth_learn) in learning.items():
            base = cost(np.where(p_test >= costs.gamma, 1, -1)), largest
            yield ratio, f"closed form ({data})", base, cost(costs.decide(p_test))
            for value in SHRINKAGES:
                pair = learn_thresholds(p_learn, truth_learn, costs, shrinkage=value, n_resamples=1)
                yield ratio, f"shrinkage {value:g} ({data})", base, cost(pair.regions(p_test))
        base = cost(np.where(p >= costs.gamma, 1, -1)), largest
        for value, levels in product(STRICTNESSES, ("all", "auto")):
            chain = leading_to(costs, model.best_level_ + 1, value)
            walk = model.decide_sequentially(X[fold.test], chain, final="defer", levels=levels)
            option = f"strictness {value:g} ({levels.replace('all', 'all levels')})"
            yield ratio, option, base, cost(walk.regions), walk.nodes_evaluated


def develop(names, folder, n_folds):
    """Compare what must be chosen, on folds (seed 1) of rows that train in fold 0."""
    sums = {}
    for name in names:
        dataset = load_dataset(name, folder)
        y = np.asarray(dataset.y)
        rows = next(folds(y)).train
        for seed, inner in enumerate(folds(y[rows], random_state=1)):
            if seed == n_folds:
                break
            fold = Fold(*(rows[part] for part in inner))
            X = impute_median(dataset.X, fold.train).astype(np.float32)
            for ratio, option, base, cost, *nodes in develop_fold(X, y, fold, seed):
                found = sums.setdefault(option, {}).setdefault((ratio, name), np.zeros((2, 2)))
                found += base, (cost, *(nodes or base[1:]))
            print(f"{name} inner fold {seed}", file=sys.stderr, flush=True)
    table = [("", *["{}/{}/{}".format(*ratio) for ratio in RATIOS], "mean", "nodes")]
    for option, found in sums.items():
        relative = [
            np.mean([v[1] / v[0] for (r, _), v in found.items() if r == ratio and v[0, 0]], axis=0)
            for ratio in RATIOS
        ]
        cost, nodes = np.transpose(relative)
        cells = [f"{value:.3f}" for value in (*cost, cost.mean())]
        table.append((option, *cells, f"{nodes.mean():.2f}"))
    return table


def measure(name, folder, n_folds):
    dataset = load_dataset(name, folder)
    y = np.asarray(dataset.y)
    results, counts, nodes = [], [], []
    for seed, fold in enumerate(folds(y)):
        if seed == n_folds:
            break
        X = impute_median(dataset.X, fold.train).astype(np.float32)
        for found, value in zip(
            (results, counts, nodes), measure_fold(X, y, fold, seed), strict=True
        ):
            found.append(value)
        print(f"{name} fold {seed}", file=sys.stderr, flush=True)
    table = []
    for ratio in RATIOS:
        rows, total = [result[ratio] for result in results], sum(counts)
        entry = {"dataset": name, "ratio": ratio, "instances": total}
        for policy in POLICIES:
            costs, deferred = (
                [row[policy][field] for row in rows] for field in ("cost", "deferred")
            )
            entry[policy] = 1000 * sum(costs) / total
            entry[f"{policy}_deferred"] = sum(deferred) / total
            entry[f"{policy}_unseen"] = sum(costs[:UNSEEN])
        for i, policy in enumerate(("sequential", "auto")):
            entry[f"nodes_{policy}"] = sum(row["nodes"][i] for row in rows) / total
        entry["nodes_network"] = sum(nodes) / total
        table.append(entry)
    return table


def cheaper(entries, policy, suffix=""):
    """Names of the datasets where a policy costs less than always deciding."""
    return [e["dataset"] for e in entries if e[policy + suffix] < e["two_way" + suffix]]


def texts(entries):
    head = (
        "", "always decide", "closed form", "deferred", "learned", "deferred",
        "sequential", "deferred", "auto", "deferred", "nodes: network", "sequential", "auto",
    )  # fmt: skip
    rows = [head]
    for e in entries:
        row = [e["dataset"], f"{e['two_way']:.1f}"]
        for policy in POLICIES[1:]:
            row += [f"{e[policy]:.1f}", f"{e[f'{policy}_deferred']:.1%}"]
        row += [f"{e[f'nodes_{kind}']:.1f}" for kind in ("network", "sequential", "auto")]
        rows.append(tuple(row))
    return rows


def summary(entries):
    lines = []
    for policy, title in TITLES.items():
        wins = cheaper(entries, policy)
        others = [
            f"{e['dataset']} ({'ties' if e[policy] == e['two_way'] else 'costs'} "
            f"{e[policy]:.1f} against {e['two_way']:.1f})"
            for e in entries
            if e["dataset"] not in wins
        ]
        lost = f"; not on {', '.join(others)}" if others else ""
        saved = 1 - np.mean([e[policy] / e["two_way"] for e in entries if e["two_way"]])
        lines.append(
            f"Three ways, {title}: cheaper on {len(wins)} of {len(entries)}, "
            f"by {saved:.0%} on average{lost}."
        )
    counts = [
        f"{title} on {len(cheaper(entries, policy, '_unseen'))} "
        f"(ties on {sum(e[f'{policy}_unseen'] == e['two_way_unseen'] for e in entries)})"
        for policy, title in TITLES.items()
    ]
    lines.append(f"Folds 0 and 1 alone, cheaper: {', '.join(counts)} of {len(entries)}.")
    return lines


def markdown(entries, n_folds):
    setting = (
        "Cost per 1,000 test instances, in the unit of a review. Default `STWDSFNNClassifier`, "
        f"folds 0 to {n_folds - 1} of the protocol (seed 0), positive is label 1. *Always decide* "
        "uses gamma; *closed form* the thresholds that follow from the costs; *learned* the pair "
        f"with the least cost on the validation fold (shrinkage {SHRINKAGE}); *sequential* walks "
        "all levels up to the one that was kept, with thresholds that lead to the closed form, and "
        "leaves what is unsure at the end for review; *auto* does so with the levels that are "
        "worth their nodes. The last columns are the hidden nodes of the network that decides at "
        "once, and those that the walks evaluate per instance. EGSS holds the value whose sign is "
        "the label."
    )
    chosen = (
        "Two numbers had to be chosen, the shrinkage of learned thresholds and the strictness of "
        "early levels in a walk. They were chosen in [development](decision-development.md), on "
        "folds of the rows that train in fold 0. Over ten folds each row is tested once, so test "
        "rows of folds 2 to 9 took part in that choice; those of folds 0 and 1 did not, and the "
        "last line under each table counts these two alone. The closed form has no such choice "
        "in it. Where a count says that three ways cost more, compare the amounts: a few "
        "instances in a thousand decide such cases."
    )
    command = (
        f"Made by `python benchmarks/decision_costs.py --folds {n_folds} --markdown "
        f"docs/results/decision-costs.md` with Python {platform.python_version()}."
    )
    text = ["# What decisions cost", "", setting, "", chosen, "", command]
    for ratio in RATIOS:
        chosen = [e for e in entries if tuple(e["ratio"]) == ratio]
        head, *rows = texts(chosen)
        text += ["", "## False accept {}, false reject {}, review {}".format(*ratio), ""]
        text += ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
        text += ["| " + " | ".join(row) + " |" for row in rows]
        text += ["", *[f"- {line}" for line in summary(chosen)]]
    return "\n".join(text) + "\n"


def development(table, n_folds):
    """Write the page on what was chosen, and why."""
    about = (
        "What decisions cost relative to always deciding, with a false accept, a false reject and "
        "a review at the three ratios, and the nodes evaluated relative to those of the network; "
        f"means over datasets. The data are folds 0 to {n_folds - 1} (ten folds, seed 1: one "
        "tests, the next validates) of the rows that train in fold 0 of the benchmark. Thresholds "
        "are learned on the validation fold, as in the benchmark, and in the first "
        f"{CROSS_VALIDATED} folds also on held-out predictions of five folds, as "
        "`ThreeWayClassifier` does. Walks leave what is unsure at the end for review."
    )
    head, *rows = table
    text = ["# Choices about decisions, in development", "", about, ""]
    text += ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    text += ["| " + " | ".join(row) + " |" for row in rows]
    text += ["", CHOICE, ""]
    command = f"--develop --folds {n_folds} --markdown docs/results/decision-development.md"
    text.append(f"Made by `python benchmarks/decision_costs.py {command}`.")
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument(
        "--develop",
        action="store_true",
        help="compare shrinkages of learned thresholds and strictnesses of the walk on folds of "
        "training rows only",
    )
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    arguments = parser.parse_args()
    if arguments.develop:
        with threadpool_limits(limits=1):
            table = develop(arguments.datasets, data_folder(), arguments.folds)
        print_table("Cost relative to always deciding, and nodes to those of the network", table)
        if arguments.markdown:
            Path(arguments.markdown).write_text(development(table, arguments.folds))
        return
    entries = []
    with threadpool_limits(limits=1):
        for name in arguments.datasets:
            entries += measure(name, data_folder(), arguments.folds)
    for ratio in RATIOS:
        chosen = [e for e in entries if e["ratio"] == ratio]
        print_table("False accept {}, false reject {}, review {}".format(*ratio), texts(chosen))
        print("\n".join(summary(chosen)), end="\n\n")
    if arguments.json:
        write_json(arguments.json, entries)
    if arguments.markdown:
        Path(arguments.markdown).parent.mkdir(parents=True, exist_ok=True)
        Path(arguments.markdown).write_text(markdown(entries, arguments.folds))


if __name__ == "__main__":
    main()
