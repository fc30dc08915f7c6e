"""The mean cost of an instance against the cost of a review."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import CostMatrix, as_cost_matrix, as_probabilities
from trisect.estimators._unwrapping import unwrap
from trisect.estimators.three_way_mixin import positive_index
from trisect.metrics._truth import positive_mask
from trisect.plots._canvas import ACCEPT, DEFER, FAINT, INK, new_axes, tidy


class ReviewCostDisplay:
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

    Attributes
    ----------
    ax_ : matplotlib axes
        Axes of the picture.
    figure_ : matplotlib figure
        Figure of the picture.
    """

    def __init__(
        self,
        review: NDArray[np.float64],
        three_way: NDArray[np.float64],
        two_way: NDArray[np.float64],
        always_review: NDArray[np.float64],
        deferred: NDArray[np.float64],
        current: float,
        break_even: float,
        unit: str = "",
    ) -> None:
        self.review = review
        self.three_way = three_way
        self.two_way = two_way
        self.always_review = always_review
        self.deferred = deferred
        self.current = current
        self.break_even = break_even
        self.unit = unit

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
        costs : CostMatrix or array-like of shape (2, 3), optional
            Costs; by default those of the estimator.
        ax : matplotlib axes, optional
            Where to draw.

        Returns
        -------
        ReviewCostDisplay
        """
        model, X = unwrap(estimator, X)
        index = positive_index(model)
        p = np.asarray(model.predict_proba(X))[:, index]
        positive = np.asarray(y) == model.classes_[index]
        return cls.from_predictions(positive, p, model.costs_ if costs is None else costs, ax=ax)

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
        costs : CostMatrix or array-like of shape (2, 3)
            What decisions cost; the costs of deferring are varied in proportion.
        pos_label : label, optional
            The positive class; by default the larger label.
        ax : matplotlib axes, optional
            Where to draw.

        Returns
        -------
        ReviewCostDisplay
        """
        matrix = as_cost_matrix(costs)
        mean_review = float(matrix.amounts[:, 1].mean())
        if not mean_review > 0:
            raise ValueError("A review must cost something, or its cost cannot be varied.")
        p, positive = as_probabilities(probabilities), positive_mask(y_true, pos_label)
        if p.shape != positive.shape:
            raise ValueError(f"{len(p)} probabilities were given for {len(positive)} labels.")
        limit = _break_even(matrix)
        stop = max(1.25 * limit, 1.25)
        factors = np.union1d(np.linspace(0, stop, 161), [1.0])
        rows = []
        for factor in factors:
            varied = _with_review(matrix, factor)
            three = varied.decide(p)
            two = np.where(p >= varied.gamma, 1, -1)
            means = [varied.charge(positive, r).mean() for r in (three, two, np.zeros(len(p)))]
            rows.append((*means, np.mean(three == 0)))
        three_way, two_way, always, deferred = np.array(rows).T
        return cls(
            factors * mean_review,
            three_way,
            two_way,
            always,
            deferred,
            mean_review,
            limit * mean_review,
            matrix.unit,
        ).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        ReviewCostDisplay
        """
        ax = new_axes(ax, "ReviewCostDisplay.plot", (7.2, 4.2))
        unit = f" [{self.unit}]" if self.unit else ""
        top = 1.35 * float(self.two_way.max())
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
        saving = 1 - self.three_way[now] / self.two_way[now] if self.two_way[now] else 0.0
        ax.plot(self.current, self.three_way[now], "o", color=DEFER, markersize=9, zorder=4)
        ax.annotate(
            f"review at {self.current:.3g}: {self.deferred[now]:.1%} deferred,\n"
            f"{saving:.0%} cheaper than always deciding",
            (self.current, self.three_way[now]),
            xytext=(self.current + (0.04 * end if room else 0), share * self.three_way[now]),
            va="center",
            ha="left" if room else "center",
            color=DEFER,
            fontweight="bold",
            arrowprops={"arrowstyle": "-", "color": DEFER, "shrinkB": 5},
        )
        ax.annotate(
            "always decide",
            (end, self.two_way[-1]),
            xytext=(-2, 5),
            textcoords="offset points",
            ha="right",
            color=INK,
        )
        ax.annotate(
            "no probability is\ndeferred from here",
            (self.break_even, 0.03),
            xycoords=("data", "axes fraction"),
            xytext=(5, 0),
            textcoords="offset points",
            fontsize="small",
            color=FAINT,
        )
        middle = int(np.searchsorted(self.always_review, 0.92 * top))
        middle = min(middle, len(self.review) - 1)
        ax.annotate(
            "always review",
            (self.review[middle], self.always_review[middle]),
            xytext=(6, -2),
            textcoords="offset points",
            color=FAINT,
        )
        ax.set(
            xlim=(0, end),
            ylim=(0, top),
            xlabel=f"cost of a review{unit}",
            ylabel=f"mean cost of an instance{unit}",
        )
        tidy(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _with_review(costs: CostMatrix, factor: float) -> CostMatrix:
    amounts = costs.amounts
    right = np.array([amounts[0, 0], amounts[1, 2]])
    amounts[:, 1] = np.maximum(amounts[:, 1] * factor, right)
    return CostMatrix.from_amounts(amounts, costs.unit)


def _break_even(costs: CostMatrix) -> float:
    """Return the factor on the review cost from which no probability is deferred."""
    low, high = 0.0, 1.0
    while _with_review(costs, high).defers:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _with_review(costs, middle).defers else (low, middle)
    return high
