"""Days at the desk, run in several ways: what waits, what is reviewed, what it costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from trisect._sklearn import check_matplotlib_support
from trisect.desk.simulation import DeskLog
from trisect.plots._display import (
    ACCEPT,
    DEFER,
    FAINT,
    INK,
    REJECT,
    separate_thousands,
    short,
    tidy,
)

__all__ = ["DaysDisplay"]

COLOURS = (REJECT, DEFER, ACCEPT, INK)
# Lines that coincide show one inside the other.
WIDTHS = (4.0, 2.6, 1.4, 0.7)
FEW_DAYS = 12


@dataclass(eq=False, repr=False)
class DaysDisplay:
    """Four panels over the days, with a line for each way to run the desk.

    Cases that arrive; cases that wait in the evening; the share reviewed; and by how much
    more each way has cost so far than the cheapest.

    Parameters
    ----------
    logs : sequence of DeskLog
        The same days, run in different ways.

    Attributes
    ----------
    axes_ : ndarray of matplotlib axes
        One for each panel.
    figure_ : matplotlib figure
        Figure of the picture.
    """

    logs: Sequence[DeskLog]

    @classmethod
    def from_logs(cls, *logs: DeskLog, figure: Any = None) -> Self:
        """Draw the same days, run in different ways.

        Parameters
        ----------
        *logs : DeskLog
            What `simulate_days` returns, one for each way.
        figure : matplotlib figure, optional
            Where to draw; a new one by default.
        """
        if not 1 <= len(logs) <= len(COLOURS):
            raise ValueError(f"Give from one to {len(COLOURS)} logs, got {len(logs)}.")
        arrived = [log.columns["arrived"].tolist() for log in logs]
        if not len(logs[0]) or any(each != arrived[0] for each in arrived):
            raise ValueError("The logs must be of the same days, and of one day at least.")
        return cls(logs).plot(figure)

    def plot(self, figure: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        figure : matplotlib figure, optional
            Where to draw; a new one by default.
        """
        check_matplotlib_support("DaysDisplay.plot")
        import matplotlib.pyplot as plt

        if figure is None:
            figure = plt.figure(figsize=(7.6, 7.2), layout="constrained")
        axes = figure.subplots(4, 1, sharex=True, height_ratios=(1, 1.4, 1.4, 1.6))
        first = self.logs[0]
        days = np.arange(1, len(first) + 1)
        unit = f" {first.unit}" if first.unit else ""
        axes[0].bar(days, first.columns["arrived"], width=0.8, color=FAINT, alpha=0.7)
        best = min(self.logs, key=lambda log: log.cost)
        for log, colour, width in zip(self.logs, COLOURS, WIDTHS, strict=False):
            share = 100 * log.columns["reviewed"] / np.maximum(log.columns["arrived"], 1)
            more = np.cumsum(log.columns["cost"] - best.columns["cost"])
            per_day = short((log.cost - best.cost) / len(log))
            label = log.way if log is best else f"{log.way} (+{per_day}{unit} a day)"
            # One day alone would be no line.
            marker = "o" if len(days) <= FEW_DAYS else ""
            for ax, values in zip(axes[1:], (log.columns["backlog"], share, more), strict=True):
                style = {"linewidth": width, "marker": marker, "markersize": width + 3}
                ax.plot(days, values, color=colour, label=label, **style)
        titles = (
            "cases\nthat arrive",
            "waiting in\nthe evening",
            "reviewed of\narrivals [%]",
            f"cost so far, above\nthat of {best.way}{f' [{first.unit}]' if first.unit else ''}",
        )
        for ax, title in zip(axes, titles, strict=True):
            ax.set_ylabel(title, rotation=0, ha="right", va="center")
            separate_thousands(ax)
            tidy(ax)
        for ax in axes[:3]:
            ax.set_ylim(bottom=0)
        axes[3].set_xlabel("day")
        if len(days) <= FEW_DAYS:
            axes[3].set_xticks(days)
        axes[0].set_xlim(0.5, days[-1] + 0.5)
        figure.legend(
            *axes[1].get_legend_handles_labels(),
            loc="outside upper center",
            ncols=len(self.logs),
            frameon=False,
        )
        self.axes_, self.figure_ = axes, figure
        return self
