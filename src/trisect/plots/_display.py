"""What the displays share: axes, colours, texts, and the probabilities of a classifier."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect._sklearn import check_matplotlib_support
from trisect.decisions import as_probabilities
from trisect.estimators.deciding import unwrap
from trisect.estimators.decision_rule import (
    DecisionRule,
    class_probabilities,
    decision_rule,
    positive_index,
)
from trisect.metrics._truth import positive_mask

ACCEPT, DEFER, REJECT = "#1b7f79", "#d99a00", "#b5323e"
INK, FAINT = "#2b2b2b", "#8c8c8c"
POSITIVE, NEGATIVE = "#27408b", "#9a9a9a"


class Display:
    """Base of the displays that draw into one pair of axes.

    Attributes
    ----------
    ax_ : matplotlib axes
        Axes of the picture.
    figure_ : matplotlib figure
        Figure of the picture.
    """

    _figsize: tuple[float, float] = (6.8, 4.2)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        Display
            This display.
        """
        self._draw(self._axes(ax))
        return self

    def _axes(self, ax: Any) -> Any:
        check_matplotlib_support(f"{type(self).__name__}.plot")
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.subplots(figsize=self._figsize, layout="constrained")[1]
        self.ax_, self.figure_ = ax, ax.figure
        return ax

    def _draw(self, ax: Any) -> None:
        raise NotImplementedError


def write(
    ax: Any,
    text: str,
    at: tuple[float, float],
    shift: tuple[float, float] = (0, 0),
    /,
    **style: Any,
) -> None:
    """Write a text beside a point, shifted by a number of typographic points."""
    ax.annotate(text, at, xytext=shift, textcoords="offset points", **style)


def tidy(ax: Any) -> None:
    """Remove the upper and the right side of the frame."""
    ax.spines[["top", "right"]].set_visible(False)


def separate_thousands(ax: Any) -> None:
    """Write large numbers along the vertical axis with separators."""
    ax.yaxis.set_major_formatter(lambda value, _: short(value))


def counted(number: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def paid(cost: float, unit: str = "") -> str:
    """Say what was spent or, where costs are negative, gained."""
    return f"{'gain' if cost < 0 else 'cost'} {short(abs(cost))}" + (f" {unit}" if unit else "")


def short(value: float) -> str:
    """Format a number for a label, with thousands separators."""
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"


def positive_scores(
    estimator: Any, X: Any, costs: Any = None
) -> tuple[DecisionRule, NDArray[np.float64]]:
    """Return what a classifier decides with, and the probabilities of its positive class."""
    model, X = unwrap(estimator, X)
    positive_index(model)  # raises if there are more than two classes
    rule = decision_rule(model, costs)
    return rule, rule.scores(class_probabilities(model, X))


def truth_and_scores(
    y_true: ArrayLike, probabilities: ArrayLike, pos_label: Any, costs: Any = None
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Return which instances are positive, and their probabilities, equally many."""
    p, positive = as_probabilities(probabilities), positive_mask(y_true, pos_label, costs)
    if p.shape != positive.shape:
        raise ValueError(f"{len(p)} probabilities were given for {len(positive)} labels.")
    return positive, p
