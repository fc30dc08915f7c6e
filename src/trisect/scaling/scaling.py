"""A fitted scaling: a few numbers per column, which travel with the model."""

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.network import InputMap, Knots, engine_for
from trisect.network.threads import at_once

__all__ = ["LIMIT", "Scaling"]

# A scaled value beyond 20 deviations says no more than one at 20.
LIMIT = 20.0
# Raw values that are copied at once: a megabyte, so that a table is never copied whole.
BLOCK_CELLS = 1 << 17


@dataclass(frozen=True, eq=False)
class Scaling:
    """A fitted scaling of the columns, which gives one input for each that is read.

    Linear kinds map x to ``(x - center) * factor``, clipped to plus or minus ``limit``.
    The others interpolate between knots and are flat outside them.

    Parameters
    ----------
    kind : str
        One of `SCALES`.
    n_features : int
        Number of columns.
    center, factor : ndarray of shape (n_features,)
        Of the linear kinds; empty for the others.
    limit : float
        Where the linear kinds are clipped.
    columns : ndarray of int of shape (n_curves,)
        The column of each curve.
    knots, values : ndarray of shape (n_curves, n_knots)
        Knots and the outputs at them; only the first ``counts[k]`` are in use.
    counts : ndarray of int of shape (n_curves,)
        Number of knots.
    positions : Knots, optional
        Of the kind "curves": which inputs are positions between knots, for nodes to bend.
    """

    kind: str
    n_features: int
    center: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    factor: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    limit: float = LIMIT
    columns: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    knots: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    values: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    counts: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    positions: Knots | None = None

    @property
    def n_outputs(self) -> int:
        """Number of inputs that the network gets."""
        return len(self.center) + len(self.columns)

    @cached_property
    def inputs(self) -> InputMap:
        """The scaling as engines read it; the knots in use decide how wide it is."""
        # A binary search needs a power of two, and a curve of one knot a second one.
        width = 1 << max(self.knots.shape[1] - 1, 1).bit_length()
        shape = (len(self.columns), width)
        knots, values, slopes = np.full(shape, np.inf), np.zeros(shape), np.zeros(shape)
        for k, used in enumerate(self.counts):
            knots[k, :used], values[k, :used] = self.knots[k, :used], self.values[k, :used]
            slopes[k, : used - 1] = np.diff(values[k, :used]) / np.diff(knots[k, :used])
        return InputMap(self.center, self.factor, self.limit, self.columns, knots, values, slopes)

    def __getstate__(self) -> dict[str, Any]:
        # What is derived is not stored with a model.
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def transform(
        self, X: NDArray[Any], rows: NDArray[np.integer] | None = None
    ) -> NDArray[np.float32]:
        """Scale all rows of X, or some, into single precision.

        Parameters
        ----------
        X : ndarray of shape (n_instances, n_features)
            Finite features.
        rows : ndarray of int, optional
            Rows to take, in this order; all by default.

        Returns
        -------
        ndarray of shape (n_rows, n_outputs)
            Scaled features in row order.
        """
        n_rows = len(X) if rows is None else len(rows)
        out = np.empty((n_rows, self.n_outputs), dtype=np.float32)
        engine, inputs = engine_for("scale", out.size), self.inputs

        def scale(block: slice) -> None:
            some = X[block] if rows is None else X.take(rows[block], axis=0)
            engine.scale(some, inputs, out[block])

        step = max(BLOCK_CELLS // X.shape[1], 1)
        at_once(scale, [slice(start, start + step) for start in range(0, n_rows, step)])
        return out
