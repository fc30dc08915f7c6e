"""What every kind of costs for two classes has in common."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions.checks import as_probabilities, as_regions, as_truth
from trisect.decisions.regions import threshold_regions


class Costs(ABC):
    """Costs of accepting, deferring and rejecting, for all instances or for each.

    `CostMatrix` has one matrix, and its thresholds are numbers. `InstanceCosts` has a
    matrix per instance, and its thresholds are arrays. Code that decides or adds up
    costs works with either.

    Attributes
    ----------
    amounts : ndarray of shape (2, 3) or (n_instances, 2, 3)
        ``[[PP, BP, NP], [PN, BN, NN]]`` in the user's unit; a gain is a negative cost.
    unit : str
        Name of the user's unit.
    accept, reject : label or None
        The class that it is right to accept, and the one that it is right to reject, if
        the costs name them.
    """

    amounts: NDArray[np.float64]
    unit: str
    accept: Any
    reject: Any

    @property
    @abstractmethod
    def thresholds(self) -> tuple[Any, Any]:
        """Alpha and beta, or gamma twice where deferring is never worthwhile."""

    @abstractmethod
    def mean(self) -> Any:
        """Return one `CostMatrix` with the average costs."""

    @abstractmethod
    def take(self, rows: Any) -> Self:
        """Return the costs of some of the instances."""

    def decide(self, p: ArrayLike) -> NDArray[np.int8]:
        """Take the cheapest action for each probability.

        Parameters
        ----------
        p : array-like of shape (n_instances,)
            Probability that each instance is positive.

        Returns
        -------
        ndarray of int8
            POS (1), BND (0) or NEG (-1) for each instance. Where deferring is never
            worthwhile, the decision is two-way, with gamma.

        Examples
        --------
        >>> from trisect.decisions import CostMatrix
        >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
        >>> costs.decide([0.1, 0.5, 0.8])
        array([-1,  0,  1], dtype=int8)
        """
        p = as_probabilities(p)
        self.check_length(p.size)
        return threshold_regions(p, *self.thresholds)

    def charge(self, positive: ArrayLike, regions: ArrayLike) -> NDArray[np.float64]:
        """Compute what the decision about each instance cost, in the user's unit.

        Parameters
        ----------
        positive : array-like of bool of shape (n_instances,)
            Whether each instance is truly positive.
        regions : array-like of shape (n_instances,)
            Region of each instance: POS, BND or NEG.

        Returns
        -------
        ndarray of shape (n_instances,)

        Examples
        --------
        >>> from trisect.decisions import CostMatrix
        >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
        >>> costs.charge([True, True, False, False], [1, -1, 0, 1])
        array([ 0., 10.,  1.,  5.])
        """
        truth, taken = as_truth(positive), as_regions(regions)
        if truth.ndim != 1 or truth.shape != taken.shape:
            raise ValueError(
                "The truth and the regions must be one-dimensional and equally long, "
                f"got shapes {truth.shape} and {taken.shape}."
            )
        self.check_length(len(truth))
        amounts = np.broadcast_to(self.amounts, (len(truth), 2, 3))
        actions = 1 - taken.astype(np.intp)
        return amounts[np.arange(len(truth)), np.where(truth, 0, 1), actions]

    def positive_class(self, classes: ArrayLike) -> Any:
        """Return the class that it is right to accept, or None if the costs name none.

        Parameters
        ----------
        classes : array-like of shape (2,)
            The labels of both classes.

        Examples
        --------
        >>> from trisect.decisions import CostMatrix
        >>> costs = CostMatrix.from_review(
        ...     false_accept=20, false_reject=5, review=1, reject="fraud"
        ... )
        >>> costs.positive_class(["fraud", "sound"])
        'sound'
        """
        known = np.asarray(classes).tolist()
        for name, label in (("accept", self.accept), ("reject", self.reject)):
            if label is not None and label not in known:
                raise ValueError(f"The costs say {name}={label!r}, but the classes are {known}.")
        if self.accept is not None:
            return known[known.index(self.accept)]
        if self.reject is not None:
            return known[1 - known.index(self.reject)]
        return None

    def check_length(self, n_instances: int) -> None:
        """Raise if there are costs per instance, but for another number of instances."""
        amounts = self.amounts
        if amounts.ndim == 3 and len(amounts) != n_instances:
            raise ValueError(
                f"Costs of {len(amounts)} instances were given for {n_instances} instances."
            )

    def _check_names(self) -> None:
        if self.accept is not None and self.accept == self.reject:
            raise ValueError(
                f"accept and reject name the two classes, but both are {self.accept!r}."
            )
