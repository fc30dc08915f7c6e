"""Who reviews what: a transportation problem between cases and reviewers, solved exactly.

Each case goes to at most one reviewer, each reviewer takes at most so many cases, and the sum
of the savings is as large as possible. Within a kind of reviewers only the price of a review
differs, and the cheapest are used first.

Small problems are one linear program, whose vertices are whole numbers. Large ones are sifted:
cases are summarised in a thousand cells, a program of which prices each kind; at these prices
almost all cases have a clear best option and are settled, and the unclear ones are summarised
in turn until they are few enough to be solved. What one more review would be worth proves the
result, or says by how much it can be bettered.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array

from trisect.desk.cells import summarise
from trisect.desk.worth import Counts, Floats, Team, worth_of_one_more

__all__ = ["Shipment", "ship"]

# With ten kinds a linear program of 1,000 rows takes 0.1 s, one of 4,000 rows 1 s.
CELLS, ROWS, MOST_ROWS = 1_024, 4_096, 16_384
# Share of the rows that are still unclear once their cells have been priced.
SHRINK = 0.1
# A gap below this share of what is at stake is rounding.
ROUNDING = 1e-9


class Shipment(NamedTuple):
    """Reviews of each kind for each row, and by how much they can fall short of the optimum.

    Parameters
    ----------
    flows : ndarray of int of shape (n_kinds, n_rows)
        Cases of each row that are reviewed by each kind.
    worth : ndarray of shape (n_reviewers,)
        What one more review by each reviewer would save.
    gap : float
        Upper bound on what a better assignment could save on top; 0 if there is none.
    """

    flows: Counts
    worth: Floats
    gap: float


def ship(savings: Floats, counts: Counts, team: Team) -> Shipment:
    """Assign cases to kinds of reviewers so that they save the most.

    Parameters
    ----------
    savings : ndarray of shape (n_kinds, n_rows)
        What a review by the cheapest of each kind saves on a case of each row.
    counts : ndarray of int of shape (n_rows,)
        Cases of each row.
    team : Team
        The reviewers.

    Returns
    -------
    Shipment
        Reviews of each kind, what one more would be worth, and the gap.
    """
    flows = np.zeros(savings.shape, dtype=np.int64)
    live = np.flatnonzero(savings.max(axis=0) > 0)
    if not len(live):
        return Shipment(flows, np.zeros(len(team.extra)), 0.0)
    scale = float(savings.max())
    scaled = team._replace(extra=team.extra / scale)
    flows[:, live], worth, gap = _solve(savings[:, live] / scale, counts[live], scaled)
    return Shipment(flows, scale * worth, scale * gap)


def _solve(savings: Floats, counts: Counts, team: Team) -> Shipment:
    """Sift with ever larger programs, until the result is proved or the programs too large."""
    prices, width, rows = np.zeros(len(savings)), savings.shape[1], ROWS
    while True:
        flows, prices = _sift(savings, counts, team, prices, width, rows)
        worth = worth_of_one_more(savings, counts, team, flows)
        gap = _gap(savings, counts, team, flows, team.prices(worth))
        if gap == 0 or rows >= min(MOST_ROWS, savings.shape[1]):
            return Shipment(flows, worth, gap)
        width = rows = 2 * rows


def _sift(
    savings: Floats, counts: Counts, team: Team, prices: Floats, width: int, rows: int
) -> tuple[Counts, Floats]:
    """Settle what is clear at prices that get better, and solve the rest."""
    flows = np.zeros(savings.shape, dtype=np.int64)
    taken, limits = np.zeros(len(savings)), np.bincount(team.kinds, team.capacities)
    unclear, cells = np.arange(savings.shape[1]), CELLS
    while True:
        here, cases = savings[:, unclear], counts[unclear]
        if width < len(unclear):
            settled, order = _settle(here, cases, prices, width)
            loads = settled.sum(axis=1)
            if (taken + loads > limits).any():
                # The prices are worse than they should be: more cells make better ones.
                cells, width = 2 * cells, len(unclear)
                rows = max(rows, cells)
                continue
            flows[:, unclear] = settled
            unclear, taken = unclear[order[:width]], taken + loads
        elif len(unclear) > rows:
            prices = _program(*summarise(here, cases, cells), team, taken)[1]
            width = max(int(SHRINK * len(unclear)), rows)
        else:
            reviews, prices = _program(here, cases, team, taken)
            flows[:, unclear] = np.rint(reviews)
            return flows, prices


def _settle(
    savings: Floats, counts: Counts, prices: Floats, width: int
) -> tuple[Counts, NDArray[np.intp]]:
    """Give cases what is best for them at these prices, but for the least clear rows.

    Returns the flows, and an order of the rows in which the least clear come first.
    """
    # Option 0 decides automatically, which saves nothing; option k + 1 is kind k.
    best, second = np.zeros(len(counts)), np.full(len(counts), -np.inf)
    choice, rival = np.zeros((2, len(counts)), dtype=np.intp)
    for option, (row, price) in enumerate(zip(savings, prices, strict=True), start=1):
        net = row - price
        closer = net > second
        second[closer], rival[closer] = net[closer], option
        better = net > best
        best[better], second[better] = second[better], best[better]
        choice[better], rival[better] = option, choice[better]
    order = _least_clear(best - second, choice, rival, width)
    flows = np.zeros(savings.shape, dtype=np.int64)
    clear = order[width:][choice[order[width:]] > 0]
    flows[choice[clear] - 1, clear] = counts[clear]
    return flows, order


def _least_clear(
    margin: Floats, choice: NDArray[np.intp], rival: NDArray[np.intp], width: int
) -> NDArray[np.intp]:
    """Return an order in which those rows come first whose best option is least clear.

    As many of each pair of options, if there are: between reviewers who hardly differ all
    margins are small, and would leave no room for others.
    """
    pair = np.minimum(choice, rival) * (choice.max() + rival.max() + 1) + np.maximum(choice, rival)
    order = np.lexsort((margin, pair))
    starts = np.flatnonzero(np.diff(pair[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    return order[np.argpartition(rank, width)]


def _program(
    savings: Floats, supplies: NDArray, team: Team, taken: Floats
) -> tuple[Floats, Floats]:
    """Solve the linear program of some rows, when others have taken part of the capacity.

    Returns the reviews of each row by each kind, and the price of a review of each kind.
    """
    (n_kinds, n), n_team = savings.shape, len(team.extra)
    kinds, rows = np.nonzero(savings > 0)
    pairs, people = np.arange(len(rows)), len(rows) + np.arange(n_team)
    entries = np.concatenate((np.ones(2 * len(rows)), -np.ones(n_team)))
    down = np.concatenate((rows, n + kinds, n + team.kinds))
    across = np.concatenate((pairs, pairs, people))
    upper = np.concatenate((np.full(len(rows), np.inf), team.capacities))
    done = linprog(
        np.concatenate((-savings[kinds, rows], team.extra)),
        A_ub=coo_array((entries, (down, across)), shape=(n + n_kinds, len(upper))).tocsr(),
        b_ub=np.concatenate((supplies, -taken)),
        bounds=np.column_stack((np.zeros(len(upper)), upper)),
        # Ends in a vertex as the simplex does, several times faster on some thousand rows.
        method="highs-ipm",
    )
    if done.status != 0:
        raise RuntimeError(f"The linear program of the allocation failed: {done.message}")
    reviews = np.zeros(savings.shape)
    reviews[kinds, rows] = done.x[: len(rows)]
    return reviews, np.maximum(-done.ineqlin.marginals[n:], 0.0)


def _gap(savings: Floats, counts: Counts, team: Team, flows: Counts, prices: Floats) -> float:
    """Return by how much the bound that prices prove exceeds what the flows save."""
    rent = np.maximum(prices[team.kinds] - team.extra, 0)
    paid = rent > 0
    bound = counts @ np.maximum((savings - prices[:, None]).max(axis=0), 0)
    bound += rent[paid] @ team.capacities[paid]
    saved = (flows * savings).sum() - team.fill(flows.sum(axis=1)) @ team.extra
    return float(bound - saved) if bound - saved > ROUNDING * bound else 0.0
