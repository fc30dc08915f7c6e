"""The expected cost of a day over the capacity of one reviewer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.desk.allocation import allocate
from trisect.desk.reviewer import Reviewer, as_team
from trisect.estimators.deciding import unwrap
from trisect.estimators.decision_rule import class_probabilities, decision_rule
from trisect.plots._display import (
    ACCEPT,
    DEFER,
    FAINT,
    INK,
    Display,
    separate_thousands,
    short,
    tidy,
    write,
)

__all__ = ["CapacityDisplay"]

N_POINTS = 33


@dataclass(eq=False, repr=False)
class CapacityDisplay(Display):
    """What a day costs as one reviewer can do more reviews, and what one more is worth today.

    Parameters
    ----------
    name : str
        Name of the reviewer.
    capacity : ndarray of int of shape (n_points,)
        Capacities of the reviewer.
    cost : ndarray of shape (n_points,)
        Expected cost of the day with each, the rest of the team unchanged.
    current : int or float
        Capacity of the reviewer today, perhaps infinite.
    worth : float
        What one more review would save: the slope of the curve at `current`.
    unit : str, default=""
        Name of the unit.
    """

    name: str
    capacity: NDArray[np.int64]
    cost: NDArray[np.float64]
    current: float
    worth: float
    unit: str = ""
    _figsize = (7.2, 4.2)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        reviewers: Reviewer | Sequence[Reviewer],
        costs: Any = None,
        *,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw for the cases of a day and a fitted classifier with probabilities.

        Parameters
        ----------
        estimator : estimator
            Fitted classifier, or a pipeline that ends in one.
        X : array-like of shape (n_cases, n_features)
            The cases of the day.
        reviewers : Reviewer or sequence of Reviewer
            The team.
        costs : CostMatrix, InstanceCosts, ClassCosts or array-like, optional
            What decisions cost; by default what the estimator says.
        name : str, optional
            The reviewer whose capacity varies; by default the one who is worth most.
        ax : matplotlib axes, optional
            Where to draw.
        """
        model, inner = unwrap(estimator, X)
        rule = decision_rule(model, costs)
        p = rule.scores(class_probabilities(model, inner))
        return cls.from_probabilities(p, rule.costs, reviewers, name=name, ax=ax)

    @classmethod
    def from_probabilities(
        cls,
        p: ArrayLike,
        costs: Any,
        reviewers: Reviewer | Sequence[Reviewer],
        *,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw for the probabilities of a day's cases.

        Parameters
        ----------
        p, costs, reviewers
            As for `allocate`.
        name : str, optional
            The reviewer whose capacity varies; by default the one who is worth most.
        ax : matplotlib axes, optional
            Where to draw.
        """
        team = as_team(reviewers)
        names = [each.name for each in team]
        if not team or (name is not None and name not in names):
            raise ValueError(f"There is no reviewer {name!r}, only {', '.join(names) or 'nobody'}.")
        today = allocate(p, costs, team)
        who = int(today.worth.argmax()) if name is None else names.index(name)

        def day(capacity: float) -> Any:
            return allocate(
                p, costs, [*team[:who], replace(team[who], capacity=capacity), *team[who + 1 :]]
            )

        demand = int(day(np.inf).loads[who])
        current = team[who].capacity
        end = max(demand, int(current) if np.isfinite(current) else 0, 1)
        points = np.unique(np.linspace(0, 1.15 * end, N_POINTS).astype(np.int64))
        if np.isfinite(current):
            points = np.union1d(points, [int(current)])
        cost = np.array([day(int(capacity)).cost for capacity in points])
        worth = float(today.worth[who])
        return cls(names[who], points, cost, current, worth, today.unit).plot(ax)

    def _draw(self, ax: Any) -> None:
        unit = f" {self.unit}" if self.unit else ""
        ax.plot(self.capacity, self.cost, color=ACCEPT, linewidth=3)
        # Reviews that save nothing leave a flat line, which is to look flat.
        spread = max(float(np.ptp(self.cost)), 0.02 * abs(float(self.cost[0]))) or 1.0
        ax.set_ylim(self.cost.min() - 0.28 * spread, self.cost.max() + 0.12 * spread)
        ax.set_xlim(0, self.capacity[-1])
        ax.axhline(self.cost[0], color=FAINT, linewidth=1, linestyle=":")
        style: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "fontsize": "small"}
        text = f"without {self.name}: {short(round(self.cost[0]))}{unit}"
        write(ax, text, (0.99, self.cost[0]), (0, 4), ha="right", color=FAINT, **style)
        if np.isfinite(self.current):
            self._mark(ax, unit)
        else:
            text = f"no limit today: {short(round(self.cost[-1]))}{unit}"
            at = (float(self.capacity[-1]), float(self.cost[-1]))
            write(ax, text, at, (-4, -16), ha="right", color=DEFER, fontweight="bold")
        ax.set(
            xlabel=f"capacity of {self.name} [reviews a day]",
            ylabel=f"expected cost of the day{f' [{self.unit}]' if self.unit else ''}",
        )
        separate_thousands(ax)
        tidy(ax)

    def _mark(self, ax: Any, unit: str) -> None:
        """Mark the capacity of today, and what one more review is worth there."""
        here = float(self.cost[np.searchsorted(self.capacity, self.current)])
        if self.worth > 0:
            reach = 0.22 * self.capacity[-1]
            # The tangent must not leave the picture below.
            low = ax.get_ylim()[0]
            reach = min(reach, 0.9 * (here - low) / self.worth)
            x = np.array([max(self.current - reach, 0), self.current + reach])
            line = here - self.worth * (x - self.current)
            ax.plot(x, line, color=INK, linewidth=1.5, linestyle="--")
        ax.plot(self.current, here, "o", color=DEFER, markersize=9, zorder=4)
        text = f"{short(self.current)} today: {short(round(here))}{unit}\n" + (
            f"one more review saves {self.worth:,.2f}{unit}"
            if self.worth > 0
            else "one more review saves nothing"
        )
        share = self.current / self.capacity[-1]
        style: dict[str, Any] = {"color": DEFER, "fontweight": "bold"}
        if share < 0.08:
            # There is no room beside the point: write where the curve has fallen.
            arrow = {"arrowstyle": "-", "color": DEFER, "shrinkB": 5}
            ax.annotate(
                text, (self.current, here), (0.3, 0.7), textcoords="axes fraction",
                arrowprops=arrow, **style,
            )  # fmt: skip
        else:
            # The curve falls and flattens: above it there is room on the right, below on the left.
            where, side = ((12, 10), "left") if share < 0.6 else ((-4, -36), "right")
            write(ax, text, (self.current, here), where, ha=side, **style)
