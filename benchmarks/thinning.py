"""What thinning saves, and what it costs: default fits with and without it, on the first fold.

Numbers are those of nodes and outputs in the model file, without knots and read-outs; bytes are
those of the whole file, with both.

    python benchmarks/thinning.py --markdown docs/results/thinning.md
"""

import argparse
from pathlib import Path

import numpy as np
from common import DATASETS, data_folder, made_by, markdown_table
from sklearn.metrics import log_loss, roc_auc_score

from trisect import STWDSFNNClassifier
from trisect.growth import RefinedGrowth
from trisect.model_file import document_bytes, to_document
from trisect_experiments.datasets import load_dataset
from trisect_experiments.protocol import folds, impute_median

HEAD = ["dataset", "nodes", "inputs", "numbers", "bytes", "accuracy", "AUC", "log loss"]
PAGE = """# Thinning

After training, knots of curves and whole inputs that make no notable difference are removed
(`RefinedGrowth(thin=False)` keeps them). Default fits of the first of ten folds, seed 0: each
cell says what there was before and what there is after. Inputs are the columns that the network
reads; numbers are those of its nodes and outputs, without knots and read-outs; bytes are those of
the model file.

{table}
{summary}

{made}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    rows, found = [HEAD], []
    for name in arguments.datasets:
        data = load_dataset(name, data_folder())
        fold = next(iter(folds(data.y)))
        X = impute_median(data.X, fold.train)
        parts = [(X[part], data.y[part]) for part in fold]
        before, after = (figures(thin, *parts) for thin in (False, True))
        rows.append([name, f"{before[0]:.0f}", *map(cell, SHOWN, before[1:], after[1:])])
        found.append((before, after))
        print(*(f"{title} {shown}" for title, shown in zip(HEAD, rows[-1], strict=True)), sep="  ")
    found = np.array(found)
    print(summary(found))
    if arguments.markdown:
        table = "\n".join(markdown_table(rows))
        page = PAGE.format(table=table, summary=summary(found), made=made_by("thinning.py"))
        arguments.markdown.write_text(page)


def figures(thin, training, validation, test):
    """Nodes, inputs, numbers, bytes, accuracy, AUC and log loss of a fit."""
    (X, y), (X_val, y_val), (X_test, y_test) = training, validation, test
    model = STWDSFNNClassifier(RefinedGrowth(thin=thin), random_state=0)
    model.fit(X, y, X_val=X_val, y_val=y_val)
    document = to_document(model)
    p = model.predict_proba(X_test)
    return (
        model.n_hidden_,
        sum(map(len, document["inputs"].values())),
        count(document["network"]) + count(document["outputs"]),
        len(document_bytes(document)),
        100 * np.mean(model.classes_[p.argmax(axis=1)] == y_test),
        100 * roc_auc_score(y_test, p[:, 1]),
        log_loss(y_test, p),
    )


def count(part):
    """Count the numbers in a part of a document."""
    if isinstance(part, dict):
        part = list(part.values())
    return sum(map(count, part)) if isinstance(part, list) else isinstance(part, float)


SHOWN = ("{:,.0f}", "{:,.0f}", "{:,.0f}", "{:.2f}", "{:.2f}", "{:.4f}")


def cell(form, before, after):
    """Write a figure before and after."""
    return f"{form.format(before)}, {form.format(after)}"


def summary(found):
    """Say in words what was saved and what it cost."""
    before, after = found[:, 0], found[:, 1]
    shares = [100 * np.exp(np.log(after[:, i] / before[:, i]).mean()) for i in (2, 3)]
    changes = (after - before)[:, 4:].mean(axis=0)
    return (
        f"Left on average (geometric mean): {shares[0]:.0f} % of the numbers and {shares[1]:.0f} % "
        f"of the bytes. Mean change: accuracy {changes[0]:+.3f} points, AUC {changes[1]:+.3f}, "
        f"log loss {changes[2]:+.5f}."
    )


if __name__ == "__main__":
    main()
