"""Thresholds over the levels: the region of deferral closes."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from trisect.plots.canvas import ACCEPT, DEFER, INK, REJECT, new_axes, tidy


class ThresholdsDisplay:
    """Alpha and beta of each level, and gamma of the last.

    Parameters
    ----------
    alpha, beta : sequence of float
        Thresholds of each level.
    gamma : float
        Threshold of the two-way decision at the last level.

    Attributes
    ----------
    ax_ : matplotlib axes
        Axes of the picture.
    figure_ : matplotlib figure
        Figure of the picture.

    Examples
    --------
    >>> from trisect.decisions import sample_cost_matrices
    >>> from trisect.plots import ThresholdsDisplay
    >>> display = ThresholdsDisplay.from_levels(sample_cost_matrices(6, random_state=0))
    >>> len(display.alpha)
    6
    """

    def __init__(self, alpha: Sequence[float], beta: Sequence[float], gamma: float) -> None:
        self.alpha = list(alpha)
        self.beta = list(beta)
        self.gamma = gamma

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> Self:
        """Draw the thresholds that a fitted estimator grew under.

        Parameters
        ----------
        estimator : estimator
            Fitted, with ``levels_``.
        ax : matplotlib axes, optional
            Where to draw.

        Returns
        -------
        ThresholdsDisplay
        """
        return cls.from_levels(estimator.levels_, ax=ax)

    @classmethod
    def from_levels(cls, levels: Sequence[Any], *, ax: Any = None) -> Self:
        """Draw the thresholds of levels, or of a chain of cost matrices.

        Parameters
        ----------
        levels : sequence of levels or of CostMatrix
            Anything with ``alpha``, ``beta`` and ``gamma``.
        ax : matplotlib axes, optional
            Where to draw.

        Returns
        -------
        ThresholdsDisplay
        """
        alpha, beta = ([getattr(level, name) for level in levels] for name in ("alpha", "beta"))
        return cls(alpha, beta, levels[-1].gamma).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        ThresholdsDisplay
        """
        ax = new_axes(ax, "ThresholdsDisplay.plot")
        n = len(self.alpha)
        # All levels but the last decide three ways; the last one closes the funnel.
        level = np.arange(1, n + 1)
        upper = np.array([*self.alpha[:-1], self.gamma])
        lower = np.array([*self.beta[:-1], self.gamma])
        ax.fill_between(level, upper, 1, color=ACCEPT, alpha=0.16, linewidth=0)
        ax.fill_between(level, lower, upper, color=DEFER, alpha=0.22, linewidth=0)
        ax.fill_between(level, 0, lower, color=REJECT, alpha=0.14, linewidth=0)
        ax.plot(level[:-1], upper[:-1], "o-", color=ACCEPT, linewidth=2, markersize=6)
        ax.plot(level[:-1], lower[:-1], "o-", color=REJECT, linewidth=2, markersize=6)
        for line, colour in ((upper, ACCEPT), (lower, REJECT)):
            ax.plot(level[-2:], line[-2:], ":", color=colour, linewidth=2)
        ax.plot(n, self.gamma, "D", color=INK, markersize=8, zorder=4)
        ax.annotate(
            rf"$\gamma$ = {self.gamma:.3g}",
            (n, self.gamma),
            xytext=(10, 0),
            textcoords="offset points",
            va="center",
            color=INK,
            annotation_clip=False,
        )
        if n > 1:
            for value, name, colour, shift in (
                (upper[0], r"$\alpha$", ACCEPT, 9),
                (lower[0], r"$\beta$", REJECT, -16 if lower[0] > 0.12 else 7),
            ):
                ax.annotate(
                    f"{name} = {value:.3g}",
                    (1, value),
                    xytext=(6, shift),
                    textcoords="offset points",
                    color=colour,
                )
            middle = 1 + (n - 1) * 0.28
            heights = [np.interp(middle, level, line) for line in (upper, lower)]
            for name, height, colour in (
                ("accept", (1 + heights[0]) / 2, ACCEPT),
                ("pass on", sum(heights) / 2, "#8a6200"),
                ("reject", heights[1] / 2, REJECT),
            ):
                ax.annotate(
                    name,
                    (middle, height),
                    ha="center",
                    va="center",
                    color=colour,
                    fontweight="bold",
                )
        ax.set(xlim=(min(1, n - 0.5), max(n, 1.5)), ylim=(0, 1), xticks=level)
        ax.set(xlabel="level", ylabel="probability of the positive class")
        for artist in ax.lines:
            artist.set_clip_on(False)
        tidy(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self
