"""Thinning: taking out of a trained network the knots and inputs that do not matter.

A curve without a knot goes straight from the knot before to the knot after, and keeps its
values there. Nodes share the knots of a column, so a knot goes if no node needs it, and the
column goes with its last bend and slope.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.growth.data import TrainingData
from trisect.growth.selection import notable
from trisect.network import Network, mean_losses
from trisect.scaling import Scaling
from trisect.scaling.positions import merged_intervals, straightened_intervals, without_knots

__all__ = ["thinned"]

# How much the loss may rise, as a share of a notable difference; docs/experiments.md has others.
TOLERANCE = 0.1
# Rows of each part that the loss is computed on: more tell no more.
ROWS = 20_000


class _Removal(NamedTuple):
    """A knot that goes, or an input with all that is left of it."""

    change: float
    """Mean square of what it changes about the logits, or as much as those before it."""
    which: int
    knot: int | None


def thinned(network: Network, scaling: Scaling, data: TrainingData) -> tuple[Network, Scaling]:
    """Remove as many knots and inputs as make no notable difference.

    They are ranked by what their removal changes about the logits of training instances. As
    many as possible go, in this order, while the loss on the validation part and that on the
    training part rise by at most a tenth of what would be notable. At least one input stays.

    The last training may have used the validation part too. So its loss says whether the
    network still does what it has learned, and not how well it does on new instances.

    Parameters
    ----------
    network : Network
        A trained network.
    scaling : Scaling
        The scaling in front of it. A kind other than "curves" has nothing to spare.
    data : TrainingData
        Data scaled by it.

    Returns
    -------
    network, scaling
        The same with fewer knots and inputs. At the knots that are left, curves have the values
        that they had.
    """
    if network.gates is None or scaling.positions is None:
        return network, scaling
    removals = _removals(network, scaling)
    parts = [part.head(ROWS) for part in (data.train, data.validation)]

    def losses(n_removals: int) -> NDArray[np.float64]:
        straight = _straightened(network, scaling, removals[:n_removals])
        return np.array([mean_losses([straight], part)[0] for part in parts])

    allowed = losses(0) * (1.0 + TOLERANCE * (1.0 - notable(len(data.validation))))
    fit, too_many = 0, len(removals) + 1
    while too_many - fit > 1:
        middle = (fit + too_many) // 2
        if (losses(middle) <= allowed).all():
            fit = middle
        else:
            too_many = middle
    return _without(network, scaling, removals[:fit])


def _without(
    network: Network, scaling: Scaling, removals: list[_Removal]
) -> tuple[Network, Scaling]:
    """Remove knots and inputs."""
    gates, before = network.gates, scaling.positions
    assert gates is not None and before is not None
    kept = _kept(scaling, removals)
    stays = kept.any(axis=1)
    bent = kept[scaling.n_outputs - before.n_positions :]
    thin = without_knots(scaling, kept)
    after = thin.positions
    assert after is not None
    rises = _rises(network)
    # A curve is zero on average, and is so again after a bend of it was cut off: the bias takes
    # the difference, so that the values at the knots stay.
    means = merged_intervals(rises * before.center, before, bent)
    shift = merged_intervals(rises, before, bent) @ after.center - means.sum(axis=1)
    return (
        replace(
            network,
            W1=network.W1[:, stays],
            b1=(network.b1 + shift).astype(np.float32),
            gates=replace(
                gates,
                knots=after,
                of_nodes=gates.of_nodes[:, stays],
                of_all=gates.of_all[stays],
                bends=merged_intervals(gates.bends, before, bent).astype(np.float32),
            ),
        ),
        thin,
    )


def _straightened(network: Network, scaling: Scaling, removals: list[_Removal]) -> Network:
    """Return a network that does without knots and inputs what it would do if they were removed.

    It reads the same inputs as before, so that none has to be scaled again.
    """
    opened, before = network.with_open_gates(), scaling.positions
    assert opened.gates is not None and before is not None
    kept = _kept(scaling, removals)
    n_straight = scaling.n_outputs - before.n_positions
    rises, bent = _rises(network), kept[n_straight:]
    bends = straightened_intervals(rises, scaling, kept)
    weights = opened.W1 * kept.any(axis=1)
    weights[:, n_straight:] = 0.0
    stays = np.repeat(bent.any(axis=1), np.diff(before.first))
    shift = (bends - rises * stays) @ before.center
    return replace(
        opened,
        W1=weights,
        b1=(network.b1 + shift).astype(np.float32),
        gates=replace(opened.gates, bends=bends.astype(np.float32)),
    )


def _kept(scaling: Scaling, removals: list[_Removal]) -> NDArray[np.bool_]:
    """Say which knots of each input are left."""
    kept = np.arange(scaling.knots.shape[1]) < scaling.counts[:, None]
    for removal in removals:
        kept[removal.which, slice(None) if removal.knot is None else removal.knot] = False
    return kept


def _rises(network: Network) -> NDArray[np.float64]:
    """Compute by how much the curve of each node rises in each interval."""
    opened = network.with_open_gates()
    assert opened.gates is not None
    knots = opened.gates.knots
    weights = opened.W1[:, opened.n_features - knots.n_positions :].astype(np.float64)
    return np.repeat(weights, np.diff(knots.first), axis=1) * knots.line + opened.gates.bends


def _removals(network: Network, scaling: Scaling) -> list[_Removal]:
    """Rank knots and inputs, those first that matter least."""
    positions = scaling.positions
    assert positions is not None
    # By how much a node sways the differences between logits. Products of nodes that are active
    # together, and curvature of the loss, were no better at ranking on development data.
    sway = np.linalg.norm(network.W2 - network.W2.mean(axis=1, keepdims=True), axis=1)[:, None]
    slopes = sway * network.with_open_gates().W1
    n_straight = scaling.n_outputs - positions.n_positions
    found = []
    for k in range(n_straight):
        # Of two values whose mean is zero the variance is minus their product.
        variance = -scaling.values[k, 0] * scaling.values[k, scaling.counts[k] - 1]
        found.append(_Removal(variance * float(np.square(slopes[:, k]).sum()), k, None))
    rises = sway * _rises(network)
    for p in range(positions.n_positions):
        own, k = slice(*positions.first[p : p + 2]), n_straight + p
        squares = _Squares(
            scaling.knots[k, : scaling.counts[k]], rises[:, own], positions.center[own]
        )
        found += [_Removal(change, k, knot) for change, knot in squares.removals()]
    found.sort(key=lambda removal: removal.change)
    *_, last = (i for i, removal in enumerate(found) if removal.knot is None)
    return found[:last] + found[last + 1 :]


@cache
def _between(n_knots: int) -> tuple[NDArray[np.intp], ...]:
    """Return all pairs of knots with a third one between them: the first, the last, and that."""
    a, c, k = np.ogrid[:n_knots, :n_knots, :n_knots]
    return np.nonzero((a < k) & (k < c))


class _Squares:
    """Mean squares of what changes about the curves of a position.

    Parameters
    ----------
    knots : ndarray of shape (n_knots,)
        Its knots.
    rises : ndarray of shape (n_hidden, n_knots - 1)
        Rises of the curves, times the weights of the nodes.
    center : ndarray of shape (n_knots - 1,)
        Mean share of each interval that training instances have behind them.
    """

    def __init__(self, knots: NDArray, rises: NDArray, center: NDArray) -> None:
        values = np.concatenate([np.zeros((len(rises), 1)), np.cumsum(rises, axis=1)], axis=1)
        # How near instances are to a knot: 1 at it, 0 from its neighbours on.
        share = -np.diff(center.astype(np.float64), prepend=1.0, append=0.0)
        values -= (values @ share)[:, None]
        products = values.T @ values
        square = np.diag(products)
        self.whole = float(square @ share)
        a, c, k = _between(len(knots))
        t = (knots[k] - knots[a]) / (knots[c] - knots[a])
        off = (
            square[k] + (1 - t) ** 2 * square[a] + t**2 * square[c]
            - 2 * (1 - t) * products[a, k] - 2 * t * products[c, k]
            + 2 * t * (1 - t) * products[a, c]
        )  # fmt: skip
        squares = np.zeros((len(knots),) * 3)
        squares[a, c, k] = np.maximum(off, 0.0)
        self.straight = (squares @ share).tolist()

    def removals(self) -> Iterator[tuple[float, int | None]]:
        """Go through the knots, the one that matters least first, and to the whole input.

        With each comes what it changes, or what one before it does if that is more.
        """
        straight, kept = self.straight, list(range(len(self.straight)))
        spent = change = 0.0
        while len(kept) > 2:
            more, i = min(
                (straight[a][c] - straight[a][b] - straight[b][c], i)
                for i, (a, b, c) in enumerate(zip(kept, kept[1:], kept[2:], strict=False), 1)
            )
            if self.whole - spent <= more:
                break  # A flat line is nearer than any other.
            spent, change = spent + more, max(change, more)
            yield change, kept.pop(i)
        yield max(change, self.whole - spent), None
