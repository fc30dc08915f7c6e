"""Whether differences between models over many datasets are more than chance.

Average ranks, the Friedman test, Nemenyi's comparison of all pairs with its critical difference,
and Wilcoxon's signed-rank test of one model against each rival with Holm's correction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import friedmanchisquare, studentized_range, wilcoxon

from trisect_experiments.records import Result

LEVEL = 0.05
"""A difference with a p value below this is called significant."""


class Friedman(NamedTuple):
    """The Friedman test: its chi-square statistic, p value, and the size of the matrix."""

    statistic: float
    p_value: float
    n_datasets: int
    n_models: int


def score_matrix(outcome: Iterable[Result], metric: str = "accuracy") -> pd.DataFrame:
    """Mean score over folds, datasets in rows and models in columns.

    Only datasets on which every model has a score are kept, since ranks need whole rows.
    `metric` is a field of `Result`.
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


def average_ranks(matrix: pd.DataFrame) -> pd.Series:
    """Mean rank of each model, 1 for the highest scores; ties share their ranks."""
    return matrix.rank(axis=1, ascending=False).mean().sort_values(kind="stable")


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


def critical_difference(n_models: int, n_datasets: int) -> float:
    """Difference of average ranks from which two models differ by Nemenyi's test."""
    q = studentized_range.ppf(1 - LEVEL, n_models, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_models * (n_models + 1) / (6 * n_datasets)))


def nemenyi(matrix: pd.DataFrame) -> pd.DataFrame:
    """Nemenyi's p value for every pair of models."""
    from scikit_posthocs import posthoc_nemenyi_friedman

    p_values = posthoc_nemenyi_friedman(matrix.to_numpy())
    return pd.DataFrame(p_values.to_numpy(), index=matrix.columns, columns=matrix.columns)


class Duel(NamedTuple):
    """A model against one rival over datasets.

    Counts of datasets, the mean difference in percentage points, and the p value of Wilcoxon's
    two-sided test with Holm's correction.
    """

    rival: str
    wins: int
    ties: int
    losses: int
    difference: float
    p_holm: float

    @property
    def verdict(self) -> str:
        """The word "better" or "worse" when test, count and mean agree, else "unclear"."""
        if self.p_holm < LEVEL and self.wins > self.losses and self.difference > 0:
            return "better"
        if self.p_holm < LEVEL and self.wins < self.losses and self.difference < 0:
            return "worse"
        return "unclear"


def duels(matrix: pd.DataFrame, model: str, rivals: Sequence[str]) -> tuple[Duel, ...]:
    """Compare a model with each of its rivals."""
    from statsmodels.stats.multitest import multipletests

    differences = [(matrix[model] - matrix[rival]).to_numpy() for rival in rivals]
    # Equal scores that differ in the last bit are ties.
    differences = [np.where(np.abs(d) < 1e-12, 0.0, d) for d in differences]
    raw = [
        float(wilcoxon(d, zero_method="zsplit", method="auto").pvalue) if np.any(d) else 1.0
        for d in differences
    ]
    p_values = multipletests(raw, method="holm")[1]
    return tuple(
        Duel(
            rival,
            int((d > 0).sum()),
            int((d == 0).sum()),
            int((d < 0).sum()),
            100 * float(d.mean()),
            float(p),
        )
        for rival, d, p in zip(rivals, differences, p_values, strict=True)
    )
