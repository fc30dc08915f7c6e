"""Who reviews which case: the allocation of a day's cases to the model and to reviewers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import ClassCosts, as_costs
from trisect.desk.options import Options, options
from trisect.desk.reviewer import Reviewer, as_team
from trisect.desk.transport import ship
from trisect.desk.worth import Counts, Floats, Team

__all__ = ["Allocation", "allocate"]

NOBODY = -1


@dataclass(frozen=True, eq=False)
class Allocation:
    """Which cases are decided automatically, and who reviews the others.

    Parameters
    ----------
    reviewers : list of Reviewer
        The team.
    assigned : ndarray of int of shape (n_cases,)
        Index in `reviewers` of who reviews each case, -1 where the model decides.
    decisions : ndarray of int of shape (n_cases,)
        1 accepts, -1 rejects, 0 goes to review; with `ClassCosts` the index of the accepted
        class, and -1 for a review.
    expected : ndarray of shape (n_cases,)
        Expected cost of each case, reviews and mistakes included.
    automatic : ndarray of shape (n_cases,)
        Expected cost of each case if nobody could review it.
    worth : ndarray of shape (n_reviewers,)
        What one more review by each reviewer would save: the dual value of the capacity.
    gap : float
        Upper bound on what a better allocation could save; 0 if this one is proved optimal.
    unit : str
        Unit of all costs.
    """

    reviewers: list[Reviewer]
    assigned: NDArray[np.intp]
    decisions: NDArray[Any]
    expected: Floats
    automatic: Floats
    worth: Floats
    gap: float
    unit: str

    @property
    def cost(self) -> float:
        """Expected cost of all cases."""
        return float(self.expected.sum())

    @property
    def saving(self) -> float:
        """By how much the expected cost is below that of deciding all cases automatically."""
        return float(self.automatic.sum()) - self.cost

    @cached_property
    def loads(self) -> NDArray[np.intp]:
        """Number of cases that each reviewer gets."""
        return np.bincount(self.assigned[self.assigned != NOBODY], minlength=len(self.reviewers))

    def cases(self, name: str) -> NDArray[np.intp]:
        """Return the cases of a reviewer, those first whose review saves most.

        Parameters
        ----------
        name : str
            Name of the reviewer.
        """
        names = [each.name for each in self.reviewers]
        if name not in names:
            raise ValueError(f"There is no reviewer {name!r}, only {', '.join(names) or 'nobody'}.")
        rows = np.flatnonzero(self.assigned == names.index(name))
        saved = self.automatic[rows] - self.expected[rows]
        return rows[np.argsort(-saved, kind="stable")]

    def to_frame(self) -> Any:
        """Return a pandas data frame with a row for each case."""
        import pandas as pd

        names = np.array([*(each.name for each in self.reviewers), ""], dtype=object)
        return pd.DataFrame(
            {
                "reviewer": names[self.assigned],
                "decision": self.decisions,
                "expected_cost": self.expected,
                "saving": self.automatic - self.expected,
            }
        )

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        n = len(self.assigned)
        rows = [("reviewer", "cases", "capacity", f"one more saves{unit and f' [{self.unit}]'}")]
        rows += [
            (each.name, f"{load:,}", f"{each.capacity:,.0f}", f"{worth:,.2f}")
            for each, load, worth in zip(self.reviewers, self.loads, self.worth, strict=True)
        ]
        rows.append(("the model", f"{n - self.loads.sum():,}", "", ""))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            f"{row[0]:<{widths[0]}}"
            + "".join(f"  {cell:>{w}}" for cell, w in zip(row[1:], widths[1:], strict=True))
            for row in rows
        ]
        lines.append(
            f"expected cost {self.cost:,.2f}{unit}, {self.saving:,.2f} less than without reviews"
        )
        if self.gap:
            lines.append(f"at most {self.gap:.3g}{unit} above the least possible cost")
        return "\n".join(line.rstrip() for line in lines)


def allocate(
    p: ArrayLike,
    costs: Any,
    reviewers: Reviewer | Sequence[Reviewer],
) -> Allocation:
    """Decide which cases the model decides and who reviews the rest, at the least cost.

    The expected cost of a review is its fee and that of the reviewer's mistakes; cases go
    where they cost least, within the capacity of each reviewer. A reviewer who is worse than
    the model gets none; reviewers who are equally good and expensive share their cases in
    proportion to their capacity. With reviewers who make no mistakes, cost what deferring
    costs, and have no limit, the decisions are those of `decide`.

    Each case is reviewed at most once: second opinions are not considered. Reviewers are
    taken to err independently of the model's probability.

    Parameters
    ----------
    p : array-like of shape (n_cases,) or (n_cases, n_classes)
        Probability of the positive class for each case of a period, such as a day; with
        `ClassCosts` that of each class, in the order of the costs.
    costs : CostMatrix, InstanceCosts, ClassCosts, array-like, dict or data frame
        What decisions cost, for all cases alike or for each, see
        `trisect.decisions.as_costs`. Deferring costs what the reviewer costs, or what these
        costs say if the reviewer has no cost.
    reviewers : Reviewer or sequence of Reviewer
        The team.

    Returns
    -------
    Allocation
        Who gets what, the expected cost, and what one more review by each would save.

    Notes
    -----
    This is a transportation problem. Up to some thousand cases it is solved as one linear
    program by HiGHS; beyond, most cases are settled by the dual prices of a sample, and the
    rest by a program of their own. ``gap`` says how far from optimal the result can be.

    Examples
    --------
    >>> from trisect import CostMatrix
    >>> from trisect.desk import Reviewer, allocate
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")
    >>> team = [Reviewer("Ana", cost=1, capacity=1), Reviewer("Ben", cost=1.5, capacity=1)]
    >>> day = allocate([0.05, 0.2, 0.3, 0.5, 0.9], costs, team)
    >>> day.decisions
    array([-1, -1,  0,  0,  1], dtype=int8)
    >>> print(day)
    reviewer   cases  capacity  one more saves [EUR]
    Ana            1         1                  1.00
    Ben            1         1                  0.50
    the model      3
    expected cost 5.50 EUR, 3.00 less than without reviews
    """
    team = as_team(reviewers)
    costs = costs if isinstance(costs, ClassCosts) else as_costs(costs)
    found = options(p, costs, team)
    capacities = np.array([float(each.capacity) for each in team])
    # To each case its favourite: within the capacities there is no more to do.
    assigned = _favourites(found)
    worth, gap = np.zeros(len(team)), 0.0
    if (np.bincount(assigned[assigned != NOBODY], minlength=len(team)) > capacities).any():
        assigned, worth, gap = _assign(found, Team(found.kinds, found.extra, capacities))
    _share(assigned, found, capacities)
    decisions, expected = found.decisions.copy(), found.automatic.copy()
    decisions[assigned != NOBODY] = found.deferred
    for r in range(len(team)):
        mine = assigned == r
        expected[mine] -= found.saved_by(r)[mine]
    return Allocation(team, assigned, decisions, expected, found.automatic, worth, gap, costs.unit)


def _favourites(found: Options) -> NDArray[np.intp]:
    """Return the best reviewer of each case, capacities aside."""
    best = np.full(len(found.automatic), -np.inf)
    favourites = np.full(len(best), NOBODY, dtype=np.intp)
    for r, worthwhile in enumerate(found.worthwhile):
        saved = found.saved_by(r)
        better = worthwhile & (saved > best)
        favourites[better], best[better] = r, saved[better]
    return favourites


def _assign(found: Options, team: Team) -> tuple[NDArray[np.intp], Floats, float]:
    """Return who reviews each case, what one more review is worth, and the gap."""
    savings, place, counts = _merge(found.savings)
    flows, worth, gap = ship(savings, counts, team)
    kinds, loads = _spread(flows, place, counts), team.fill(flows.sum(axis=1))
    assigned = np.full(len(place), NOBODY, dtype=np.intp)
    for kind in range(len(flows)):
        members = np.flatnonzero(team.kinds == kind)
        assigned[kinds == kind] = np.repeat(members, loads[members])
    return assigned, worth, gap


def _share(assigned: NDArray[np.intp], found: Options, capacities: Floats) -> None:
    """Divide the cases of reviewers who are alike in proportion to their capacities, in place."""
    groups: dict[tuple[int, float], list[int]] = {}
    for r, key in enumerate(zip(found.kinds.tolist(), found.extra.tolist(), strict=True)):
        groups.setdefault(key, []).append(r)
    for members in groups.values():
        cases = np.flatnonzero(np.isin(assigned, members))
        if len(members) == 1 or not len(cases):
            continue
        room = capacities[members]
        room = np.where(np.isinf(room), max(len(cases), room[np.isfinite(room)].sum()), room)
        exact = len(cases) * room / room.sum()
        loads = np.floor(exact).astype(np.intp)
        loads[np.argsort(loads - exact, kind="stable")[: len(cases) - loads.sum()]] += 1
        # In turn, so that nobody gets only the first cases of the day.
        turns = np.concatenate([(np.arange(load) + 0.5) / load for load in loads if load])
        assigned[cases] = np.repeat(members, loads)[np.argsort(turns, kind="stable")]


def _merge(savings: Floats) -> tuple[Floats, NDArray[np.intp], Counts]:
    """Merge cases that are alike; return the distinct ones, the place of each, and counts."""
    # Sorting one number per case is far cheaper than sorting several.
    key = sum(row * np.sqrt(k + 2.0) for k, row in enumerate(savings))
    _, first, place, counts = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    n = len(place)
    if len(first) < n and np.array_equal(savings[:, first[place]], savings):
        return savings[:, first], place, counts
    return savings, np.arange(n), np.ones(n, dtype=np.int64)


def _spread(flows: Counts, place: NDArray[np.intp], counts: Counts) -> NDArray[np.intp]:
    """Return the kind that reviews each case, from the flows of merged ones."""
    shares = np.column_stack((flows.T, counts - flows.sum(axis=0)))
    names = np.tile(np.append(np.arange(len(flows)), NOBODY), len(shares))
    kinds = np.empty(len(place), dtype=np.intp)
    kinds[np.argsort(place, kind="stable")] = np.repeat(names, shares.ravel())
    return kinds
