"""Raw tables with categories: TableClassifier beside LightGBM with native categories.

Bank Marketing with its own categories, Default of Credit Card Clients with its codes spelled out
as words. Ten folds, seed 0: one fold tests, the next validates, eight train. Nothing is tuned.
Default fits decide three ways with closed-form thresholds; costs are per 1,000 rows.

    python benchmarks/tables.py --markdown docs/results/tables.md
"""

import argparse
import platform
import sys
import warnings
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

import lightgbm
import numpy as np
from common import print_table, write_json
from raw_tables import bank_marketing, credit_cards
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_limits

from trisect import CostMatrix, STWDSFNNClassifier, TableClassifier, TableEncoder
from trisect.tables import TableWarning
from trisect_experiments.protocol import folds, mean_interval

TABLES = {"BM": bank_marketing, "DCC": credit_cards}
RATIOS = [(5, 10, 1), (20, 20, 1), (3, 3, 1)]
"""False accept, false reject, review."""


def ours(X, y, fold, seed):
    """TableClassifier with all defaults."""
    train, validation, test = fold
    model = TableClassifier(random_state=seed)
    model.fit(X.iloc[train], y[train], X_val=X.iloc[validation], y_val=y[validation])
    return model.predict_proba(X.iloc[test])[:, 1]


def native(X, y, fold, seed):
    """LightGBM with native categories, on the rows that train and those that validate."""
    train, validation, test = fold
    rows, X = np.concatenate([train, validation]), as_categories(X)
    return booster(seed).fit(X.iloc[rows], y[rows]).predict_proba(X.iloc[test])[:, 1]


def stopped(X, y, fold, seed):
    """LightGBM with native categories, slower and stopped early by the validation fold."""
    (train, validation, test), X = fold, as_categories(X)
    model = booster(seed, n_estimators=2000, learning_rate=0.05).fit(
        X.iloc[train],
        y[train],
        eval_set=[(X.iloc[validation], y[validation])],
        callbacks=[lightgbm.early_stopping(50, verbose=False)],
    )
    return model.predict_proba(X.iloc[test])[:, 1]


def encoded(X, y, fold, seed):
    """LightGBM on the numbers of TableEncoder: what the encoding loses, if anything."""
    train, validation, test = fold
    rows = np.concatenate([train, validation])
    encoder = TableEncoder(random_state=seed)
    numbers = encoder.fit_transform(X.iloc[rows], y[rows])
    return booster(seed).fit(numbers, y[rows]).predict_proba(encoder.transform(X.iloc[test]))[:, 1]


def codes(X, y, fold, seed):
    """The network on categories as numbers in alphabetical order, as the data files have them."""
    train, validation, test = fold
    numbers = as_categories(X).apply(lambda c: c.cat.codes if hasattr(c, "cat") else c)
    model = STWDSFNNClassifier(random_state=seed)
    part = numbers.to_numpy(dtype=float)
    model.fit(part[train], y[train], X_val=part[validation], y_val=y[validation])
    return model.predict_proba(part[test])[:, 1]


ENTRANTS = {
    "TableClassifier": ours,
    "LightGBM, native categories": native,
    "... stopped early": stopped,
    "LightGBM on TableEncoder": encoded,
    "network on categories as codes": codes,
}


def booster(seed, **options):
    return lightgbm.LGBMClassifier(verbose=-1, n_jobs=1, random_state=seed, **options)


def as_categories(X):
    texts = X.select_dtypes(exclude="number").columns
    return X.astype(dict.fromkeys(texts, "category"))


def measure(name, n_folds, entrants):
    """AUC and costs of each entrant on each fold."""
    X, y = TABLES[name]()
    found = []
    for seed, fold in enumerate(folds(y)):
        if seed == n_folds:
            break
        for entrant in entrants:
            begin = perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", TableWarning)
                p = ENTRANTS[entrant](X, y, fold, seed)
            seconds, truth = perf_counter() - begin, y[fold.test]
            entry = {"table": name, "model": entrant, "fold": seed, "seconds": seconds}
            entry |= {"auc": roc_auc_score(truth, p), "accuracy": np.mean((p >= 0.5) == truth)}
            for accept, reject, review in RATIOS:
                costs = CostMatrix.from_review(
                    false_accept=accept, false_reject=reject, review=review
                )
                charges = costs.charge(truth, costs.decide(p))
                entry[f"{accept}:{reject}:{review}"] = 1000 * charges.mean()
            found.append(entry)
            print(f"{name} fold {seed} {entrant}: {entry['auc']:.4f}", file=sys.stderr, flush=True)
    return found


def texts(entries, name, entrants):
    """Arrange the results of one table as rows of text, the head first."""
    ratios = ["{}:{}:{}".format(*ratio) for ratio in RATIOS]
    rows = [("", "AUC, %", "accuracy, %", *(f"cost {ratio}" for ratio in ratios), "seconds")]
    for entrant in entrants:
        chosen = [e for e in entries if e["table"] == name and e["model"] == entrant]
        cells = [_cell([100 * e[key] for e in chosen]) for key in ("auc", "accuracy")]
        cells += [_cell([e[ratio] for e in chosen], digits=1) for ratio in ratios]
        rows.append((entrant, *cells, f"{np.median([e['seconds'] for e in chosen]):.1f}"))
    return rows


def _cell(values, digits=2):
    mean, half = mean_interval(values)
    return f"{mean:.{digits}f} ± {half:.{digits}f}"


PAIRS = (
    ("TableClassifier", "LightGBM, native categories"),
    ("LightGBM on TableEncoder", "LightGBM, native categories"),
    ("TableClassifier", "network on categories as codes"),
)


def comparison(entries, name):
    """Say how far the first of each pair is from the second, fold by fold."""

    def of(model, key):
        return np.array([e[key] for e in entries if (e["table"], e["model"]) == (name, model)])

    lines = []
    for first, second in PAIRS:
        parts = []
        for key, what, scale, digits in (("auc", "AUC", 100, 2), ("5:10:1", "cost 5:10:1", 1, 1)):
            difference = of(first, key) - of(second, key)
            mean, half = mean_interval(difference)
            wins = np.count_nonzero(difference > 0 if key == "auc" else difference < 0)
            parts.append(
                f"{what} {scale * mean:+.{digits}f} ± {scale * half:.{digits}f}, "
                f"better on {wins} of {len(difference)} folds"
            )
        lines.append(f"{first} less {second}: {'; '.join(parts)}.")
    return lines


def markdown(entries, n_folds, entrants):
    """Write the page."""
    about = (
        "Bank Marketing (BM, 41,188 rows, 10 columns of numbers and 10 of categories) and Default "
        "of Credit Card Clients (DCC, 30,000 rows, 14 columns of numbers, and 9 of categories "
        f"spelled out as words, 399 gaps among them). Folds 0 to {n_folds - 1} of the protocol "
        "(seed 0); positive is a client who signs (BM) or pays (DCC). Mean over the folds, ± is a "
        "95 % t-interval. Costs per 1,000 rows are those of three-way decisions with closed-form "
        "thresholds, for false accept : false reject : review. TableClassifier trains on eight "
        "folds and chooses on the ninth; LightGBM has its default parameters and trains on all "
        "nine; *stopped early* trains on eight, at half the learning rate, and stops by the ninth. "
        "LightGBM on the numbers of `TableEncoder` shows what the encoding loses, the network on "
        "codes in alphabetical order what it gains. Seconds are the median of a fit with its "
        "predictions, on a machine that did other things too."
    )
    command = (
        f"Made by `python benchmarks/tables.py --folds {n_folds} --markdown "
        f"docs/results/tables.md` with Python {platform.python_version()} and LightGBM "
        f"{version('lightgbm')}."
    )
    text = ["# Raw tables", "", about, "", command]
    for name in TABLES:
        head, *rows = texts(entries, name, entrants)
        text += ["", f"## {name}", ""]
        text += ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
        text += ["| " + " | ".join(row) + " |" for row in rows]
        text += ["", *[f"- {line}" for line in comparison(entries, name)]]
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="+", default=list(TABLES), choices=list(TABLES))
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    arguments = parser.parse_args()
    with threadpool_limits(limits=1):
        entries = [e for t in arguments.tables for e in measure(t, arguments.folds, ENTRANTS)]
    for name in arguments.tables:
        print_table(name, texts(entries, name, ENTRANTS))
        print("\n".join(comparison(entries, name)), end="\n\n")
    if arguments.json:
        write_json(arguments.json, entries)
    if arguments.markdown:
        Path(arguments.markdown).write_text(markdown(entries, arguments.folds, ENTRANTS))


if __name__ == "__main__":
    main()
