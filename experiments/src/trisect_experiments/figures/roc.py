"""ROC curves of several models, one panel per dataset."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from trisect_experiments.figures.panels import line_styles, panel_grid
from trisect_experiments.fitting import ROC_GRID
from trisect_experiments.records import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Curves = dict[str, list[list[float]]]
"""By model, the true-positive rates on `ROC_GRID` of every fold."""


def roc_figure(outcome: Iterable[Result], *, highlight: str = "", title: str = "") -> Figure:
    """Mean ROC curve of every model, with a band of one standard deviation over folds.

    The model `highlight` gets the strongest line.
    """
    curves: dict[str, Curves] = {}
    for result in outcome:
        if result.details.get("roc"):
            of_dataset = curves.setdefault(result.key.dataset, {})
            of_dataset.setdefault(result.key.model, []).append(result.details["roc"])
    names = list(dict.fromkeys(model for panel in curves.values() for model in panel))
    draw = partial(_draw, styles=line_styles(names, highlight))
    xlabel, ylabel = "False-positive rate", "True-positive rate"
    return panel_grid(curves, draw, xlabel, ylabel, title=title, share_y=True)


def _draw(axes: Axes, curves: Curves, styles: dict[str, dict[str, Any]]) -> None:
    axes.plot([0, 1], [0, 1], color="#bbbbbb", linewidth=0.8)
    for model, of_folds in curves.items():
        mean = np.mean(of_folds, axis=0)
        spread = np.std(of_folds, axis=0, ddof=1) if len(of_folds) > 1 else 0.0
        low, high = np.clip([mean - spread, mean + spread], 0, 1)
        colour = styles[model]["color"]
        axes.fill_between(ROC_GRID, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(ROC_GRID, mean, label=model, **styles[model])
    axes.set(xlim=(0, 1), ylim=(0, 1.01), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    axes.set_xticklabels(["0", ".5", "1"])
