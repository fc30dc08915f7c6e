"""The costs of accepting, deferring and rejecting, and the thresholds they imply."""

import math
from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy
from numpy.typing import ArrayLike, NDArray

from trisect.decisions.costs_base import Costs

_COSTS = ("pp", "bp", "np", "pn", "bn", "nn")


@dataclass(frozen=True, kw_only=True, repr=False)
class CostMatrix(Costs):
    """The cost of each action for each true state, the same for all instances.

    The first letter is the action (P accept, B defer, N reject), the second the
    true state (P positive, N negative): ``np`` is the cost of rejecting a positive
    instance. The theory wants costs below 1. Only their ratios matter to the
    thresholds, so costs in any unit can be divided by one number: `from_review` and
    `from_amounts` do that and keep the number as `scale`, so that `amounts`, texts and
    plots are in the user's unit.

    Parameters
    ----------
    pp, bp, np : float
        Cost of accepting, deferring and rejecting a positive instance, with
        ``0 <= pp < bp < np < 1``.
    pn, bn, nn : float
        Cost of accepting, deferring and rejecting a negative instance, with
        ``0 <= nn < bn < pn < 1``.
    scale : float, default=1.0
        How many of the user's units a cost of 1 stands for.
    unit : str, default=""
        Name of the user's unit, such as "EUR", for texts and plots.
    strict : bool, default=True
        Whether to enforce the conditions of the theory. Otherwise only the wrong
        action must cost more than the right one: deferring may cost nothing, or so
        much that it is never worthwhile (`defers` is False then).

    Raises
    ------
    ValueError
        If one of the two orders above is broken, or if deferring is so expensive that
        no probability would ever be deferred, that is, unless
        ``(bn - nn) * (bp - pp) < (pn - bn) * (np - bp)``.

    Examples
    --------
    >>> from trisect.decisions import CostMatrix
    >>> costs = CostMatrix(pp=0, bp=0.1506, np=0.9021, pn=0.4592, bn=0.1249, nn=0)
    >>> round(costs.alpha, 4), round(costs.beta, 4)
    (0.6894, 0.1425)
    """

    pp: float
    bp: float
    np: float
    pn: float
    bn: float
    nn: float
    scale: float = 1.0
    unit: str = ""
    strict: bool = field(default=True, compare=False)

    def __post_init__(self) -> None:
        for name in (*_COSTS, "scale"):
            object.__setattr__(self, name, float(getattr(self, name)))
        if not 0 < self.scale < math.inf:
            raise ValueError(f"scale must be a positive number, got {self.scale!r}.")
        if not self.strict:
            self._check_sense()
            return
        self._check_order("positive", "pp", "bp", "np")
        self._check_order("negative", "nn", "bn", "pn")
        never = (self.bn - self.nn) * (self.bp - self.pp)
        always = (self.pn - self.bn) * (self.np - self.bp)
        if not never < always:
            raise ValueError(
                "Deferring costs too much ever to be worthwhile: "
                f"(BN - NN) * (BP - PP) = {never:.6g} must be below "
                f"(PN - BN) * (NP - BP) = {always:.6g}. Lower BP or BN "
                f"(now {self.bp:.6g} and {self.bn:.6g}), or pass strict=False."
            )

    def _check_sense(self) -> None:
        amounts = {name.upper(): getattr(self, name) * self.scale for name in _COSTS}
        for title, amount in amounts.items():
            if not 0 <= amount < math.inf:
                raise ValueError(
                    f"Costs must be finite and not negative, got {title} = {amount:.6g}."
                )
        orders = (("positive", "PP", "BP", "NP"), ("negative", "NN", "BN", "PN"))
        for state, right, middle, wrong in orders:
            if not amounts[right] < amounts[wrong]:
                raise ValueError(
                    f"The wrong action must cost more than the right one: for a {state} "
                    f"instance {wrong} = {amounts[wrong]:.6g} must be above "
                    f"{right} = {amounts[right]:.6g}."
                )
            if amounts[middle] < amounts[right]:
                raise ValueError(
                    f"Deferring a {state} instance must not cost less than the right action: "
                    f"{middle} = {amounts[middle]:.6g}, {right} = {amounts[right]:.6g}."
                )

    def _check_order(self, state: str, *names: str) -> None:
        """Check that the costs of the right action, of deferring and of the wrong one rise."""
        right, defer, wrong = (getattr(self, name) for name in names)
        if 0 <= right < defer < wrong < 1:
            return
        titles = [name.upper() for name in names]
        values = ", ".join(f"{name.upper()} = {getattr(self, name):.6g}" for name in names)
        if 0 <= right < defer < wrong:
            advice = "Divide all six costs by one number; the thresholds stay the same."
        else:
            advice = "The right action must cost least, deferring more, the wrong action most."
        raise ValueError(
            f"The costs of a {state} instance must satisfy "
            f"0 <= {' < '.join(titles)} < 1, got {values}. {advice}"
        )

    @classmethod
    def from_array(cls, array: ArrayLike) -> Self:
        """Build from ``[[PP, BP, NP], [PN, BN, NN]]``: a row per state, a column per action.

        Parameters
        ----------
        array : array-like of shape (2, 3)
            Rows are the true state (positive, negative), columns the action
            (accept, defer, reject).

        Examples
        --------
        >>> from trisect.decisions import CostMatrix
        >>> CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])
        CostMatrix(pp=0.0, bp=0.2, np=0.8, pn=0.6, bn=0.1, nn=0.0)
        """
        pp, bp, np, pn, bn, nn = cls._shaped(array).ravel().tolist()
        return cls(pp=pp, bp=bp, np=np, pn=pn, bn=bn, nn=nn)

    @classmethod
    def from_amounts(cls, amounts: ArrayLike, unit: str = "") -> Self:
        """Build from six costs in any unit, laid out as in `from_array`.

        The costs are divided by a power of two above the largest, which is exact, and
        reported in the unit they were given in. Deferring may cost more than it can
        save: see `defers`.

        Parameters
        ----------
        amounts : array-like of shape (2, 3)
            ``[[PP, BP, NP], [PN, BN, NN]]`` in the user's unit.
        unit : str, default=""
            Name of the unit.

        Examples
        --------
        >>> from trisect.decisions import CostMatrix
        >>> costs = CostMatrix.from_amounts([[0, 15, 900], [450, 15, 0]], unit="EUR")
        >>> print(costs)
                  accept   defer  reject  [EUR]
        positive       0      15     900
        negative     450      15       0
        alpha 0.9667, beta 0.0167, gamma 0.3333
        """
        values = cls._shaped(amounts)
        if not (numpy.isfinite(values).all() and (values >= 0).all()):
            raise ValueError(
                f"Costs must be finite and not negative, got {values.tolist()}: "
                "no NaN, no infinity, no gains."
            )
        largest = values.max()
        if not 0 < largest < 1e300:
            raise ValueError(f"The largest cost must be above 0 and below 1e300, got {largest:g}.")
        scale = math.ldexp(1.0, math.frexp(largest)[1])
        pp, bp, np, pn, bn, nn = (values / scale).ravel().tolist()
        return cls(pp=pp, bp=bp, np=np, pn=pn, bn=bn, nn=nn, scale=scale, unit=unit, strict=False)

    @classmethod
    def from_review(
        cls,
        *,
        false_accept: float,
        false_reject: float,
        review: float | tuple[float, float],
        true_accept: float = 0.0,
        true_reject: float = 0.0,
        unit: str = "",
    ) -> Self:
        """Build from what mistakes and a manual review cost, in any currency.

        Parameters
        ----------
        false_accept : float
            Cost of accepting a negative instance.
        false_reject : float
            Cost of rejecting a positive instance.
        review : float or pair of float
            Cost of deferring an instance to someone who looks at it. A pair gives the
            cost for a positive and for a negative instance.
        true_accept, true_reject : float, default=0.0
            Cost of the right decision, such as the postage of an offer.
        unit : str, default=""
            Name of the currency.

        Examples
        --------
        >>> from trisect.decisions import CostMatrix
        >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
        >>> costs.alpha, costs.beta, costs.defers
        (0.8, 0.1, True)

        Nothing is deferred if a review costs more than it can save:

        >>> expensive = CostMatrix.from_review(false_accept=5, false_reject=10, review=4)
        >>> expensive.defers
        False
        >>> print(expensive)
                  accept   defer  reject
        positive       0       4      10
        negative       5       4       0
        never defers; gamma 0.3333
        """
        pair = numpy.asarray(review, dtype=float)
        if pair.shape not in ((), (2,)):
            raise ValueError(
                "review must be one cost, or a pair for positive and negative instances, "
                f"got {review!r}. For costs per instance use InstanceCosts.from_review."
            )
        positive, negative = numpy.broadcast_to(pair, 2).tolist()
        return cls.from_amounts(
            [[true_accept, positive, false_reject], [false_accept, negative, true_reject]], unit
        )

    @staticmethod
    def _shaped(array: ArrayLike) -> NDArray[numpy.float64]:
        values = numpy.asarray(array, dtype=float)
        if values.shape != (2, 3):
            raise ValueError(
                "A cost matrix has two rows (positive, negative) and three columns "
                f"(accept, defer, reject), got an array of shape {values.shape}."
            )
        return values

    def to_array(self) -> NDArray[numpy.float64]:
        """Return ``[[PP, BP, NP], [PN, BN, NN]]``, divided by `scale`, as a new array."""
        return numpy.array([getattr(self, name) for name in _COSTS]).reshape(2, 3)

    @property
    def amounts(self) -> NDArray[numpy.float64]:  # type: ignore[override]
        """``[[PP, BP, NP], [PN, BN, NN]]`` in the user's unit, as a new array."""
        return self.to_array() * self.scale

    @property
    def alpha(self) -> float:
        """Probability from which accepting costs no more than deferring."""
        gain, price = self.pn - self.bn, self.bp - self.pp
        return gain / (gain + price) if gain > 0 else 0.0

    @property
    def beta(self) -> float:
        """Probability up to which rejecting costs no more than deferring."""
        price, gain = self.bn - self.nn, self.np - self.bp
        return price / (price + gain) if gain > 0 else 1.0

    @property
    def gamma(self) -> float:
        """Probability from which accepting is cheaper than rejecting."""
        accept, reject = self.pn - self.nn, self.np - self.pp
        return accept / (accept + reject)

    @property
    def defers(self) -> bool:
        """Whether deferring is the cheapest action for any probability."""
        return self.beta < self.alpha

    @property
    def thresholds(self) -> tuple[float, float]:
        """Alpha and beta, or gamma twice if deferring is never worthwhile."""
        return (self.alpha, self.beta) if self.defers else (self.gamma, self.gamma)

    def mean(self) -> Self:
        """Return the average costs, which are these."""
        return self

    def take(self, rows: Any) -> Self:
        """Return the costs of some of the instances, which are these."""
        return self

    def equivalent(self, other: "CostMatrix") -> bool:
        """Check whether both matrices lead to the same decision for every probability.

        Parameters
        ----------
        other : CostMatrix
            Costs in any unit.

        Examples
        --------
        >>> from trisect.decisions import CostMatrix
        >>> euro = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
        >>> cent = CostMatrix.from_review(false_accept=500, false_reject=1000, review=100)
        >>> euro == cent, euro.equivalent(cent)
        (False, True)
        """
        return self.defers == other.defers and all(
            math.isclose(mine, others, abs_tol=1e-12)
            for mine, others in zip(self.thresholds, other.thresholds, strict=True)
        )

    def __repr__(self) -> str:
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        defaults = {each.name: each.default for each in fields(self)}
        shown = (f"{name}={v!r}" for name, v in values.items() if v != defaults[name])
        return f"CostMatrix({', '.join(shown)})"

    def __str__(self) -> str:
        plain = self.scale == 1.0
        cells = [[f"{c:.4f}" if plain else f"{c:.6g}" for c in row] for row in self.amounts]
        width = max(8, 2 + max(len(cell) for row in cells for cell in row))
        rows = [["", "accept", "defer", "reject"], ["positive", *cells[0]], ["negative", *cells[1]]]
        lines = [f"{row[0]:8}" + "".join(f"{cell:>{width}}" for cell in row[1:]) for row in rows]
        if self.unit:
            lines[0] += f"  [{self.unit}]"
        if self.defers:
            lines.append(f"alpha {self.alpha:.4f}, beta {self.beta:.4f}, gamma {self.gamma:.4f}")
        else:
            lines.append(f"never defers; gamma {self.gamma:.4f}")
        return "\n".join(lines)
