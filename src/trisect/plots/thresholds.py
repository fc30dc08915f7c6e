"""The thresholds of the levels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from trisect.plots._display import ACCEPT, DEFER, FAINT, INK, REJECT, Display, tidy, write

# Darker than the colour of its region, in which it stands.
_DEFER_TEXT = "#8a6200"
# Height of a line of text with its margin, and width of a label, as shares of the axes.
_TEXT_HEIGHT, _TEXT_WIDTH = 0.09, 0.2


@dataclass(eq=False, repr=False)
class ThresholdsDisplay(Display):
    """Alpha and beta of each level, and gamma of the last.

    Parameters
    ----------
    alpha, beta : sequence of float
        Thresholds of each level.
    gamma : float
        Threshold of the two-way decision at the last level.

    Examples
    --------
    >>> from trisect.decisions import sample_cost_matrices
    >>> from trisect.plots import ThresholdsDisplay
    >>> display = ThresholdsDisplay.from_levels(sample_cost_matrices(6, random_state=0))
    >>> len(display.alpha)
    6
    """

    alpha: Sequence[float]
    beta: Sequence[float]
    gamma: float

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> Self:
        """Draw the thresholds that a fitted estimator grew under.

        Parameters
        ----------
        estimator : estimator
            Fitted, with ``levels_``.
        ax : matplotlib axes, optional
            Where to draw.
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
        """
        alpha, beta = ([getattr(level, name) for level in levels] for name in ("alpha", "beta"))
        return cls(alpha, beta, levels[-1].gamma).plot(ax)

    def _draw(self, ax: Any) -> None:
        n = len(self.alpha)
        # All levels but the last decide three ways; the last decides two ways, with gamma.
        if n == 1:
            self._draw_one_level(ax)
            return
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
        self._write(ax, rf"$\gamma$ = {self.gamma:.3g}", (n, self.gamma), (10, 0), INK)
        self._name_thresholds(ax, level, upper, lower)
        self._name_regions(ax, level, upper, lower)
        ax.set(xlim=(1, n))
        self._finish(ax, level)

    def _draw_one_level(self, ax: Any) -> None:
        """Draw the two-way decision of a level that is the first and the last."""
        gamma = self.gamma
        for name, (low, high), colour in (
            ("accept", (gamma, 1.0), ACCEPT),
            ("reject", (0.0, gamma), REJECT),
        ):
            ax.axhspan(low, high, color=colour, alpha=0.16, linewidth=0)
            style = {"ha": "center", "fontweight": "bold"}
            self._write(ax, name, (1, (low + high) / 2), (0, 0), colour, **style)
        ax.axhline(gamma, color=INK, linewidth=2)
        self._write(ax, rf"$\gamma$ = {gamma:.3g}", (1.5, gamma), (10, 0), INK)
        title = "one level, which decides all that reaches it"
        ax.set_title(title, loc="left", fontsize="medium", color=FAINT)
        ax.set(xlim=(0.5, 1.5))
        self._finish(ax, [1])

    @staticmethod
    def _finish(ax: Any, levels: Any) -> None:
        ax.set(ylim=(0, 1), xticks=levels, xlabel="level")
        ax.set_ylabel("probability of the positive class")
        for artist in ax.lines:
            artist.set_clip_on(False)
        tidy(ax)

    def _name_thresholds(self, ax: Any, level: Any, upper: Any, lower: Any) -> None:
        """Label alpha and beta of the first level, without touching the lines."""
        alpha, beta = (
            rf"$\{name}$ = {v[0]:.3g}" for name, v in (("alpha", upper), ("beta", lower))
        )
        self._write(ax, alpha, (1, upper[0]), (6, 12), ACCEPT)
        if lower[0] >= _TEXT_HEIGHT:
            self._write(ax, beta, (1, lower[0]), (6, -12), REJECT)
        else:
            # There is no room below: place the label above the highest point it spans.
            reach = np.linspace(1, 1 + _TEXT_WIDTH * (level[-1] - 1))
            height = np.interp(reach, level, lower).max()
            self._write(ax, beta, (1, height), (6, 10), REJECT)

    def _name_regions(self, ax: Any, level: Any, upper: Any, lower: Any) -> None:
        """Label the regions where they are widest."""
        n, gamma = level[-1], self.gamma
        accept = max((1 + gamma) / 2, gamma + _TEXT_HEIGHT)
        reject = min(gamma / 2, gamma - _TEXT_HEIGHT)
        self._write(ax, "accept", (n, accept), (10, 0), ACCEPT, fontweight="bold")
        self._write(ax, "reject", (n, reject), (10, 0), REJECT, fontweight="bold")
        middle = 1 + (n - 1) * 0.3
        height = sum(np.interp(middle, level, line) for line in (upper, lower)) / 2
        style = {"ha": "center", "fontweight": "bold"}
        self._write(ax, "defer", (middle, height), (0, 0), _DEFER_TEXT, **style)

    @staticmethod
    def _write(ax: Any, text: str, at: tuple, shift: tuple, colour: str, **style: Any) -> None:
        write(ax, text, at, shift, va="center", color=colour, annotation_clip=False, **style)
