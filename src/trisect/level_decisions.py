"""Decisions of a network that grew by levels: at once, or level by level."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from sklearn.utils.validation import check_is_fitted, validate_data

from trisect.deciding import DEFAULT_REVIEW, DecidingMixin, matrices_for, positive_index
from trisect.decisions import ClassCosts, CostMatrix, Walk, unit_costs
from trisect.network import Network

__all__ = ["LevelDecisionsMixin"]

BLOCK_ROWS = 1 << 14


class LevelDecisionsMixin(DecidingMixin):
    """Adds `decide` and `decide_sequentially` to an estimator with ``levels_``."""

    levels_: list[Any]
    best_level_: int
    scaling_: Any

    @property
    def costs_(self) -> CostMatrix | ClassCosts:  # type: ignore[override]
        """Costs that `decide` uses: those of the first level, with two classes."""
        if len(self.classes_) > 2:
            return ClassCosts.uniform(len(self.classes_), mistake=1, defer=DEFAULT_REVIEW)
        return self.levels_[0].costs

    def decide_sequentially(
        self,
        X: Any,
        costs: Any = None,
        *,
        final: str = "decide",
        levels: Sequence[int] | None = None,
        pos_label: Any = None,
    ) -> Walk:
        """Walk the levels: decide with few nodes what few nodes are sure of.

        The network of each level accepts from its alpha and rejects up to its beta;
        what lies between is passed on to the next level, which has more nodes.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.
        costs : CostMatrix, array-like of shape (2, 3), or a sequence of these, optional
            Costs of all levels of the walk, or of each, instead of those that the
            network grew under.
        final : {"decide", "defer"}, default="decide"
            Whether the last level decides all that is left, with gamma, or defers the
            unsure to a queue for review.
        levels : sequence of int, optional
            The levels to walk, in increasing order and numbered from 1; by default all up
            to the one that was kept.
        pos_label : label, optional
            The positive class, by default ``classes_[1]``.

        Returns
        -------
        Walk
            Regions, the level that decided each instance, nodes evaluated, and the test
            and delay costs of the walk. With `levels`, level i of the walk is the i-th
            of these.

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
            chain = matrices_for(costs, len(walked))
        margins = _margins(chain, final)
        steps = _steps([level.network for level in walked])
        regions = np.zeros(len(X), dtype=np.int8)
        decided_at = np.zeros(len(X), dtype=np.intp)
        margin = np.empty(len(X), dtype=np.float32)
        for start in range(0, len(X), BLOCK_ROWS):
            block = slice(start, start + BLOCK_ROWS)
            scaled = self.scaling_.transform(X[block])
            _walk_block(
                scaled, steps, margins, positive, regions[block], decided_at[block], margin[block]
            )
        tests, delays = (
            self._units(name, numbers) for name in ("unit_test_costs", "unit_delay_costs")
        )
        return Walk(
            regions=regions,
            levels=decided_at,
            probabilities=expit(margin.astype(np.float64)),
            unit_costs=tests,
            unit_delays=delays,
            nodes=np.array([step.network.n_hidden for step in steps], dtype=np.intp),
        )

    def _walked(self, levels: Sequence[int] | None) -> list[int]:
        if levels is None:
            return list(range(1, self.best_level_ + 2))
        numbers = [int(number) for number in levels]
        if not numbers or sorted(set(numbers)) != numbers:
            raise ValueError(f"levels must be in increasing order, got {levels!r}.")
        if not 1 <= numbers[0] <= numbers[-1] <= len(self.levels_):
            raise ValueError(f"levels must lie between 1 and {len(self.levels_)}, got {levels!r}.")
        return numbers

    def _units(self, name: str, numbers: list[int]) -> NDArray[np.float64]:
        given = getattr(self, name, None)
        n_units = max(len(self.levels_), getattr(self, "max_levels", 0))
        units = unit_costs(n_units) if given is None else np.asarray(given, dtype=np.float64)
        return units[np.array(numbers) - 1]


class _Step(NamedTuple):
    """What a level evaluates, and whether it adds to the logits of the level before."""

    network: Network
    adds: bool


def _steps(networks: Sequence[Network]) -> list[_Step]:
    steps = [_Step(networks[0], False)]
    for before, network in pairwise(networks):
        h = before.n_hidden
        shared = (
            h < network.n_hidden
            and np.array_equal(before.W1, network.W1[:h])
            and np.array_equal(before.b1, network.b1[:h])
            and np.array_equal(before.W2, network.W2[:h])
        )
        if shared:
            new = Network(
                network.W1[h:],
                network.b1[h:],
                network.W2[h:],
                network.b2 - before.b2,
                network.activation,
            )
            steps.append(_Step(new, True))
        else:
            steps.append(_Step(network, False))
    return steps


def _margins(chain: Sequence[CostMatrix], final: str) -> list[tuple[float, float]]:
    """Return, per level, the logits from which to accept and up to which to reject."""

    def pairs() -> Iterator[tuple[float, float]]:
        for number, costs in enumerate(chain, start=1):
            two_way = not costs.defers or (number == len(chain) and final == "decide")
            yield (costs.gamma, costs.gamma) if two_way else (costs.alpha, costs.beta)

    return [(float(logit(alpha)), float(logit(beta))) for alpha, beta in pairs()]


def _walk_block(
    X: NDArray[np.float32],
    steps: Sequence[_Step],
    margins: Sequence[tuple[float, float]],
    positive: int,
    regions: NDArray[np.int8],
    decided_at: NDArray[np.intp],
    margin: NDArray[np.float32],
) -> None:
    """Decide one block of scaled instances, into the last three arrays."""
    waiting = np.arange(len(X), dtype=np.int32)
    passed_on: NDArray[np.float32] | None = None
    for number, (step, (upper, lower)) in enumerate(zip(steps, margins, strict=True), start=1):
        logits = step.network.logits(X, waiting)
        if step.adds and passed_on is not None:
            logits += passed_on
        found = logits[:, positive] - logits[:, 1 - positive]
        accept = found >= upper
        reject = ~accept & (found <= lower)
        decided = accept | reject
        margin[waiting] = found
        regions[waiting] = accept.astype(np.int8) - reject.astype(np.int8)
        decided_at[waiting[decided]] = number
        waiting, passed_on = waiting[~decided], logits[~decided]
        if not len(waiting):
            return
