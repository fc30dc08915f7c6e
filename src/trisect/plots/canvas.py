"""What all pictures share: where they are drawn, and their colours."""

from typing import Any

from trisect.estimators._sklearn import check_matplotlib_support
from trisect.plots.expected_losses import COLOURS

ACCEPT, DEFER, REJECT = COLOURS["accept"], COLOURS["defer"], COLOURS["reject"]
INK, FAINT = "#2b2b2b", "#8c8c8c"
POSITIVE, NEGATIVE = "#27408b", "#9a9a9a"


def new_axes(ax: Any, caller: str, figsize: tuple[float, float] = (6.8, 4.2)) -> Any:
    """Return the axes given, or those of a new figure."""
    check_matplotlib_support(caller)
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=figsize, layout="constrained")[1]


def tidy(ax: Any) -> None:
    """Remove what says nothing: the frame on the upper and right side."""
    ax.spines[["top", "right"]].set_visible(False)


def short(value: float) -> str:
    """Write a number for a label, with thousands set apart."""
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"
