"""A part of the data: what a network is trained on or judged by."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from trisect.network.contract import NO_DEVIATIONS, NO_RUNS, Deviations, Runs
from trisect.network.deviations import deviations_of, usual_row
from trisect.network.parameters import Knots
from trisect.network.runs import runs_of

__all__ = ["Part"]


@dataclass(frozen=True, eq=False)
class Part:
    """Instances with their classes and weights.

    A part may be a selection: ``rows`` then names its instances among those of the
    arrays, in the order in which they are used, and nothing is copied.

    Parameters
    ----------
    X : ndarray of shape (n, n_features)
        Features.
    y : ndarray of int32 of shape (n,)
        Classes, from 0.
    weight : ndarray of float32 of shape (n,)
        Weights in the loss.
    n_classes : int
        Number of classes.
    rows : ndarray of int32, optional
        The instances selected; all of them by default.
    offset : ndarray of float32 of shape (n_rows, n_classes), optional
        Logits of frozen nodes, one row per selected instance, to which new nodes add theirs.
    mass : ndarray of shape (n,), optional
        Weight of each instance in the class shares of granules; equal by default.
    origin : ndarray of int32 of shape (n,), optional
        Row of each instance in the table that the user gave; the same row by default.
    knots : Knots, optional
        Which features are positions between knots; the networks for them are gated.
    deviations : Deviations, optional
        The other features once more, as engines may read them faster; see `compressed`.
    runs : Runs, optional
        The positions once more, for batches of one size; see `in_runs`.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.network import Part
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> part = Part(X, np.array([0, 1, 1]), np.ones(3), n_classes=2)
    >>> len(part), len(part.select(np.array([2])))
    (3, 1)
    """

    X: NDArray[Any]
    y: NDArray[np.int32]
    weight: NDArray[np.float32]
    n_classes: int
    rows: NDArray[np.int32] | None = None
    offset: NDArray[np.float32] | None = None
    mass: NDArray[np.float64] | None = None
    origin: NDArray[np.int32] | None = None
    knots: Knots | None = None
    deviations: Deviations = NO_DEVIATIONS
    runs: Runs = NO_RUNS

    def __len__(self) -> int:
        return len(self.y) if self.rows is None else len(self.rows)

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.X.shape[1]

    def select(self, rows: NDArray[np.integer], offset: NDArray | None = None) -> Self:
        """Select instances of the arrays by their row numbers, without a copy."""
        chosen = rows.astype(np.int32, copy=False)
        return replace(self, rows=chosen, offset=offset, runs=NO_RUNS)

    def head(self, n: int | None) -> "Part":
        """Select the first n instances, or all, without a copy."""
        offset = None if self.offset is None else self.offset[:n]
        if self.rows is not None:
            return replace(self, rows=self.rows[:n], offset=offset, runs=NO_RUNS)
        part = self._taken(slice(n), self.X[:n], self.knots)
        deviations = self.deviations
        if len(deviations.usual):
            deviations = deviations._replace(starts=deviations.starts[:n])
        return replace(part, offset=offset, deviations=deviations)

    def with_inputs(self, X: NDArray[np.float32], knots: Knots | None = None) -> "Part":
        """Put other features in place of those of the selected instances.

        Parameters
        ----------
        X : ndarray of shape (len(self), n_inputs)
            Features of the selected instances, in their order.
        knots : Knots, optional
            Which of them are positions between knots.

        Returns
        -------
        Part
            The same instances without a selection.
        """
        return self._taken(slice(None) if self.rows is None else self.rows, X, knots)

    def compressed(self, usual: NDArray[np.float32] | None = None) -> Self:
        """Write scaled features down as deviations from a usual row too, if that pays.

        Parameters
        ----------
        usual : ndarray of shape (n_straight,), optional
            A usual row. Engines expect the same one in parts that are used together; by default
            it is looked for.

        Returns
        -------
        Part
            The same part.
        """
        if usual is None:
            n_positions = 0 if self.knots is None else self.knots.n_positions
            usual = usual_row(self.X, self.n_features - n_positions)
        return replace(self, deviations=deviations_of(self.X, usual))

    def in_runs(self, size: int) -> Self:
        """Put the positions of batches of a size in order too, which pays if they are used often.

        Parameters
        ----------
        size : int
            Instances per batch.

        Returns
        -------
        Part
            The same part.
        """
        if self.rows is not None:
            return self
        return replace(self, runs=runs_of(self.X, self.knots, size))

    def _taken(self, chosen: Any, X: NDArray[Any], knots: Knots | None) -> "Part":
        if self.origin is not None:
            origin = self.origin[chosen]
        elif isinstance(chosen, slice):
            origin = np.arange(len(X), dtype=np.int32)
        else:
            origin = chosen
        return Part(
            X,
            self.y[chosen],
            self.weight[chosen],
            self.n_classes,
            mass=None if self.mass is None else self.mass[chosen],
            origin=origin,
            knots=knots,
        )
