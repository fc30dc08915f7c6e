"""Costs as users give them, and those in use where none are given."""

from typing import Any

import numpy as np

from trisect.decisions.class_costs import ClassCosts
from trisect.decisions.costs import CostMatrix
from trisect.decisions.instance_costs import InstanceCosts

_MISTAKE, _REVIEW = 1.0, 0.2


def default_costs(n_classes: int = 2) -> CostMatrix | ClassCosts:
    """Return the costs in use where none are given: 1 for a mistake, 0.2 for a review.

    Examples
    --------
    >>> from trisect.decisions import default_costs
    >>> default_costs().thresholds
    (0.8, 0.2)
    """
    if n_classes > 2:
        return ClassCosts.uniform(n_classes, mistake=_MISTAKE, defer=_REVIEW)
    return CostMatrix.from_review(false_accept=_MISTAKE, false_reject=_MISTAKE, review=_REVIEW)


def as_costs(costs: Any, n_instances: int | None = None) -> CostMatrix | InstanceCosts:
    """Convert costs for two classes from any form in which users give them.

    Parameters
    ----------
    costs : CostMatrix, InstanceCosts, array-like or data frame
        An array of shape (2, 3) is one matrix in any unit; an array of shape
        (n_instances, 2, 3), a list of matrices or a data frame (see
        `InstanceCosts.from_frame`) holds costs per instance.
    n_instances : int, optional
        Number of instances that costs per instance must be for.

    Examples
    --------
    >>> from trisect.decisions import as_costs
    >>> as_costs([[0, 1, 10], [5, 1, 0]]).alpha
    0.8
    """
    found: CostMatrix | InstanceCosts
    if isinstance(costs, CostMatrix | InstanceCosts):
        found = costs
    elif isinstance(costs, list) and costs and isinstance(costs[0], CostMatrix):
        found = InstanceCosts(np.stack([cost.amounts for cost in costs]), costs[0].unit)
    elif hasattr(costs, "columns"):
        found = InstanceCosts.from_frame(costs)
    elif costs is None or isinstance(costs, str | dict) or np.ndim(costs) not in (2, 3):
        raise ValueError(
            "costs must be a CostMatrix, InstanceCosts, an array of shape (2, 3) or "
            f"(n_instances, 2, 3), or a data frame, got {costs!r}."
        )
    elif np.ndim(costs) == 2:
        found = CostMatrix.from_amounts(costs)
    else:
        found = InstanceCosts(np.asarray(costs, dtype=np.float64))
    if n_instances is not None:
        found.check_length(n_instances)
    return found


def as_cost_matrix(costs: Any) -> CostMatrix:
    """Convert costs as `as_costs` does, where they must be the same for all instances."""
    found = as_costs(costs)
    if not isinstance(found, CostMatrix):
        raise ValueError(
            f"Expected one cost matrix, got costs of {len(found)} instances: costs per instance "
            "go to fit and decide."
        )
    return found


def is_one_matrix(costs: Any) -> bool:
    """Check whether costs are one matrix, rather than a sequence of matrices."""
    if isinstance(costs, CostMatrix):
        return True
    return not any(isinstance(item, CostMatrix) for item in costs) and np.ndim(costs) == 2


def level_costs(costs: Any, n_levels: int) -> list[CostMatrix]:
    """Return a matrix for each level, from one for all, one for each, or `default_costs`.

    Examples
    --------
    >>> from trisect.decisions import level_costs
    >>> [costs.alpha for costs in level_costs([[0, 1, 10], [5, 1, 0]], n_levels=2)]
    [0.8, 0.8]
    """
    costs = default_costs() if costs is None else costs
    if is_one_matrix(costs):
        return [as_cost_matrix(costs)] * n_levels
    matrices = [as_cost_matrix(item) for item in costs]
    if len(matrices) != n_levels:
        raise ValueError(f"{len(matrices)} cost matrices were given for {n_levels} levels.")
    return matrices
