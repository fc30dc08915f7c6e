"""Axes and colours that all displays share."""

from typing import Any

from trisect._sklearn import check_matplotlib_support

ACCEPT, DEFER, REJECT = "#1b7f79", "#d99a00", "#b5323e"
INK, FAINT = "#2b2b2b", "#8c8c8c"
POSITIVE, NEGATIVE = "#27408b", "#9a9a9a"


def new_axes(ax: Any, caller: str, figsize: tuple[float, float] = (6.8, 4.2)) -> Any:
    """Return the given axes, or those of a new figure."""
    check_matplotlib_support(caller)
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=figsize, layout="constrained")[1]


def tidy(ax: Any) -> None:
    """Remove the upper and the right side of the frame."""
    ax.spines[["top", "right"]].set_visible(False)


def short(value: float) -> str:
    """Format a number for a label, with thousands separators."""
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"
