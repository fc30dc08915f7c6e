"""Scaling of the inputs: a few numbers per column, which travel with the model."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.scaling.evidence import evidence_curves
from trisect.scaling.learned_curves import learn_curves

__all__ = ["SCALES", "Scaling", "fit_scaling"]

SCALES = ("standard", "robust", "quantile", "evidence", "learned", "none")
"""The kinds of scaling, by name."""

MAX_KNOTS = 32
LIMIT = 20.0
OUTERMOST_SHARE = 1e-3
LEAST_SHARE = 1e-4
SAMPLE_ROWS = 20_000
BLOCK_ROWS = 1 << 14
# The interquartile range of a normal distribution, in standard deviations.
NORMAL_QUARTILES = 1.3489795003921634


@dataclass(frozen=True, eq=False)
class Scaling:
    """A fitted scaling of the columns, which gives one or two inputs for each.

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
        The column of each curve: all columns for the quantile kind, and for the evidence
        and learned kinds some of them a second time.
    knots, values : ndarray of shape (n_curves, n_knots)
        Knots and the outputs at them; only the first ``counts[k]`` are in use.
    counts : ndarray of int of shape (n_curves,)
        Number of knots.
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

    @property
    def n_outputs(self) -> int:
        """Number of inputs that the network gets."""
        return len(self.center) + len(self.columns)

    def padded(self) -> tuple[NDArray, NDArray, NDArray]:
        """Lay the curves out for the kernels: knots to infinity, values, slopes."""
        shape = (len(self.columns), MAX_KNOTS)
        knots, values, slopes = np.full(shape, np.inf), np.zeros(shape), np.zeros(shape)
        for k, used in enumerate(self.counts):
            knots[k, :used], values[k, :used] = self.knots[k, :used], self.values[k, :used]
            slopes[k, : used - 1] = np.diff(values[k, :used]) / np.diff(knots[k, :used])
        return knots, values, slopes

    def transform(
        self, X: NDArray[Any], rows: NDArray[Any] | None = None, out: NDArray | None = None
    ) -> NDArray[np.float32]:
        """Scale all rows of X, or some, into single precision.

        Parameters
        ----------
        X : ndarray of shape (n_instances, n_features)
            Finite features.
        rows : ndarray of int, optional
            Rows to take, in this order; all by default.
        out : ndarray of float32, optional
            Where to write.

        Returns
        -------
        ndarray of shape (n_rows, n_outputs)
            Scaled features in row order.
        """
        from trisect.network.kernels import scale_by_knots, scale_linearly

        if X.dtype not in (np.float32, np.float64):
            X = X.astype(np.float64)
        rows = np.arange(len(X), dtype=np.int32) if rows is None else rows
        rows = rows.astype(np.int32, copy=False)
        if out is None:
            out = np.empty((len(rows), self.n_outputs), dtype=np.float32)
        if len(self.center):
            scale_linearly(X, rows, self.center, self.factor, self.limit, out)
        if len(self.columns):
            curves = (self.columns, *self.padded())
            scale_by_knots(X, rows, *curves, len(self.center), out)
        return out


def fit_scaling(
    X: NDArray[Any],
    kind: str,
    rng: np.random.Generator,
    positive: NDArray[np.bool_] | None = None,
    weight: NDArray[Any] | None = None,
) -> Scaling:
    """Fit a scaling to the columns of X.

    Parameters
    ----------
    X : ndarray of shape (n_instances, n_features)
        Finite features.
    kind : {"standard", "robust", "quantile", "evidence", "learned", "none"}
        "standard" centres at the mean and divides by the standard deviation;
        "robust" takes the median and the quartiles; "quantile" maps the quantiles
        of a column, at most 32 of them, to those of a normal distribution, which
        tames heavy tails; "evidence" is "quantile" and, beside it for each column of
        more than two values, the log-odds of the positive class along the column, at
        most 32 knots of them; "learned" starts there, and lets a small network bend the
        curves to what it can use, see `learn_curves`; "none" leaves the columns as they are.
        "evidence" and "learned" are for two classes.
    rng : numpy.random.Generator
        Chooses the rows that quantiles are estimated from when there are many, and is the
        source of all randomness of "learned".
    positive : ndarray of bool, optional
        Whether each instance is positive; "evidence" and "learned" need it.
    weight : ndarray, optional
        Weights of the instances, for "evidence" and "learned".

    Returns
    -------
    Scaling
        The fitted scaling.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.scaling import fit_scaling
    >>> X = np.array([[1.0, 5.0], [3.0, 5.0]])
    >>> fit_scaling(X, "standard", np.random.default_rng(0)).transform(X)
    array([[-1.,  0.],
           [ 1.,  0.]], dtype=float32)
    """
    n_features = X.shape[1]
    if kind == "none":
        limit = float(np.finfo(np.float32).max) ** 0.5
        return Scaling(kind, n_features, np.zeros(n_features), np.ones(n_features), limit)
    if kind == "standard":
        return _linear(kind, *_moments(X))
    rows = np.arange(len(X))
    if len(X) > SAMPLE_ROWS:
        rows = np.sort(rng.choice(len(X), SAMPLE_ROWS, replace=False))
    sample = X[rows]
    if kind in ("evidence", "learned"):
        if positive is None:
            raise ValueError(f"scale='{kind}' needs to know which instances are positive.")
        mass = None if weight is None else weight[rows]
        curves = evidence_curves(sample, positive[rows], mass, MAX_KNOTS)
        quantile = _quantile(sample)
        both: dict[str, Any] = {
            name: np.concatenate([getattr(quantile, name), curve]) for name, curve in curves.items()
        }
        evidence = replace(quantile, kind="evidence", **both)
        if kind == "evidence":
            return evidence
        return learn_curves(evidence, sample, positive[rows], mass, rng)
    if kind == "robust":
        low, center, high = np.quantile(sample.astype(np.float64), [0.25, 0.5, 0.75], axis=0)
        spread = high / NORMAL_QUARTILES - low / NORMAL_QUARTILES
        # A column whose middle half is one value still has its deviation.
        return _linear(kind, center, np.where(spread > 0, spread, _moments(sample)[1]))
    return _quantile(sample)


def _moments(X: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute means and standard deviations in blocks, safe for huge values."""
    largest = np.maximum(np.abs(X.max(axis=0)), np.abs(X.min(axis=0))).astype(np.float64)
    unit = np.where(largest > 0, largest, 1.0)
    constant = X.max(axis=0) == X.min(axis=0)
    mean, square = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    starts = range(0, len(X), BLOCK_ROWS)
    for start in starts:
        mean += (X[start : start + BLOCK_ROWS] / unit).sum(axis=0)
    mean /= len(X)
    for start in starts:
        square += np.square(X[start : start + BLOCK_ROWS] / unit - mean).sum(axis=0)
    deviation = np.where(constant, 0.0, np.sqrt(square / len(X)) * unit)
    return np.where(constant, X[0], mean * unit), deviation


def _linear(kind: str, center: NDArray, spread: NDArray) -> Scaling:
    usable = spread > np.finfo(np.float64).tiny
    factor = np.divide(1.0, spread, out=np.ones_like(spread), where=usable)
    return Scaling(kind, len(center), center, factor)


def _quantile(sample: NDArray[Any]) -> Scaling:
    from scipy.special import ndtr, ndtri

    sample = sample.astype(np.float64)
    # Even steps of the image put knots where tails stretch, instead of one wide gap.
    inner = np.linspace(ndtri(OUTERMOST_SHARE), -ndtri(OUTERMOST_SHARE), MAX_KNOTS - 2)
    shares = np.concatenate([[0.0], ndtr(inner), [1.0]])
    sample.sort(axis=0)
    quantiles = np.quantile(sample, shares, axis=0, method="inverted_cdf")
    n_rows, n_features = sample.shape
    knots, values = np.zeros((n_features, MAX_KNOTS)), np.zeros((n_features, MAX_KNOTS))
    counts = np.zeros(n_features, dtype=np.int64)
    for j in range(n_features):
        found = np.unique(quantiles[:, j])
        # A value that many instances share stands for the middle of their ranks.
        below, upto = (np.searchsorted(sample[:, j], found, side=s) for s in ("left", "right"))
        middle = np.clip((below + upto) / (2 * n_rows), LEAST_SHARE, 1 - LEAST_SHARE)
        counts[j] = len(found)
        knots[j, : len(found)] = found
        image = np.interp(sample[:, j], found, ndtri(middle))
        values[j, : len(found)] = (ndtri(middle) - image.mean()) / (image.std() or 1.0)
    return Scaling(
        "quantile",
        n_features,
        columns=np.arange(n_features),
        knots=knots,
        values=values,
        counts=counts,
    )
