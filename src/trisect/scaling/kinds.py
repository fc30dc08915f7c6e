"""The kinds of scaling, and how each is fitted to columns."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.scaling.positions import position_curves
from trisect.scaling.scaling import Scaling

__all__ = ["MAX_KNOTS", "SCALES", "fit_scaling"]

# Most knots of a curve; engines take as many as there are.
MAX_KNOTS = 32
# Shares of instances beyond the outermost quantiles but one, and beyond the outermost values.
OUTERMOST_SHARE = 1e-3
LEAST_SHARE = 1e-4
# Rows of which means are taken at once, without a copy of all.
BLOCK_ROWS = 1 << 14
# Rows from which quantiles are estimated.
SAMPLE_ROWS = 20_000
# The interquartile range of a normal distribution, in standard deviations.
NORMAL_QUARTILES = 1.3489795003921634


Rows = NDArray[np.integer]


def fit_scaling(
    X: NDArray[Any], kind: str, rng: np.random.Generator, rows: Rows | None = None
) -> Scaling:
    """Fit a scaling to the columns of X.

    Parameters
    ----------
    X : ndarray of shape (n_instances, n_features)
        Finite features.
    kind : {"standard", "robust", "quantile", "curves", "none"}
        "standard" centres at the mean and divides by the standard deviation;
        "robust" takes the median and the quartiles; "quantile" maps the quantiles
        of a column, at most 32 of them, to those of a normal distribution, which
        tames heavy tails; "curves" gives the position of a value between the quantiles of
        its column, at most 33 of them (25 if columns are more than a hundred), along which
        each node of a gated network has a curve of its own, and standardises columns of two
        values; "none" leaves the columns as they are.
    rng : numpy.random.Generator
        Chooses the rows that quantiles are estimated from when there are many.
    rows : ndarray of int, optional
        Rows to fit to; all by default.

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
    return SCALES[kind](X, np.arange(len(X)) if rows is None else rows, rng)


def _none(X: NDArray[Any], rows: Rows, rng: np.random.Generator) -> Scaling:
    n_features = X.shape[1]
    limit = float(np.finfo(np.float32).max) ** 0.5
    return Scaling("none", n_features, np.zeros(n_features), np.ones(n_features), limit)


def _standard(X: NDArray[Any], rows: Rows, rng: np.random.Generator) -> Scaling:
    return _linear("standard", *_moments(X[rows]))


def _robust(X: NDArray[Any], rows: Rows, rng: np.random.Generator) -> Scaling:
    X = X[_sample(rows, rng)]
    low, center, high = np.quantile(X.astype(np.float64), [0.25, 0.5, 0.75], axis=0)
    spread = high / NORMAL_QUARTILES - low / NORMAL_QUARTILES
    # A column whose middle half is one value still has its deviation.
    return _linear("robust", center, np.where(spread > 0, spread, _moments(X)[1]))


def _quantile(X: NDArray[Any], rows: Rows, rng: np.random.Generator) -> Scaling:
    return _quantile_curves(X[_sample(rows, rng)])


def _curves(X: NDArray[Any], rows: Rows, rng: np.random.Generator) -> Scaling:
    return position_curves(X, _sample(rows, rng))


def _sample(rows: Rows, rng: np.random.Generator) -> Rows:
    """Draw some of the rows if they are many."""
    if len(rows) <= SAMPLE_ROWS:
        return rows
    return rows[np.sort(rng.choice(len(rows), SAMPLE_ROWS, replace=False))]


SCALES: dict[str, Callable[[NDArray[Any], Rows, np.random.Generator], Scaling]] = {
    "standard": _standard,
    "robust": _robust,
    "quantile": _quantile,
    "curves": _curves,
    "none": _none,
}
"""The kinds of scaling, by name."""


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


def _quantile_curves(sample: NDArray[Any]) -> Scaling:
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
