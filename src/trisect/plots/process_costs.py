"""The costs of each level: results, tests and delays."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from trisect._sklearn import check_matplotlib_support
from trisect.metrics import ProcessCostTable, process_cost_table
from trisect.plots._display import ACCEPT, DEFER, FAINT, INK, REJECT, short, tidy, write

_PANELS = (
    ("result_cost", "result cost\nof the level", REJECT),
    ("test_cost", "test cost\nso far (sum)", ACCEPT),
    ("delay_cost", "delay cost\nso far (maximum)", DEFER),
)
# As many levels fill the width.
_LEAST_LEVELS = 5


@dataclass(eq=False, repr=False)
class ProcessCostDisplay:
    """One panel for each kind of cost, one bar for each level.

    Parameters
    ----------
    table : ProcessCostTable
        Costs level by level.
    kept : int, optional
        Number of the level that was kept, from 1, to be marked.

    Attributes
    ----------
    axes_ : ndarray of matplotlib axes
        One for each kind of cost.
    figure_ : matplotlib figure
        Figure of the picture.
    """

    table: ProcessCostTable
    kept: int | None = None

    @classmethod
    def from_estimator(cls, estimator: Any, *, figure: Any = None) -> Self:
        """Draw the costs of growing a fitted estimator.

        Parameters
        ----------
        estimator : estimator
            Fitted, with ``levels_``.
        figure : matplotlib figure, optional
            Where to draw.
        """
        best = getattr(estimator, "best_level_", None)
        kept = None if best is None else best + 1
        return cls(process_cost_table(estimator), kept).plot(figure)

    @classmethod
    def from_walk(cls, walk: Any, *, figure: Any = None) -> Self:
        """Draw the costs of deciding level by level.

        Parameters
        ----------
        walk : Walk
            As `decide_sequentially` returns it.
        figure : matplotlib figure, optional
            Where to draw.
        """
        return cls(process_cost_table(walk)).plot(figure)

    def plot(self, figure: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        figure : matplotlib figure, optional
            Where to draw; a new figure by default.
        """
        check_matplotlib_support("ProcessCostDisplay.plot")
        import matplotlib.pyplot as plt

        panels = [panel for panel in _PANELS if panel[0] in self.table.columns]
        if not panels:
            raise ValueError(
                "There are no costs to draw: give the estimator unit_test_costs or "
                "unit_delay_costs before it is fitted."
            )
        if figure is None:
            figure = plt.figure(figsize=(6.8, 1.7 * len(panels) + 0.6), layout="constrained")
        axes = np.atleast_1d(figure.subplots(len(panels), 1, sharex=True))
        level = np.array(self.table.columns["level"])
        for ax, (name, title, colour) in zip(axes, panels, strict=True):
            values = np.array(self.table.columns[name], dtype=float)
            bars = ax.bar(level, values, width=0.68, color=colour, alpha=0.85)
            ax.bar_label(
                bars, [short(v) if len(level) <= 12 else "" for v in values],
                padding=2, fontsize="small", color=INK,
            )  # fmt: skip
            ax.set_ylabel(title, rotation=0, ha="right", va="center")
            ax.set_yticks([])
            ax.set_ylim(0, max(values.max(), 1e-12) * 1.25)
            ax.spines["left"].set_visible(False)
            tidy(ax)
        # Few levels keep bars of the usual width.
        margin = max(0.6, (_LEAST_LEVELS - len(level)) / 2)
        axes[-1].set_xlim(level[0] - margin, level[-1] + margin)
        axes[-1].set_xticks(level)
        axes[-1].set_xlabel("level")
        if self.kept is not None:
            for ax in axes:
                ax.axvspan(self.kept - 0.45, self.kept + 0.45, color=FAINT, alpha=0.18, zorder=0)
            style = {"xycoords": ("data", "axes fraction"), "ha": "center", "fontsize": "small"}
            write(axes[0], "level kept", (self.kept, 1.0), (0, 3), color=FAINT, **style)
        self.axes_, self.figure_ = axes, figure
        return self
