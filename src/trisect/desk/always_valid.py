"""Evidence and intervals that hold at every moment of a stream, from counts alone.

A stream of independent draws is compared with a claim about them by the ratio of two
likelihoods: that of the counts so far, averaged over a prior, and that under the claim. If the
claim is true this ratio is a martingale that starts at one, so that it ever exceeds ``1/a``
with a probability of at most a (Ville's inequality). One may look as often as one likes, and
stop when one likes.

References
----------
H. Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of
Mathematical Statistics 41, 1970. S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon,
"Time-uniform Chernoff bounds via nonnegative supermartingales", Probability Surveys 17, 2020,
and "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49,
2021. The likelihood with a given mean is that of A. Owen's empirical likelihood.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln, xlogy

__all__ = ["mean_evidence", "mean_interval"]

Floats = NDArray[np.float64]
# Halvings of an interval, down to the precision of a number.
HALVINGS = 50
# How the end of an interval is found, to 32 ** -6 of the range.
PIECES, ROUNDS = 32, 6


def mean_evidence(
    counts: ArrayLike, amounts: ArrayLike, mean: ArrayLike, prior: ArrayLike
) -> Floats:
    """Compute the logarithm of the evidence against a mean of few different amounts.

    The amounts 0 and 1 make it the evidence against a share.

    Parameters
    ----------
    counts : array-like of shape (..., n_amounts)
        How often each amount was seen.
    amounts : array-like of shape (n_amounts,)
        The amounts.
    mean : array-like
        The mean that is claimed, between the smallest amount and the largest.
    prior : array-like of shape (n_amounts,)
        Parameters of the Dirichlet distribution that stands for other shares.

    Returns
    -------
    ndarray
        The claim is refuted at level a from ``log(1/a)`` on.

    Examples
    --------
    >>> from trisect.desk.always_valid import mean_evidence
    >>> float(mean_evidence([70, 30], [0, 1], 0.1, [0.5, 0.5]).round(2))
    12.84
    """
    k, prior = np.asarray(counts, dtype=np.float64), np.asarray(prior, dtype=np.float64)
    n = k.sum(axis=-1)
    mixed = gammaln(prior.sum()) - gammaln(prior.sum() + n)
    mixed = mixed + (gammaln(prior + k) - gammaln(prior)).sum(axis=-1)
    return mixed - _likelihood(k, np.asarray(amounts, dtype=np.float64), np.asarray(mean))


def mean_interval(
    counts: ArrayLike, amounts: ArrayLike, alpha: float, prior: ArrayLike | None = None
) -> tuple[float, float]:
    """Bound the mean of few different amounts at every moment of a stream.

    Parameters
    ----------
    counts : array-like of shape (n_amounts,)
        How often each amount was seen.
    amounts : array-like of shape (n_amounts,)
        The amounts.
    alpha : float
        Probability that the mean is ever outside the interval of its moment.
    prior : array-like of shape (n_amounts,), optional
        Parameters of the Dirichlet distribution; halves by default.

    Returns
    -------
    low, high : float

    Examples
    --------
    >>> from trisect.desk.always_valid import mean_interval
    >>> low, high = mean_interval([70, 30], [0, 1], alpha=0.05)
    >>> round(low, 3), round(high, 3)
    (0.166, 0.463)
    """
    k, values = np.asarray(counts), np.asarray(amounts, dtype=np.float64)
    weights = np.full(len(values), 0.5) if prior is None else np.asarray(prior)
    smallest, largest = float(values.min()), float(values.max())
    if not k.sum() or smallest == largest:
        return smallest, largest
    # Both ends are bracketed, and the brackets cut into ever smaller pieces.
    mean = float(k @ values / k.sum())
    inside, outside = np.array([mean, mean]), np.array([smallest, largest])
    for _ in range(ROUNDS):
        points = np.linspace(inside, outside, PIECES + 1)
        refuted = mean_evidence(k, values, points, weights) >= -np.log(alpha)
        refuted[-1] = True
        first = np.maximum(refuted.argmax(axis=0), 1)
        inside, outside = (points[first - shift, [0, 1]] for shift in (1, 0))
    return float(outside[0]), float(outside[1])


def _likelihood(counts: Floats, amounts: Floats, mean: Floats) -> Floats:
    """Return the largest log-likelihood of the counts under shares with a given mean.

    The best shares are ``k / n / (1 + t * (amount - mean))``, for the t that gives this mean.
    An amount that was never seen takes what is left if t runs into its limit.
    """
    if len(amounts) == 2:
        share = (mean - amounts[0]) / (amounts[1] - amounts[0])
        return xlogy(counts[..., 1], share) + xlogy(counts[..., 0], 1 - share)
    away = amounts - mean[..., None]
    counts = np.broadcast_to(counts, away.shape)
    seen, n = counts > 0, counts.sum(axis=-1, keepdims=True)
    most, least = away.max(axis=-1, keepdims=True), away.min(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = -1 / most, -1 / least
        for _ in range(HALVINGS):
            t = (low + high) / 2
            slope = np.where(seen, counts * away / (1 + t * away), 0.0).sum(axis=-1, keepdims=True)
            low, high = np.where(slope > 0, t, low), np.where(slope > 0, high, t)
        shares = np.where(seen, counts / n / (1 + (low + high) / 2 * away), 1.0)
        found = xlogy(counts, shares).sum(axis=-1)
    # At an end of the range only the amount there is possible.
    at_end = (least[..., 0] >= 0) | (most[..., 0] <= 0)
    impossible = (seen & (away != 0)).any(axis=-1)
    return np.where(at_end, np.where(impossible, -np.inf, 0.0), found)
