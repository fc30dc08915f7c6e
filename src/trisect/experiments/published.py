"""The paper's own figures, to be printed beside ours.

They are kept for comparison, not as a goal: the networks behind them were never trained, because
the optimiser's result was dropped.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

TABLES = ("static", "dynamic", "classic", "twd-5fold")

OTHER_PROBLEMS = ("PCB",)
"""Datasets that share a name with one of the paper's but are a different problem."""

_COLUMNS = {
    "accuracy": "accuracy",
    "weighted_f1": "weighted_f1",
    "auc": "auc",
    "train_seconds": "train_s",
    "test_seconds": "test_s",
    "nodes": "nodes",
}


class Figure(NamedTuple):
    """A published mean and its half-width; NaN where the paper gives none."""

    mean: float
    half_width: float


@cache
def _rows() -> dict[tuple[str, str, str], dict[str, str]]:
    text = (files("trisect.experiments") / "published.csv").read_text(encoding="utf-8")
    return {
        (row["table"], row["dataset"], row["model"]): row
        for row in csv.DictReader(text.splitlines())
    }


def published(table: str, dataset: str, model: str) -> Mapping[str, Figure]:
    """The paper's figures of a model on a dataset, by metric; empty when it has none.

    Scores are in per cent, as printed. The paper's PCB is the selection of complete rows; its
    figures are given for both selections. The suffix "-R" of the paper's names is optional.

    Examples
    --------
    >>> published("static", "EOL", "STWD-SFNN")["accuracy"].mean
    83.66
    >>> published("static", "ring", "STWD-SFNN")
    {}
    """
    name = dataset.removesuffix("-complete")
    rows = _rows()
    row = rows.get((table, name, model)) or rows.get((table, name, f"{model}-R"))
    if row is None:
        return {}
    return {
        metric: Figure(_number(row[column]), _number(row[f"{column}_pm"]))
        for metric, column in _COLUMNS.items()
    }


def _number(text: str) -> float:
    return float(text) if text else float("nan")
