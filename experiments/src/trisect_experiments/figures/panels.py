"""A grid of small panels, one per dataset, that is legible in print and on screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers can tell apart; the first is for the subject.
COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1)), (0, (5, 1.5, 1.5, 1.5)))

STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.hashsalt": "trisect",
    "svg.fonttype": "none",
}


def line_styles(names: Sequence[str], highlight: str = "") -> dict[str, dict[str, Any]]:
    """Colour, dashes and width per name; `highlight` gets the strongest."""
    ordered = sorted(names, key=lambda name: name != highlight)
    return {
        name: {
            "color": COLOURS[i % len(COLOURS)],
            # The ninth has the first colour again, and so other dashes.
            "linestyle": DASHES[(i + i // len(COLOURS)) % len(DASHES)],
            "linewidth": 1.8 if name == highlight else 1.2,
        }
        for i, name in enumerate(ordered)
    }


def panel_grid(
    panels: Mapping[str, Any],
    draw: Callable[[Axes, Any], None],
    xlabel: str,
    ylabel: str,
    *,
    title: str = "",
    share_y: bool = False,
) -> Figure:
    """Draw one panel per entry, with common axis labels and one legend for all.

    `panels` has the data by the title of the panel. Lines that `draw` labels appear once in the
    legend. With `share_y` all panels have the same vertical scale.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    if not panels:
        raise ValueError("There is nothing to draw: no result has the data for this figure.")
    # Four or five panels per row, whichever leaves fewer places empty.
    columns = min(min((5, 4), key=lambda count: -len(panels) % count), len(panels))
    rows = -(-len(panels) // columns)
    with mpl.rc_context(STYLE):
        # A letter of the title takes about 0.085 inches.
        size = (max(2.15 * columns, 3.4, 0.085 * len(title)), 1.95 * rows + 0.95)
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False, sharey=share_y)
        for axes, (name, data) in zip(grid.flat, panels.items(), strict=False):
            draw(axes, data)
            axes.set_title(name)
        for axes in grid.flat[len(panels) :]:
            axes.set_axis_off()
        figure.supxlabel(xlabel)
        figure.supylabel(ylabel)
        handles: dict[str, Any] = {}
        for axes in grid.flat:
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
                handles.setdefault(label, handle)
        if handles:
            figure.legend(
                handles.values(),
                handles.keys(),
                loc="outside upper center",
                ncols=_legend_columns(list(handles), size[0]),
                title=title or None,
                title_fontsize=11,
            )
        elif title:
            figure.suptitle(title, fontsize=11)
    return figure


def _legend_columns(labels: Sequence[str], inches: float) -> int:
    """As many legend entries side by side as fit, spread evenly over the lines they need.

    Examples
    --------
    >>> _legend_columns(["network", "RF"], 8.6), _legend_columns(["granules-rows"] * 8, 8.6)
    (2, 4)
    """
    # A letter of the legend takes about 0.075 inches; a line and its gaps as much as eight.
    widest = 0.075 * (max(map(len, labels)) + 8)
    fitting = max(1, int(inches / widest))
    lines = -(-len(labels) // fitting)
    return -(-len(labels) // lines)


def save_figure(figure: Figure, stem: Path) -> None:
    """Write ``STEM.svg`` and ``STEM.png``; the same figure gives the same bytes."""
    import matplotlib as mpl

    stem.parent.mkdir(parents=True, exist_ok=True)
    svg, png = stem.with_name(stem.name + ".svg"), stem.with_name(stem.name + ".png")
    with mpl.rc_context(STYLE):
        figure.savefig(svg, metadata={"Date": None})
        figure.savefig(png, dpi=160)
    # A hundredth of a point is finer than any print; more digits only make the file large.
    drawing = svg.read_text(encoding="utf-8")
    svg.write_text(re.sub(r"(\d\.\d\d)\d+", r"\1", drawing), encoding="utf-8")
