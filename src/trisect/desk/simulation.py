"""Ways to run the desk, day after day: a queue behind thresholds, a quota, or an allocation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import ClassCosts, as_cost_matrix
from trisect.desk.allocation import NOBODY, allocate
from trisect.desk.days import Day, checked_truth
from trisect.desk.options import options, review_charges
from trisect.desk.reviewer import Reviewer, as_team

__all__ = ["WAYS", "DeskLog", "simulate_days"]

Floats = NDArray[np.float64]
COUNTED = ("arrived", "reviewed", "pointless", "gave_up", "backlog")


@dataclass(frozen=True, eq=False)
class DeskLog:
    """What happened at the desk, day by day.

    Parameters
    ----------
    way : str
        How the desk was run.
    columns : dict of str to ndarray
        One entry per day: ``arrived``, ``reviewed``, ``pointless`` (reviews that were expected
        to cost more than they save), ``gave_up`` (cases that waited too long and were decided
        automatically), ``backlog`` (cases that wait in the evening) and ``cost`` (of the cases
        that arrived on the day, whenever they were decided).
    unit : str
        Unit of the costs.
    """

    way: str
    columns: dict[str, NDArray[Any]]
    unit: str = ""

    def __len__(self) -> int:
        return len(self.columns["arrived"])

    @property
    def cost(self) -> float:
        """Cost of all days."""
        return float(self.columns["cost"].sum())

    @property
    def share_reviewed(self) -> float:
        """Share of all cases that somebody reviewed."""
        return float(self.columns["reviewed"].sum() / max(self.columns["arrived"].sum(), 1))

    def to_frame(self) -> Any:
        """Return a pandas data frame with a row for each day, numbered from 1."""
        import pandas as pd

        days = pd.RangeIndex(1, len(self) + 1, name="day")
        return pd.DataFrame(self.columns, index=days)

    def __str__(self) -> str:
        columns, unit = self.columns, f" {self.unit}" if self.unit else ""
        return (
            f"{self.way}: {columns['arrived'].sum():,} cases in "
            f"{len(self)} {'day' if len(self) == 1 else 'days'} cost "
            f"{self.cost:,.0f}{unit}; {self.share_reviewed:.1%} reviewed, "
            f"{columns['pointless'].sum():,} to no purpose; longest backlog "
            f"{columns['backlog'].max(initial=0):,}, {columns['gave_up'].sum():,} gave up waiting"
        )


def simulate_days(
    days: Sequence[Day],
    costs: Any,
    reviewers: Reviewer | Sequence[Reviewer],
    way: str,
    *,
    waiting: float = 0.0,
    patience: int | None = None,
) -> DeskLog:
    """Run the desk for some days, and count what it costs.

    Three ways to run it:

    - "queue": the costs say which cases are deferred, whatever the capacity. What cannot be
      reviewed today waits; the oldest cases are reviewed first, of one day those first whose
      review saves most.
    - "quota": every day as many cases are reviewed as the team can, those whose review saves
      most, even if some save less than they cost. Nothing waits.
    - "allocation": every day is settled by `allocate`. Nothing waits.

    With a queue or a quota, cases are dealt to the reviewers in turn. Costs are counted with
    the true classes, and reviewers' mistakes at their expected cost, so that chance enters by
    the days alone. A case is charged to the day on which it arrived; what still waits in the
    end is decided automatically.

    Parameters
    ----------
    days : sequence of Day
        The cases of each day, see `draw_days`.
    costs : CostMatrix, array-like of shape (2, 3), or ClassCosts
        What decisions cost.
    reviewers : Reviewer or sequence of Reviewer
        The team, with capacities per day.
    way : {"queue", "quota", "allocation"}
        How the desk is run.
    waiting : float, default=0.0
        What it costs if a case waits for a night.
    patience : int, optional
        Nights after which a case is decided automatically; by default it waits for ever.

    Returns
    -------
    DeskLog

    Examples
    --------
    >>> from trisect import CostMatrix
    >>> from trisect.desk import Reviewer, draw_days, simulate_days
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")
    >>> past = [0.1, 0.3, 0.4, 0.9], [False, False, True, True]
    >>> days = draw_days(*past, volumes=[40, 120, 40])
    >>> print(simulate_days(days, costs, Reviewer("team", capacity=30), "queue"))
    queue: 200 cases in 3 days cost ...
    """
    if way not in WAYS:
        raise ValueError(f"way must be one of {sorted(WAYS)}, got {way!r}.")
    if not 0 <= waiting < np.inf or (patience is not None and patience < 0):
        raise ValueError(
            f"waiting and patience must not be negative, got {waiting!r} and {patience!r}."
        )
    desk, longest = _Desk(costs, as_team(reviewers)), np.inf if patience is None else patience
    rows, waits, charged = [], None, np.zeros(len(days))
    for today, day in enumerate(days):
        new = desk.receive(day, today)
        cases = new if waits is None else waits.joined(new)
        assigned = WAYS[way](desk, cases, day)
        reviewed = assigned != NOBODY
        left = cases.deferred & ~reviewed if way == "queue" else np.zeros(len(reviewed), bool)
        tired = left & (today - cases.arrived >= longest)
        stays = left & ~tired & (today < len(days) - 1)
        who = assigned[reviewed]
        charge = cases.automatic.copy()
        charge[reviewed] = desk.reviews[who, cases.truth[reviewed]]
        rows.append(
            {
                "arrived": len(new.truth),
                "reviewed": np.count_nonzero(reviewed),
                "pointless": np.count_nonzero(cases.savings[reviewed, who] <= 0),
                "gave_up": np.count_nonzero(tired),
                "backlog": np.count_nonzero(left & ~tired),
            }
        )
        np.add.at(charged, cases.arrived, np.where(stays, waiting, charge))
        waits = cases.take(stays)
    columns = {name: np.array([row[name] for row in rows], dtype=int) for name in COUNTED}
    return DeskLog(way, columns | {"cost": charged}, desk.unit)


@dataclass(frozen=True, eq=False)
class _Cases:
    """Cases on the desk: arrays with one entry each.

    Parameters
    ----------
    arrived : ndarray of int
        Day of arrival.
    truth : ndarray of int
        Row of the costs that holds for the case: its true state or class.
    automatic : ndarray
        What the automatic decision costs, given the truth.
    savings : ndarray of shape (n_cases, n_reviewers)
        What a review by each reviewer is expected to save.
    deferred : ndarray of bool
        Whether the costs say that the case should be reviewed.
    """

    arrived: NDArray[np.intp]
    truth: NDArray[np.intp]
    automatic: Floats
    savings: Floats
    deferred: NDArray[np.bool_]

    def take(self, rows: NDArray[np.bool_]) -> "_Cases":
        return _Cases(*(column[rows] for column in vars(self).values()))

    def joined(self, other: "_Cases") -> "_Cases":
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return _Cases(*(np.concatenate(pair) for pair in pairs))


class _Desk:
    """The team and what decisions cost."""

    def __init__(self, costs: Any, team: list[Reviewer]) -> None:
        self.costs = costs if isinstance(costs, ClassCosts) else as_cost_matrix(costs)
        self.team, self.unit = team, self.costs.unit
        n_classes = self.costs.n_classes if isinstance(self.costs, ClassCosts) else 2
        charges = [review_charges(each, self.costs) for each in team]
        self.reviews = np.array(charges).reshape(len(team), n_classes)

    def receive(self, day: Day, today: int) -> _Cases:
        found = options(day.p, self.costs, self.team)
        n, n_team = len(found.automatic), len(self.team)
        savings = np.array([found.saved_by(r) for r in range(n_team)]).reshape(n_team, n).T
        truth = checked_truth(np.asarray(day.p), day.truth)
        automatic = self.costs.charge(truth, found.decisions)
        deferred = self.costs.decide(day.p) == found.deferred
        rows = truth if isinstance(self.costs, ClassCosts) else np.where(truth, 0, 1)
        return _Cases(np.full(n, today), rows, automatic, savings, deferred)

    def deal(self, cases: _Cases, order: NDArray[np.intp]) -> NDArray[np.intp]:
        """Give cases to the reviewers in turn, in an order, until nobody can take more."""
        capacities = [int(min(each.capacity, len(order))) for each in self.team]
        rounds = np.concatenate([np.arange(number) for number in capacities] or [order[:0]])
        turns = np.repeat(np.arange(len(self.team)), capacities)[np.argsort(rounds, kind="stable")]
        n = min(len(turns), len(order))
        assigned = np.full(len(cases.truth), NOBODY, dtype=np.intp)
        assigned[order[:n]] = turns[:n]
        return assigned


def _by_queue(desk: _Desk, cases: _Cases, day: Day) -> NDArray[np.intp]:
    """Review the deferred cases, the oldest first."""
    order = np.lexsort((-cases.savings.sum(axis=1), cases.arrived))
    return desk.deal(cases, order[cases.deferred[order]])


def _by_quota(desk: _Desk, cases: _Cases, day: Day) -> NDArray[np.intp]:
    """Review as many cases as the team can, those first whose review saves most."""
    return desk.deal(cases, np.argsort(-cases.savings.sum(axis=1), kind="stable"))


def _by_allocation(desk: _Desk, cases: _Cases, day: Day) -> NDArray[np.intp]:
    """Review what saves most within the capacities."""
    return allocate(day.p, desk.costs, desk.team).assigned


WAYS: dict[str, Callable[[_Desk, _Cases, Day], NDArray[np.intp]]] = {
    "queue": _by_queue,
    "quota": _by_quota,
    "allocation": _by_allocation,
}
"""The ways to run the desk: they say who reviews which case today."""
