"""The figures: ROC panels, costs, accuracy and thresholds over levels, and ranks.

Each function takes results, returns a matplotlib figure and changes no global setting;
`save_figure` writes it as SVG and PNG.
"""

from trisect_experiments.figures.levels import (
    accuracy_figure,
    process_cost_figure,
    threshold_figure,
)
from trisect_experiments.figures.panels import save_figure
from trisect_experiments.figures.ranks import rank_figure
from trisect_experiments.figures.roc import roc_figure

__all__ = [
    "accuracy_figure",
    "process_cost_figure",
    "rank_figure",
    "roc_figure",
    "save_figure",
    "threshold_figure",
]
