"""Do caps on error, deferral and cost hold on new data?

For each dataset the default network is fitted once, on 4,000 rows. The other rows are the
population: calibration data are drawn from them with replacement, so that what a pair of
thresholds does in the population is known exactly. Each draw learns thresholds under a cap in two
ways: plainly, so that the cap holds on the calibration data, and with a confidence of 0.95. The
tables show in what share of 2,000 draws the cap is broken in the population, what share of the
population is decided on average (nothing, where there is no promise), and in what share of the
draws nothing could be promised. Broken promises are counted over all draws, because that is what
the theorem is about: where most draws promise nothing, a larger share than 5 % of the few promises
made may be broken. A mistake costs 5 and a review 1. Caps on deferral and cost are measured with
2,000 rows only.

The second part compares with the risk control with abstention of MAPIE (pip install mapie) on the
same draws. There a mistake costs 1 and a review 0.499, so that as much as possible is decided,
which is what MAPIE is told to look for among 120 pairs of thresholds, less those that decide
next to nothing.

    python benchmarks/guarantees.py --markdown docs/results/guarantees.md
"""

import argparse
import platform
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from common import data_folder, print_table, write_json
from sklearn.model_selection import train_test_split
from threadpoolctl import threadpool_limits

from trisect import CostMatrix, STWDSFNNClassifier
from trisect.decisions import learn_thresholds
from trisect_experiments.datasets import load_dataset

N_TRAIN = 4000
SIZES = (500, 2000, 8000)
CONFIDENCE = 0.95
# Rows that a pair of thresholds must decide to be offered to MAPIE.
LEAST = 5
COSTS = CostMatrix.from_review(false_accept=5, false_reject=5, review=1)
EAGER = CostMatrix.from_review(false_accept=1, false_reject=1, review=0.499)
CAPS = {
    "max_error": {
        "HTRU": (0.005, 0.008, 0.012),
        "BM": (0.005, 0.01, 0.02),
        "DCC": (0.1, 0.12, 0.13),
    },
    "max_deferred": {"HTRU": (0.01, 0.02, 0.05), "BM": (0.05, 0.1, 0.2), "DCC": (0.05, 0.1, 0.2)},
    "max_cost": {"HTRU": (0.09, 0.1, 0.12), "BM": (0.31, 0.33, 0.36), "DCC": (0.77, 0.8, 0.85)},
}
TITLES = {
    "max_error": "Error among the decided",
    "max_deferred": "Share deferred",
    "max_cost": "Mean cost",
}


class Population:
    """Probabilities and truth of the rows that calibration data are drawn from."""

    def __init__(self, name):
        dataset = load_dataset(name, data_folder())
        X, y = np.asarray(dataset.X, dtype=np.float32), np.asarray(dataset.y)
        X, rest, y, labels = train_test_split(X, y, train_size=N_TRAIN, random_state=0)
        model = STWDSFNNClassifier(random_state=0).fit(X, y)
        p, y = model.predict_proba(rest)[:, 1], labels == model.classes_[1]
        order = np.argsort(p)
        self.p, self.y = p[order], y[order]
        self._positive = np.concatenate(([0], np.cumsum(self.y)))

    def draw(self, n, seed):
        rows = np.random.default_rng(seed).integers(len(self.p), size=n)
        return self.p[rows], self.y[rows]

    def judge(self, alpha, beta):
        """What a pair of thresholds does in the population, and the share that it decides."""
        n = len(self.p)
        accept = np.searchsorted(self.p, alpha, side="left")
        reject = min(np.searchsorted(self.p, beta, side="right"), accept)
        cuts = np.array([n, accept, reject, 0])
        positive = -np.diff(self._positive[cuts])
        table = np.array([positive, -np.diff(cuts) - positive])
        decided = n - table[:, 1].sum()
        return {
            "max_error": (table[0, 2] + table[1, 0]) / max(decided, 1),
            "max_deferred": 1 - decided / n,
            "max_cost": (table * COSTS.amounts).sum() / n,
            "decided": decided / n,
        }


def measure(population, kind, cap, n, n_draws):
    """Count, over draws, broken caps and decided shares of both ways to learn."""
    result = {}
    for way, options in (("promised", {"confidence": CONFIDENCE}), ("learned", {})):
        broken, decided, none, seconds = 0, 0.0, 0, 0.0
        for seed in range(n_draws):
            p, y = population.draw(n, seed)
            begin = time.process_time()
            try:
                pair = learn_thresholds(
                    p, y, COSTS, **{kind: cap}, **options, n_resamples=1, random_state=seed
                )
            except ValueError:
                none += 1
                continue
            finally:
                seconds += time.process_time() - begin
            found = population.judge(pair.alpha, pair.beta)
            broken += found[kind] > cap
            decided += found["decided"]
        shares = (broken / n_draws, decided / n_draws, none / n_draws, 1000 * seconds / n_draws)
        names = ("broken", "decided", "none", "milliseconds")
        result |= {f"{way}_{name}": share for name, share in zip(names, shares, strict=True)}
    return result


def tables(populations, n_draws):
    """Measure all kinds of caps, datasets, caps and sizes."""
    rows = []
    for kind, of_datasets in CAPS.items():
        for name, caps in of_datasets.items():
            closed = populations[name].judge(*COSTS.thresholds)
            for cap in caps:
                for n in SIZES if kind == "max_error" else SIZES[1:2]:
                    row = {"kind": kind, "dataset": name, "cap": cap, "rows": n}
                    row |= {"closed_form": closed[kind], "closed_form_decided": closed["decided"]}
                    rows.append(row | measure(populations[name], kind, cap, n, n_draws))
                    print(kind, name, cap, n, file=sys.stderr, flush=True)
    return rows


def mapie_controller(cap, method, *samples):
    """Risk control with abstention: the error among the decided, over pairs of thresholds.

    Pairs that decide next to nothing in one of the samples are left out: with any of them among
    its parameters, MAPIE finds none that is valid.
    """
    from mapie.risk_control import BinaryClassificationController, BinaryRisk, abstention_rate

    error = BinaryRisk(
        risk_occurrence=lambda y_true, y_pred: y_pred != y_true,
        risk_condition=lambda y_true, y_pred: ~np.isnan(y_pred),
        higher_is_better=False,
    )
    grid = 1 / (1 + np.exp(-np.linspace(-7, 7, 15)))
    pairs = np.array(
        [
            (low, high)
            for low in grid
            for high in grid
            if low <= high and all(np.sum((p <= low) | (p >= high)) >= LEAST for p in samples)
        ]
    )
    return BinaryClassificationController(
        _abstaining,
        error,
        cap,
        confidence_level=CONFIDENCE,
        best_predict_param_choice=abstention_rate,
        list_predict_params=pairs,
        fwer_method=method,
    )


def _abstaining(p, low, high):
    return np.where(p >= high, 1.0, np.where(p <= low, 0.0, np.nan))


def calibrated_by_mapie(p, y, cap, method, seed):
    first = np.random.default_rng(seed).random(len(p)) < 0.2
    parts = (p[first], p[~first]) if method == "split_fixed_sequence" else (p,)
    controller = mapie_controller(cap, method, *parts)
    if method == "split_fixed_sequence":
        controller.learn_fixed_sequence_order(p[first], y[first].astype(int), binary=True)
        p, y = p[~first], y[~first]
    controller.calibrate(p, y.astype(int))
    return controller.best_predict_param


def calibrated_by_trisect(p, y, cap, method, seed):
    try:
        pair = learn_thresholds(
            p, y, EAGER, max_error=cap, confidence=CONFIDENCE, n_resamples=1, random_state=seed
        )
    except ValueError:
        return None
    return pair.beta, pair.alpha


RIVALS = {
    "trisect": (calibrated_by_trisect, ""),
    "MAPIE, Bonferroni-Holm": (calibrated_by_mapie, "bonferroni_holm"),
    "MAPIE, split fixed sequence": (calibrated_by_mapie, "split_fixed_sequence"),
}


def compare(populations, n_draws):
    """Calibrate with both libraries on the same draws, under the middle cap of each dataset."""
    import warnings

    rows = []
    for name, population in populations.items():
        cap = CAPS["max_error"][name][1]
        for n in SIZES:
            for rival, (calibrated, method) in RIVALS.items():
                broken, decided, none, seconds = 0, 0.0, 0, 0.0
                for seed in range(n_draws):
                    p, y = population.draw(n, seed)
                    begin = time.process_time()
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")  # that no pair was found
                        pair = calibrated(p, y, cap, method, seed)
                    seconds += time.process_time() - begin
                    if pair is None:
                        none += 1
                        continue
                    found = population.judge(alpha=pair[1], beta=pair[0])
                    broken += found["max_error"] > cap
                    decided += found["decided"]
                rows.append(
                    {
                        "dataset": name, "cap": cap, "rows": n, "rival": rival,
                        "broken": broken / n_draws, "decided": decided / n_draws,
                        "none": none / n_draws, "milliseconds": 1000 * seconds / n_draws,
                    }
                )  # fmt: skip
                print(rows[-1], file=sys.stderr, flush=True)
    return rows


def as_text(kind, value):
    return f"{value:.3g}" if kind == "max_cost" else f"{value:.1%}"


def table_of(kind, rows):
    """Arrange one kind of caps, the head first."""
    head = (
        "", "cap", "rows", "promised: broken", "decided", "no promise", "learned: broken",
        "decided", "closed form: value", "decided",
    )  # fmt: skip
    body = [
        (
            r["dataset"],
            as_text(kind, r["cap"]),
            f"{r['rows']:,}",
            f"{r['promised_broken']:.1%}",
            f"{r['promised_decided']:.1%}",
            f"{r['promised_none']:.1%}",
            f"{r['learned_broken']:.1%}",
            f"{r['learned_decided']:.1%}",
            as_text(kind, r["closed_form"]) + (" (broken)" if r["closed_form"] > r["cap"] else ""),
            f"{r['closed_form_decided']:.1%}",
        )
        for r in rows
    ]
    return [head, *body]


def table_of_rivals(rows):
    head = ("", "cap", "rows", "", "broken", "decided", "no promise", "time, ms")
    body = [
        (
            r["dataset"], f"{r['cap']:.1%}", f"{r['rows']:,}", r["rival"], f"{r['broken']:.1%}",
            f"{r['decided']:.1%}", f"{r['none']:.1%}", f"{r['milliseconds']:.1f}",
        )
        for r in rows
    ]  # fmt: skip
    return [head, *body]


def worst(rows):
    """Say how often the worst case breaks its promise, and the plain thresholds theirs."""
    promised = max(rows, key=lambda r: r["promised_broken"])
    learned = [r["learned_broken"] for r in rows]
    return (
        f"At most {promised['promised_broken']:.1%} of the draws break a promise "
        f"({promised['dataset']}, {promised['rows']:,} rows); {1 - CONFIDENCE:.0%} are allowed. "
        f"Plainly learned thresholds break their cap in {min(learned):.0%} to {max(learned):.0%} "
        f"of the draws, in the median case in {np.median(learned):.0%}."
    )


def markdown(rows, rivals, n_draws, n_compared):
    first, second = (" ".join(part.split()) for part in __doc__.split("\n\n")[1:3])
    lines = ["# Guarantees", "", first.replace("2,000 draws", f"{n_draws:,} draws")]
    for kind in CAPS:
        chosen = [r for r in rows if r["kind"] == kind]
        lines += ["", f"## {TITLES[kind]}", "", worst(chosen), "", *_lines(table_of(kind, chosen))]
    if rivals:
        text = f"{n_compared:,} draws each, MAPIE {version('mapie')}, processor time."
        lines += ["", "## Next to MAPIE", "", f"{second} {text}", ""]
        lines += _lines(table_of_rivals(rivals))
    command = "python benchmarks/guarantees.py --markdown docs/results/guarantees.md"
    lines += ["", f"Made by `{command}` with Python {platform.python_version()}."]
    return "\n".join(lines) + "\n"


def _lines(table):
    head, *body = table
    yield "| " + " | ".join(head) + " |"
    yield "|---" + "|---:" * (len(head) - 1) + "|"
    yield from ("| " + " | ".join(row) + " |" for row in body)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--compared", type=int, default=30, help="draws for the comparison")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    arguments = parser.parse_args()
    with threadpool_limits(limits=1):
        populations = {name: Population(name) for name in CAPS["max_error"]}
        rows, rivals = tables(populations, arguments.draws), []
        try:
            version("mapie")
        except PackageNotFoundError:
            print("MAPIE is not installed: no comparison.", file=sys.stderr)
        else:
            rivals = compare(populations, arguments.compared)
    for kind, title in TITLES.items():
        chosen = [r for r in rows if r["kind"] == kind]
        print_table(title, table_of(kind, chosen))
        print(worst(chosen))
    if rivals:
        print_table("Next to MAPIE", table_of_rivals(rivals))
    if arguments.json:
        write_json(arguments.json, rows + rivals)
    if arguments.markdown:
        text = markdown(rows, rivals, arguments.draws, arguments.compared)
        Path(arguments.markdown).write_text(text)


if __name__ == "__main__":
    main()
