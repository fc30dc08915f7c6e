"""How much surer than the whole network its first nodes must be before they decide."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import NEG, POS, CostMatrix

__all__ = ["REFERENCE_COSTS", "STRICTNESS_ROWS", "Witness", "choose_strictness"]

# Rows that strictness is chosen on, of the training and of the validation part each.
STRICTNESS_ROWS = 20_000
# By how much surer than the last level an early level must be, as a difference of logits.
STRICTNESS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, np.inf)
# Extra cost of a walk that counts as none, as a share of the cost without one; and by how many
# standard errors it has to stay below that. With one, walks cost up to 1.65 times as much.
TOLERANCE, ERRORS = 0.01, 3.0
# False acceptance, false rejection and review: a walk has to be safe under each of these.
REFERENCE_COSTS = tuple(
    CostMatrix.from_review(false_accept=accept, false_reject=reject, review=1)
    for accept, reject in ((3, 3), (5, 10), (20, 20))
)


class Witness(NamedTuple):
    """Instances that levels have been tried on."""

    margins: NDArray
    """Margins of each level, (n_levels, n_instances)."""
    positive: NDArray[np.bool_]
    """Whether an instance belongs to class 1."""
    weight: NDArray
    """Weights of the instances."""


def choose_strictness(witnesses: Sequence[Witness]) -> NDArray[np.float32]:
    """Make early levels strict enough to cost next to nothing.

    By every witness and under each of three sets of reference costs, the extra cost of walking
    the levels, plus three standard errors, stays within a hundredth of what the decisions of the
    last level cost. Levels are made strict from the last to the first.

    Parameters
    ----------
    witnesses : sequence of Witness
        One or several, of as many levels.

    Returns
    -------
    ndarray of float32 of shape (n_levels, 2)
        By how much the margin of a level must exceed the threshold of accepting, and fall below
        that of rejecting.
    """
    k = len(witnesses[0].margins)
    strictness = np.zeros((k, 2), dtype=np.float32)
    walks = [_WalkCosts(costs, witness) for witness in witnesses for costs in REFERENCE_COSTS]
    for i in range(k - 2, -1, -1):
        for side in (1, 0):
            changed = [(walk, walk.deciding_first(i, side)) for walk in walks]
            harmless = np.logical_and.reduce([walk.harmless(change) for walk, change in changed])
            harmless[-1] = True  # It changes nothing.
            strictness[i, side] = STRICTNESS[harmless.argmax()]
            for walk, change in changed:
                walk.take(change, strictness[i, side])
    return strictness


class _Change(NamedTuple):
    """Instances that would cost something else if a level decided on one side first.

    ``beyond`` is by how much each exceeds the threshold, ``extra`` what it would cost more than
    with the whole network.
    """

    rows: NDArray[np.intp]
    beyond: NDArray[np.float64]
    extra: NDArray[np.float64]


class _WalkCosts:
    """What a walk from some level on costs more than the whole network, under one set of costs.

    Few instances cost anything else, so that a change is judged by what it adds to three sums.
    """

    def __init__(self, costs: CostMatrix, witness: Witness) -> None:
        self._margins, positive = witness.margins, witness.positive
        share = witness.weight / witness.weight.sum(dtype=np.float64)
        alpha, beta = costs.thresholds
        self._thresholds = (np.log(alpha / (1 - alpha)), np.log(beta / (1 - beta)))
        p = 1.0 / (1.0 + np.exp(-np.clip(self._margins[-1], -60, 60)))
        regions = costs.decide(p)
        if_positive, if_negative = costs.amounts[:, :, None]
        accepted, deferred, rejected = np.where(positive, if_positive, if_negative)
        whole = np.where(regions == POS, accepted, np.where(regions == NEG, rejected, deferred))
        self._of_decision = (accepted - whole, rejected - whole)
        self._allowed = TOLERANCE * (whole @ share)
        self._share, self._squared_share = share, np.square(share)
        self._sum_of_squares = self._squared_share.sum()
        self._extra = np.zeros(len(share))
        self._sums = np.zeros(3)

    def deciding_first(self, level: int, side: int) -> _Change:
        """Return what changes if a level decides on one side first, however sure it is."""
        margin, threshold = self._margins[level], self._thresholds[side]
        extra = self._of_decision[side]
        decided = margin >= threshold if side == 0 else margin <= threshold
        rows = np.flatnonzero(decided & (extra != self._extra))
        return _Change(rows, np.abs(margin[rows] - threshold), extra[rows])

    def harmless(self, change: _Change) -> NDArray[np.bool_]:
        """Say how strict a change must be for its extra cost to count as none.

        Returns
        -------
        ndarray of bool of shape (len(STRICTNESS),)
            Whether it does at each strictness, with standard errors to spare.
        """
        rows, before = change.rows, self._extra[change.rows]
        share, squared_share = self._share[rows], self._squared_share[rows]
        more = change.extra - before
        added = [more * share, more * squared_share]
        added.append((np.square(change.extra) - np.square(before)) * squared_share)
        # Each instance changes up to a strictness: sums over those of at least so much.
        changes_up_to = np.searchsorted(STRICTNESS, change.beyond, side="right")
        sums = [np.bincount(changes_up_to, each, len(STRICTNESS) + 1)[:0:-1] for each in added]
        mean, cross, squares = self._sums[:, None] + np.cumsum(sums, axis=1)[:, ::-1]
        variance = squares - 2.0 * mean * cross + mean**2 * self._sum_of_squares
        return mean + ERRORS * np.sqrt(np.maximum(variance, 0.0)) <= self._allowed

    def take(self, change: _Change, strictness: float) -> None:
        """Carry out a change at some strictness."""
        strict = change.beyond >= strictness
        if strict.any():
            extra = self._extra
            extra[change.rows[strict]] = change.extra[strict]
            of_squares = np.square(extra) @ self._squared_share
            self._sums = np.array([extra @ self._share, extra @ self._squared_share, of_squares])
