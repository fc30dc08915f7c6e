"""Growth to the letter of the paper's Algorithm 1.

Each level trains a network of one node on the boundary region that the level before
left, decides on what that node misclassifies, and hands the new boundary region on.
At the end the nodes are stacked under the output bias of the last one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import BND, CostMatrix
from trisect.growth.level import Deciding, Ledger, Level
from trisect.growth.progress import Progress
from trisect.network import Examples, Network

__all__ = ["PaperGrowth"]

QUIET = Progress()
TrainNode = Callable[[NDArray[np.int32]], Network]


@dataclass(frozen=True)
class PaperGrowth:
    """Algorithm 1.

    Parameters
    ----------
    chain : sequence of CostMatrix
        Costs of the levels; its length is the number of levels at most.
    unit_test_costs, unit_delay_costs : ndarray
        Unit costs of the levels.
    deciding : Deciding
        How misclassified instances are decided upon.
    """

    chain: Sequence[CostMatrix]
    unit_test_costs: NDArray
    unit_delay_costs: NDArray
    deciding: Deciding

    def levels(
        self,
        examples: Examples,
        validation: Examples,
        train_node: TrainNode,
        rng: np.random.Generator,
        progress: Progress = QUIET,
    ) -> list[Level]:
        """Grow until the boundary region is empty.

        Parameters
        ----------
        examples : Examples
            Training data with two classes, of which 1 is the positive one.
        validation : Examples
            Data for the score of each level.
        train_node : callable
            Gets the rows of the boundary region and returns a trained one-node network.
        rng : numpy.random.Generator
            Source of randomness for the granules.
        progress : Progress, optional
            Told how it goes; may end growth.

        Returns
        -------
        list of Level
            The levels in order; the network of the last one is the result.
        """
        ledger = Ledger(self.unit_test_costs, self.unit_delay_costs, [])
        boundary = np.arange(len(examples), dtype=np.int32)
        network: Network | None = None
        for i, costs in enumerate(self.chain):
            progress.begin_level()
            node = train_node(boundary)
            network = node if network is None else network.stacked(node, node.b2)
            undecided = examples.take(boundary)
            wrong = node.logits(undecided.X).argmax(axis=1) != undecided.y
            last = i == len(self.chain) - 1
            verdict = self.deciding.verdict(undecided, wrong, costs, last, rng)
            n_hard, n_wrong = examples.count(boundary), undecided.count(wrong)
            level = ledger.enter(costs, verdict, n_hard, n_wrong, network, validation)
            boundary = boundary[verdict.regions == BND]
            if progress.end_level(level) or not len(boundary):
                break
        return ledger.levels
