"""Positions between knots: the inputs along which nodes have curves of their own."""

from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.network import Knots
from trisect.network.threads import at_once
from trisect.scaling.scaling import Scaling

__all__ = ["MANY", "merged_intervals", "position_curves", "straightened_intervals", "without_knots"]

Line = tuple[NDArray[np.float64], NDArray[np.float64]]

# Intervals of a column at most, and in a table of more than MANY columns, whose curves would be out
# of cache (docs/experiments.md).
MOST_INTERVALS, INTERVALS_IF_MANY, MANY = 32, 24, 100
# Shares of instances beyond which the common line does not rise further.
LEAST_SHARE = 2e-3
# Columns that are copied at once: whole cache lines of the rows, and not the whole table.
COPIED_COLUMNS = 32


def position_curves(X: NDArray[Any], rows: NDArray[np.integer] | None = None) -> Scaling:
    """Put knots at the quantiles of each column, or at its values if they are few.

    Parameters
    ----------
    X : ndarray of shape (n_instances, n_features)
        Finite features.
    rows : ndarray of int, optional
        Rows to look at; all by default.

    Returns
    -------
    Scaling
        Of the kind "curves": first the columns of at most two values, standardised, then
        positions, 0 at the first knot of a column, 1 at the second and so on; the last knot is
        a little below its number, so that it belongs to the interval before it.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.scaling.positions import position_curves
    >>> scaling = position_curves(np.array([[1.0], [2.0], [4.0]]))
    >>> scaling.transform(np.array([[0.0], [2.0], [3.0]])).ravel()
    array([0. , 1. , 1.5], dtype=float32)
    """
    knots, values, lines = [], [], []
    straight: list[int] = []
    bent: list[int] = []
    if rows is None:
        rows = np.arange(len(X))
    some = [slice(j, j + COPIED_COLUMNS) for j in range(0, X.shape[1], COPIED_COLUMNS)]
    most = INTERVALS_IF_MANY if X.shape[1] > MANY else MOST_INTERVALS
    fitted = at_once(lambda columns: _fitted(X[:, columns][rows], most), some)
    for j, (found, values_at, line) in enumerate(chain.from_iterable(fitted)):
        knots.append(found)
        values.append(values_at)
        if line is None:
            straight.append(j)
        else:
            bent.append(j)
            lines.append(line)
    columns = straight + bent
    counts = [len(knots[j]) - 1 for j in bent]
    none = [np.empty(0)]
    return Scaling(
        "curves",
        X.shape[1],
        columns=np.array(columns, dtype=np.int64),
        knots=_padded([knots[j] for j in columns]),
        values=_padded([values[j] for j in columns]),
        counts=np.array([len(knots[j]) for j in columns], dtype=np.int64),
        positions=Knots(
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            np.concatenate(none + [rise for rise, _ in lines]).astype(np.float32),
            np.concatenate(none + [center for _, center in lines]).astype(np.float32),
        ),
    )


def without_knots(scaling: Scaling, kept: NDArray[np.bool_]) -> Scaling:
    """Leave knots out of a scaling of the kind "curves", and inputs that keep none.

    Parameters
    ----------
    scaling : Scaling
        The scaling.
    kept : ndarray of bool of shape (n_outputs, n_knots)
        Which of its knots stay: of a position the first, the last and any between them, of a
        straight input all, or none of an input that goes.

    Returns
    -------
    Scaling
        The same with fewer inputs and knots.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.scaling.positions import position_curves, without_knots
    >>> scaling = position_curves(np.array([[1.0], [2.0], [4.0]]))
    >>> thin = without_knots(scaling, np.array([[True, False, True]]))
    >>> thin.transform(np.array([[0.0], [2.5], [4.0]])).ravel().round(4)
    array([0. , 0.5, 1. ], dtype=float32)
    """
    before = scaling.positions
    assert before is not None, "only curves have knots to spare"
    n_straight = scaling.n_outputs - before.n_positions
    inputs = np.flatnonzero(kept.any(axis=1))
    knots = [scaling.knots[k, kept[k]] for k in inputs]
    values = [
        scaling.values[k, kept[k]] if k < n_straight else _positions(own)
        for k, own in zip(inputs, knots, strict=True)
    ]
    bent = kept[n_straight:]
    widths = _widths(scaling, before)
    # The share of a merged interval that an instance has behind it is the mean of theirs.
    behind = merged_intervals(widths * before.center, before, bent)
    center = behind / merged_intervals(widths, before, bent)
    n_knots = bent.sum(axis=1)
    return replace(
        scaling,
        columns=scaling.columns[inputs],
        knots=_padded(knots),
        values=_padded(values),
        counts=kept[inputs].sum(axis=1),
        positions=Knots(
            np.concatenate([[0], np.cumsum(n_knots[n_knots > 0] - 1)]).astype(np.int64),
            merged_intervals(before.line, before, bent).astype(np.float32),
            center.astype(np.float32),
        ),
    )


def merged_intervals(
    amounts: NDArray[np.floating], positions: Knots, kept: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Add up the amounts of intervals that become one when the knots between them go.

    Parameters
    ----------
    amounts : ndarray of shape (..., n_intervals)
        What each interval has, such as its rise.
    positions : Knots
        Which intervals are whose.
    kept : ndarray of bool of shape (n_positions, n_knots)
        Which knots stay, see `without_knots`.

    Returns
    -------
    ndarray of shape (..., n_merged)
        The amounts of the intervals that are left.
    """
    stays = np.repeat(kept.any(axis=1), np.diff(positions.first))
    amounts = amounts.astype(np.float64)[..., stays]
    starts = np.flatnonzero(kept[:, :-1][_intervals(positions, kept)][stays])
    return np.add.reduceat(amounts, starts, axis=-1) if len(starts) else amounts


def straightened_intervals(
    rises: NDArray[np.floating], scaling: Scaling, kept: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Make curves go straight from one knot that stays to the next.

    Parameters
    ----------
    rises : ndarray of shape (..., n_intervals)
        Rises of curves.
    scaling : Scaling
        Of the kind "curves".
    kept : ndarray of bool of shape (n_outputs, n_knots)
        Which of its knots stay, see `without_knots`.

    Returns
    -------
    ndarray of shape (..., n_intervals)
        Rises that are proportional to the widths of intervals where the knots between them go,
        and zero where all knots of a position do.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.scaling.positions import position_curves, straightened_intervals
    >>> scaling = position_curves(np.array([[1.0], [2.0], [4.0]]))
    >>> straightened_intervals(np.array([4.0, 2.0]), scaling, np.array([[True, False, True]]))
    array([2., 4.])
    """
    positions = scaling.positions
    assert positions is not None, "only curves have knots"
    bent = kept[scaling.n_outputs - positions.n_positions :]
    stays = np.repeat(bent.any(axis=1), np.diff(positions.first))
    merged = np.cumsum(bent[:, :-1][_intervals(positions, bent)][stays]) - 1
    widths = _widths(scaling, positions)
    shares = widths[stays] / merged_intervals(widths, positions, bent)[merged]
    straight = np.zeros(rises.shape)
    straight[..., stays] = merged_intervals(rises, positions, bent)[..., merged] * shares
    return straight


def _widths(scaling: Scaling, positions: Knots) -> NDArray[np.float64]:
    """Return how far apart the knots on both sides of each interval are."""
    knots = scaling.knots[scaling.n_outputs - positions.n_positions :]
    return np.diff(knots, axis=1)[_intervals(positions, knots)]


def _intervals(positions: Knots, knots: NDArray[Any]) -> NDArray[np.bool_]:
    """Say which knots, the last column left out, begin an interval."""
    return np.arange(knots.shape[1] - 1) < np.diff(positions.first)[:, None]


def _fitted(X: NDArray[Any], most: int) -> list[Any]:
    """Return knots of some columns, the values at them, and the common line of those that bend."""
    # As contiguous arrays columns are several times as fast to work on.
    columns = np.ascontiguousarray(X.T, dtype=np.float64)
    low, high = columns.min(axis=1), columns.max(axis=1)
    two = ((columns == low[:, None]) | (columns == high[:, None])).all(axis=1)
    fitted: list[Any] = [None] * len(columns)
    for k in np.flatnonzero(~two):  # Two values need no sorting.
        ordered = np.sort(columns[k])
        knots = _knots(ordered, most)
        if len(knots) > 2:
            fitted[k] = knots, _positions(knots), _line(ordered, knots)
    straight = [j for j, found in enumerate(fitted) if found is None]
    means, spreads = columns[straight].mean(axis=1), columns[straight].std(axis=1)
    for j, mean, spread in zip(straight, means, spreads, strict=True):
        knots = np.array([low[j], high[j]][: 1 + (low[j] < high[j])])
        fitted[j] = knots, (knots - mean) / (spread or 1.0), None
    return fitted


def _knots(column: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """Choose the knots of a sorted column, with so many intervals between them at most."""
    found = column[np.append(True, column[1:] != column[:-1])]
    if len(found) <= most + 1:
        return found
    return np.unique(np.quantile(column, np.linspace(0.0, 1.0, most + 1)))


def _positions(knots: NDArray[np.float64]) -> NDArray[np.float64]:
    """Number the knots; the last stays just below, because it ends the last interval."""
    positions = np.arange(len(knots), dtype=np.float64)
    positions[-1] = np.nextafter(np.float32(positions[-1]), np.float32(0.0))
    return positions


def _line(column: NDArray[np.float64], knots: NDArray[np.float64]) -> Line:
    """Return the rise of the common line in each interval, and the mean progress through it.

    The line goes through the normal quantiles of the ranks of a sorted column, with deviation
    one.
    """
    from scipy.special import ndtri

    n_rows, n_intervals = len(column), len(knots) - 1
    ranks = [np.searchsorted(column, knots, side=side) for side in ("left", "right")]
    middle = np.clip(np.mean(ranks, axis=0) / n_rows, LEAST_SHARE, 1.0 - LEAST_SHARE)
    position = np.interp(column, knots, np.arange(len(knots)))
    sizes = np.diff(ranks[0][:-1], append=n_rows)
    interval = np.repeat(np.arange(n_intervals), sizes)
    # Instances beyond an interval have all of it behind them, those before it nothing.
    behind = np.bincount(interval, position - interval, n_intervals) + n_rows - sizes.cumsum()
    line = ndtri(middle)
    spread = np.interp(position, np.arange(len(knots)), line).std()
    return np.diff(line) / (spread or 1.0), behind / n_rows


def _padded(rows: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    table = np.zeros((len(rows), max(map(len, rows), default=0)))
    for padded, row in zip(table, rows, strict=True):
        padded[: len(row)] = row
    return table
