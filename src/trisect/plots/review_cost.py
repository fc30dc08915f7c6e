"""The mean cost of an instance against the cost of a review."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import BND, CostMatrix, as_cost_matrix, two_way_regions
from trisect.plots._display import (
    ACCEPT,
    DEFER,
    FAINT,
    INK,
    Display,
    positive_scores,
    short,
    tidy,
    truth_and_scores,
    write,
)


@dataclass(eq=False, repr=False)
class ReviewCostDisplay(Display):
    """The mean cost of an instance as reviews become more expensive.

    Three lines: always deciding, always reviewing, and deciding three ways, which is
    cheaper than both wherever some instances are uncertain.

    Parameters
    ----------
    review : ndarray of shape (n_points,)
        Costs of a review.
    three_way, two_way, always_review : ndarray of shape (n_points,)
        Mean cost of an instance under each policy.
    deferred : ndarray of shape (n_points,)
        Share deferred by three-way deciding.
    current : float
        The review cost in the given costs.
    break_even : float
        The review cost from which no probability is deferred.
    unit : str, default=""
        Name of the unit.
    """

    review: NDArray[np.float64]
    three_way: NDArray[np.float64]
    two_way: NDArray[np.float64]
    always_review: NDArray[np.float64]
    deferred: NDArray[np.float64]
    current: float
    break_even: float
    unit: str = ""
    _figsize = (7.2, 4.2)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, costs: Any = None, *, ax: Any = None
    ) -> Self:
        """Draw for a fitted classifier with probabilities.

        Parameters
        ----------
        estimator : estimator
            Fitted classifier, or a pipeline that ends in one.
        X, y : array-like
            Instances and their classes.
        costs : CostMatrix, array-like of shape (2, 3) or dict, optional
            Costs; by default those of the estimator.
        ax : matplotlib axes, optional
            Where to draw.
        """
        rule, p = positive_scores(estimator, X, costs)
        return cls.from_predictions(y, p, rule.costs, pos_label=rule.pos_label, ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        probabilities: ArrayLike,
        costs: Any,
        *,
        pos_label: Any = None,
        ax: Any = None,
    ) -> Self:
        """Draw from true labels and probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_instances,)
            True labels.
        probabilities : array-like of shape (n_instances,)
            Probability of the positive class.
        costs : CostMatrix, array-like of shape (2, 3) or dict
            What decisions cost; what deferring costs more than the right decision, which is
            the review, is varied in proportion.
        pos_label : label, optional
            The positive class; by default the one that the costs name, or the larger label.
        ax : matplotlib axes, optional
            Where to draw.
        """
        matrix = as_cost_matrix(costs)
        mean_review = (matrix.bp - matrix.pp + matrix.bn - matrix.nn) / 2
        if not mean_review > 0:
            raise ValueError("A review must cost something, or its cost cannot be varied.")
        positive, p = truth_and_scores(y_true, probabilities, pos_label, matrix)
        limit = _break_even(matrix)
        stop = max(1.25 * limit, 1.25)
        factors = np.union1d(np.linspace(0, stop, 161), [1.0])
        rows = []
        for factor in factors:
            varied = _with_review(matrix, factor)
            three = varied.decide(p)
            two = two_way_regions(p, varied.gamma)
            means = [varied.charge(positive, r).mean() for r in (three, two, np.full(len(p), BND))]
            rows.append((*means, np.mean(three == BND)))
        three_way, two_way, always_review, deferred = np.array(rows).T
        return cls(
            review=factors * mean_review,
            three_way=three_way,
            two_way=two_way,
            always_review=always_review,
            deferred=deferred,
            current=mean_review,
            break_even=limit * mean_review,
            unit=matrix.unit,
        ).plot(ax)

    def _draw(self, ax: Any) -> None:
        unit = f" [{self.unit}]" if self.unit else ""
        low = min(0.0, float(self.three_way.min()))
        top = low + 1.35 * (float(self.two_way.max()) - low)
        ax.plot(self.review, self.two_way, color=INK, linewidth=2)
        ax.plot(self.review, self.always_review, color=FAINT, linewidth=1.5, linestyle="--")
        ax.plot(self.review, self.three_way, color=ACCEPT, linewidth=3)
        ax.fill_between(
            self.review, self.three_way, self.two_way, color=ACCEPT, alpha=0.15, linewidth=0
        )
        ax.axvline(self.break_even, color=FAINT, linewidth=1, linestyle=":")
        end = self.review[-1]
        room = self.current < 0.45 * end
        share = 0.45 if room else 0.22
        now = int(np.abs(self.review - self.current).argmin())
        height = float(self.three_way[now])
        ax.plot(self.current, height, "o", color=DEFER, markersize=9, zorder=4)
        # Placed in data coordinates, unlike the other texts, to stay below the curve.
        text = f"review at {self.current:.3g}: nothing is deferred"
        if self.deferred[now] > 0:
            text = (
                f"review at {self.current:.3g}: {self.deferred[now]:.1%} deferred,\n"
                f"{self._saving(now)} always deciding"
            )
        ax.annotate(
            text,
            (self.current, height),
            xytext=(
                self.current + 0.04 * end if room else min(self.current + 0.2 * end, 0.99 * end),
                low + share * (height - low),
            ),
            va="center",
            ha="left" if room else "right",
            color=DEFER,
            fontweight="bold",
            arrowprops={"arrowstyle": "-", "color": DEFER, "shrinkB": 5},
        )
        write(ax, "always decide", (end, self.two_way[-1]), (-2, 5), ha="right", color=INK)
        style: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "fontsize": "small"}
        text = "no probability is\ndeferred from here"
        write(ax, text, (self.break_even, 0.03), (5, 0), color=FAINT, **style)
        high = min(
            int(np.searchsorted(self.always_review, low + 0.92 * (top - low))), len(self.review) - 1
        )
        write(
            ax, "always review", (self.review[high], self.always_review[high]), (6, -2), color=FAINT
        )
        ax.set(
            xlim=(0, end),
            ylim=(low, top),
            xlabel=f"cost of a review{unit}",
            ylabel=f"mean cost of an instance{unit}",
        )
        tidy(ax)

    def _saving(self, now: int) -> str:
        """Compare with always deciding, in the unit and, if both cost something, in per cent."""
        always, three_way = float(self.two_way[now]), float(self.three_way[now])
        saved = always - three_way
        share = f" ({abs(saved) / always:.0%})" if min(always, three_way) >= 0 < always else ""
        unit = f" {self.unit}" if self.unit else ""
        return f"{short(abs(saved))}{unit}{share} {'more' if saved < 0 else 'less'} than"


def _with_review(costs: CostMatrix, factor: float) -> CostMatrix:
    bp = costs.pp + factor * (costs.bp - costs.pp)
    bn = costs.nn + factor * (costs.bn - costs.nn)
    return replace(costs, bp=bp, bn=bn)


def _break_even(costs: CostMatrix) -> float:
    """Return the factor on the review cost from which no probability is deferred."""
    low, high = 0.0, 1.0
    while _with_review(costs, high).defers:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _with_review(costs, middle).defers else (low, middle)
    return high
