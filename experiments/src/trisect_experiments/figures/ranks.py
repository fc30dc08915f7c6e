"""The critical-difference diagram: average ranks, and pairs that Nemenyi's test finds equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from trisect_experiments import statistics
from trisect_experiments.figures.panels import COLOURS, STYLE

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def rank_figure(
    matrix: pd.DataFrame, *, highlight: str = "", title: str = "Average rank"
) -> Figure:
    """Draw average ranks over datasets; a bar joins models that do not differ significantly.

    `matrix` has the scores as `score_matrix` returns them. The model `highlight` is in colour.
    The Friedman test and the critical difference are added to the title.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from scikit_posthocs import critical_difference_diagram

    test = statistics.friedman(matrix)
    difference = statistics.critical_difference(test.n_models, test.n_datasets)
    # Numbers for names: the bars come out of sets, whose order would differ between runs.
    ranks = statistics.average_ranks(matrix)[matrix.columns]
    numbers = range(len(ranks))
    colours = {i: COLOURS[0] if ranks.index[i] == highlight else "#444444" for i in numbers}
    with mpl.rc_context(STYLE | {"axes.grid": False, "axes.spines.top": True}):
        figure = Figure(figsize=(7.2, 1.5 + 0.2 * test.n_models), layout="constrained")
        axes = figure.subplots()
        drawn = critical_difference_diagram(
            ranks.set_axis(numbers),
            statistics.nemenyi(matrix).set_axis(numbers).set_axis(numbers, axis=1),
            alpha=statistics.LEVEL,
            ax=axes,
            label_fmt_left="{label}",
            label_fmt_right="{label}",
            text_h_margin=0.03,
            color_palette=colours,
        )
        for label, marker in zip(drawn["labels"], drawn["markers"], strict=True):
            i = int(label.get_text())
            label.set_text(f" {ranks.index[i]} ({ranks.iloc[i]:.2f}) ")
            if ranks.index[i] == highlight:
                marker.set_zorder(marker.get_zorder() + 1)
        axes.set_title(
            f"{title}, {test.n_datasets} datasets\nFriedman p = {test.p_value:.2g}, "
            f"critical difference {difference:.2f}",
            fontsize=10,
        )
    return figure
