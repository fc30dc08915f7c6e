"""What decisions cost on the fifteen datasets: always deciding against deciding three ways.

Default STWDSFNNClassifier on the folds of the protocol (one fold tests, the next validates,
eight train; seed 0). There are four policies: always decide (with gamma), decide three ways with
closed-form thresholds, decide three ways with the pair learned on the validation fold, and
decide level by level. Label 1 is positive. Costs are per 1,000 test instances.

    python benchmarks/decision_costs.py --markdown docs/results/decision-costs.md
"""

import argparse
import platform
import sys
from pathlib import Path

import numpy as np
from common import DATASETS, print_table, write_json
from paper_data import each_fold
from threadpoolctl import threadpool_limits

from trisect import CostMatrix, STWDSFNNClassifier
from trisect.decisions import learn_thresholds, two_way_regions

RATIOS = [(5, 10, 1), (20, 20, 1), (3, 3, 1)]
"""False accept, false reject, review."""
TITLES = {
    "closed_form": "closed form",
    "learned": "learned thresholds",
    "sequential": "level by level",
}
POLICIES = ("two_way", *TITLES)
# Chosen on folds of training rows: the cheapest of 0, 0.3, 1 and 3, which differ by a per cent.
SHRINKAGE = 3


def measure_fold(seed, train, validation, test):
    """Fit once, and decide under each ratio in each way; costs are sums over the fold."""
    model = STWDSFNNClassifier(random_state=seed)
    model.fit(*train, X_val=validation[0], y_val=validation[1])
    p_val, p = (model.predict_proba(X)[:, 1] for X, _ in (validation, test))
    positive, results = test[1] == 1, {}
    for ratio in RATIOS:
        accept, reject, review = ratio
        costs = CostMatrix.from_review(false_accept=accept, false_reject=reject, review=review)
        learned = learn_thresholds(
            p_val, validation[1] == 1, costs, shrinkage=SHRINKAGE, n_resamples=1
        )
        regions = {
            "two_way": two_way_regions(p, costs.gamma),
            "closed_form": costs.decide(p),
            "learned": learned.regions(p),
            "sequential": model.decide_sequentially(test[0], costs).regions,
        }
        results[ratio] = {
            policy: (float(costs.charge(positive, r).sum()), np.count_nonzero(r == 0))
            for policy, r in regions.items()
        }
    return results


def measure(name, n_folds):
    """Sum costs and deferred instances of each policy over the folds."""
    found, total = [], 0
    for seed, *parts in each_fold(name, n_folds):
        found.append(measure_fold(seed, *parts))
        total += len(parts[-1][1])
        print(f"{name} fold {seed}", file=sys.stderr, flush=True)
    entries = []
    for ratio in RATIOS:
        entry = {"dataset": name, "ratio": ratio, "instances": total}
        for policy in POLICIES:
            cost, deferred = np.sum([result[ratio][policy] for result in found], axis=0)
            entry[policy] = 1000 * cost / total
            entry[f"{policy}_deferred"] = deferred / total
        entries.append(entry)
    return entries


def texts(entries):
    """Arrange entries as rows of text, the head first."""
    rows = [("", "always decide", *(part for t in TITLES.values() for part in (t, "deferred")))]
    for e in entries:
        row = [e["dataset"], f"{e['two_way']:.1f}"]
        for policy in TITLES:
            row += [f"{e[policy]:.1f}", f"{e[f'{policy}_deferred']:.1%}"]
        rows.append(tuple(row))
    return rows


def summary(entries):
    """Say on how many datasets each policy is cheaper than always deciding, and where not."""
    lines = []
    for policy, title in TITLES.items():
        others = [
            f"{e['dataset']} ({'ties' if e[policy] == e['two_way'] else 'costs'} "
            f"{e[policy]:.1f} against {e['two_way']:.1f})"
            for e in entries
            if not e[policy] < e["two_way"]
        ]
        lost = f"; not on {', '.join(others)}" if others else ""
        saved = 1 - np.mean([e[policy] / e["two_way"] for e in entries if e["two_way"]])
        lines.append(
            f"Three ways, {title}: cheaper on {len(entries) - len(others)} of {len(entries)}, "
            f"by {saved:.0%} on average{lost}."
        )
    return lines


def markdown(entries, n_folds):
    """Write the page."""
    about = (
        "Cost per 1,000 test instances, in the unit of a review. Default `STWDSFNNClassifier`, "
        f"folds 0 to {n_folds - 1} of the protocol (seed 0), positive is label 1. *Always decide* "
        "uses gamma; *closed form* the thresholds that follow from the costs; *learned* the pair "
        f"with the least cost on the validation fold (shrinkage {SHRINKAGE}); *level by level* "
        "lets the first nodes decide what is clear. Where three ways cost more, compare the "
        "amounts: a few instances in a thousand decide such cases. EGSS holds the value whose "
        "sign is the label."
    )
    command = (
        f"Made by `python benchmarks/decision_costs.py --folds {n_folds} --markdown "
        f"docs/results/decision-costs.md` with Python {platform.python_version()}."
    )
    text = ["# What decisions cost", "", about, "", command]
    for ratio in RATIOS:
        chosen = [e for e in entries if tuple(e["ratio"]) == ratio]
        head, *rows = texts(chosen)
        text += ["", "## False accept {}, false reject {}, review {}".format(*ratio), ""]
        text += ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
        text += ["| " + " | ".join(row) + " |" for row in rows]
        text += ["", *[f"- {line}" for line in summary(chosen)]]
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    arguments = parser.parse_args()
    with threadpool_limits(limits=1):
        entries = [e for name in arguments.datasets for e in measure(name, arguments.folds)]
    for ratio in RATIOS:
        chosen = [e for e in entries if e["ratio"] == ratio]
        print_table("False accept {}, false reject {}, review {}".format(*ratio), texts(chosen))
        print("\n".join(summary(chosen)), end="\n\n")
    if arguments.json:
        write_json(arguments.json, entries)
    if arguments.markdown:
        Path(arguments.markdown).write_text(markdown(entries, arguments.folds))


if __name__ == "__main__":
    main()
