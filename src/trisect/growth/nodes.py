"""Adding a node to a network: rivals for what is undecided, then all nodes together."""

from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import CostMatrix
from trisect.growth.policy import QUIET
from trisect.growth.progress import Progress
from trisect.network import (
    Network,
    Part,
    Training,
    initial_network,
    train,
)

__all__ = ["LESSONS", "Judged", "NodeTraining"]

LESSONS = ("undecided", "all", "random", "decided")
"""What the candidates for a new node may be trained on."""

# Fewer instances than these say nothing about a node.
FEWEST_TO_LEARN = 16
BLOCK_ROWS = 1 << 15
NODE_RATE_FACTOR = 2.5
# Looks at the validation loss in a joint pass, and the instances they see. Without looks a network
# that overfits gets worse with every node, and growth ends too soon; five are too few, twenty and
# more instances gain nothing (docs/experiments.md).
LOOKS, LOOK_ROWS = 10, 1_000


class Judged(NamedTuple):
    """What a network makes of training instances under the thresholds of a level.

    Parameters
    ----------
    wrong, unsure : ndarray of bool of shape (n_instances,)
        Instances that it misclassifies, and those that it is not sure of: the probability
        of the positive class, or with more classes that of the predicted one, lies
        between beta and alpha.
    """

    wrong: NDArray[np.bool_]
    unsure: NDArray[np.bool_]

    @classmethod
    def by(cls, network: Network, part: Part, costs: CostMatrix) -> Self:
        """Evaluate a network on scaled instances, or on those selected."""
        wrong, unsure = np.empty(len(part), dtype=bool), np.empty(len(part), dtype=bool)
        rows = np.arange(len(part), dtype=np.int32) if part.rows is None else part.rows
        # In blocks, because memory may be short.
        for start in range(0, len(part), BLOCK_ROWS):
            block = slice(start, start + BLOCK_ROWS)
            probabilities = network.probabilities(part.X, rows[block])
            p = probabilities[:, 1] if part.n_classes == 2 else probabilities.max(axis=1)
            wrong[block] = probabilities.argmax(axis=1) != part.y[rows[block]]
            unsure[block] = (p > costs.beta) & (p < costs.alpha)
        return cls(wrong, unsure)


@dataclass(frozen=True)
class NodeTraining:
    """How a network gets one node more.

    Parameters
    ----------
    activation, initialisation : str
        Activation function, and distribution of the initial weights.
    training : Training
        Settings of the joint pass of a level.
    l2 : float
        Weight of the squared parameters.
    n_candidates : int
        Number of rivals for a new node.
    node_updates : int
        Updates of the rivals.
    lesson : {"undecided", "all", "random", "decided"}
        Which instances rivals are trained on, see `RefinedGrowth`.
    joint : bool
        Whether all nodes are trained together after a node has joined.
    """

    activation: str
    initialisation: str
    training: Training
    l2: float
    n_candidates: int
    node_updates: int
    lesson: str = "undecided"
    joint: bool = True

    def add(
        self,
        network: Network | None,
        part: Part,
        lesson: Part,
        validation: Part,
        rng: np.random.Generator,
        progress: Progress = QUIET,
    ) -> Network:
        """Add the best node for a lesson, and train all nodes together.

        Parameters
        ----------
        network : Network or None
            The network so far.
        part : Part
            Scaled training instances, for the joint pass.
        lesson : Part
            What the rivals for the new node are trained on, see `part_to_learn`.
        validation : Part
            Scaled validation instances: the joint pass ends with the parameters that suit
            them best.
        rng : numpy.random.Generator
            Source of all randomness.
        progress : Progress, optional
            Hears of the epochs of the joint pass; may end it.

        Returns
        -------
        Network
            The network with one node more.
        """
        node = self._best_node(network, lesson, rng)
        grown = node if network is None else network.with_node(node)
        if not self.joint:
            return grown
        [trained], _ = train(
            [grown],
            part,
            replace(self.training, checks=LOOKS),
            rng,
            l2=self.l2,
            validation=validation.head(LOOK_ROWS),
            monitor=progress.monitor,
        )
        return trained

    def part_to_learn(
        self,
        part: Part,
        undecided: NDArray[np.int32],
        network: Network | None,
        rng: np.random.Generator,
    ) -> Part:
        """Choose what the next node learns from, on top of the frozen network.

        Parameters
        ----------
        part : Part
            Scaled training instances.
        undecided : ndarray of int
            Rows of the universe.
        network : Network or None
            The network so far.
        rng : numpy.random.Generator
            Source of randomness for the lesson "random".

        Returns
        -------
        Part
            The instances, with the network's logits as offset; all if there are too few.
        """
        if network is None:
            return part
        rows = undecided
        if self.lesson == "random":
            rows = np.sort(rng.permutation(len(part))[: len(undecided)])
        elif self.lesson == "decided":
            rows = np.setdiff1d(np.arange(len(part)), undecided)
        if self.lesson == "all" or len(rows) < FEWEST_TO_LEARN or len(rows) == len(part):
            return replace(part, offset=network.logits(part.X))
        return part.select(rows, network.logits(part.X, rows))

    def _best_node(
        self, network: Network | None, lesson: Part, rng: np.random.Generator
    ) -> Network:
        """Train rivals for a new node on top of the frozen ones, and return the best."""
        shape = (lesson.n_features, 1, lesson.n_classes)
        rivals = [
            initial_network(*shape, self.activation, self.initialisation, rng, lesson.knots)
            for _ in range(self.n_candidates)
        ]
        if network is not None:
            rivals = [rival.behind_gates_of(network) for rival in rivals]
        gates = self.training.gates
        if network is not None and gates == "all":
            gates = "own"  # The others are those of the frozen network.
        training = replace(
            self.training,
            updates=self.node_updates,
            learning_rate=self.training.learning_rate * NODE_RATE_FACTOR,
            checks=1,
            gates=gates,
        )
        rivals, losses = train(rivals, lesson, training, rng, l2=self.l2)
        return rivals[int(np.argmin(losses))]
