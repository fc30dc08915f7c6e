"""What happens level by level: process costs, accuracy and thresholds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trisect_experiments.figures.panels import COLOURS, panel_grid
from trisect_experiments.records import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Levels = list[dict[str, float]]

# The least height of a panel of accuracies, in percentage points.
LEAST_HEIGHT = 0.5


def by_dataset(outcome: Iterable[Result], model: str) -> dict[str, list[Levels]]:
    """The levels that a model's networks grew, one list per fold."""
    runs: dict[str, list[Levels]] = {}
    for result in outcome:
        if result.key.model == model and result.details.get("levels"):
            runs.setdefault(result.key.dataset, []).append(result.details["levels"])
    return runs


def level_matrix(runs: list[Levels], field: str) -> NDArray[np.float64]:
    """A field over levels, one row per fold.

    A fold that stopped early keeps its last value, so that the mean over folds does not jump
    when one of them ends: its costs stop growing and its network stays as it is.
    """
    rows = [[level[field] for level in run if field in level] for run in runs]
    longest = max(map(len, rows))
    return np.array([row + [row[-1]] * (longest - len(row)) for row in rows])


def level_panels(outcome: Iterable[Result], model: str, kind: str) -> dict[str, list[Levels]]:
    """The datasets that one of `KINDS` of figures can show: those with more than one level."""
    field = KINDS[kind][0]
    runs = by_dataset(outcome, model)
    return {name: held for name, held in runs.items() if level_matrix(held, field).shape[1] > 1}


def level_figure(outcome: Iterable[Result], model: str, kind: str, title: str = "") -> Figure:
    """One of `KINDS` of figures about what a model does from level to level."""
    _, draw, xlabel, ylabel = KINDS[kind]
    panels = level_panels(outcome, model, kind)
    return panel_grid(panels, draw, xlabel, ylabel, title=title, share_y=kind == "thresholds")


def _nodes_axis(axes: Axes, n: int) -> NDArray[Any]:
    axes.set_xticks(range(1, n + 1, -(-n // 5)))
    axes.set_xlim(0.7, n + 0.3)
    return np.arange(1, n + 1)


def _draw_band(axes: Axes, values: NDArray[np.float64], colour: str, **style: Any) -> None:
    """Mean over folds as a line, and their range as a band."""
    from matplotlib.ticker import MaxNLocator

    x = _nodes_axis(axes, values.shape[1])
    low, high = values.min(axis=0), values.max(axis=0)
    axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.plot(x, values.mean(axis=0), color=colour, markersize=3, linewidth=1.4, **style)
    axes.yaxis.set_major_locator(MaxNLocator(4))


def _draw_costs(axes: Axes, runs: list[Levels]) -> None:
    from matplotlib.ticker import EngFormatter

    test, delay = (level_matrix(runs, field) for field in ("test_cost", "delay_cost"))
    _draw_band(axes, test, COLOURS[0], marker="o", linestyle="-", label="Test cost")
    _draw_band(axes, delay, COLOURS[1], marker="s", linestyle="--", label="Delay cost")
    axes.set_ylim(bottom=0)
    if test.max() >= 1000:
        axes.yaxis.set_major_formatter(EngFormatter(sep=""))


def _draw_accuracy(axes: Axes, runs: list[Levels]) -> None:
    values = 100 * level_matrix(runs, "accuracy")
    _draw_band(axes, values, COLOURS[0], marker="o")
    # Without a least height, the noise of scores that hardly differ would fill the panel.
    low, high = values.min(), values.max()
    room = max(0.05 * (high - low), (LEAST_HEIGHT - (high - low)) / 2)
    axes.set_ylim(low - room, high + room)


def _draw_thresholds(axes: Axes, runs: list[Levels]) -> None:
    """Means over the folds that reached a level; what lies between alpha and beta is deferred."""
    deepest = range(max(map(len, runs)))
    alpha, beta, gamma = (
        np.array([np.mean([run[i][field] for run in runs if i < len(run)]) for i in deepest])
        for field in ("alpha", "beta", "gamma")
    )
    x = _nodes_axis(axes, alpha.size)
    axes.fill_between(x, beta, alpha, color="#dddddd", alpha=0.7, linewidth=0)
    axes.plot(x, alpha, color=COLOURS[0], marker="v", markersize=3, label=r"$\alpha$ (accept)")
    axes.plot(x, beta, color=COLOURS[1], marker="^", markersize=3, label=r"$\beta$ (reject)")
    axes.plot(x, gamma, color=COLOURS[2], linestyle=":", linewidth=1.4, label=r"$\gamma$ (two-way)")
    axes.set(ylim=(0, 1), yticks=[0, 0.5, 1])


KINDS = {
    "process-costs": ("test_cost", _draw_costs, "Number of hidden nodes", "Process cost"),
    "accuracy-by-nodes": (
        "accuracy",
        _draw_accuracy,
        "Number of hidden nodes",
        "Test accuracy (%)",
    ),
    "thresholds": ("alpha", _draw_thresholds, "Level", "Threshold"),
}
