"""The costs of accepting, deferring and rejecting, and the thresholds they imply."""

from dataclasses import dataclass, fields
from typing import Any, Self

import numpy
from numpy.typing import ArrayLike, NDArray

from trisect.decisions.costs_base import Costs

_COSTS = ("pp", "bp", "np", "pn", "bn", "nn")
# Sums and differences of larger amounts would overflow.
_LARGEST = 1e300
_LAYOUT = (
    "A cost matrix has two rows (truly positive, truly negative) and three columns (accept, "
    "defer, reject)"
)


@dataclass(frozen=True, kw_only=True, repr=False)
class CostMatrix(Costs):
    """The cost of each action for each true state, the same for all instances.

    The first letter is the action (P accept, B defer, N reject), the second the
    true state (P positive, N negative): ``np`` is the cost of rejecting a positive
    instance. Costs are in any unit, and a gain is a negative cost: only differences
    between the actions matter to decisions. `from_review` asks for them in words.

    Parameters
    ----------
    pp, bp, np : float
        Cost of accepting, deferring and rejecting a positive instance, with
        ``pp <= bp`` and ``pp < np``.
    pn, bn, nn : float
        Cost of accepting, deferring and rejecting a negative instance, with
        ``nn <= bn`` and ``nn < pn``.
    unit : str, default=""
        Name of the unit, such as "EUR", for texts and plots.
    accept, reject : label, default=None
        The positive class, which it is right to accept, and the negative one. To name one
        of them is enough. Estimators and metrics follow the name; otherwise the positive
        class is their ``pos_label``.

    Raises
    ------
    ValueError
        If a cost is not finite, if the wrong action costs no more than the right one, or
        if deferring costs less than the right action. Deferring may cost so much that it
        is never worthwhile: see `defers`.

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
    unit: str = ""
    accept: Any = None
    reject: Any = None

    def __post_init__(self) -> None:
        for name in _COSTS:
            # + 0.0 turns a negative zero into a plain one.
            object.__setattr__(self, name, float(getattr(self, name)) + 0.0)
        for name in _COSTS:
            if not abs(getattr(self, name)) < _LARGEST:
                raise ValueError(
                    f"Costs must be finite and below {_LARGEST:g}, "
                    f"got {name.upper()} = {getattr(self, name):g}."
                )
        self._check_order("positive", "accepting", ("pp", "bp", "np"), "rejecting")
        self._check_order("negative", "rejecting", ("nn", "bn", "pn"), "accepting")
        self._check_names()

    def _check_order(self, state: str, right: str, names: tuple[str, ...], wrong: str) -> None:
        """Check that the wrong action costs more than the right one, and deferring no less."""
        best, middle, worst = (getattr(self, name) for name in names)
        titles = [f"{name.upper()} = {getattr(self, name):g}" for name in names]
        if not best < worst:
            raise ValueError(
                f"The wrong action must cost more than the right one: {wrong} a truly {state} "
                f"instance ({titles[2]}) must cost more than {right} it ({titles[0]}). {_LAYOUT}."
            )
        if middle < best:
            raise ValueError(
                f"Deferring must not cost less than the right action: deferring a truly {state} "
                f"instance ({titles[1]}) costs less than {right} it ({titles[0]}). Add to the "
                "cost of deferring that of the right action, which follows a review."
            )

    @classmethod
    def from_array(cls, array: ArrayLike, unit: str = "") -> Self:
        """Build from ``[[PP, BP, NP], [PN, BN, NN]]``: a row per state, a column per action.

        Parameters
        ----------
        array : array-like of shape (2, 3)
            Rows are the true state (positive, negative), columns the action
            (accept, defer, reject), in any unit.
        unit : str, default=""
            Name of the unit.

        Examples
        --------
        >>> from trisect.decisions import CostMatrix
        >>> print(CostMatrix.from_array([[0, 15, 900], [450, 15, 0]], unit="EUR"))
                  accept   defer  reject  [EUR]
        positive       0      15     900
        negative     450      15       0
        alpha 0.9667, beta 0.0167, gamma 0.3333
        """
        values = numpy.asarray(array, dtype=float)
        if values.shape != (2, 3):
            raise ValueError(f"{_LAYOUT}, got an array of shape {values.shape}.")
        pp, bp, np, pn, bn, nn = values.ravel().tolist()
        return cls(pp=pp, bp=bp, np=np, pn=pn, bn=bn, nn=nn, unit=unit)

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
        accept: Any = None,
        reject: Any = None,
    ) -> Self:
        """Build from what mistakes and a manual review cost, in any currency.

        Parameters
        ----------
        false_accept : float
            Cost of accepting a negative instance.
        false_reject : float
            Cost of rejecting a positive instance.
        review : float or pair of float
            Cost of having someone look at an instance. The right decision follows, so that
            deferring costs the review and the right decision. A pair gives the cost for a
            positive and for a negative instance.
        true_accept, true_reject : float, default=0.0
            Cost of the right decision, such as the postage of an offer. A gain, such as
            the margin of a good loan, is a negative cost.
        unit : str, default=""
            Name of the currency.
        accept, reject : label, default=None
            The class that it is right to accept, and the one that it is right to reject.
            To name one of them is enough.

        Examples
        --------
        >>> from trisect.decisions import CostMatrix
        >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
        >>> costs.alpha, costs.beta, costs.defers
        (0.8, 0.1, True)

        With classes by name, and a gain:

        >>> print(
        ...     CostMatrix.from_review(
        ...         false_accept=500, false_reject=0, review=20, true_accept=-80, unit="EUR",
        ...         accept="pays", reject="defaults",
        ...     )
        ... )
                             accept   defer  reject  [EUR]
        positive (pays)         -80     -60       0
        negative (defaults)     500      20       0
        alpha 0.9600, beta 0.2500, gamma 0.8621

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
        if positive < 0 or negative < 0:
            raise ValueError(f"A review must not cost less than nothing, got {review!r}.")
        return cls(
            pp=true_accept,
            bp=true_accept + positive,
            np=false_reject,
            pn=false_accept,
            bn=true_reject + negative,
            nn=true_reject,
            unit=unit,
            accept=accept,
            reject=reject,
        )

    @property
    def amounts(self) -> NDArray[numpy.float64]:  # type: ignore[override]
        """``[[PP, BP, NP], [PN, BN, NN]]``, as a new array."""
        return numpy.array([getattr(self, name) for name in _COSTS]).reshape(2, 3)

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

    def __repr__(self) -> str:
        costs = [f"{name}={getattr(self, name)!r}".removesuffix(".0") for name in _COSTS]
        others = [
            f"{each.name}={getattr(self, each.name)!r}"
            for each in fields(self)[len(_COSTS) :]
            if getattr(self, each.name) != each.default
        ]
        return f"CostMatrix({', '.join(costs + others)})"

    def __str__(self) -> str:
        cells = [[f"{cost:.6g}" for cost in row] for row in self.amounts]
        width = max(8, 2 + max(len(cell) for row in cells for cell in row))
        names = [
            state if label is None else f"{state} ({label})"
            for state, label in (("positive", self.accept), ("negative", self.reject))
        ]
        margin = max(map(len, names))
        rows = [["", "accept", "defer", "reject"]]
        rows += [[name, *row] for name, row in zip(names, cells, strict=True)]
        lines = [
            f"{row[0]:{margin}}" + "".join(f"{cell:>{width}}" for cell in row[1:]) for row in rows
        ]
        if self.unit:
            lines[0] += f"  [{self.unit}]"
        if self.defers:
            lines.append(f"alpha {self.alpha:.4f}, beta {self.beta:.4f}, gamma {self.gamma:.4f}")
        else:
            lines.append(f"never defers; gamma {self.gamma:.4f}")
        return "\n".join(lines)
