"""The costs of accepting, deferring and rejecting, and the thresholds they imply."""

from dataclasses import astuple, dataclass, fields
from typing import Self

import numpy
from numpy.typing import ArrayLike, NDArray

_TITLES = {name: name.upper() for name in ("pp", "bp", "np", "pn", "bn", "nn")}


@dataclass(frozen=True, kw_only=True)
class CostMatrix:
    """The cost of each action for each true state, at one level.

    The first letter is the action (P accept, B defer, N reject), the second the
    true state (P positive, N negative): ``np`` is the cost of rejecting a positive
    instance. Only ratios matter to the thresholds, so costs in any unit can be
    brought below 1 by dividing all six by the same number.

    Parameters
    ----------
    pp, bp, np : float
        Cost of accepting, deferring and rejecting a positive instance, with
        ``0 <= pp < bp < np < 1``.
    pn, bn, nn : float
        Cost of accepting, deferring and rejecting a negative instance, with
        ``0 <= nn < bn < pn < 1``.

    Raises
    ------
    ValueError
        If one of the two orders above is broken, or if deferring is so dear that
        no probability would ever be deferred, that is unless
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

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, float(getattr(self, field.name)))
        self._check_order("positive", "pp", "bp", "np")
        self._check_order("negative", "nn", "bn", "pn")
        never = (self.bn - self.nn) * (self.bp - self.pp)
        always = (self.pn - self.bn) * (self.np - self.bp)
        if not never < always:
            raise ValueError(
                "Deferring costs too much to be ever worth it: "
                f"(BN - NN) * (BP - PP) = {never:.6g} must be below "
                f"(PN - BN) * (NP - BP) = {always:.6g}. Lower BP or BN "
                f"(now {self.bp:.6g} and {self.bn:.6g})."
            )

    def _check_order(self, state: str, right: str, defer: str, wrong: str) -> None:
        names = (right, defer, wrong)
        costs = tuple(getattr(self, name) for name in names)
        if 0 <= costs[0] < costs[1] < costs[2] < 1:
            return
        titles = [_TITLES[name] for name in names]
        values = ", ".join(f"{t} = {v:.6g}" for t, v in zip(titles, costs, strict=True))
        if costs[0] >= 0 and costs[0] < costs[1] < costs[2]:
            advice = "Divide all six costs by one number; the thresholds stay the same."
        else:
            advice = "The right action must cost least, deferring more, the wrong action most."
        raise ValueError(
            f"The costs of a {state} instance must satisfy "
            f"0 <= {titles[0]} < {titles[1]} < {titles[2]} < 1, got {values}. {advice}"
        )

    @classmethod
    def from_array(cls, array: ArrayLike) -> Self:
        """Build from ``[[PP, BP, NP], [PN, BN, NN]]``: a row per state, a column per action.

        Parameters
        ----------
        array : array-like of shape (2, 3)
            Rows are the true state (positive, negative), columns the action
            (accept, defer, reject).

        Returns
        -------
        CostMatrix

        Examples
        --------
        >>> from trisect.decisions import CostMatrix
        >>> CostMatrix.from_array([[0, 0.2, 0.8], [0.6, 0.1, 0]])
        CostMatrix(pp=0.0, bp=0.2, np=0.8, pn=0.6, bn=0.1, nn=0.0)
        """
        values = numpy.asarray(array, dtype=float)
        if values.shape != (2, 3):
            raise ValueError(
                "A cost matrix has two rows (positive, negative) and three columns "
                f"(accept, defer, reject), got an array of shape {values.shape}."
            )
        pp, bp, np, pn, bn, nn = values.ravel().tolist()
        return cls(pp=pp, bp=bp, np=np, pn=pn, bn=bn, nn=nn)

    def to_array(self) -> NDArray[numpy.float64]:
        """Return ``[[PP, BP, NP], [PN, BN, NN]]`` as a new array."""
        return numpy.array(astuple(self)).reshape(2, 3)

    @property
    def alpha(self) -> float:
        """Probability from which accepting is the cheapest of the three actions."""
        gain, price = self.pn - self.bn, self.bp - self.pp
        return gain / (gain + price)

    @property
    def beta(self) -> float:
        """Probability up to which rejecting is the cheapest of the three actions."""
        price, gain = self.bn - self.nn, self.np - self.bp
        return price / (price + gain)

    @property
    def gamma(self) -> float:
        """Probability from which accepting is cheaper than rejecting."""
        accept, reject = self.pn - self.nn, self.np - self.pp
        return accept / (accept + reject)

    def __str__(self) -> str:
        rows = (
            ("", "accept", "defer", "reject"),
            ("positive", *(f"{cost:.4f}" for cost in (self.pp, self.bp, self.np))),
            ("negative", *(f"{cost:.4f}" for cost in (self.pn, self.bn, self.nn))),
        )
        lines = [f"{row[0]:8}" + "".join(f"{cell:>8}" for cell in row[1:]) for row in rows]
        lines.append(f"alpha {self.alpha:.4f}, beta {self.beta:.4f}, gamma {self.gamma:.4f}")
        return "\n".join(lines)
