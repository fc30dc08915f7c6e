"""One number that a monitor watches: a share or a mean cost, beside its reference."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.desk.always_valid import mean_evidence, mean_interval
from trisect.desk.tally import Rule, Tally
from trisect.metrics import exact_interval

__all__ = ["COST", "CUT", "MISTAKES", "Watch", "Watched", "watches"]

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
SHARE = np.array([0.0, 1.0])
# Names of what is watched; those of shares of probabilities begin with the last.
MISTAKES, COST, CUT = "mistakes among the decided", "cost of a case", "p up to"
# Weight of the prior around the reference, in cases: evidence grows fastest for changes of
# about a seventh of a standard deviation.
STRENGTH = 50.0
# Decisions, probabilities, classes, mistakes and costs: each gets a fifth of the error.
N_FAMILIES = 5


@dataclass(frozen=True)
class Watched:
    """What a monitor knows about one number.

    Parameters
    ----------
    name : str
        What is watched.
    since : label
        Period from which the cases are counted: the first, or, after a change, the one since
        when there is the most evidence of it.
    n : int
        Number of these cases.
    value, low, high : float
        The number, and an interval around it that holds at every moment of the stream.
    reference, reference_low, reference_high : float or None
        The same in the reference data; None if they say nothing about it.
    changed : bool
        Whether the two intervals are apart.
    """

    name: str
    since: Any
    n: int
    value: float
    low: float
    high: float
    reference: float | None
    reference_low: float | None
    reference_high: float | None
    changed: bool


@dataclass(frozen=True, eq=False)
class Watch:
    """Watches the mean of some amounts, of which a tally has the counts.

    The stream may change at any period: evidence is collected from each period on, and each
    start gets a part of the error, so that all of them together have the error they may.

    Parameters
    ----------
    name : str
        What is watched.
    amounts : ndarray of shape (n_amounts,)
        The amounts, increasing; 0 and 1 for a share.
    counts : callable
        Takes a tally and returns how often it has each amount.
    reference : ndarray of int of shape (n_amounts,)
        Counts of the reference, perhaps zeros.
    alpha : float
        Probability of a false alarm, ever; half of it is for the reference.
    """

    name: str
    amounts: Floats
    counts: Callable[[Tally], Counts]
    reference: Counts
    alpha: float

    @property
    def prior(self) -> Floats:
        """Parameters of the Dirichlet distribution that stands for a changed stream."""
        n, k = self.reference.sum(), len(self.amounts)
        return STRENGTH * (self.reference + 0.5) / (n + 0.5 * k) if n else np.full(k, 0.5)

    @cached_property
    def expected(self) -> tuple[float, float, float] | None:
        """The mean of the reference and its interval, or None without a reference."""
        n = int(self.reference.sum())
        if not n:
            return None
        mean = float(self.reference @ self.amounts) / n
        if len(self.amounts) != 2:
            return mean, *mean_interval(self.reference, self.amounts, self.alpha / 2, self.prior)
        low, high = exact_interval(self.reference[1], n, self.alpha / 2)
        first, width = self.amounts[0], np.ptp(self.amounts)
        return mean, float(first + low * width), float(first + high * width)

    def evidence(self, tallies: Sequence[Tally]) -> Floats:
        """Return the evidence of a change at the end of each period: one from zero upwards."""
        total = np.cumsum([np.zeros(len(self.amounts)), *map(self.counts, tallies)], axis=0)
        ends, starts = np.tril_indices(len(tallies))
        found = self._evidence(total[ends + 1] - total[starts], starts)
        return np.maximum.reduceat(found, np.flatnonzero(starts == 0))

    def report(self, tallies: Sequence[Tally], periods: Sequence[Any]) -> Watched:
        """Return what is known at the end of the last period."""
        counts = np.array([self.counts(tally) for tally in tallies])
        since, starts = counts[::-1].cumsum(axis=0)[::-1], np.arange(len(counts))
        evidence = self._evidence(since, starts)
        changed = bool(evidence.max() >= 0)
        start = int(evidence.argmax()) if changed else 0
        n = int(since[start].sum())
        value = float(since[start] @ self.amounts) / n if n else float("nan")
        level = float(self._levels(starts[start]))
        low, high = mean_interval(since[start], self.amounts, level, self.prior)
        mean, least, most = self.expected or (None, None, None)
        return Watched(self.name, periods[start], n, value, low, high, mean, least, most, changed)

    def _evidence(self, counts: NDArray, starts: NDArray[np.intp]) -> Floats:
        """Return the evidence of a change, given counts since each of some starts."""
        if self.expected is None or len(self.amounts) < 2:
            return np.full(len(counts), -np.inf)
        (mean, low, high), n = self.expected, counts.sum(axis=1)
        means = np.divide(counts @ self.amounts, n, out=np.full(len(n), mean), where=n > 0)
        evidence = mean_evidence(counts, self.amounts, means.clip(low, high), self.prior)
        return evidence + np.log(self._levels(starts))

    def _levels(self, starts: NDArray[np.intp]) -> Floats:
        """Return the error that each start may have; all of them add up to half of alpha."""
        return self.alpha / 2 / ((starts + 1.0) * (starts + 2.0))


def watches(
    rule: Rule, reference: Tally, names: Sequence[str], classes: Sequence[str], alpha: float
) -> list[Watch]:
    """Return what is watched: decisions, probabilities, classes, mistakes and costs.

    Parameters
    ----------
    rule : Rule
        How cases are decided.
    reference : Tally
        Counts of the reference.
    names, classes : sequence of str
        Names of the actions, and of the classes whose share is watched.
    alpha : float
        Probability of any false alarm, ever.
    """
    alpha /= N_FAMILIES
    decided = np.arange(len(names)) != rule.deferring
    amounts, places = np.unique(rule.amounts, return_inverse=True)

    def action(k: int) -> Callable[[Tally], Counts]:
        return lambda tally: _of_share(tally.actions[k], tally.actions.sum())

    def below(k: int) -> Callable[[Tally], Counts]:
        return lambda tally: _of_share(tally.bins[: k + 1].sum(), tally.bins.sum())

    def of_class(k: int) -> Callable[[Tally], Counts]:
        return lambda tally: _of_share(tally.outcomes[k].sum(), tally.outcomes.sum())

    def mistakes(tally: Tally) -> Counts:
        made = tally.outcomes[:, decided]
        return _of_share(made[~rule.right[:, decided]].sum(), made.sum())

    def costs(tally: Tally) -> Counts:
        found = np.zeros(len(amounts), dtype=np.int64)
        np.add.at(found, places.ravel(), tally.outcomes.ravel())
        return found

    plan: list[tuple[str, Floats, Callable[[Tally], Counts], int]] = [
        *((name, SHARE, action(k), len(names)) for k, name in enumerate(names)),
        *((f"{CUT} {c:.3g}", SHARE, below(k), len(rule.cuts)) for k, c in enumerate(rule.cuts)),
        *((name, SHARE, of_class(k), len(classes)) for k, name in enumerate(classes)),
        (MISTAKES, SHARE, mistakes, 1),
        (COST, amounts, costs, 1),
    ]
    return [
        Watch(name, values, counts, counts(reference), alpha / n)
        for name, values, counts, n in plan
    ]


def _of_share(successes: Any, n: Any) -> Counts:
    return np.array([n - successes, successes])
