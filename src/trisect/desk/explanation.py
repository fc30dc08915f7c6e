"""What there is to say about a case, as data and as a text for the case file."""

from dataclasses import asdict, dataclass
from math import exp
from typing import Any

__all__ = ["Change", "Explanation", "Push"]


@dataclass(frozen=True)
class Push:
    """By how much a column moves the case, compared with a typical value.

    Parameters
    ----------
    column : str
        Name of the column.
    value, typical : object
        Value of the case, and the median or most frequent value of the reference.
    change : float
        Log-odds of the case less its log-odds with the typical value: above zero the column
        pushes the probability up.
    """

    column: str
    value: Any
    typical: Any
    change: float


@dataclass(frozen=True)
class Change:
    """The smallest change of one column that leads to another decision.

    Parameters
    ----------
    decision : str
        The decision.
    column : str
        Name of the column.
    value, to : object
        Value of the case, and the value that it would need.
    p : float
        Probability with that value.
    """

    decision: str
    column: str
    value: Any
    to: Any
    p: float


@dataclass(frozen=True)
class Explanation:
    """Why a case was decided as it was; prints as a text for the case file.

    Parameters
    ----------
    decision : str
        "accept", "defer" or "reject"; with several classes "defer" or "accept" and the class.
    label : object
        The class that `p` belongs to: the positive one, or the likeliest of several.
    p : float
        Its probability.
    low, high : float or None
        Interval around it, that holds nine tenths of the committee.
    thresholds : pair of float or None
        Alpha and beta, for two classes.
    pushes : tuple of Push
        The columns that push most, upwards and downwards, the strongest first.
    changes : tuple of Change
        For each other decision the smallest change of one column that leads to it.
    """

    decision: str
    label: Any
    p: float
    low: float | None
    high: float | None
    thresholds: tuple[float, float] | None
    pushes: tuple[Push, ...]
    changes: tuple[Change, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data, for a page."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"Decision: {self.decision}.", f"{self._probability()}."]
        for title, sign in (("up", 1), ("down", -1)):
            chosen = [push for push in self.pushes if sign * push.change > 0]
            if chosen:
                lines.append(f"Pushed {title} by")
                lines += [
                    f"  {each.column} = {_show(each.value)}, which multiplies the odds by "
                    f"{exp(each.change):.2g} compared with {_show(each.typical)}"
                    for each in chosen
                ]
        if self.changes:
            lines.append("One change would decide otherwise:")
            lines += [
                f"  {each.decision} if {each.column} were {_show(each.to)} instead of "
                f"{_show(each.value)} (p = {100 * each.p:.1f} %)"
                for each in self.changes
            ]
        else:
            lines.append("No value of a single column that has been seen would change this.")
        return "\n".join(lines)

    def _probability(self) -> str:
        text = f"The probability of class {self.label} is {100 * self.p:.1f} %"
        if self.low is not None and self.high is not None:
            text += f" ({100 * self.low:.1f} to {100 * self.high:.1f} % if fitted to other samples)"
        if self.thresholds is None:
            return text + ", the largest of all classes"
        alpha, beta = self.thresholds
        return text + f"; from {100 * alpha:.1f} % on accept, up to {100 * beta:.1f} % reject"


def _show(value: Any) -> str:
    return f"{value:,.6g}" if isinstance(value, float) else str(value)
