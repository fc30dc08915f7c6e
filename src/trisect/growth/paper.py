"""Growth by the paper's Algorithm 1.

Each level trains a network of one node on the boundary region that the level before
left, decides on what that node misclassifies, and passes the new boundary region on.
At the end the nodes are stacked under the output bias of the last one.
"""

from dataclasses import replace
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
    Part,
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
    """A reading of Algorithm 1: every node is trained on what is still undecided.

    It is for two classes. A network that leaves the scaling and the activation open
    (``"auto"``) gets standardised features and tanh.

    The paper leaves room, and its readings differ by tens of points of accuracy. Where it
    says something, the default is what it says. Three more choices belong to the estimator:
    the positive class (``pos_label``; the paper's is its label 1, the first), the costs
    (``costs="random"``), and whether granules are made at each level or once
    (``granulation``).

    Parameters
    ----------
    theta : float, default=2
        Exponent of the focal loss; "set to two".
    delta : {"frequency"} or None, default="frequency"
        Weight of each class in the focal loss: "the ratio of the number of each label to
        the total number of labels", which favours the majority, or the same for both.
    l2 : float, default=0.1
        The "regularization factor" of the squared weights and biases.
    l2_per : {"batch", "instance"}, default="batch"
        Whether the factor stands beside the summed losses of a batch, as in the paper's
        cost function, or beside their mean, where it weighs `batch_size` times as much.
    learning_rate : float, default=0.1
        Learning rate of Adam.
    batch_size : int, default=512
        Instances per update.
    max_epochs : int, default=200
        Largest number of passes over the boundary region at each level.
    node : {"alone", "stacked"}, default="alone"
        Whether a new node is a network of its own, trained and judged alone, and stacked on
        the others at the end, or is trained and judged on top of the frozen earlier ones.
        The paper's example is consistent with both.
    watch : {"validation", "boundary"} or None, default="validation"
        What ends the training of a node when ten passes have not lowered its loss: all
        validation instances, those that every node so far misclassifies, or nothing. The
        paper has validation data and does not say what for.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from trisect import STWDSFNNClassifier
    >>> from trisect.growth import PaperGrowth
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = STWDSFNNClassifier(PaperGrowth(delta=None), costs="random", random_state=0)
    >>> model.fit(X, y).levels_[-1].n_bnd
    0
    """

    multi_class = False
    can_continue = False

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "theta": [Interval(Real, 0, None, closed="left")],
        "delta": [StrOptions({"frequency"}), None],
        "l2": [Interval(Real, 0, None, closed="left")],
        "l2_per": [StrOptions({"batch", "instance"})],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "max_epochs": [Interval(Integral, 1, None, closed="left")],
        "node": [StrOptions({"alone", "stacked"})],
        "watch": [StrOptions({"validation", "boundary"}), None],
    }

    def __init__(
        self,
        *,
        theta=2.0,
        delta="frequency",
        l2=0.1,
        l2_per="batch",
        learning_rate=0.1,
        batch_size=512,
        max_epochs=200,
        node="alone",
        watch="validation",
    ):
        self.theta = theta
        self.delta = delta
        self.l2 = l2
        self.l2_per = l2_per
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.node = node
        self.watch = watch

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
        activation = "tanh" if activation == AUTO else activation
        settings = Settings(scaling, activation, float(self.l2))
        progress.settled(settings)
        data = data.scaled(scaling)
        part, validation = data.train, data.validation
        universe, stack = Universe(part, rules), _Stack(data, self.node == "stacked")
        levels: list[Level] = []
        while len(universe) and len(levels) < rules.n_levels:
            progress.begin("level")
            untrained = initial_network(
                part.n_features, 1, 2, activation, initialisation, rng, part.knots
            )
            [node], _ = train(
                [untrained],
                stack.lesson(universe.rows),
                self._training(len(universe)),
                rng,
                l2=self.l2 * (self.batch_size if self.l2_per == "instance" else 1),
                validation=stack.watched(self.watch),
                monitor=progress.monitor,
            )
            wrong = stack.add(node)[universe.rows]
            verdict = universe.sort(wrong, len(levels), rng)
            score = -float(mean_losses([stack.network], validation)[0])
            levels.append(rules.record(levels, verdict, score))
            if progress.end(levels[-1], stack.network):
                break
        return Grown(
            levels,
            len(levels) - 1,
            stack.network,
            settings,
            universe.settlement,
            universe.origin,
            stacked_read_outs(stack.network, stack.biases),
        )

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


class _Stack:
    """The nodes trained so far, and what each new one starts from.

    Parameters
    ----------
    data : TrainingData
        Scaled data.
    together : bool
        Whether nodes are trained and judged on top of the earlier ones, or alone.
    """

    network: Network

    def __init__(self, data: TrainingData, together: bool) -> None:
        self._data, self._together = data, together
        self._logits: NDArray[np.float32] | None = None
        self._missed = np.ones(len(data.validation), dtype=bool)
        self.biases: list[NDArray[np.float32]] = []

    def lesson(self, rows: NDArray[np.int32]) -> Part:
        """Select the boundary region, with what the frozen nodes say about it."""
        if self._logits is None or not self._together:
            return self._data.train.select(rows)
        return self._data.train.select(rows, np.ascontiguousarray(self._logits[rows]))

    def watched(self, watch: str | None) -> Part | None:
        """Select the validation instances whose loss ends the training of a node."""
        validation = self._data.validation
        if watch is None:
            return None
        offset = None
        if self.biases and self._together:
            offset = self.network.logits(validation.X)
        if watch == "validation" or not self._missed.any():
            return replace(validation, offset=offset)
        rows = np.flatnonzero(self._missed)
        return validation.select(rows, None if offset is None else offset[rows])

    def add(self, node: Network) -> NDArray[np.bool_]:
        """Put a node on the stack; return which training instances are misclassified."""
        if not self.biases:
            self.network = node
        elif self._together:
            self.network = self.network.with_node(node)
        else:
            self.network = self.network.stacked(node, node.b2)
        self.biases.append(self.network.b2)
        judge = self.network if self._together else node
        train, validation = self._data.train, self._data.validation
        self._logits = judge.logits(train.X)
        self._missed &= judge.logits(validation.X).argmax(axis=1) != validation.y
        return self._logits.argmax(axis=1) != train.y
