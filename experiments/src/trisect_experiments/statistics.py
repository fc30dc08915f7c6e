"""Whether differences between models over many datasets are more than chance.

Average ranks, the Friedman test, Nemenyi's comparison of all pairs with its critical difference,
and Wilcoxon's signed-rank test of one model against each rival with Holm's correction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import friedmanchisquare, studentized_range, wilcoxon

from trisect_experiments.records import Result


class Friedman(NamedTuple):
    """The Friedman test: its chi-square statistic, p value, and the size of the matrix."""

    statistic: float
    p_value: float
    n_datasets: int
    n_models: int


def score_matrix(outcome: Iterable[Result], metric: str = "accuracy") -> pd.DataFrame:
    """Mean score over folds, datasets in rows and models in columns.

    Only datasets on which every model has a score are kept, since ranks need whole rows.

    Parameters
    ----------
    outcome : iterable of Result
        What each cell of a plan reports.
    metric : str, default="accuracy"
        A field of `Result`.
    """
    rows = [
        {"dataset": r.key.dataset, "model": r.key.model, "score": getattr(r, metric)}
        for r in outcome
        if not r.failed
    ]
    if not rows:
        return pd.DataFrame()
    frame = pd.DataFrame(rows)
    matrix = frame.pivot_table("score", "dataset", "model", aggfunc="mean", sort=False)
    matrix.index.name = matrix.columns.name = None
    return matrix.dropna()


def average_ranks(matrix: pd.DataFrame, *, higher_is_better: bool = True) -> pd.Series:
    """Mean rank of each model, 1 for the best; ties share their ranks.

    Examples
    --------
    >>> average_ranks(pd.DataFrame({"a": [3, 3], "b": [2, 3], "c": [1, 1]})).to_dict()
    {'a': 1.25, 'b': 1.75, 'c': 3.0}
    """
    return matrix.rank(axis=1, ascending=not higher_is_better).mean().sort_values(kind="stable")


def friedman(matrix: pd.DataFrame) -> Friedman:
    """Test whether all models are equally good.

    Needs at least three models and two datasets.
    """
    n_datasets, n_models = matrix.shape
    if n_models < 3 or n_datasets < 2:
        raise ValueError(
            "The Friedman test needs at least 3 models and 2 datasets; there are "
            f"{n_models} models with scores on {n_datasets} common datasets."
        )
    statistic, p_value = friedmanchisquare(*matrix.to_numpy().T)
    return Friedman(float(statistic), float(p_value), n_datasets, n_models)


def critical_difference(n_models: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Difference of average ranks from which two models differ by Nemenyi's test.

    Examples
    --------
    >>> round(critical_difference(n_models=4, n_datasets=14, alpha=0.05), 2)
    1.25
    """
    q = studentized_range.ppf(1 - alpha, n_models, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_models * (n_models + 1) / (6 * n_datasets)))


def nemenyi(matrix: pd.DataFrame) -> pd.DataFrame:
    """Nemenyi's p value for every pair of models."""
    from scikit_posthocs import posthoc_nemenyi_friedman

    p_values = posthoc_nemenyi_friedman(matrix.to_numpy())
    return pd.DataFrame(p_values.to_numpy(), index=matrix.columns, columns=matrix.columns)


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Holm's step-down correction.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * (p.size - np.arange(p.size)))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def compare_with_rivals(
    matrix: pd.DataFrame, model: str, rivals: Sequence[str] | None = None
) -> pd.DataFrame:
    """Wilcoxon's test of a model against each rival, corrected by Holm.

    Returns
    -------
    DataFrame
        One row per rival: ``wins``, ``ties`` and ``losses`` over datasets, the mean
        ``difference`` of scores, ``p_value`` (two-sided) and ``p_holm``.

    Examples
    --------
    >>> matrix = pd.DataFrame({"ours": [0.9, 0.8, 0.7], "theirs": [0.8, 0.8, 0.6]})
    >>> compare_with_rivals(matrix, "ours")[["wins", "ties", "losses"]].values.tolist()
    [[2, 1, 0]]
    """
    if model not in matrix.columns:
        raise ValueError(f"No scores of {model!r}; there are {', '.join(matrix.columns)}.")
    others = [name for name in matrix.columns if name != model] if rivals is None else rivals
    rows = []
    for rival in others:
        difference = (matrix[model] - matrix[rival]).to_numpy()
        # Equal scores that differ in the last bit are ties.
        difference = np.where(np.abs(difference) < 1e-12, 0.0, difference)
        p_value = 1.0
        if np.any(difference):
            p_value = float(wilcoxon(difference, zero_method="zsplit", method="auto").pvalue)
        rows.append(
            {
                "rival": rival,
                "wins": int((difference > 0).sum()),
                "ties": int((difference == 0).sum()),
                "losses": int((difference < 0).sum()),
                "difference": float(difference.mean()),
                "p_value": p_value,
            }
        )
    frame = pd.DataFrame(rows).set_index("rival")
    frame["p_holm"] = holm(frame["p_value"])
    return frame
