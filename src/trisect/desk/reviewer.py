"""Reviewers of deferred cases: what they cost, how often they err, how many they can take."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

__all__ = ["Reviewer", "as_team"]


@dataclass(frozen=True)
class Reviewer:
    """A person, a team or a service that reviews cases.

    Parameters
    ----------
    name : str
        How results refer to the reviewer.
    cost : float, optional
        What one review costs, in the unit of the costs of decisions, apart from what the
        decision after it costs. By default a review costs what deferring costs there.
    error : float, optional
        Share of reviews that end with the wrong decision, for each class alike. With more
        than two classes all wrong ones are taken to be equally likely.
    sensitivity, specificity : float, optional
        Share of positive cases that the reviewer accepts, and of negative cases that the
        reviewer rejects, instead of `error`. A reviewer with none of the three makes no
        mistakes.
    capacity : int or float, default=inf
        Reviews that the reviewer can do in a period, such as a day.

    Examples
    --------
    >>> from trisect.desk import Reviewer
    >>> Reviewer("senior", cost=12, error=0.02, capacity=40).rates
    (0.98, 0.98)
    >>> Reviewer("junior", cost=7, sensitivity=0.95, specificity=0.9, capacity=60).rates
    (0.95, 0.9)
    """

    name: str
    cost: float | None = None
    error: float | None = None
    sensitivity: float | None = None
    specificity: float | None = None
    capacity: float = math.inf

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ValueError(f"A reviewer needs a name, got {self.name!r}.")
        who = f"of reviewer {self.name!r}"
        if self.cost is not None and not (_within(self.cost, math.inf) and self.cost < math.inf):
            raise ValueError(f"The cost {who} must be a finite number from 0, got {self.cost!r}.")
        for title in ("error", "sensitivity", "specificity"):
            share = getattr(self, title)
            if share is not None and not _within(share, 1):
                raise ValueError(f"The {title} {who} must lie between 0 and 1, got {share!r}.")
        if (self.sensitivity is None) != (self.specificity is None):
            raise ValueError(f"Give both the sensitivity and the specificity {who}, or error.")
        if self.error is not None and self.sensitivity is not None:
            raise ValueError(f"Give the error {who}, or sensitivity and specificity, not both.")
        number = self.capacity
        if not _within(number, math.inf) or (number != math.inf and number % 1):
            raise ValueError(
                f"The capacity {who} must be a whole number from 0, or infinite, got {number!r}."
            )

    @property
    def rates(self) -> tuple[float, float]:
        """Sensitivity and specificity."""
        if self.sensitivity is not None and self.specificity is not None:
            return self.sensitivity, self.specificity
        right = 1 - (self.error or 0.0)
        return right, right


def _within(number: Any, most: float) -> bool:
    return isinstance(number, Real) and 0 <= float(number) <= most


def as_team(reviewers: Reviewer | Iterable[Reviewer]) -> list[Reviewer]:
    """Return reviewers as a list, or raise if two have the same name."""
    team = [reviewers] if isinstance(reviewers, Reviewer) else list(reviewers)
    for each in team:
        if not isinstance(each, Reviewer):
            raise TypeError(f"reviewers must be Reviewer objects, got {each!r}.")
    names = [each.name for each in team]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"Reviewers need different names; given twice: {', '.join(twice)}.")
    return team
