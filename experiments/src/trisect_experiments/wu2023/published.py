"""The figures that the paper printed, to be shown beside ours.

They are kept for comparison, not as a goal: the networks behind them were never trained, because
the authors' code drops the result of the optimiser.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import pandas as pd

from trisect_experiments.protocol import Interval
from trisect_experiments.wu2023.models import ALGORITHM

PROBLEMS = {"PCB-complete": "PCB", "PCB": None}
"""The paper's name of a dataset where it is not ours; None for a dataset that it lacks.

Its PCB is the selection of complete rows, which is another problem than all of them.
"""


@cache
def _figures() -> dict[tuple[str, str, str], dict[str, float]]:
    with (files(__package__) / "published.csv").open() as file:
        return pd.read_csv(file, index_col=["table", "dataset", "model"]).to_dict("index")


def published(table: str, dataset: str, model: str) -> Mapping[str, Interval]:
    """The paper's figures of a model on a dataset, by metric; empty when it has none.

    Of the two rows of a growing network, that of Algorithm 1 is the paper's. Scores are in per
    cent, as printed; a half-width is NaN where the paper gives none.
    """
    name = model.removesuffix(f" ({ALGORITHM})")
    row = _figures().get((table, PROBLEMS.get(dataset, dataset) or "", name), {})
    return {
        metric: Interval(number, row[f"{metric}_pm"])
        for metric, number in row.items()
        if not metric.endswith("_pm")
    }
