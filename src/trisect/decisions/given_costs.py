"""Costs as users give them, and those in use where none are given."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from trisect.decisions.class_costs import ClassCosts
from trisect.decisions.costs import CostMatrix
from trisect.decisions.costs_base import Costs
from trisect.decisions.instance_costs import InstanceCosts

_MISTAKE, _REVIEW = 1.0, 0.2
_FORMS = (
    "a CostMatrix; a matrix [[PP, BP, NP], [PN, BN, NN]]; a dict with false_accept, false_reject "
    "and review; or, per instance, InstanceCosts, an array of shape (n_instances, 2, 3), a list "
    "of matrices or a data frame"
)
_NAMES = {
    "false_accept", "false_reject", "review", "true_accept", "true_reject", "unit", "accept",
    "reject",
}  # fmt: skip
_NEEDED = {"false_accept", "false_reject", "review"}
_WORDS = {"unit", "accept", "reject"}


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

    This is the one place that does so, for estimators, metrics, displays and chains.

    Parameters
    ----------
    costs : CostMatrix, InstanceCosts, array-like, dict or data frame
        For all instances alike a `CostMatrix`, an array of shape (2, 3), or a dict with
        the arguments of `CostMatrix.from_review`, in any unit. Per instance
        `InstanceCosts`, an array of shape (n_instances, 2, 3), a list of matrices, a data
        frame (see `InstanceCosts.from_frame`), or a dict that holds an array.
    n_instances : int, optional
        Number of instances that costs per instance must be for.

    Examples
    --------
    >>> from trisect.decisions import as_costs
    >>> as_costs([[0, 1, 10], [5, 1, 0]])
    CostMatrix(pp=0, bp=1, np=10, pn=5, bn=1, nn=0)
    >>> as_costs({"false_accept": 5, "false_reject": 10, "review": 1})
    CostMatrix(pp=0, bp=1, np=10, pn=5, bn=1, nn=0)
    """
    found = _converted(costs)
    if n_instances is not None:
        found.check_length(n_instances)
    return found


def _converted(costs: Any) -> CostMatrix | InstanceCosts:
    if isinstance(costs, CostMatrix | InstanceCosts):
        return costs
    if isinstance(costs, ClassCosts):
        raise ValueError(
            f"Costs of accepting and rejecting are needed here, such as {_FORMS}; got ClassCosts "
            f"of {costs.n_classes} classes."
        )
    if isinstance(costs, Mapping):
        return _from_words(costs)
    if hasattr(costs, "columns"):
        return InstanceCosts.from_frame(costs)
    try:
        array = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.ndim == 2:
        return CostMatrix.from_array(array)
    if array.ndim == 3:
        return InstanceCosts(array)
    if is_one_matrix(costs):
        raise ValueError(f"costs must be {_FORMS}; got {costs!r}.")
    matrices = [as_cost_matrix(item) for item in costs]
    check_agreement(matrices)
    first, amounts = matrices[0], np.stack([matrix.amounts for matrix in matrices])
    return InstanceCosts(amounts, first.unit, first.accept, first.reject)


def check_agreement(matrices: Sequence[Costs]) -> None:
    """Raise if costs that belong together have different units, or name different classes."""
    for name in ("unit", "accept", "reject"):
        said = list(dict.fromkeys(getattr(matrix, name) for matrix in matrices))
        if len(said) > 1:
            raise ValueError(
                f"Costs that belong together must agree in {name}, but these have "
                f"{' and '.join(map(repr, said))}."
            )


def _from_words(costs: Mapping[str, Any]) -> CostMatrix | InstanceCosts:
    unknown, missing = set(costs) - _NAMES, _NEEDED - set(costs)
    if unknown or missing:
        problem = f"lacks {sorted(missing)}" if missing else f"has {sorted(map(str, unknown))}"
        raise ValueError(
            f"costs as a dict name what mistakes and a review cost, with keys among "
            f"{sorted(_NAMES)}; this one {problem}."
        )
    one = all(np.ndim(costs[name]) == 0 for name in set(costs) - _WORDS - {"review"})
    if one and np.ndim(costs["review"]) <= 1 and np.size(costs["review"]) <= 2:
        return CostMatrix.from_review(**costs)
    return InstanceCosts.from_review(**costs)


def as_cost_matrix(costs: Any) -> CostMatrix:
    """Convert costs as `as_costs` does, where they must be the same for all instances."""
    found = as_costs(costs)
    if not isinstance(found, CostMatrix):
        raise ValueError(
            f"Expected one cost matrix, got costs of {len(found)} instances. One matrix has to "
            "hold for all instances here; InstanceCosts.mean() makes one. Costs per instance go to "
            "fit and decide, learn_thresholds, allocate and the metrics."
        )
    return found


def is_one_matrix(costs: Any) -> bool:
    """Check whether costs are one set of costs, rather than a sequence of matrices."""
    if isinstance(costs, Costs | ClassCosts | Mapping | str) or hasattr(costs, "columns"):
        return True
    if not isinstance(costs, list | tuple):
        return np.ndim(costs) != 3
    # A matrix is a sequence of rows of numbers.
    return not any(isinstance(item, Costs | Mapping) or _ndim(item) == 2 for item in costs)


def _ndim(item: Any) -> int:
    try:
        return np.ndim(item)
    except ValueError:  # rows of different lengths
        return 1


def level_costs(costs: Any, n_levels: int) -> list[CostMatrix | InstanceCosts]:
    """Return costs for each level, from one set for all, one for each, or `default_costs`.

    Examples
    --------
    >>> from trisect.decisions import level_costs
    >>> [costs.alpha for costs in level_costs([[0, 1, 10], [5, 1, 0]], n_levels=2)]
    [0.8, 0.8]
    """
    costs = default_costs() if costs is None else costs
    if is_one_matrix(costs):
        return [as_costs(costs)] * n_levels
    matrices = [as_costs(item) for item in costs]
    if len(matrices) != n_levels:
        levels = "one level" if n_levels == 1 else f"{n_levels} levels"
        raise ValueError(f"{len(matrices)} cost matrices were given for {levels}.")
    check_agreement(matrices)
    return matrices
