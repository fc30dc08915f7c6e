"""Decisions of a network that grew level by level: at once, or walking its levels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from trisect.decisions import (
    ClassCosts,
    CostMatrix,
    Walk,
    as_cost_matrix,
    default_costs,
    resolve_unit_costs,
    two_way_regions,
)
from trisect.estimators.three_way_mixin import ThreeWayMixin, positive_index
from trisect.growth import ReadOuts
from trisect.network import ACTIVATIONS, Levels, Network, positive_probabilities
from trisect.scaling import scaled_walk

__all__ = ["LevelWalkMixin"]


class LevelWalkMixin(ThreeWayMixin):
    """Adds `decide` and `decide_sequentially` to an estimator that grew by levels."""

    cost_matrices_: list[CostMatrix]
    network_: Network
    pos_label_: Any
    read_outs_: ReadOuts
    scaling_: Any

    @property
    def costs_(self) -> CostMatrix | ClassCosts:  # type: ignore[override]
        """Costs that `decide` uses: those that the levels lead to, or the default ones."""
        n_classes = len(self.classes_)
        return self.cost_matrices_[-1] if n_classes == 2 else default_costs(n_classes)

    def decide_sequentially(
        self, X: Any, costs: Any = None, *, final: str | None = None, pos_label: Any = None
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
        costs : CostMatrix or array-like of shape (2, 3), optional
            Costs to use instead of those of the estimator.
        final : {"decide", "defer"}, optional
            What the last level does with instances that it is not sure of: decide them,
            with gamma, or defer them. By default what `decide` does.
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
        if final not in (None, "decide", "defer"):
            raise ValueError(f"final must be 'decide' or 'defer', got {final!r}.")
        swapped = positive_index(self, pos_label) != positive_index(self)
        X = validate_data(self, X, dtype=(np.float64, np.float32), reset=False)
        used = as_cost_matrix(self.costs_ if costs is None else costs)
        regions, levels, margins = scaled_walk(self._levels(used, swapped), self.scaling_, X)
        p = positive_probabilities(margins)
        # The last level decides as `decide` does, to the last bit.
        left = levels == 0
        if final == "decide" or not used.defers:
            regions[left] = two_way_regions(p[left], used.gamma)
        else:
            regions[left] = used.decide(p[left])
        levels[left & (regions != 0)] = self.read_outs_.n_levels
        return Walk(
            regions=regions,
            levels=levels,
            probabilities=p,
            unit_test_costs=self._unit_costs_of_walk("unit_test_costs"),
            unit_delay_costs=self._unit_costs_of_walk("unit_delay_costs"),
            n_hidden=np.ones(self.read_outs_.n_levels, dtype=np.intp),
        )

    def _levels(self, costs: CostMatrix, swapped: bool) -> Levels:
        """Lay out nodes, read-outs and thresholds; the last level is left to the costs."""
        weights, biases, strictness = self.read_outs_
        if swapped:
            weights, biases, strictness = -weights, -biases, strictness[:, ::-1]
        alpha, beta = (np.log(p / (1 - p)) for p in costs.thresholds)
        upper, lower = alpha + strictness[:, 0], beta - strictness[:, 1]
        upper[-1], lower[-1] = np.inf, -np.inf
        return Levels(
            ACTIVATIONS[self.network_.activation].code,
            self.network_.W1,
            self.network_.b1,
            np.ascontiguousarray(weights),
            biases,
            upper.astype(np.float32),
            lower.astype(np.float32),
        )

    def _unit_costs_of_walk(self, name: str) -> NDArray[np.float64]:
        n_levels = self.read_outs_.n_levels
        return resolve_unit_costs(getattr(self, name, None), n_levels, name, np.zeros(n_levels))
