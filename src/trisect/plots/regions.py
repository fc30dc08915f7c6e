"""Both classes over the probability, with the three regions."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import CostMatrix, as_cost_matrix, threshold_regions
from trisect.metrics import three_way_confusion, three_way_cost
from trisect.plots._display import (
    ACCEPT,
    DEFER,
    FAINT,
    INK,
    NEGATIVE,
    POSITIVE,
    REJECT,
    Display,
    positive_scores,
    short,
    tidy,
    truth_and_scores,
    write,
)

# Coordinates of a text: a probability, and a height as a share of the axes.
_OVER_AXES = ("data", "axes fraction")


@dataclass(eq=False, repr=False)
class RegionsDisplay(Display):
    """Histograms of both classes over the probability, with the three regions.

    Positive instances are counted upwards and negative ones downwards, on logarithmic
    scales that show single instances as well as thousands.

    Parameters
    ----------
    probabilities : ndarray of shape (n_instances,)
        Probability of the positive class.
    positive : ndarray of bool of shape (n_instances,)
        Whether each instance is truly positive.
    alpha, beta : float
        Thresholds; equal ones defer nothing.
    costs : CostMatrix, optional
        Costs, with which to report what the decisions cost.
    names : pair of str, default=("positive", "negative")
        Names of the two classes.

    Examples
    --------
    >>> from trisect.decisions import CostMatrix
    >>> from trisect.plots import RegionsDisplay
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    >>> display = RegionsDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.5, 0.4, 0.9], costs)
    >>> display.figure_ is display.ax_.figure
    True
    """

    probabilities: NDArray[np.float64]
    positive: NDArray[np.bool_]
    alpha: float
    beta: float
    costs: CostMatrix | None = None
    names: tuple[str, str] = ("positive", "negative")
    _figsize = (7.2, 4.2)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, costs: Any = None, *, ax: Any = None
    ) -> Self:
        """Draw the decisions of a fitted classifier.

        Parameters
        ----------
        estimator : estimator
            Fitted classifier with probabilities, or a pipeline that ends in one.
        X, y : array-like
            Instances and their classes.
        costs : CostMatrix or array-like of shape (2, 3), optional
            Costs; by default those of the estimator, or its learned thresholds.
        ax : matplotlib axes, optional
            Where to draw.
        """
        model, index, p = positive_scores(estimator, X)
        positive, negative = model.classes_[[index, 1 - index]]
        learned = None
        if costs is None:
            costs, learned = model.costs_, getattr(model, "thresholds_", None)
        names = (str(positive), str(negative))
        return cls.from_predictions(y, p, costs, learned, pos_label=positive, names=names, ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        probabilities: ArrayLike,
        costs: Any,
        thresholds: Any = None,
        *,
        pos_label: Any = None,
        names: tuple[str, str] = ("positive", "negative"),
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
            What decisions cost.
        thresholds : LearnedThresholds, optional
            A pair to use instead of the closed form.
        pos_label : label, optional
            The positive class; by default the larger label.
        names : pair of str, default=("positive", "negative")
            Names of the two classes.
        ax : matplotlib axes, optional
            Where to draw.
        """
        matrix = as_cost_matrix(costs)
        alpha, beta = matrix.thresholds
        if thresholds is not None:
            alpha, beta = thresholds.alpha, thresholds.beta
        positive, p = truth_and_scores(y_true, probabilities, pos_label)
        return cls(p, positive, alpha, beta, matrix, names).plot(ax)

    def plot(self, ax: Any = None, *, bins: int = 40) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        bins : int, default=40
            Number of bars over [0, 1].
        """
        ax = self._axes(ax)
        edges = np.linspace(0, 1, bins + 1)
        up = np.histogram(self.probabilities[self.positive], edges)[0]
        down = np.histogram(self.probabilities[~self.positive], edges)[0]
        for counts, sign, colour in ((up, 1, POSITIVE), (down, -1, NEGATIVE)):
            ax.bar(edges[:-1], sign * counts, np.diff(edges), align="edge", color=colour, zorder=2)
        top = 10 ** np.ceil(np.log10(max(up.max(), down.max(), 10) * 2))
        ax.set_yscale("symlog", linthresh=1, linscale=0.5)
        ax.set(xlim=(0, 1), ylim=(-top, top), xlabel=f"probability of {self.names[0]}")
        ticks = 10 ** np.arange(0, np.log10(top))
        ax.set_yticks([*-ticks[::-1], 0, *ticks])
        ax.set_yticks([], minor=True)
        ax.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.0f}")
        ax.set_ylabel("instances (logarithmic)")
        ax.axhline(0, color=INK, linewidth=0.8, zorder=3)
        for name, height, colour in ((self.names[0], 0.8, POSITIVE), (self.names[1], 0.2, "0.4")):
            style = {"xycoords": "axes fraction", "ha": "center", "va": "center"}
            write(ax, f"truly {name}", (0.5, height), color=colour, fontweight="bold", **style)
        self._draw_regions(ax)
        self._draw_thresholds(ax)
        tidy(ax)
        return self

    def _draw_regions(self, ax: Any) -> None:
        """Shade the regions, and say what share of the instances is in each, at what cost."""
        regions = threshold_regions(self.probabilities, self.alpha, self.beta)
        table = three_way_confusion(self.positive, regions, pos_label=True)
        shares = table.sum(axis=0) / max(table.sum(), 1)
        low, high = np.clip((self.beta, self.alpha), 0, 1).tolist()
        spans = [
            ("accept", shares[0], (high, 1.0), ACCEPT, (1.0, "right")),
            ("defer", shares[1], (low, high), DEFER, ((low + high) / 2, "center")),
            ("reject", shares[2], (0.0, low), REJECT, (0.0, "left")),
        ]
        for name, share, (start, stop), colour, (at, side) in spans:
            if stop - start < 1e-9:
                continue
            ax.axvspan(start, stop, color=colour, alpha=0.13, linewidth=0, zorder=0)
            style = {"ha": side, "va": "bottom", "color": colour, "fontweight": "bold"}
            write(ax, f"{name} {share:.1%}", (at, 1.0), (0, 4), xycoords=_OVER_AXES, **style)
        if self.costs is not None:
            cost = three_way_cost(self.positive, regions, self.costs, pos_label=True)
            mistakes, reviews = table[0, 2] + table[1, 0], table[:, 1].sum()
            unit = f" {self.costs.unit}" if self.costs.unit else ""
            title = f"{mistakes} mistakes and {reviews} reviews cost {short(cost)}{unit}"
            ax.set_title(title, loc="left", fontsize="medium", color=FAINT, pad=20)

    def _draw_thresholds(self, ax: Any) -> None:
        names = {r"$\beta$": self.beta, r"$\alpha$": self.alpha}
        if self.alpha == self.beta:
            names = {r"$\gamma$": self.alpha}
        for name, value in names.items():
            if not 0 <= value <= 1:
                continue
            ax.axvline(value, color=INK, linewidth=1, linestyle="--", zorder=3)
            shift, side = (4, "left") if value < 0.85 else (-4, "right")
            style = {"xycoords": _OVER_AXES, "ha": side, "fontsize": "small", "color": INK}
            write(ax, f"{name} = {value:.3g}", (value, 0.02), (shift, 0), **style)
