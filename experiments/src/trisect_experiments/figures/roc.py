"""ROC curves of several models, one panel per dataset."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trisect_experiments.figures.panels import line_styles, panel_grid
from trisect_experiments.fitting import ROC_GRID
from trisect_experiments.records import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def mean_curve(curves: Sequence[Sequence[float]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Mean true-positive rate over folds and its standard deviation, on `ROC_GRID`."""
    stack = np.asarray(curves, dtype=np.float64)
    spread = stack.std(axis=0, ddof=1) if len(stack) > 1 else np.zeros(stack.shape[1])
    return stack.mean(axis=0), spread


def roc_figure(outcome: Iterable[Result], *, highlight: str = "", title: str = "") -> Figure:
    """Mean ROC curve of every model, with a band of one standard deviation over folds.

    Parameters
    ----------
    outcome : iterable of Result
        What each cell of a plan reports.
    highlight : str, optional
        The model with the strongest line.
    title : str, optional
        Heading.
    """
    curves: dict[str, dict[str, list[list[float]]]] = {}
    for result in outcome:
        if result.details.get("roc"):
            of_dataset = curves.setdefault(result.key.dataset, {})
            of_dataset.setdefault(result.key.model, []).append(result.details["roc"])
    names = list(dict.fromkeys(model for panel in curves.values() for model in panel))
    styles = line_styles(names, highlight)
    draw = {name: partial(_draw, curves=panel, styles=styles) for name, panel in curves.items()}
    return panel_grid(draw, "False-positive rate", "True-positive rate", title=title, share_y=True)


def _draw(
    axes: Axes, curves: dict[str, list[list[float]]], styles: dict[str, dict[str, Any]]
) -> None:
    axes.plot([0, 1], [0, 1], color="#bbbbbb", linewidth=0.8)
    for model, of_folds in curves.items():
        mean, spread = mean_curve(of_folds)
        style = styles[model]
        axes.fill_between(
            ROC_GRID,
            np.clip(mean - spread, 0, 1),
            np.clip(mean + spread, 0, 1),
            color=style["color"],
            alpha=0.15,
            linewidth=0,
        )
        axes.plot(ROC_GRID, mean, label=model, **style)
    axes.set(xlim=(0, 1), ylim=(0, 1.01), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    axes.set_xticklabels(["0", ".5", "1"])
