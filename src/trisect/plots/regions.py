"""Both classes over the probability, with the three regions."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from trisect.decisions import CostMatrix, as_cost_matrix, as_probabilities, threshold_regions
from trisect.estimators._unwrapping import unwrap
from trisect.estimators.three_way_mixin import positive_index
from trisect.metrics import three_way_confusion, three_way_cost
from trisect.metrics._truth import positive_mask
from trisect.plots._canvas import (
    ACCEPT,
    DEFER,
    FAINT,
    INK,
    NEGATIVE,
    POSITIVE,
    REJECT,
    new_axes,
    short,
    tidy,
)


class RegionsDisplay:
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

    Attributes
    ----------
    ax_ : matplotlib axes
        Axes of the picture.
    figure_ : matplotlib figure
        Figure of the picture.

    Examples
    --------
    >>> from trisect.decisions import CostMatrix
    >>> from trisect.plots import RegionsDisplay
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    >>> display = RegionsDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.5, 0.4, 0.9], costs)
    >>> display.figure_ is display.ax_.figure
    True
    """

    def __init__(
        self,
        probabilities: Any,
        positive: Any,
        alpha: float,
        beta: float,
        costs: CostMatrix | None = None,
        names: tuple[str, str] = ("positive", "negative"),
    ) -> None:
        self.probabilities = probabilities
        self.positive = positive
        self.alpha = alpha
        self.beta = beta
        self.costs = costs
        self.names = names

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

        Returns
        -------
        RegionsDisplay
        """
        model, X = unwrap(estimator, X)
        index = positive_index(model)
        p = np.asarray(model.predict_proba(X))[:, index]
        matrix = model.costs_ if costs is None else costs
        learned = getattr(model, "thresholds_", None) if costs is None else None
        names = (str(model.classes_[index]), str(model.classes_[1 - index]))
        return cls.from_predictions(
            np.asarray(y) == model.classes_[index], p, matrix, learned, names=names, ax=ax
        )

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

        Returns
        -------
        RegionsDisplay
        """
        matrix = as_cost_matrix(costs)
        alpha, beta = matrix.thresholds
        if thresholds is not None:
            alpha, beta = thresholds.alpha, thresholds.beta
        p, positive = as_probabilities(probabilities), positive_mask(y_true, pos_label)
        if p.shape != positive.shape:
            raise ValueError(f"{len(p)} probabilities were given for {len(positive)} labels.")
        return cls(p, positive, alpha, beta, matrix, names).plot(ax)

    def plot(self, ax: Any = None, *, bins: int = 40) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        bins : int, default=40
            Number of bars over [0, 1].

        Returns
        -------
        RegionsDisplay
        """
        ax = new_axes(ax, "RegionsDisplay.plot", (7.2, 4.2))
        edges = np.linspace(0, 1, bins + 1)
        up = np.histogram(self.probabilities[self.positive], edges)[0]
        down = np.histogram(self.probabilities[~self.positive], edges)[0]
        for counts, sign, colour in ((up, 1, POSITIVE), (down, -1, NEGATIVE)):
            ax.bar(edges[:-1], sign * counts, np.diff(edges), align="edge", color=colour, zorder=2)
        top = 10 ** np.ceil(np.log10(max(up.max(), down.max(), 10) * 2))
        self._shade(ax, top)
        ax.set_yscale("symlog", linthresh=1, linscale=0.5)
        ax.set(xlim=(0, 1), ylim=(-top, top), xlabel=f"probability of {self.names[0]}")
        ticks = 10 ** np.arange(0, np.log10(top))
        ax.set_yticks([*-ticks[::-1], 0, *ticks])
        ax.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.0f}")
        ax.yaxis.set_minor_locator(_no_ticks())
        ax.set_ylabel("instances (logarithmic)")
        ax.axhline(0, color=INK, linewidth=0.8, zorder=3)
        for name, height, colour in ((self.names[0], 0.8, POSITIVE), (self.names[1], 0.2, "0.4")):
            ax.annotate(
                f"truly {name}",
                (0.5, height),
                xycoords="axes fraction",
                ha="center",
                va="center",
                color=colour,
                fontweight="bold",
            )
        tidy(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _shade(self, ax: Any, top: float) -> None:
        regions = threshold_regions(self.probabilities, self.alpha, self.beta)
        table = three_way_confusion(self.positive, regions, pos_label=True)
        shares = table.sum(axis=0) / max(table.sum(), 1)
        low, high = (float(np.clip(value, 0, 1)) for value in (self.beta, self.alpha))
        spans = [(0, low, REJECT, "reject", 2), (low, high, DEFER, "defer", 1)]
        spans.append((high, 1, ACCEPT, "accept", 0))
        for start, stop, colour, name, column in spans:
            ax.axvspan(start, stop, color=colour, alpha=0.13, linewidth=0, zorder=0)
            if stop - start < 1e-9:
                continue
            side = {"reject": "left", "defer": "center", "accept": "right"}[name]
            at = {"reject": 0.0, "defer": (start + stop) / 2, "accept": 1.0}[name]
            ax.annotate(
                f"{name} {shares[column]:.1%}",
                (at, 1.0),
                xycoords=("data", "axes fraction"),
                xytext=(0, 4),
                textcoords="offset points",
                ha=side,
                va="bottom",
                color=colour,
                fontweight="bold",
            )
        for value, name in ((self.beta, r"$\beta$"), (self.alpha, r"$\alpha$")):
            if not 0 <= value <= 1 or (name == r"$\beta$" and self.beta == self.alpha):
                continue
            label = r"$\gamma$" if self.beta == self.alpha else name
            ax.axvline(value, color=INK, linewidth=1, linestyle="--", zorder=3)
            ax.annotate(
                f"{label} = {value:.3g}",
                (value, 0.02),
                xycoords=("data", "axes fraction"),
                xytext=(4 if value < 0.85 else -4, 0),
                textcoords="offset points",
                ha="left" if value < 0.85 else "right",
                fontsize="small",
                color=INK,
            )
        if self.costs is not None:
            cost = three_way_cost(self.positive, regions, self.costs, pos_label=True)
            wrong = int(table[0, 2] + table[1, 0])
            unit = f" {self.costs.unit}" if self.costs.unit else ""
            ax.set_title(
                f"{wrong} mistakes and {table[:, 1].sum()} reviews cost {short(cost)}{unit}",
                loc="left",
                fontsize="medium",
                color=FAINT,
                pad=20,
            )


def _no_ticks() -> Any:
    from matplotlib.ticker import NullLocator

    return NullLocator()
