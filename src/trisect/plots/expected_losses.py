"""The expected loss of each action over the probability."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from trisect.decisions import CostMatrix, as_cost_matrix
from trisect.plots._display import ACCEPT, DEFER, REJECT, Display, tidy, write

_COLOURS = {"accept": ACCEPT, "defer": DEFER, "reject": REJECT}
_GREY = "0.35"


@dataclass(eq=False, repr=False)
class ExpectedLossesDisplay(Display):
    """The expected losses of accepting, deferring and rejecting, and their minimum.

    Each action is a line over the probability p of the positive class. The minimum of the
    three, the cost of the cheapest action, is drawn thick, and the regions between the
    thresholds are shaded.

    Parameters
    ----------
    costs : CostMatrix
        The costs, drawn in the user's unit.

    Examples
    --------
    >>> from trisect.decisions import CostMatrix
    >>> from trisect.plots import ExpectedLossesDisplay
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")
    >>> ExpectedLossesDisplay.from_costs(costs).ax_.get_ylabel()
    'expected loss [EUR]'
    """

    costs: CostMatrix
    _figsize = (6.4, 4.0)

    @classmethod
    def from_costs(cls, costs: Any, *, ax: Any = None) -> Self:
        """Draw the expected losses under given costs.

        Parameters
        ----------
        costs : CostMatrix, array-like of shape (2, 3) or dict
            What decisions cost.
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        """
        return cls(as_cost_matrix(costs)).plot(ax)

    def _draw(self, ax: Any) -> None:
        amounts, unit = self.costs.amounts, self.costs.unit
        lines = dict(zip(_COLOURS, amounts.T.tolist(), strict=True))
        self._draw_actions(ax, lines)
        self._draw_minimum(ax, lines)
        low, high = min(float(amounts.min()), 0.0), float(amounts.max())
        ax.set(xlim=(0, 1), ylim=(low, high + 0.12 * (high - low)))
        if low < 0:
            ax.axhline(0, color=_GREY, linewidth=0.8)
        ax.set_xlabel("probability of the positive class")
        ax.set_ylabel("expected loss" + (f" [{unit}]" if unit else ""))
        tidy(ax)

    def _draw_actions(self, ax: Any, lines: dict[str, list[float]]) -> None:
        places = {"accept": (0.0, 8, "left"), "defer": (0.5, 0, "center")}
        places["reject"] = (1.0, -8, "right")
        for action, (at, shift, side) in places.items():
            positive, negative = lines[action]
            colour = _COLOURS[action]
            ax.plot([0.0, 1.0], [negative, positive], color=colour, linewidth=1.2, alpha=0.8)
            place = (at, negative + (positive - negative) * at)
            # A gain is below the line of zero, and so is its name.
            rise, va = (-6, "top") if place[1] < 0 else (5, "bottom")
            style = {"ha": side, "va": va, "color": colour, "fontweight": "bold"}
            write(ax, action, place, (shift, rise), **style)

    def _draw_minimum(self, ax: Any, lines: dict[str, list[float]]) -> None:
        costs = self.costs
        starts = {"reject": 0.0, "defer": costs.beta, "accept": costs.alpha}
        names = {"defer": r"$\beta$", "accept": r"$\alpha$"}
        if not costs.defers:
            starts, names = {"reject": 0.0, "accept": costs.gamma}, {"accept": r"$\gamma$"}
        stops = [*list(starts.values())[1:], 1.0]
        for (action, start), stop in zip(starts.items(), stops, strict=True):
            positive, negative = lines[action]
            span, colour = np.array([start, stop]), _COLOURS[action]
            minimum = negative + (positive - negative) * span
            ax.plot(span, minimum, color=colour, linewidth=4, solid_capstyle="round")
            ax.axvspan(start, stop, color=colour, alpha=0.08, linewidth=0)
        for action, name in names.items():
            ax.axvline(starts[action], color=_GREY, linewidth=0.9, linestyle=":")
            style = {"xycoords": ("data", "axes fraction"), "ha": "center", "va": "bottom"}
            write(ax, f"{name} = {starts[action]:.3g}", (starts[action], 1.0), (0, 3), **style)
        if costs.defers:
            positive, negative = lines["accept"]
            loss = negative + (positive - negative) * costs.gamma
            ax.plot(costs.gamma, loss, "o", color=_GREY, markersize=4)
            gamma = rf"$\gamma$ = {costs.gamma:.3g}"
            shift, side = (0, 7), "center"
            if not 0.2 < costs.gamma < 0.8:
                # Beside the lines, which are named at their ends.
                shift, side = ((36, 5), "left") if costs.gamma < 0.5 else ((-8, -10), "right")
            write(ax, gamma, (costs.gamma, loss), shift, ha=side, color=_GREY)
