"""Whether probabilities can be trusted: proper scores, and what happened beside what was said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import brier_score_loss, log_loss

N_BINS = 10
"""Bins of equal width that a reliability table has."""


class Bin(NamedTuple):
    """Predictions of one range: their share, the mean probability, and how often it was right."""

    low: float
    high: float
    share: float
    predicted: float
    observed: float


def calibration(y: ArrayLike, p: ArrayLike) -> dict[str, Any]:
    """Log loss, Brier score and the sums behind a reliability table, as plain data.

    ``"reliability"`` has a list for each of `N_BINS` ranges of the probability of label 1: how
    many rows, the sum of their probabilities, and how many have label 1. A certain prediction
    that is wrong counts in the log loss as if its probability were the smallest difference from
    one that a double holds.

    Examples
    --------
    >>> found = calibration([0, 0, 1, 1], [0.05, 0.35, 0.35, 0.95])
    >>> round(found["brier"], 4), found["reliability"][3]
    (0.1375, [2, 0.7, 1])
    """
    truth, probability = np.asarray(y), np.asarray(p, dtype=np.float64)
    place = np.minimum((probability * N_BINS).astype(np.intp), N_BINS - 1)
    count, said, happened = (
        np.bincount(place, weights, N_BINS) for weights in (None, probability, truth)
    )
    bins = zip(count, said, happened, strict=True)
    return {
        "log_loss": float(log_loss(truth, probability, labels=[0, 1])),
        "brier": float(brier_score_loss(truth, probability, labels=[0, 1])),
        "reliability": [[int(n), round(float(s), 6), int(h)] for n, s, h in bins],
    }


def calibration_error(reliability: ArrayLike) -> float:
    """Mean distance between what was said and what happened, over rows.

    Examples
    --------
    >>> calibration_error([[2, 0.5, 0], [2, 1.5, 2]])
    0.25
    """
    count, said, happened = np.asarray(reliability, dtype=np.float64).T
    return float(np.abs(said - happened).sum() / count.sum())


def reliability_table(tables: Iterable[ArrayLike]) -> list[Bin]:
    """One table from several, each of which weighs the same however many rows it has.

    Examples
    --------
    >>> few, many = [[0, 0, 0], [2, 1.8, 2]], [[0, 0, 0], [200, 160.0, 160]]
    >>> print(reliability_table([few, many])[1])
    Bin(low=0.5, high=1.0, share=1.0, predicted=0.85, observed=0.9)
    """
    sums: NDArray[np.float64] = np.mean([_shares(table) for table in tables], axis=0)
    edges = np.linspace(0, 1, len(sums) + 1)
    rows = []
    for low, high, (share, said, happened) in zip(edges[:-1], edges[1:], sums, strict=True):
        part = share or float("nan")
        values = low, high, share, said / part, happened / part
        rows.append(Bin(*(round(float(value), 6) for value in values)))
    return rows


def _shares(reliability: ArrayLike) -> NDArray[np.float64]:
    table = np.asarray(reliability, dtype=np.float64)
    return table / table[:, 0].sum()
