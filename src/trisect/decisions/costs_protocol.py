"""What every kind of costs for two classes has in common."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions.checks import as_probabilities, as_regions
from trisect.decisions.regions import threshold_regions


class Costs(Protocol):
    """Costs of accepting, deferring and rejecting, for all instances or for each.

    `CostMatrix` has one matrix, and its thresholds are numbers. `InstanceCosts` has a
    matrix per instance, and its thresholds are arrays. Code that decides or adds up
    costs works with either.
    """

    @property
    def amounts(self) -> NDArray[np.float64]:
        """``[[PP, BP, NP], [PN, BN, NN]]`` in the user's unit, shape ([n_instances,] 2, 3)."""

    @property
    def unit(self) -> str:
        """Name of the user's unit."""

    @property
    def alpha(self) -> Any:
        """Probability from which accepting costs no more than deferring."""

    @property
    def beta(self) -> Any:
        """Probability up to which rejecting costs no more than deferring."""

    @property
    def gamma(self) -> Any:
        """Probability from which accepting is cheaper than rejecting."""

    @property
    def defers(self) -> Any:
        """Whether deferring is the cheapest action for any probability."""

    @property
    def thresholds(self) -> tuple[Any, Any]:
        """Alpha and beta, or gamma twice where deferring is never worthwhile."""

    def decide(self, p: ArrayLike) -> NDArray[np.int8]:
        """Take the cheapest action for each probability."""

    def charge(self, positive: ArrayLike, regions: ArrayLike) -> NDArray[np.float64]:
        """Compute what the decision about each instance cost, given the truth."""

    def mean(self) -> Any:
        """Return one `CostMatrix` with the average costs."""

    def take(self, rows: Any) -> "Costs":
        """Return the costs of some of the instances."""


class CostsMixin:
    """Deciding and charging, the same for every kind of `Costs`."""

    def decide(self: Costs, p: ArrayLike) -> NDArray[np.int8]:
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
        check_length(self, p.size)
        return threshold_regions(p, *self.thresholds)

    def charge(self: Costs, positive: ArrayLike, regions: ArrayLike) -> NDArray[np.float64]:
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
        truth, taken = np.asarray(positive, dtype=bool), as_regions(regions)
        if truth.ndim != 1 or truth.shape != taken.shape:
            raise ValueError(
                "The truth and the regions must be one-dimensional and equally long, "
                f"got shapes {truth.shape} and {taken.shape}."
            )
        check_length(self, len(truth))
        amounts = np.broadcast_to(self.amounts, (len(truth), 2, 3))
        actions = 1 - taken.astype(np.intp)
        return amounts[np.arange(len(truth)), np.where(truth, 0, 1), actions]


def check_length(costs: Costs, n_instances: int) -> None:
    """Raise if there are costs per instance, but for another number of instances."""
    amounts = costs.amounts
    if amounts.ndim == 3 and len(amounts) != n_instances:
        raise ValueError(
            f"Costs of {len(amounts)} instances were given for {n_instances} instances."
        )
