"""A team of reviewers, and what one more review by each of them would save."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Counts", "Floats", "Team", "worth_of_one_more"]

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


class Team(NamedTuple):
    """The reviewers as the solver sees them: arrays of shape (n_reviewers,).

    Parameters
    ----------
    kinds : ndarray of int
        Kind of each reviewer; within a kind only the price of a review differs.
    extra : ndarray
        By how much a review costs more than that of the cheapest of the kind.
    capacities : ndarray
        Largest number of reviews, perhaps infinite.
    """

    kinds: NDArray[np.intp]
    extra: Floats
    capacities: Floats

    def prices(self, worth: Floats) -> Floats:
        """Return what a review of each kind costs more if it is scarce."""
        prices = np.full(self.kinds.max() + 1, np.inf)
        np.minimum.at(prices, self.kinds, self.extra + worth)
        return prices

    def fill(self, loads: Counts) -> Counts:
        """Return the reviews of each reviewer, the cheapest of a kind filled first."""
        left, used = loads.copy(), np.zeros(len(self.extra), dtype=np.int64)
        for r in np.argsort(self.extra, kind="stable"):
            used[r] = min(left[self.kinds[r]], self.capacities[r])
            left[self.kinds[r]] -= used[r]
        return used


def worth_of_one_more(savings: Floats, counts: Counts, team: Team, flows: Counts) -> Floats:
    """Compute what the best assignment would gain from one more review by each reviewer.

    One more review can go to a case that nobody reviews, or to one that another reviewer
    gives up, whose place is taken by a third, and so on: the longest path through the
    reviewers. That is the difference of two optima, where a linear program returns any of
    many dual values if cases are tied.

    Parameters
    ----------
    savings : ndarray of shape (n_kinds, n_rows)
        What a review by the cheapest of each kind saves on a case of each row.
    counts : ndarray of int of shape (n_rows,)
        Cases of each row.
    team : Team
        The reviewers.
    flows : ndarray of int of shape (n_kinds, n_rows)
        The best assignment: cases of each row that are reviewed by each kind.

    Returns
    -------
    ndarray of shape (n_reviewers,)
        What one more review would save, 0 where there is capacity to spare.
    """
    used = team.fill(flows.sum(axis=1))
    waiting = savings[:, counts > flows.sum(axis=0)]
    worth = np.maximum(waiting.max(axis=1, initial=-np.inf)[team.kinds] - team.extra, 0.0)
    # What a case gains that moves from one reviewer (row) to another (column).
    moves = np.full((len(used), len(used)), -np.inf)
    for kind, flow in enumerate(flows):
        reviewed = savings[:, flow > 0]
        gains = (reviewed - reviewed[kind]).max(axis=1, initial=-np.inf)
        mine = (team.kinds == kind) & (used > 0)
        moves[mine] = gains[team.kinds] - team.extra + team.extra[mine, None]
    scarce = used == team.capacities
    for _ in used:
        worth = np.where(scarce, np.maximum(worth, (moves + worth[:, None]).max(axis=0)), 0.0)
    return worth
