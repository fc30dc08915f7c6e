"""Counts of decisions: all that a monitor remembers of a stream."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import (
    DEFERRED,
    ClassCosts,
    CostMatrix,
    as_probabilities,
    threshold_regions,
)

__all__ = ["Rule", "Tally"]

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rule:
    """How cases are decided and counted.

    Parameters
    ----------
    costs : CostMatrix or ClassCosts
        What decisions cost.
    thresholds : pair of float or None
        Alpha and beta of two classes, if they do not follow from the costs.
    cuts : ndarray of shape (n_cuts,)
        Where probabilities are cut into bins: those of the positive of two classes, of the
        most likely of several.
    """

    costs: CostMatrix | ClassCosts
    thresholds: tuple[float, float] | None
    cuts: NDArray[np.float64]

    @property
    def amounts(self) -> NDArray[np.float64]:
        """Cost of each action (column) for each true class (row)."""
        if isinstance(self.costs, CostMatrix):
            return self.costs.amounts
        classes = np.arange(self.costs.n_classes)
        defer = self.costs.charge(classes, np.full(len(classes), DEFERRED))
        return np.column_stack((self.costs.confusion, defer))

    @property
    def right(self) -> NDArray[np.bool_]:
        """Whether an action (column) is right for a true class (row)."""
        if isinstance(self.costs, CostMatrix):
            return np.array([[True, False, False], [False, False, True]])
        return np.eye(self.costs.n_classes, self.costs.n_classes + 1, dtype=bool)

    @property
    def deferring(self) -> int:
        """Index of the action that defers."""
        return 1 if isinstance(self.costs, CostMatrix) else self.costs.n_classes

    def actions(self, p: ArrayLike) -> NDArray[np.intp]:
        """Return the action for each case."""
        if isinstance(self.costs, ClassCosts):
            chosen = self.costs.decide(p)
            return np.where(chosen < 0, self.deferring, chosen)
        if np.ndim(p) != 1:
            raise ValueError(
                f"Give one probability for each case, that of the positive class; got an array "
                f"of shape {np.shape(p)}."
            )
        if self.thresholds is None:
            regions = self.costs.decide(p)
        else:
            regions = threshold_regions(p, *self.thresholds)
        return 1 - regions.astype(np.intp)

    def scores(self, p: ArrayLike) -> NDArray[np.float64]:
        """Return the probability that is watched for each case."""
        values = as_probabilities(p)
        return values.max(axis=1) if values.ndim == 2 else values


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts of cases.

    Parameters
    ----------
    actions : ndarray of int of shape (n_actions,)
        Cases by action.
    bins : ndarray of int of shape (n_cuts + 1,)
        Cases by probability.
    outcomes : ndarray of int of shape (n_classes, n_actions)
        Cases with a known class, by class and action.
    """

    actions: Counts
    bins: Counts
    outcomes: Counts

    @classmethod
    def empty(cls, rule: Rule) -> Self:
        """Return counts of nothing."""
        n_classes, n_actions = rule.amounts.shape
        return cls(
            np.zeros(n_actions, dtype=np.int64),
            np.zeros(len(rule.cuts) + 1, dtype=np.int64),
            np.zeros((n_classes, n_actions), dtype=np.int64),
        )

    @classmethod
    def of_cases(cls, rule: Rule, p: ArrayLike) -> Self:
        """Count the decisions and the probabilities of cases."""
        none = cls.empty(rule)
        actions = np.bincount(rule.actions(p), minlength=len(none.actions))
        bins = np.bincount(np.searchsorted(rule.cuts, rule.scores(p)), minlength=len(none.bins))
        return cls(actions, bins, none.outcomes)

    @classmethod
    def of_labels(cls, rule: Rule, p: ArrayLike, truth: NDArray[np.intp]) -> Self:
        """Count the outcomes of cases whose class (a row of the costs) is known."""
        none, actions = cls.empty(rule), rule.actions(p)
        if truth.shape != actions.shape:
            raise ValueError(f"{len(truth)} labels were given for {len(actions)} cases.")
        outcomes = none.outcomes.copy()
        np.add.at(outcomes, (truth, actions), 1)
        return cls(none.actions, none.bins, outcomes)

    @classmethod
    def from_dict(cls, counts: dict[str, Any]) -> Self:
        """Return the counts that `to_dict` has written."""
        names = ("actions", "bins", "outcomes")
        return cls(*(np.array(counts[name], dtype=np.int64) for name in names))

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists of whole numbers."""
        return {name: value.tolist() for name, value in vars(self).items()}

    def __add__(self, other: "Tally") -> "Tally":
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return Tally(*(mine + others for mine, others in pairs))
