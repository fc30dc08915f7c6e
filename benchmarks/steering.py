"""What costs do to the network, from cheap mistakes to dear ones.

A mistake costs from 1.5 to 100 reviews. For each price the default network is fitted with these
costs, which steer its growth and choose its level; once more as if each of its nodes cost 2 reviews
per 1,000 instances; and without costs, once for all prices. All decide the test rows three ways
under the price, the last one two ways too. Means over the folds of the protocol (one fold tests,
the next validates, eight train; seed 0).

    python benchmarks/steering.py --markdown docs/results/steering.md
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from common import made_by, markdown_table, print_table, write_json
from paper_data import each_fold
from threadpoolctl import threadpool_limits

from trisect import CostMatrix, STWDSFNNClassifier
from trisect.decisions import two_way_regions
from trisect_experiments.protocol import mean_interval

DATASETS = ("OSP", "HTRU", "DCC", "BM")
PRICES = (1.5, 2, 3, 5, 10, 20, 50, 100)
NODE = 0.002
PLAIN, STEERED, PRICED = "without costs", "with costs", "with costs of nodes too"


def fitted(train, validation, seed, costs=None, node=None):
    model = STWDSFNNClassifier(costs=costs, random_state=seed)
    if node:
        model.set_params(unit_test_costs=np.full(model.max_levels, node))
    return model.fit(*train, X_val=validation[0], y_val=validation[1])


def measure_fold(seed, train, validation, test):
    """Nodes, shares deferred and costs per 1,000 instances at each price."""
    X, positive = test[0], test[1] == 1
    plain, found = fitted(train, validation, seed), {}
    p = plain.predict_proba(X)[:, 1]
    for price in PRICES:
        costs = CostMatrix.from_review(false_accept=price, false_reject=price, review=1)
        models = {
            PLAIN: plain,
            STEERED: fitted(train, validation, seed, costs),
            PRICED: fitted(train, validation, seed, costs, NODE),
        }
        row = {}
        for way, model in models.items():
            regions = model.decide(X, costs)
            row[f"nodes, {way}"] = model.n_hidden_
            row[f"deferred, {way}"] = 100 * np.mean(regions == 0)
            row[f"cost, {way}"] = 1000 * costs.charge(positive, regions).mean()
        always = two_way_regions(p, costs.gamma)
        row["cost, always decided"] = 1000 * costs.charge(positive, always).mean()
        row["saved"] = row[f"cost, {PLAIN}"] - row[f"cost, {STEERED}"]
        found[price] = row
    return found


def measure(name, n_folds):
    """Means over the folds, one entry per price."""
    found = []
    for seed, *parts in each_fold(name, n_folds):
        found.append(measure_fold(seed, *parts))
        print(f"{name} fold {seed}", file=sys.stderr, flush=True)
    entries = []
    for price in PRICES:
        rows = [fold[price] for fold in found]
        entry = {"dataset": name, "price": price}
        entry |= {key: float(np.mean([row[key] for row in rows])) for key in rows[0]}
        entry["saved, interval"] = mean_interval([row["saved"] for row in rows]).half_width
        entries.append(entry)
    return entries


def texts(entries):
    """Arrange entries as rows of text, the head first."""
    ways = (PLAIN, STEERED, PRICED)
    head = ["", "mistake", *(f"nodes {way}" for way in ways)]
    head += [f"deferred {way}" for way in ways[:2]]
    head += ["cost, always decided", *(f"cost {way}" for way in ways), "saved"]
    table = [head]
    for entry in entries:
        row = [entry["dataset"], f"{entry['price']:g}"]
        row += [f"{entry[f'nodes, {way}']:.1f}" for way in ways]
        row += [f"{entry[f'deferred, {way}']:.1f} %" for way in ways[:2]]
        row += [f"{entry[f'cost, {way}']:.1f}" for way in ("always decided", *ways)]
        half = entry["saved, interval"]
        row.append(f"{entry['saved']:+.1f}" + (f" ± {half:.1f}" if half == half else ""))
        table.append(row)
    return table


def picture(entries):
    """Draw a column per dataset: nodes, share deferred and cost against the price of a mistake."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    from trisect_experiments.figures.panels import COLOURS, DASHES, STYLE

    names = list(dict.fromkeys(entry["dataset"] for entry in entries))
    lines = {
        STEERED: {"color": COLOURS[0], "marker": "o", "label": "fitted with the costs"},
        PRICED: {"color": COLOURS[1], "marker": "s", "linestyle": DASHES[1],
                 "label": "and nodes cost 2 reviews per 1,000"},
        PLAIN: {"color": "#555555", "linestyle": DASHES[2], "linewidth": 1.6,
                "label": "fitted without costs"},
        "always decided": {"color": COLOURS[2], "linestyle": DASHES[3],
                           "label": "without costs, nothing deferred"},
    }  # fmt: skip
    panels = {
        "nodes": "Hidden nodes kept",
        "deferred": "Deferred (%)",
        "cost": "Total cost (reviews\nper 1,000 instances)",
    }
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(2.3 * len(names) + 0.6, 6.2), layout="constrained")
        grid = figure.subplots(len(panels), len(names), sharex=True, squeeze=False)
        for row, (what, label) in zip(grid, panels.items(), strict=True):
            for ax, name in zip(row, names, strict=True):
                own = [entry for entry in entries if entry["dataset"] == name]
                for way, style in lines.items():
                    if f"{what}, {way}" in own[0]:
                        values = [entry[f"{what}, {way}"] for entry in own]
                        prices = [entry["price"] for entry in own]
                        ax.plot(prices, values, markersize=3, **style)
                # Nobody has to pay more than the review of all.
                top = 1040 if what == "cost" else np.inf
                ax.set_ylim(0, min(top, ax.get_ylim()[1]))
                ax.set_xscale("log")
                ax.set_xticks([2, 5, 20, 100], ["2", "5", "20", "100"])
                ax.minorticks_off()
            row[0].set_ylabel(label)
        for ax, name in zip(grid[0], names, strict=True):
            ax.set_title(name)
        figure.supxlabel("Price of a mistake (reviews)", fontsize=9)
        handles, labels = grid[-1, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=2)
    return figure


def mean_ratio(entries, over, under):
    """Average a ratio of costs over the prices at which there are any."""
    return np.mean([entry[over] / entry[under] for entry in entries if entry[under]])


def summary(entries):
    """Say what happens from the cheapest mistakes to the dearest, and what costs in fits save."""
    lines = []
    for name in dict.fromkeys(entry["dataset"] for entry in entries):
        own = [entry for entry in entries if entry["dataset"] == name]
        ends = {
            measure: f"from {own[0][measure]:.1f} to {own[-1][measure]:.1f}"
            for measure in (f"deferred, {STEERED}", f"nodes, {STEERED}", f"nodes, {PRICED}")
        }
        deferring = mean_ratio(own, f"cost, {PLAIN}", "cost, always decided")
        steering = mean_ratio(own, f"cost, {STEERED}", f"cost, {PLAIN}")
        sure = [entry for entry in own if abs(entry["saved"]) > entry["saved, interval"]]
        dearer = sum(entry["saved"] < 0 for entry in sure)
        lines.append(
            f"- {name}: from the cheapest to the dearest mistake the share deferred goes "
            f"{ends[f'deferred, {STEERED}']} %, the nodes kept {ends[f'nodes, {STEERED}']}, or "
            f"{ends[f'nodes, {PRICED}']} if they cost something. On average over the prices, "
            f"deferring costs {deferring:.2f} times what always deciding costs, and fits with the "
            f"costs {steering:.3f} times what those without them cost: clearly less at "
            f"{len(sure) - dearer} of {len(own)} prices, clearly more at {dearer}."
        )
    return lines


def page(entries, n_folds, names, image):
    """Write the page in Markdown."""
    about = " ".join(__doc__.split("\n\n")[1].split())
    options = "" if names == list(DATASETS) else f" --datasets {' '.join(names)}"
    options += "" if n_folds == 10 else f" --folds {n_folds}"
    command = f"steering.py{options} --markdown docs/results/steering.md"
    alternative = "Nodes, share deferred and total cost against the price of a mistake"
    legend = (
        "Costs are reviews per 1,000 test instances, without those of nodes. *Saved* is the cost "
        "without costs in the fit less that with them; its 95 % interval over the folds says "
        "whether that is clear."
    )
    lines = ["# What costs do to the network", "", about, "", f"![{alternative}]({image})", ""]
    lines += [*summary(entries), "", *markdown_table(texts(entries)), legend, "", made_by(command)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE", help="a page, with its picture beside it")
    arguments = parser.parse_args()
    with threadpool_limits(limits=1):
        entries = [e for name in arguments.datasets for e in measure(name, arguments.folds)]
    print_table("Prices of a mistake", texts(entries))
    if arguments.json:
        write_json(arguments.json, entries)
    if arguments.markdown:
        target = Path(arguments.markdown)
        image = target.with_suffix(".png")
        picture(entries).savefig(image, dpi=130)
        target.write_text(page(entries, arguments.folds, arguments.datasets, image.name))


if __name__ == "__main__":
    main()
