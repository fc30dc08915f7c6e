"""The picture of a cost matrix: three lines, and the cheapest of them."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from trisect.decisions.costs import CostMatrix

COLOURS = {"accept": "#1b7f79", "defer": "#d99a00", "reject": "#b5323e"}
"""Colour of each action, the same in every picture of the library."""


def draw_expected_losses(costs: "CostMatrix", ax: Any = None) -> Any:
    """Draw the expected loss of accepting, deferring and rejecting over p.

    The lower envelope, what a decision costs when it is the cheapest, is drawn thick,
    and the regions between the thresholds are shaded.

    Parameters
    ----------
    costs : CostMatrix
        The costs to draw, in their own unit.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib axes
    """
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    amounts = costs.amounts()
    ends = np.array([0.0, 1.0])
    for (action, colour), (positive, negative) in zip(
        COLOURS.items(), amounts.T.tolist(), strict=True
    ):
        ax.plot(ends, [negative, positive], color=colour, linewidth=1.2, alpha=0.8)
        at = {"accept": 0.0, "defer": 0.5, "reject": 1.0}[action]
        height = negative + (positive - negative) * at
        side = {"accept": "left", "defer": "center", "reject": "right"}[action]
        ax.annotate(
            action,
            (at, height),
            xytext=({"accept": 8, "defer": 0, "reject": -8}[action], 5),
            textcoords="offset points",
            ha=side,
            va="bottom",
            color=colour,
            fontweight="bold",
        )
    marks = [("reject", 0.0), ("defer", costs.beta), ("accept", costs.alpha)]
    if not costs.defers:
        marks = [("reject", 0.0), ("accept", costs.gamma)]
    stops = [start for _, start in marks[1:]] + [1.0]
    for (action, start), stop in zip(marks, stops, strict=True):
        positive, negative = amounts[:, list(COLOURS).index(action)].tolist()
        span = np.array([start, stop])
        ax.plot(
            span,
            negative + (positive - negative) * span,
            color=COLOURS[action],
            linewidth=4,
            solid_capstyle="round",
        )
        ax.axvspan(start, stop, color=COLOURS[action], alpha=0.08, linewidth=0)
    names = {"defer": r"$\beta$", "accept": r"$\alpha$" if costs.defers else r"$\gamma$"}
    for action, start in marks[1:]:
        ax.axvline(start, color="0.35", linewidth=0.9, linestyle=":")
        ax.annotate(
            f"{names[action]} = {start:.3g}",
            (start, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            va="bottom",
        )
    if costs.defers:
        height = float(amounts[0, 0] * costs.gamma + amounts[1, 0] * (1 - costs.gamma))
        ax.plot(costs.gamma, height, "o", color="0.35", markersize=4)
        ax.annotate(
            rf"$\gamma$ = {costs.gamma:.3g}",
            (costs.gamma, height),
            xytext=(0, 7),
            textcoords="offset points",
            ha="center",
            color="0.35",
        )
    unit = f" [{costs.unit}]" if costs.unit else ""
    ax.set(xlim=(0, 1), xlabel="probability of the positive class", ylabel=f"expected loss{unit}")
    ax.set_ylim(bottom=0, top=float(amounts.max()) * 1.12)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
