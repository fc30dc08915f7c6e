"""The choice of levels to walk: those that are expected to save more nodes than they cost."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit, ndtr, ndtri

from trisect.decisions import CostMatrix
from trisect.network import Network

__all__ = ["new_nodes", "unsure_share", "worthwhile_levels"]

# Overhead of passing an instance to a level, as a number of nodes evaluated; measured.
_OVERHEAD = 4
# A level is left out unless it is expected to save at least this share of the work.
_LEAST_SAVING = 0.1


@cache
def _losses_and_spreads() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Tabulate the mean log-loss, in increasing order, against the spread of the margin."""
    quantiles = ndtri((np.arange(200) + 0.5) / 200)
    spreads = np.geomspace(40, 0.01, 200)
    margins = spreads[:, None] ** 2 / 2 + spreads[:, None] * quantiles
    return np.logaddexp(0, -margins).mean(axis=1), spreads


def unsure_share(score: float, costs: CostMatrix) -> float:
    """Estimate the share of instances that a network defers, from its mean log-likelihood.

    Assumes that the network is calibrated, that the two classes are equally common, and
    that the margin (the logit of the probability) is normal in each. The mean of the
    margin is then half its variance, and the variance follows from the score.

    Parameters
    ----------
    score : float
        Mean log-likelihood of data not trained on.
    costs : CostMatrix
        Costs, from which the thresholds follow.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> from trisect import CostMatrix
    >>> from trisect.estimators.worthwhile_levels import unsure_share
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    >>> [round(unsure_share(score, costs), 2) for score in (-0.6, -0.3, -0.03)]
    [0.91, 0.34, 0.03]
    """
    if not costs.defers:
        return 0.0
    spread = np.interp(-score, *_losses_and_spreads())
    means = np.array([1, -1]) * spread**2 / 2
    accepted, rejected = (
        ndtr((logit(threshold) - means) / spread) for threshold in (costs.alpha, costs.beta)
    )
    return float(np.mean(accepted - rejected))


def new_nodes(network: Network, before: Network | None) -> int:
    """Count the nodes that are left to evaluate after those of another level.

    Parameters
    ----------
    network : Network
        The network of the level.
    before : Network or None
        The network that was evaluated before.

    Returns
    -------
    int
        The number of added nodes if the network keeps those of `before` unchanged,
        otherwise the number of all its nodes.
    """
    if before is None or before.n_hidden >= network.n_hidden:
        return network.n_hidden
    h = before.n_hidden
    same = all(
        np.array_equal(getattr(before, name), getattr(network, name)[:h])
        for name in ("W1", "b1", "W2")
    )
    return network.n_hidden - h if same else network.n_hidden


def worthwhile_levels(levels: Sequence[Any], chain: Sequence[CostMatrix]) -> list[int]:
    """Choose the levels that are expected to save work.

    Starts with the last level alone, and adds the level that saves most until none saves
    enough.

    Parameters
    ----------
    levels : sequence of Level
        The levels to choose from.
    chain : sequence of CostMatrix
        Their costs.

    Returns
    -------
    list of int
        Indices of the chosen levels in increasing order, including the last.
    """
    unsure = [
        unsure_share(level.validation_score, costs)
        for level, costs in zip(levels, chain, strict=True)
    ]

    @cache
    def nodes(index: int, before: int | None) -> int:
        return new_nodes(levels[index].network, None if before is None else levels[before].network)

    def work(indices: list[int]) -> float:
        waiting, total, before = 1.0, 0.0, None
        for index in indices:
            total += waiting * (nodes(index, before) + _OVERHEAD)
            waiting, before = min(waiting, unsure[index]), index
        return total

    chosen, rest = [len(levels) - 1], list(range(len(levels) - 1))
    while rest:
        best = min(rest, key=lambda index: work(sorted([*chosen, index])))
        if work(sorted([*chosen, best])) > (1 - _LEAST_SAVING) * work(chosen):
            break
        chosen = sorted([*chosen, best])
        rest.remove(best)
    return chosen
