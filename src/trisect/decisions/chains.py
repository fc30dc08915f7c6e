"""Chains of cost matrices whose deferral region narrows from level to level."""

from __future__ import annotations  # NumPy loads numpy.random when it is named

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions.costs import CostMatrix
from trisect.decisions.given_costs import as_cost_matrix, check_agreement, is_one_matrix

Matrix: TypeAlias = CostMatrix | ArrayLike | Mapping[str, Any]

# Thresholds that are equal on paper may differ in the last bits.
_ROUNDING = 1e-12
# Least size of a random step relative to its mean, to keep steps above rounding.
_STEP_FLOOR = 0.1


def sample_cost_matrices(n_levels: int, random_state: Any = None) -> list[CostMatrix]:
    """Draw a random chain of cost matrices with the sequential property.

    Over t levels, ``beta_1 < ... < beta_{t-1} < gamma_t < alpha_{t-1} < ... < alpha_1``,
    all in (0, 1). The thresholds are drawn first, as random steps towards a common
    centre, and the costs are computed from them, so no draw is ever rejected. The right
    action costs nothing (``pp = nn = 0``). The first levels of a chain are a chain too.

    Parameters
    ----------
    n_levels : int
        Number of levels, at least 1.
    random_state : None, int, numpy.random.Generator or numpy.random.RandomState
        Seed or source of the draw.

    Returns
    -------
    list of CostMatrix
        One matrix per level.

    Examples
    --------
    >>> from trisect.decisions import sample_cost_matrices
    >>> chain = sample_cost_matrices(3, random_state=0)
    >>> chain[0].beta < chain[1].beta < chain[2].gamma < chain[1].alpha < chain[0].alpha
    True
    """
    _check_n_levels(n_levels)
    rng = np.random.default_rng(random_state)
    centre = rng.uniform(0.3, 0.7)
    below, above = _steps(rng, n_levels), _steps(rng, n_levels)
    # alpha = a / (a + d) and beta = c / (c + b), where a + d and c + b are free.
    accept_scale, reject_scale = rng.uniform(0.1, 0.5, size=(2, n_levels))
    defer_positive = (1 - centre) * above * accept_scale
    defer_negative = centre * below * reject_scale
    columns = {
        "bp": defer_positive,
        "np": defer_positive + (1 - centre * below) * reject_scale,
        "pn": defer_negative + (1 - (1 - centre) * above) * accept_scale,
        "bn": defer_negative,
    }
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    return [CostMatrix(pp=0, nn=0, **dict(zip(columns, row, strict=True))) for row in rows]


def nested(matrices: Matrix | Sequence[Matrix], n_levels: int | None = None) -> list[CostMatrix]:
    """Check that matrices form a chain, and extend them to a chain of n levels.

    A chain satisfies ``beta_1 <= ... <= beta_{t-1} < gamma_t < alpha_{t-1} <= ... <=
    alpha_1``. Added levels keep the last matrix's costs of right and wrong decisions,
    and so its gamma, and raise the costs of deferring in even steps, so that the
    deferral region narrows towards gamma.

    Parameters
    ----------
    matrices : CostMatrix, array-like of shape (2, 3), dict, or a sequence of these
        Costs of the first level or of the first several, see `as_costs`.
    n_levels : int, optional
        Length of the chain, by default the number of matrices given, and never less.

    Returns
    -------
    list of CostMatrix
        One matrix per level.

    Raises
    ------
    ValueError
        If the matrices do not nest, or a level before the last never defers; the message
        names the level and the inequality.

    Examples
    --------
    >>> from trisect.decisions import nested
    >>> chain = nested([[0, 0.2, 0.8], [0.6, 0.1, 0]], n_levels=3)
    >>> [(round(c.beta, 3), round(c.gamma, 3), round(c.alpha, 3)) for c in chain]
    [(0.143, 0.429, 0.714), (0.238, 0.429, 0.619), (0.333, 0.429, 0.524)]
    """
    chain = list(_as_matrices(matrices))
    check_agreement(chain)
    n_levels = len(chain) if n_levels is None else n_levels
    _check_n_levels(n_levels)
    if n_levels < len(chain):
        raise ValueError(
            f"{len(chain)} matrices were given for a chain of {n_levels} levels: "
            "pass fewer matrices or ask for more levels."
        )
    _check_deferring(chain, n_levels)
    chain += _narrowing(chain[-1], n_levels - len(chain))
    _check_nesting(chain)
    return chain


def leading_to(costs: Matrix, n_levels: int, strictness: float = 2.0) -> list[CostMatrix]:
    """Build a chain that ends in given costs, for levels that defer to each other.

    At the last level, to defer means a review by a person, at its full cost. At earlier
    levels it means asking the next level, which costs little: level i of t charges a
    share (i / t)^strictness of what deferring costs more than the right action. Early
    levels therefore decide clear cases only, and the deferral region narrows to that of
    the given costs.

    Parameters
    ----------
    costs : CostMatrix, array-like of shape (2, 3) or dict
        Costs of the last level.
    n_levels : int
        Number of levels.
    strictness : float, default=2.0
        How much more certain early levels must be than the last; with 0 all levels have
        the same costs.

    Returns
    -------
    list of CostMatrix
        One matrix per level, in the unit of the costs.

    Examples
    --------
    >>> from trisect.decisions import CostMatrix, leading_to
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    >>> [(round(c.beta, 3), round(c.alpha, 3)) for c in leading_to(costs, 2)]
    [(0.025, 0.95), (0.1, 0.8)]
    """
    _check_n_levels(n_levels)
    if not 0 <= strictness < np.inf:
        raise ValueError(f"strictness must be a finite number of at least 0, got {strictness!r}.")
    costs, chain = as_cost_matrix(costs), []
    for share in (np.arange(1, n_levels) / n_levels) ** strictness:
        bp = costs.pp + share * (costs.bp - costs.pp)
        bn = costs.nn + share * (costs.bn - costs.nn)
        chain.append(replace(costs, bp=bp, bn=bn))
    return [*chain, costs]


def _steps(rng: np.random.Generator, n_levels: int) -> NDArray[np.float64]:
    """Return increasing values in (0, 1), one per level, with random gaps."""
    gaps = _STEP_FLOOR + rng.exponential(size=n_levels + 1)
    steps = np.cumsum(gaps)
    return steps[:-1] / steps[-1]


def _as_matrices(matrices: Any) -> Iterator[CostMatrix]:
    if is_one_matrix(matrices):
        yield as_cost_matrix(matrices)
        return
    for level, item in enumerate(matrices, start=1):
        try:
            yield as_cost_matrix(item)
        except ValueError as error:
            raise ValueError(f"Level {level}: {error}") from error


def _narrowing(last: CostMatrix, n_more: int) -> Iterator[CostMatrix]:
    accept_scale = last.pn - last.bn + last.bp - last.pp
    reject_scale = last.bn - last.nn + last.np - last.bp
    for width in np.linspace(1, 0, n_more + 2)[1:-1].tolist():
        alpha = last.gamma + (last.alpha - last.gamma) * width
        beta = last.gamma - (last.gamma - last.beta) * width
        bp, bn = last.pp + (1 - alpha) * accept_scale, last.nn + beta * reject_scale
        yield replace(last, bp=bp, bn=bn)


def _check_deferring(chain: Sequence[CostMatrix], n_levels: int) -> None:
    for level, costs in enumerate(chain[: n_levels - 1], start=1):
        if not costs.defers:
            raise ValueError(
                f"With the costs of level {level} deferring is never worthwhile (alpha "
                f"{costs.alpha:.6g} <= beta {costs.beta:.6g}), so nothing would reach the levels "
                f"after it, up to level {n_levels}. Make deferring cheaper, or use one level "
                "only; a fitted network can decide under any costs."
            )


def _check_nesting(chain: Sequence[CostMatrix]) -> None:
    for level, (wide, narrow) in enumerate(pairwise(chain), start=1):
        here, after = f"level {level}", f"level {level + 1}"
        last = level == len(chain) - 1
        for name, sign in (("beta", "<"), ("alpha", ">")):
            bound = "gamma" if last else name
            value, limit = getattr(wide, name), getattr(narrow, bound)
            excess = value - limit if name == "beta" else limit - value
            if excess >= 0 if last else excess > _ROUNDING:
                raise ValueError(
                    f"The chain does not nest between {here} and {after}: {name} of {here} "
                    f"({value:.6g}) must be {sign if last else sign + '='} {bound} of {after} "
                    f"({limit:.6g}), violated by {excess:.3g}."
                )


def _check_n_levels(n_levels: int) -> None:
    if isinstance(n_levels, bool) or not isinstance(n_levels, int | np.integer) or n_levels < 1:
        raise ValueError(f"n_levels must be an integer of at least 1, got {n_levels!r}.")
