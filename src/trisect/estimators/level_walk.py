"""Decisions of a network that grew level by level: at once, or walking its levels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from trisect.decisions import (
    ClassCosts,
    CostMatrix,
    Walk,
    as_cost_matrix,
    two_way_regions,
)
from trisect.estimators.decision_rule import accepted_index, positive_index
from trisect.estimators.raw_columns import validated
from trisect.estimators.three_way_mixin import ThreeWayMixin
from trisect.growth import ReadOuts
from trisect.network import Levels, Network, positive_probabilities
from trisect.scaling import scaled_walk

__all__ = ["LevelWalkMixin"]


class LevelWalkMixin(ThreeWayMixin):
    """Adds `decide` and `decide_sequentially` to an estimator that grew by levels."""

    costs_: CostMatrix | ClassCosts
    network_: Network
    pos_label_: Any
    read_outs_: ReadOuts | None
    scaling_: Any
    unit_test_costs_: NDArray[np.float64]
    unit_delay_costs_: NDArray[np.float64]

    def decide_sequentially(
        self, X: Any, costs: Any = None, *, final: str = "defer", pos_label: Any = None
    ) -> Walk:
        """Decide level by level: clear cases with few nodes, the others with more.

        Level i reads the first i nodes of the network with output weights of its own. It
        decides what it is sure enough of, more so than the last level by a margin that was
        chosen when the network was fitted; the rest is passed on to the next level, which
        evaluates one node more. The last level is the network itself, so a walk never takes
        more nodes than the network has.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.
        costs : CostMatrix, array-like of shape (2, 3) or dict, optional
            Costs to use instead of those of the estimator, the same for all instances.
        final : {"defer", "decide"}, default="defer"
            What the last level does with instances that it is not sure of: defer them, as
            `decide` does, or decide them, with gamma.
        pos_label : label, optional
            The positive class, by default ``pos_label_``.

        Returns
        -------
        Walk
            Regions, the level that decided each instance, nodes evaluated, and the test
            and delay costs of the levels that it went through, if unit costs were given.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from trisect import CostMatrix, STWDSFNNClassifier
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> model = STWDSFNNClassifier(random_state=0).fit(X, y)
        >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
        >>> walk = model.decide_sequentially(X, costs)
        >>> walk.nodes_evaluated <= len(X) * model.n_hidden_
        True
        """
        check_is_fitted(self)
        if final not in ("decide", "defer"):
            raise ValueError(f"final must be 'decide' or 'defer', got {final!r}.")
        fitted = positive_index(self)
        assert self.read_outs_ is not None  # with two classes, of which the line above makes sure
        n_levels = self.read_outs_.n_levels
        X = validated(self, X, dtype=(np.float64, np.float32), reset=False)
        used = as_cost_matrix(self.costs_ if costs is None else costs)
        swapped = accepted_index(self, used, pos_label) != fitted
        regions, levels, margins = scaled_walk(
            self.network_, _levels(self.read_outs_, used, swapped), self.scaling_, X
        )
        p = positive_probabilities(margins)
        # The last level decides as `decide` does, to the last bit.
        left = levels == 0
        two_way = final == "decide"
        regions[left] = two_way_regions(p[left], used.gamma) if two_way else used.decide(p[left])
        levels[left & (regions != 0)] = n_levels
        return Walk(
            regions=regions,
            levels=levels,
            probabilities=p,
            unit_test_costs=self.unit_test_costs_[:n_levels],
            unit_delay_costs=self.unit_delay_costs_[:n_levels],
            n_hidden=np.ones(n_levels, dtype=np.intp),
        )


def _levels(read_outs: ReadOuts, costs: CostMatrix, swapped: bool) -> Levels:
    """Lay out read-outs and thresholds; the last level is left to the costs."""
    weights, biases, strictness = read_outs
    if swapped:
        weights, biases, strictness = -weights, -biases, strictness[:, ::-1]
    p = np.array(costs.thresholds)
    with np.errstate(divide="ignore"):  # reviews that cost nothing have thresholds 1 and 0
        alpha, beta = np.log(p / (1 - p))
    upper, lower = alpha + strictness[:, 0], beta - strictness[:, 1]
    upper[-1], lower[-1] = np.inf, -np.inf
    return Levels(
        np.ascontiguousarray(weights),
        biases,
        upper.astype(np.float32),
        lower.astype(np.float32),
    )
