"""Growth by the paper's Algorithm 1.

Each level trains a network of one node on the boundary region that the level before
left, decides on what that node misclassifies, and passes the new boundary region on.
At the end the nodes are stacked under the output bias of the last one.
"""

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect._sklearn import Interval, StrOptions
from trisect.growth.data import TrainingData
from trisect.growth.level import Level
from trisect.growth.policy import QUIET, Grown, Growth
from trisect.growth.progress import Progress
from trisect.growth.read_outs import stacked_read_outs
from trisect.growth.rules import Rules
from trisect.growth.settings import AUTO, Architecture, Settings
from trisect.growth.universe import Universe
from trisect.network import (
    Network,
    Training,
    class_balance,
    initial_network,
    mean_losses,
    train,
)

__all__ = ["PaperGrowth"]

# Passes without a lower validation loss after which a node is done.
PATIENCE = 10


class PaperGrowth(Growth):
    """Algorithm 1: every node is trained alone, on what is still undecided.

    It is for two classes. A network that leaves the scaling and the activation open
    (``"auto"``) gets standardised features and tanh.

    Parameters
    ----------
    theta : float, default=2
        Exponent of the focal loss.
    delta : {"frequency"} or None, default=None
        Weight of each class in the focal loss: "frequency" is its share of the training
        data, as the paper puts it; None treats the classes alike.
    l2 : float, default=0.1
        Weight of the squared weights and biases, per batch.
    learning_rate : float, default=0.1
        Learning rate of Adam.
    batch_size : int, default=512
        Instances per update.
    max_epochs : int, default=200
        Largest number of passes over the boundary region at each level. Training ends
        earlier when ten passes have not lowered the validation loss.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from trisect import STWDSFNNClassifier
    >>> from trisect.growth import PaperGrowth
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = STWDSFNNClassifier(PaperGrowth(delta="frequency"), random_state=0).fit(X, y)
    >>> model.levels_[-1].n_bnd
    0
    """

    multi_class = False
    can_continue = False

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "theta": [Interval(Real, 0, None, closed="left")],
        "delta": [StrOptions({"frequency"}), None],
        "l2": [Interval(Real, 0, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "max_epochs": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        *,
        theta=2.0,
        delta=None,
        l2=0.1,
        learning_rate=0.1,
        batch_size=512,
        max_epochs=200,
    ):
        self.theta = theta
        self.delta = delta
        self.l2 = l2
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_epochs = max_epochs

    def class_factors(self, y: np.ndarray, n_classes: int, weight: np.ndarray) -> np.ndarray:
        """Compute delta for each class, scaled so that its mean over instances is one."""
        return class_balance(y, n_classes, self.delta, weight)

    def grow(
        self,
        data: TrainingData,
        rules: Rules,
        architecture: Architecture,
        rng: np.random.Generator,
        progress: Progress = QUIET,
        start: Grown | None = None,
    ) -> Grown:
        """Grow until the boundary region is empty, see `Growth.grow`."""
        scale, activation, initialisation = architecture
        scaling = data.fit_scaling("standard" if scale == AUTO else scale, rng)
        settings = Settings(scaling, "tanh" if activation == AUTO else activation, float(self.l2))
        progress.settled(settings)
        data = data.scaled(scaling)
        part, validation = data.train, data.validation
        universe = Universe(part, rules)
        network: Network | None = None
        levels: list[Level] = []
        biases: list[NDArray] = []
        while len(universe) and len(levels) < rules.n_levels:
            progress.begin("level")
            untrained = initial_network(
                part.n_features, 1, 2, settings.activation, initialisation, rng
            )
            [node], _ = train(
                [untrained],
                part.select(universe.rows),
                self._training(len(universe)),
                rng,
                l2=settings.l2,
                validation=validation,
                monitor=progress.epoch,
            )
            network = node if network is None else network.stacked(node, node.b2)
            biases.append(node.b2)
            wrong = node.logits(part.X, universe.rows).argmax(axis=1) != part.y[universe.rows]
            verdict = universe.sort(wrong, len(levels), rng)
            score = -float(mean_losses([network], validation)[0])
            levels.append(rules.record(levels, verdict, score))
            if progress.end(levels[-1], network):
                break
        assert network is not None
        read_outs = stacked_read_outs(network, biases)
        best, settled = len(levels) - 1, universe.settlement
        return Grown(levels, best, network, settings, settled, universe.origin, read_outs)

    def _training(self, n_instances: int) -> Training:
        return Training(
            self.max_epochs * -(-n_instances // self.batch_size),
            float(self.learning_rate),
            theta=float(self.theta),
            batch_size=self.batch_size,
            decay=False,
            checks=self.max_epochs,
            patience=PATIENCE,
        )
