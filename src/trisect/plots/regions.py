"""Both classes over the probability, with the three regions."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import CostMatrix, as_cost_matrix, threshold_regions
from trisect.metrics import three_way_confusion
from trisect.plots._display import (
    ACCEPT,
    DEFER,
    FAINT,
    INK,
    NEGATIVE,
    POSITIVE,
    REJECT,
    Display,
    counted,
    paid,
    positive_scores,
    tidy,
    truth_and_scores,
    write,
)

# Coordinates of a text: a probability, and a height as a share of the axes.
_OVER_AXES = ("data", "axes fraction")


@dataclass(eq=False, repr=False)
class RegionsDisplay(Display):
    """Histograms of both classes over the probability, with the three regions.

    Positive instances are counted upwards and negative ones downwards. The height of a bar
    is the square root of its count (a rootogram), so that few instances can be seen beside
    many without looking like many.

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
        costs : CostMatrix, array-like of shape (2, 3) or dict, optional
            Costs; by default those of the estimator, or its learned thresholds.
        ax : matplotlib axes, optional
            Where to draw.
        """
        rule, p = positive_scores(estimator, X, costs)
        [negative] = (label for label in rule.classes if label != rule.pos_label)
        return cls.from_predictions(
            y,
            p,
            rule.costs,
            rule.learned,
            pos_label=rule.pos_label,
            names=(str(rule.pos_label), str(negative)),
            ax=ax,
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
        costs : CostMatrix, array-like of shape (2, 3) or dict
            What decisions cost.
        thresholds : LearnedThresholds, optional
            A pair to use instead of the closed form.
        pos_label : label, optional
            The positive class; by default the one that the costs name, or the larger label.
        names : pair of str, default=("positive", "negative")
            Names of the two classes.
        ax : matplotlib axes, optional
            Where to draw.
        """
        matrix = as_cost_matrix(costs)
        alpha, beta = matrix.thresholds
        if thresholds is not None:
            alpha, beta = thresholds.alpha, thresholds.beta
        positive, p = truth_and_scores(y_true, probabilities, pos_label, matrix)
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
            heights = sign * np.sqrt(counts)
            ax.bar(edges[:-1], heights, np.diff(edges), align="edge", color=colour, zorder=2)
        # The smaller class has at least a third of the room of the larger one, for its name.
        heights = np.sqrt([max(up.max(), 1), max(down.max(), 1)])
        heights = np.maximum(heights, heights.max() / 3)
        top, bottom = 1.12 * heights
        ax.set(xlim=(0, 1), ylim=(-bottom, top), xlabel=f"probability of {self.names[0]}")
        above, below = (np.sqrt(_round_counts(h, h / heights.max())) for h in heights)
        ax.set_yticks([*-below[::-1], 0, *above])
        ax.yaxis.set_major_formatter(lambda value, _: f"{round(value**2):,}")
        ax.set_ylabel("instances (square-root scale)")
        ax.axhline(0, color=INK, linewidth=0.8, zorder=3)
        for name, height, colour in (
            (self.names[0], top / 2, POSITIVE),
            (self.names[1], -bottom / 2, "0.4"),
        ):
            style = {"xycoords": ("axes fraction", "data"), "va": "center", "rotation": -90}
            style |= {"color": colour, "fontweight": "bold", "annotation_clip": False}
            write(ax, f"truly {name}", (1.0, height), (6, 0), **style)
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
        # The shares stand in fixed places, where narrow regions cannot push them together.
        spans = [
            ("accept", shares[0], (high, 1.0), ACCEPT, (1.0, "right")),
            ("defer", shares[1], (low, high), DEFER, (0.5, "center")),
            ("reject", shares[2], (0.0, low), REJECT, (0.0, "left")),
        ]
        for name, share, (start, stop), colour, (at, side) in spans:
            style = {"ha": side, "va": "bottom", "color": colour, "fontweight": "bold"}
            write(ax, f"{name} {share:.1%}", (at, 1.0), (0, 4), xycoords="axes fraction", **style)
            if stop - start > 1e-9:
                ax.axvspan(start, stop, color=colour, alpha=0.13, linewidth=0, zorder=0)
        if self.costs is not None:
            cost = float((table * self.costs.amounts).sum())
            mistakes = counted(int(table[0, 2] + table[1, 0]), "mistake")
            reviews = counted(int(table[:, 1].sum()), "review")
            title = f"{mistakes}, {reviews}; all decisions {paid(cost, self.costs.unit)}"
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


def _round_counts(tallest: float, share: float) -> NDArray[np.float64]:
    """Return round numbers whose square roots divide an axis: three, or fewer if it is short."""
    n_ticks = 3 if share > 0.6 else 2 if share > 0.3 else 1
    wanted = (tallest * np.arange(1, n_ticks + 1) / n_ticks) ** 2
    scale = 10.0 ** np.floor(np.log10(np.maximum(wanted, 1)))
    return np.unique(np.maximum(np.floor(wanted / scale), 1) * scale)
