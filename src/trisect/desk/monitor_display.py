"""A monitor's chart: decisions period by period, and the evidence of a change."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from trisect._sklearn import check_matplotlib_support
from trisect.desk.monitor import DecisionMonitor
from trisect.desk.monitor_report import MonitorReport
from trisect.desk.watch import COST, CUT, MISTAKES
from trisect.plots._display import ACCEPT, DEFER, INK, REJECT, tidy, write

__all__ = ["MonitorDisplay"]

COLOURS = {"accepted": ACCEPT, "deferred": DEFER, "rejected": REJECT}
# Evidence beyond this power of ten below or above an alarm is not worth the room.
LOWEST, HIGHEST = -4.0, 6.0
# Characters that fit below the picture.
CHARACTERS = 80


@dataclass(eq=False, repr=False)
class MonitorDisplay:
    """Shares of decisions over the periods, and below the evidence of a change.

    The bands are intervals of the reference. The evidence is the strongest of all numbers
    that are watched; above the line there is an alarm.

    Parameters
    ----------
    periods : list
        Names of the periods.
    shares : dict of str to ndarray of shape (n_periods,)
        Share of each decision.
    evidence : dict of str to ndarray of shape (n_periods,)
        Logarithm of the evidence of a change over that which raises an alarm.
    report : MonitorReport
        What is known at the end, with the intervals of the reference.

    Attributes
    ----------
    axes_ : ndarray of matplotlib axes
        Shares, and evidence.
    figure_ : matplotlib figure
        Figure of the picture.
    """

    periods: list[Any]
    shares: dict[str, NDArray[np.float64]]
    evidence: dict[str, NDArray[np.float64]]
    report: MonitorReport

    @classmethod
    def from_monitor(cls, monitor: DecisionMonitor, *, figure: Any = None) -> Self:
        """Draw what a monitor has counted.

        Parameters
        ----------
        monitor : DecisionMonitor
            The monitor.
        figure : matplotlib figure, optional
            Where to draw; a new one by default.
        """
        report = monitor.report()
        return cls(monitor.periods, monitor.shares(), monitor.evidence(), report).plot(figure)

    @property
    def first_alarm(self) -> Any:
        """The first period at whose end there was an alarm, or None."""
        alarms = np.flatnonzero(self._strongest() >= 0)
        return self.periods[alarms[0]] if len(alarms) else None

    def plot(self, figure: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        figure : matplotlib figure, optional
            Where to draw; a new one by default.
        """
        check_matplotlib_support("MonitorDisplay.plot")
        import matplotlib.pyplot as plt

        if figure is None:
            figure = plt.figure(figsize=(7.6, 5.4), layout="constrained")
        top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=(1.7, 1))
        place = np.arange(len(self.periods))
        for name, colour in self._lines().items():
            watched = self.report[name]
            if watched.reference_low is not None and watched.reference_high is not None:
                band = 100 * watched.reference_low, 100 * watched.reference_high
                top.axhspan(*band, color=colour, alpha=0.18, linewidth=0)
            top.plot(place, 100 * self.shares[name], "o-", color=colour, markersize=4, label=name)
        top.set(ylabel="share of the cases [%]", ylim=(0, None))
        figure.legend(
            *top.get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False
        )
        strongest = (self._strongest() / np.log(10)).clip(LOWEST, HIGHEST)
        bottom.plot(place, strongest, color=INK, linewidth=2)
        bottom.axhline(0, color=REJECT, linewidth=1, linestyle="--")
        write(bottom, "alarm", (0, 0), (2, 3), color=REJECT, fontsize="small")
        bottom.set(
            ylabel="evidence of a\nchange [powers of 10]", ylim=(LOWEST - 0.4, HIGHEST + 0.4)
        )
        bottom.set_yticks(np.arange(LOWEST, HIGHEST + 1, 2))
        self._mark_alarm(top, bottom)
        longest = max(len(str(period)) for period in self.periods)
        step = -(-len(place) * (longest + 1) // CHARACTERS)
        bottom.set_xticks(place[::step], [str(period) for period in self.periods[::step]])
        bottom.set_xlabel("period")
        for ax in (top, bottom):
            tidy(ax)
        self.axes_, self.figure_ = np.array([top, bottom]), figure
        return self

    def _lines(self) -> dict[str, str]:
        """Return the decisions to draw: all three, or of several classes the deferred alone."""
        return COLOURS if self.shares.keys() == COLOURS.keys() else {"deferred": DEFER}

    def _strongest(self) -> NDArray[np.float64]:
        return np.max(list(self.evidence.values()), axis=0)

    def _mark_alarm(self, top: Any, bottom: Any) -> None:
        if self.first_alarm is None:
            return
        at = self.periods.index(self.first_alarm)
        loudest = max(self.evidence, key=lambda name: self.evidence[name][at])
        if loudest not in (MISTAKES, COST):
            loudest = f"share {'with ' if loudest.startswith(CUT) else ''}{loudest}"
        for ax in (top, bottom):
            ax.axvline(at, color=REJECT, linewidth=1, linestyle=":")
        # Before the alarm there is room above the line of evidence, after it below.
        late = at > 0.4 * len(self.periods)
        height, where, side = (0.88, (-5, 0), "right") if late else (0.06, (5, 0), "left")
        style: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "color": REJECT}
        write(bottom, f"first alarm: {loudest}", (at, height), where, ha=side, **style)
