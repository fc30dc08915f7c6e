"""The figures that the paper printed, to be shown beside ours.

They are kept for comparison, not as a goal: the networks behind them were never trained, because
the authors' code drops the result of the optimiser.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from trisect_experiments.protocol import Interval

PROBLEMS = {"PCB-complete": "PCB", "PCB": None}
"""The paper's name of a dataset where it is not ours; None for a dataset that it lacks.

Its PCB is the selection of complete rows, which is another problem than all of them.
"""

_COLUMNS = {
    "accuracy": "accuracy",
    "weighted_f1": "weighted_f1",
    "auc": "auc",
    "train_seconds": "train_s",
    "test_seconds": "test_s",
    "nodes": "nodes",
}


@cache
def _rows() -> dict[tuple[str, str, str], dict[str, str]]:
    text = (files(__package__) / "published.csv").read_text(encoding="utf-8")
    return {
        (row["table"], row["dataset"], row["model"]): row
        for row in csv.DictReader(text.splitlines())
    }


def published(table: str, dataset: str, model: str) -> Mapping[str, Interval]:
    """The paper's figures of a model on a dataset, by metric; empty when it has none.

    Scores are in per cent, as printed; a half-width is NaN where the paper gives none.

    Examples
    --------
    >>> published("static", "EOL", "STWD-SFNN")["accuracy"].mean
    83.66
    >>> published("static", "ring", "STWD-SFNN")
    {}
    """
    row = _rows().get((table, PROBLEMS.get(dataset, dataset) or "", model))
    if row is None:
        return {}
    return {
        metric: Interval(_number(row[column]), _number(row[f"{column}_pm"]))
        for metric, column in _COLUMNS.items()
    }


def _number(text: str) -> float:
    return float(text) if text else float("nan")
