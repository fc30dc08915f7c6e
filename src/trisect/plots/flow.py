"""The flow of instances through the levels."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from trisect.decisions import Walk
from trisect.estimators.deciding import unwrap
from trisect.plots._display import ACCEPT, DEFER, FAINT, INK, REJECT, Display, counted, write

# Length of the bend of a ribbon, in levels, and half the width of a bar per level.
_BEND, _BAR = 0.75, 0.009
# Height of a line of text, as a share of the picture.
_LINE = 0.055


@dataclass(eq=False, repr=False)
class FlowDisplay(Display):
    """A stream of instances that narrows from level to level.

    Accepted instances leave the stream upwards, rejected ones downwards. The width of a
    ribbon is proportional to the number of instances.

    Parameters
    ----------
    walk : Walk
        As `decide_sequentially` returns it.
    names : sequence of str, optional
        Names of the levels; by default their numbers.
    """

    walk: Walk
    names: Any = None

    def __post_init__(self) -> None:
        self._figsize = (max(7.2, 1.5 + 0.8 * self.walk.n_levels), 4.4)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, *, names: Any = None, ax: Any = None, **kwargs: Any
    ) -> Self:
        """Decide level by level with a fitted estimator, and draw the stream.

        Parameters
        ----------
        estimator : estimator
            Fitted, with `decide_sequentially`, or a pipeline that ends in one.
        X : array-like of shape (n_instances, n_features)
            Instances.
        names : sequence of str, optional
            Names of the levels; by default those of the stages of a cascade.
        ax : matplotlib axes, optional
            Where to draw.
        **kwargs : dict
            Passed to `decide_sequentially`, such as the costs.
        """
        model, X = unwrap(estimator, X)
        if names is None and hasattr(model, "stages"):
            names = [stage[0] for stage in model.stages]
        return cls.from_walk(model.decide_sequentially(X, **kwargs), names=names, ax=ax)

    @classmethod
    def from_walk(cls, walk: Walk, *, names: Any = None, ax: Any = None) -> Self:
        """Draw the stream of a walk.

        Parameters
        ----------
        walk : Walk
            As `decide_sequentially` returns it.
        names : sequence of str, optional
            Names of the levels.
        ax : matplotlib axes, optional
            Where to draw.
        """
        return cls(walk, names).plot(ax)

    def _draw(self, ax: Any) -> None:
        walk = self.walk
        n, n_levels = len(walk.regions), walk.n_levels
        gap = 0.09 * n
        end = n_levels + 0.85
        bar = _BAR * n_levels
        # Accepted instances leave at the upper edge of the stream and rejected ones at the
        # lower edge, so that ribbons do not cross.
        high = n - np.concatenate(([0], np.cumsum(walk.n_pos)))
        low = np.concatenate(([0], np.cumsum(walk.n_neg)))
        for i in range(n_levels):
            at = i + 1
            # An edge, so that a level which few instances reach can be seen.
            ax.fill_between([at - bar, at + bar], low[i], high[i], color=INK, linewidth=0.8)
            shade = 0.9 - 0.45 * i / max(n_levels - 1, 1)
            if walk.n_pos[i]:
                _ribbon(ax, at + bar, end, (high[i + 1], high[i]), gap, ACCEPT, shade)
            if walk.n_neg[i]:
                _ribbon(ax, at + bar, end, (low[i], low[i + 1]), -gap, REJECT, shade)
            if walk.n_bnd[i]:
                stop = at + 1 - bar if at < n_levels else end
                _ribbon(ax, at + bar, stop, (low[i + 1], high[i + 1]), 0, DEFER, 0.85)
            name = ("level 1" if at == 1 else str(at)) if self.names is None else self.names[i]
            size = "medium" if n_levels <= 6 else "small"
            style = {"ha": "center", "va": "top", "color": INK, "fontsize": size}
            write(ax, f"{name}\n{walk.n_seen[i]:,}", (at, -gap), (0, -8), **style)
        self._totals(ax, end, end + bar, gap, (low[-1], high[-1]))
        ax.set(xlim=(1 - 2 * bar, end + 0.3 * n_levels), ylim=(-gap * 1.2, n + gap * 1.2))
        ax.set_axis_off()
        each = f"{walk.n_seen.sum() / max(n, 1):.2f} levels each on average"
        title = f"{counted(n, 'instance')}, {each if n_levels > 1 else 'one level for all'}"
        ax.set_title(title, loc="left", fontsize="medium", color=FAINT)

    def _totals(
        self, ax: Any, start: float, end: float, gap: float, stream: tuple[int, int]
    ) -> None:
        n, (low, high) = len(self.walk.regions), stream
        blocks = [
            ("accept", (high + gap, n + gap), ACCEPT),
            ("defer", (low, high), DEFER),
            ("reject", (-gap, low - gap), REJECT),
        ]
        # From top to bottom, with room for a line of text each.
        room = _LINE * (n + 2.4 * gap)
        places = [(bottom + top) / 2 for _, (bottom, top), _ in blocks]
        places[1] = min(places[1], places[0] - room)
        places[2] = min(places[2], places[1] - room)
        places[2] = max(places[2], -1.1 * gap)
        places[1] = max(places[1], places[2] + room)
        places[0] = max(places[0], places[1] + room)
        for (name, (bottom, top), colour), place in zip(blocks, places, strict=True):
            if top > bottom:
                ax.fill_between([start, end], bottom, top, color=colour, linewidth=0)
            count = round(top - bottom)
            text = f"{name} {count:,} ({count / max(n, 1):.1%})"
            write(ax, text, (end, place), (6, 0), va="center", color=colour, fontweight="bold")


def _ribbon(
    ax: Any,
    start: float,
    stop: float,
    edges: tuple[float, float],
    shift: float,
    colour: str,
    alpha: float,
) -> None:
    """Draw a band that is shifted vertically soon after its start and then runs level."""
    bend = min(_BEND, stop - start)
    share = np.linspace(0, 1, 40)
    x = np.concatenate((start + bend * share, [stop]))
    rise = np.concatenate((shift * (3 * share**2 - 2 * share**3), [shift]))
    ax.fill_between(x, edges[0] + rise, edges[1] + rise, color=colour, alpha=alpha, linewidth=0.4)
