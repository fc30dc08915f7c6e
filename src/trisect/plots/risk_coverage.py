"""The share of mistakes against the share decided."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from trisect.estimators.deciding import unwrap
from trisect.metrics import RiskCoverage, risk_coverage_area, risk_coverage_curve
from trisect.plots._display import ACCEPT, DEFER, FAINT, Display, tidy, write


@dataclass(eq=False, repr=False)
class RiskCoverageDisplay(Display):
    """The share of mistakes among the decided, over the share decided.

    Parameters
    ----------
    curve : RiskCoverage
        The curve.
    name : str, optional
        Name of the classifier, for the legend.
    point : pair of float, optional
        Coverage and risk of the decisions of an estimator, to be marked.
    """

    curve: RiskCoverage
    name: str | None = None
    point: tuple[float, float] | None = None

    @property
    def area(self) -> float:
        """Area under the curve."""
        return risk_coverage_area(self.curve)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, *, name: str | None = None, ax: Any = None
    ) -> Self:
        """Draw for a fitted classifier, and mark its decisions if it makes any.

        Parameters
        ----------
        estimator : estimator
            Fitted classifier, or a pipeline that ends in one.
        X, y : array-like
            Instances and their classes.
        name : str, optional
            Name for the legend; by default that of the class.
        ax : matplotlib axes, optional
            Where to draw; several curves can share it.
        """
        model, X = unwrap(estimator, X)
        point = None
        if hasattr(model, "decide_classes"):
            chosen = model.decide_classes(X)
            decided = np.array([label is not None for label in chosen])
            if decided.any():
                wrong = chosen[decided] != np.asarray(y)[decided]
                point = (float(decided.mean()), float(np.mean(wrong)))
        return cls.from_predictions(
            y,
            model.predict_proba(X),
            labels=model.classes_,
            name=type(model).__name__ if name is None else name,
            point=point,
            ax=ax,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        probabilities: ArrayLike,
        *,
        pos_label: Any = None,
        labels: ArrayLike | None = None,
        name: str | None = None,
        point: tuple[float, float] | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw from true labels and probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_instances,)
            True labels.
        probabilities : array-like of shape (n_instances,) or (n_instances, n_classes)
            Probability of the positive class, or of all classes.
        pos_label : label, optional
            The positive class; by default the larger label.
        labels : array-like of shape (n_classes,), optional
            Labels of the columns of `probabilities`.
        name : str, optional
            Name for the legend.
        point : pair of float, optional
            Coverage and risk to mark.
        ax : matplotlib axes, optional
            Where to draw.
        """
        curve = risk_coverage_curve(y_true, probabilities, pos_label=pos_label, labels=labels)
        return cls(curve, name, point).plot(ax)

    def plot(self, ax: Any = None, **line_kwargs: Any) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        **line_kwargs : dict
            Passed to the line, such as ``color``.
        """
        ax = self._axes(ax)
        first = not ax.lines
        label = f"area {100 * self.area:.3g} %"
        if self.name is not None:
            label = f"{self.name} ({label})"
        options: dict[str, Any] = {"linewidth": 2.5, "drawstyle": "steps-pre", "label": label}
        if first:
            options["color"] = ACCEPT
        percent = 100 * self.curve.coverage, 100 * self.curve.risk
        (self.line_,) = ax.plot(*percent, **(options | line_kwargs))
        if self.point is not None:
            coverage, risk = (100 * value for value in self.point)
            # In the legend, where it cannot stand in the way of the curve.
            text = f"decides {coverage:.1f} %, {risk:.2g} % of these wrong"
            ax.plot(coverage, risk, "o", color=DEFER, markersize=9, zorder=4, label=text)
        if first:
            error = 100 * float(self.curve.risk[-1])
            ax.axhline(error, color=FAINT, linewidth=1, linestyle=":")
            text = f"error if everything is decided: {error:.2g} %"
            style = {"xycoords": ("axes fraction", "data"), "fontsize": "small", "color": FAINT}
            write(ax, text, (0.01, error), (0, 4), **style)
            ax.set(
                xlim=(0, 101),
                xlabel="share of the instances decided, most confident first [%]",
                ylabel="mistakes among the decided [%]",
            )
            tidy(ax)
        ax.set_ylim(0, max(ax.get_ylim()[1], 160 * float(self.curve.risk.max())))
        ax.legend(loc="upper left", frameon=False)
        return self
