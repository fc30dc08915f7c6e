"""Growth that keeps the paper's levels, decisions and costs, and learns.

At each level rivals for a new node are trained side by side on the hard instances,
on top of the frozen network; the best one joins, and then all nodes are trained
together on all instances. Without that joint pass a new node that has only seen
hard instances spoils the easy ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import CostMatrix
from trisect.growth.level import Deciding, Ledger, Level
from trisect.growth.progress import Progress
from trisect.network import Examples, Network, Training, initial_network, softmax, train

__all__ = ["RefinedGrowth"]

QUIET = Progress()
FEWEST_HARD = 16
BLOCK_ROWS = 1 << 15
NODE_RATE_FACTOR = 2.5
PROBE_LEVELS, MOST_PROBE_LEVELS = 3, 10
PROBE_SHARE = 0.6
POLISH_L2_FACTORS = (0.2, 1.0, 5.0)


@dataclass(frozen=True)
class RefinedGrowth:
    """The default growth.

    Parameters
    ----------
    chain : sequence of CostMatrix
        Costs of the levels; its length is the number of levels at most.
    unit_test_costs, unit_delay_costs : ndarray
        Unit costs of the levels.
    deciding : Deciding
        How misclassified instances are decided upon.
    activation, distribution : str
        Activation function, and distribution of the initial weights.
    training : Training
        Settings of the joint pass of a level.
    l2 : float
        Weight of the squared parameters.
    n_candidates : int
        Number of rivals for a new node.
    node_updates : int
        Updates of the rivals.
    hard_region : bool
        Whether rivals are trained on the hard instances only.
    joint : bool
        Whether all nodes are trained together after a node has joined.
    """

    chain: Sequence[CostMatrix]
    unit_test_costs: NDArray
    unit_delay_costs: NDArray
    deciding: Deciding
    activation: str
    distribution: str
    training: Training
    l2: float
    n_candidates: int
    node_updates: int
    hard_region: bool = True
    joint: bool = True

    def levels(
        self,
        examples: Examples,
        validation: Examples,
        rng: np.random.Generator,
        grown: Sequence[Level] = (),
        progress: Progress = QUIET,
    ) -> list[Level]:
        """Grow while instances are unresolved.

        Parameters
        ----------
        examples : Examples
            Training data in random order.
        validation : Examples
            Data on which the best parameters of each pass are chosen.
        rng : numpy.random.Generator
            Source of all randomness.
        grown : sequence of Level, optional
            Levels to continue from.
        progress : Progress, optional
            Told how it goes; may end a pass or growth.

        Returns
        -------
        list of Level
            The levels given and those that were added.
        """
        ledger = Ledger(self.unit_test_costs, self.unit_delay_costs, list(grown))
        network = grown[-1].network if grown else None
        hard = rows = np.arange(len(examples), dtype=np.int32)
        offset = None
        if network is not None:
            logits = network.logits(examples.X)
            wrong, unsure = _difficult(examples, logits, grown[-1].costs)
            hard = np.flatnonzero(wrong | unsure).astype(np.int32)
            rows, offset = self._lesson(hard, logits)
        for i in range(len(grown), len(self.chain)):
            if not len(hard):
                break
            progress.begin_level()
            costs, n_hard = self.chain[i], examples.count(hard)
            network = self._with_node(network, examples, validation, rows, offset, rng, progress)
            logits = network.logits(examples.X)
            wrong, unsure = _difficult(examples, logits, costs)
            hard = np.flatnonzero(wrong | unsure).astype(np.int32)
            rows, offset = self._lesson(hard, logits)
            del logits  # Memory may be short, and what the next node needs is in offset.
            verdict = self.deciding.verdict(
                examples, wrong, costs, i == len(self.chain) - 1, rng, unsure
            )
            n_wrong = examples.count(wrong)
            level = ledger.enter(costs, verdict, n_hard, n_wrong, network, validation)
            if progress.end_level(level):
                break
        return ledger.levels

    def probe(self, examples: Examples, validation: Examples, rng: np.random.Generator) -> Network:
        """Grow a few nodes in fewer updates, without deciding or recording anything.

        Parameters
        ----------
        examples, validation : Examples
            Training and validation data.
        rng : numpy.random.Generator
            Source of all randomness.

        Returns
        -------
        Network
            The network in the end, whose validation loss tells how well nodes get along.
        """
        updates = max(1, int(PROBE_SHARE * self.training.updates))
        brief = replace(self, training=replace(self.training, updates=updates, checks=10))
        network, offset = None, None
        rows = np.arange(len(examples), dtype=np.int32)
        # What may grow far is probed further: few nodes say little about many.
        n_levels = min(max(len(self.chain) // 4, PROBE_LEVELS), MOST_PROBE_LEVELS)
        for costs in self.chain[:n_levels]:
            network = brief._with_node(network, examples, validation, rows, offset, rng, QUIET)
            logits = network.logits(examples.X)
            wrong, unsure = _difficult(examples, logits, costs)
            hard = np.flatnonzero(wrong | unsure).astype(np.int32)
            if not len(hard):
                break
            rows, offset = self._lesson(hard, logits)
        assert network is not None
        return network

    def polished(
        self,
        network: Network,
        examples: Examples,
        validation: Examples,
        updates: int,
        rng: np.random.Generator,
        progress: Progress = QUIET,
    ) -> Network:
        """Train a grown network for longer, under less, the same and more l2.

        Parameters
        ----------
        network : Network
            The network of the level that is kept.
        examples, validation : Examples
            Training data, and data that chooses among the three and the original.
        updates : int
            Updates of each.
        rng : numpy.random.Generator
            Source of the batches' order.
        progress : Progress, optional
            Told how it goes; may end training.

        Returns
        -------
        Network
            The best of the four on the validation data.
        """
        training = replace(self.training, updates=updates, checks=2 * self.training.checks)
        penalties = [self.l2 * factor for factor in POLISH_L2_FACTORS]
        rivals, _ = train(
            [network] * len(penalties), examples, training, rng,
            l2=penalties, validation=validation, monitor=progress.epoch,
        )  # fmt: skip
        rivals = [network, *rivals]
        return rivals[int(np.argmin(validation.losses(rivals)))]

    def _with_node(
        self,
        network: Network | None,
        examples: Examples,
        validation: Examples,
        rows: NDArray[np.int32],
        offset: NDArray[np.float32] | None,
        rng: np.random.Generator,
        progress: Progress,
    ) -> Network:
        """Add the best node for the rows given, and train all nodes together."""
        node = self._best_node(examples, rows, offset, rng)
        grown = node if network is None else network.with_node(node)
        if not self.joint:
            return grown
        return train(
            [grown], examples, self.training, rng,
            l2=self.l2, validation=validation, monitor=progress.epoch,
        )[0][0]  # fmt: skip

    def _lesson(
        self, hard: NDArray[np.int32], logits: NDArray[np.float32]
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Choose the rows that the next node learns from, and the logits it adds to."""
        if len(hard) < FEWEST_HARD or not self.hard_region:
            return np.arange(len(logits), dtype=np.int32), logits
        return hard, np.ascontiguousarray(logits[hard])

    def _best_node(
        self,
        examples: Examples,
        rows: NDArray[np.int32],
        offset: NDArray[np.float32] | None,
        rng: np.random.Generator,
    ) -> Network:
        """Train rivals for a new node on top of the frozen ones, and return the best."""
        rivals = [
            initial_network(
                examples.X.shape[1], 1, examples.n_classes, self.activation, self.distribution, rng
            )
            for _ in range(self.n_candidates)
        ]
        training = replace(
            self.training,
            updates=self.node_updates,
            learning_rate=self.training.learning_rate * NODE_RATE_FACTOR,
            checks=1,
        )
        rivals, losses = train(
            rivals, examples, training, rng, l2=self.l2, rows=rows, offset=offset
        )
        return rivals[int(np.argmin(losses))]


def _difficult(
    examples: Examples, logits: NDArray, costs: CostMatrix
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which instances the network gets wrong, and which it is not sure of.

    Sure means that the probability of the positive class, or with more classes that
    of the predicted one, lies outside (beta, alpha).
    """
    wrong, unsure = np.empty(len(logits), dtype=bool), np.empty(len(logits), dtype=bool)
    # In blocks, so that many instances need no second copy of their logits.
    for start in range(0, len(logits), BLOCK_ROWS):
        block = slice(start, start + BLOCK_ROWS)
        probabilities = softmax(logits[block])
        p = probabilities[:, 1] if examples.n_classes == 2 else probabilities.max(axis=1)
        wrong[block] = probabilities.argmax(axis=1) != examples.y[block]
        unsure[block] = (p > costs.beta) & (p < costs.alpha)
    return wrong, unsure
