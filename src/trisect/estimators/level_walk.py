"""Decisions of a network that grew level by level: at once, or walking its levels."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from sklearn.utils.validation import check_is_fitted, validate_data

from trisect.decisions import (
    ClassCosts,
    CostMatrix,
    Walk,
    default_costs,
    leading_to,
    level_costs,
    resolve_unit_costs,
    unit_costs,
)
from trisect.estimators.three_way_mixin import ThreeWayMixin, positive_index
from trisect.estimators.worthwhile_levels import new_nodes, worthwhile_levels
from trisect.network import ACTIVATIONS, Levels, Network
from trisect.scaling import scaled_walk

__all__ = ["LevelWalkMixin"]


class LevelWalkMixin(ThreeWayMixin):
    """Adds `decide` and `decide_sequentially` to an estimator with ``levels_``."""

    levels_: list[Any]
    best_level_: int
    scaling_: Any

    @property
    def costs_(self) -> CostMatrix | ClassCosts:  # type: ignore[override]
        """Costs that `decide` uses: those of the first level, or the default for many classes."""
        n_classes = len(self.classes_)
        return self.levels_[0].costs if n_classes == 2 else default_costs(n_classes)

    def decide_sequentially(
        self,
        X: Any,
        costs: Any = None,
        *,
        final: str = "decide",
        levels: Sequence[int] | str = "auto",
        pos_label: Any = None,
    ) -> Walk:
        """Decide level by level: clear cases with few nodes, the others with more.

        The network of each level accepts from its alpha upwards and rejects from its beta
        downwards; instances in between are passed on to the next level, which has more
        nodes.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.
        costs : CostMatrix, array-like of shape (2, 3), or a sequence of these, optional
            Costs to use instead of those that the network grew under: for the last
            level, to which the costs of earlier levels lead (see
            `trisect.decisions.leading_to`), or one matrix for each level.
        final : {"decide", "defer"}, default="decide"
            Whether the last level decides all remaining instances, with gamma, or defers
            uncertain ones to a review.
        levels : {"auto", "all"} or sequence of int, default="auto"
            The levels to walk. "all" takes every level up to the one that was kept. "auto"
            leaves out levels that, judging by their validation scores, would decide too few
            instances to be worth their nodes, so that a walk takes no longer than the last
            network alone; the choice depends on the model and the costs, not on X. A
            sequence holds numbers of levels, from 1, in increasing order.
        pos_label : label, optional
            The positive class, by default ``classes_[1]``.

        Returns
        -------
        Walk
            Regions, the level that decided each instance, nodes evaluated, and the test
            and delay costs of the walk. Levels are numbered within the walk; each keeps
            the unit costs it had during growth.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from trisect import CostMatrix, STWDSFNNClassifier
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> model = STWDSFNNClassifier(max_levels=3, random_state=0).fit(X, y)
        >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
        >>> walk = model.decide_sequentially(X, costs, final="defer")
        >>> int(walk.n_seen[0]), walk.regions.dtype
        (569, dtype('int8'))
        """
        check_is_fitted(self)
        if final not in ("decide", "defer"):
            raise ValueError(f"final must be 'decide' or 'defer', got {final!r}.")
        positive = positive_index(self, pos_label)
        X = validate_data(self, X, dtype=(np.float64, np.float32), reset=False)
        numbers = self._walked(levels)
        walked = [self.levels_[number - 1] for number in numbers]
        chain = [level.costs for level in walked]
        if costs is not None:
            chain = level_costs(costs, len(walked))
            if chain[0] is chain[-1]:
                chain = leading_to(chain[-1], len(chain))
        if isinstance(levels, str) and levels == "auto":
            worth = worthwhile_levels(walked, chain)
            numbers, walked, chain = (
                [items[i] for i in worth] for items in (numbers, walked, chain)
            )
        nodes = _NodesOfLevels([level.network for level in walked], positive)
        upper, lower = _margins(chain, final)
        regions, decided_at, margin = scaled_walk(nodes.levels(upper, lower), self.scaling_, X)
        return Walk(
            regions=regions,
            levels=decided_at,
            probabilities=expit(margin),
            unit_test_costs=self._unit_costs("unit_test_costs", numbers),
            unit_delay_costs=self._unit_costs("unit_delay_costs", numbers),
            n_hidden=np.diff(nodes.firsts),
        )

    def _walked(self, levels: Sequence[int] | str) -> list[int]:
        if isinstance(levels, str):
            if levels not in ("auto", "all"):
                raise ValueError(f"levels must be 'auto', 'all' or numbers, got {levels!r}.")
            return list(range(1, self.best_level_ + 2))
        numbers = [int(number) for number in levels]
        if not numbers or sorted(set(numbers)) != numbers:
            raise ValueError(f"levels must be in increasing order, got {levels!r}.")
        if not 1 <= numbers[0] <= numbers[-1] <= len(self.levels_):
            raise ValueError(f"levels must lie between 1 and {len(self.levels_)}, got {levels!r}.")
        return numbers

    def _unit_costs(self, name: str, numbers: list[int]) -> NDArray[np.float64]:
        n_levels = len(self.levels_)
        default = unit_costs(max(n_levels, getattr(self, "max_levels", 0)))
        units = resolve_unit_costs(getattr(self, name, None), n_levels, name, default)
        return units[np.array(numbers) - 1]


class _NodesOfLevels:
    """The nodes that each level evaluates, laid out for the compiled walk.

    A level that keeps all nodes of the level before, unchanged, evaluates only its new
    nodes and adds them to that level's margin.
    """

    def __init__(self, networks: Sequence[Network], positive: int) -> None:
        self.activation = ACTIVATIONS[networks[0].activation].code
        counts = [networks[0].n_hidden]
        counts += [new_nodes(network, before) for before, network in pairwise(networks)]
        starts = [n.n_hidden - count for n, count in zip(networks, counts, strict=True)]
        self.adds = np.array(starts) > 0
        self.firsts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        new = list(zip(networks, starts, strict=True))
        self.W1 = np.concatenate([network.W1[start:] for network, start in new])
        self.b1 = np.concatenate([network.b1[start:] for network, start in new])
        outputs = np.concatenate([network.W2[start:] for network, start in new])
        self.w2 = np.ascontiguousarray(outputs[:, positive] - outputs[:, 1 - positive])
        bias = np.array([n.b2[positive] - n.b2[1 - positive] for n in networks], np.float32)
        bias[1:] -= np.where(self.adds[1:], bias[:-1], np.float32(0))
        self.b2 = bias

    def levels(self, upper: NDArray[np.float64], lower: NDArray[np.float64]) -> Levels:
        """Return nodes and thresholds as engines read them."""
        return Levels(
            self.activation,
            self.W1,
            self.b1,
            self.w2,
            self.b2,
            self.firsts,
            self.adds,
            upper.astype(np.float32),
            lower.astype(np.float32),
        )


def _margins(
    chain: Sequence[CostMatrix], final: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return, for each level, the logits from which to accept and up to which to reject."""
    pairs = [costs.thresholds for costs in chain]
    if final == "decide":
        pairs[-1] = (chain[-1].gamma, chain[-1].gamma)
    alpha, beta = np.array(pairs).T
    return logit(alpha), logit(beta)
