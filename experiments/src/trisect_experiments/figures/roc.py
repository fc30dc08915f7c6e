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

# Where curves bend most points are drawn, further right every tenth: in a panel two inches wide
# the eye sees no difference, and the file has a fifth of the numbers.
_DRAWN = np.r_[0:4, 4:20:2, 20 : ROC_GRID.size : 10]


def roc_figure(outcome: Iterable[Result], *, highlight: str = "", title: str = "") -> Figure:
    """Mean ROC curve of every model.

    The model `highlight` gets the strongest line and a band of one standard deviation over
    folds; bands of all models would hide each other.
    """
    curves: dict[str, Curves] = {}
    for result in outcome:
        if result.details.get("roc"):
            of_dataset = curves.setdefault(result.key.dataset, {})
            of_dataset.setdefault(result.key.model, []).append(result.details["roc"])
    names = list(dict.fromkeys(model for panel in curves.values() for model in panel))
    draw = partial(_draw, styles=line_styles(names, highlight), highlight=highlight)
    xlabel, ylabel = "False-positive rate", "True-positive rate"
    return panel_grid(curves, draw, xlabel, ylabel, title=title, share_y=True)


def _draw(axes: Axes, curves: Curves, styles: dict[str, dict[str, Any]], highlight: str) -> None:
    axes.plot([0, 1], [0, 1], color="#bbbbbb", linewidth=0.8)
    rates = ROC_GRID[_DRAWN]
    for model, of_folds in curves.items():
        drawn = np.array(of_folds)[:, _DRAWN]
        mean = drawn.mean(axis=0)
        axes.plot(rates, mean, label=model, **styles[model])
        if model == highlight and len(drawn) > 1:
            spread = drawn.std(axis=0, ddof=1)
            low, high = np.clip([mean - spread, mean + spread], 0, 1)
            colour = styles[model]["color"]
            axes.fill_between(rates, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set(xlim=(0, 1), ylim=(0, 1.01), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    axes.set_xticklabels(["0", ".5", "1"])
