"""Growth that keeps the paper's levels, decisions and costs, and learns.

At each level rivals for a new node are trained side by side on the undecided instances,
on top of the frozen network; the best one joins, and then all nodes are trained
together on all instances. Without that joint pass a new node that has only seen
undecided instances spoils the others. What the level defers is what the next one has to
decide. Growth ends when nothing is deferred, or when new nodes no longer pay.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from trisect._sklearn import Interval, StrOptions
from trisect.decisions import CostMatrix
from trisect.growth.data import TrainingData
from trisect.growth.level import Level
from trisect.growth.nodes import LESSONS, Judged, NodeTraining
from trisect.growth.policy import QUIET, Grown, Growth
from trisect.growth.polish import Polish
from trisect.growth.progress import Progress
from trisect.growth.read_outs import fit_read_outs
from trisect.growth.rules import Rules
from trisect.growth.selection import (
    SELECTIONS,
    chance_loss,
    pays,
    select_level,
    validated_costs,
)
from trisect.growth.settings import AUTO, Architecture, Settings
from trisect.growth.strictness import STRICTNESS_ROWS
from trisect.growth.thinning import thinned
from trisect.growth.universe import Universe
from trisect.network import Network, Part, Training, mean_losses

__all__ = ["RefinedGrowth"]

AUTO_SCALE, AUTO_ACTIVATION = "curves", "relu"
# A limit below so many levels is somebody's choice, and needs no warning.
FAR = 64
# Times the patience with which something is looked for that no few nodes can find, such as parity.
MORE_IF_IGNORANT = 3
# Weight of the squares in growth if all instances were one batch: a node alone needs little.
L2_OF_ALL = 0.3


class RefinedGrowth(Growth):
    """The default growth, for any number of classes.

    A network that leaves its scaling open (``"auto"``) is gated: every node has a
    piecewise linear curve of its own along each column, and gates per column and per node
    through which the l2 penalty silences columns that say nothing.

    Parameters
    ----------
    theta : float, default=0
        Exponent of the focal loss; 0 is the cross-entropy.
    l2 : float or "auto", default="auto"
        Weight of the squared weights and biases, per batch. "auto" is 0.3 in growth if all
        training instances were one batch, and so less for many instances. For the network that
        is kept, validation then chooses the weight and the kind of penalty: gates that
        silence columns, open gates, or stiff curves.
    learning_rate : float, default=0.02
        Highest learning rate of Adam.
    batch_size : int, default=512
        Instances per update.
    node_updates, joint_updates, polish_updates : int, default=100, 100, 1200
        Updates for the rivals of a node, for all nodes together at each level, and for
        the network that is kept in the end: 700 at most if columns are more than a hundred, 400
        if nodes have curves along that many.
    n_candidates : int, default=2
        Rivals for each new node, trained side by side.
    lesson : {"undecided", "all", "random", "decided"}, default="undecided"
        What rivals are trained on: the undecided instances, or, to see what that is worth,
        all instances, as many at random, or the decided ones.
    joint : bool, default=True
        Whether all nodes are trained together after each new one.
    patience : int, default=10
        Growth ends when none of so many levels has lowered the validation loss notably: so
        many for two classes, more for more (times the binary logarithm of their number), and
        three times as many as long as the network knows no more than how frequent the classes
        are.
    selection : {"best", "one_se", "last"}, default="best"
        Which level is kept. "best" takes the one of the best validation loss, or the last one
        if that is notably better after brief training; with costs, what decisions cost
        takes the place of the loss. "one_se" is the smallest level within one standard error
        of the best, "last" the last.
    thin : bool, default=True
        Whether knots of curves and whole inputs that make no notable difference to the loss are
        removed in the end.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from trisect import STWDSFNNClassifier
    >>> from trisect.growth import RefinedGrowth
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = STWDSFNNClassifier(RefinedGrowth(selection="one_se"), random_state=0).fit(X, y)
    >>> model.set_params(growth__n_candidates=2).growth.n_candidates
    2
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "theta": [Interval(Real, 0, None, closed="left")],
        "l2": [Interval(Real, 0, None, closed="left"), StrOptions({AUTO})],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "node_updates": [Interval(Integral, 1, None, closed="left")],
        "joint_updates": [Interval(Integral, 1, None, closed="left")],
        "polish_updates": [Interval(Integral, 0, None, closed="left")],
        "n_candidates": [Interval(Integral, 1, None, closed="left")],
        "lesson": [StrOptions(set(LESSONS))],
        "joint": ["boolean"],
        "patience": [Interval(Integral, 1, None, closed="left")],
        "selection": [StrOptions(set(SELECTIONS))],
        "thin": ["boolean"],
    }

    def __init__(
        self,
        *,
        theta=0.0,
        l2="auto",
        learning_rate=0.02,
        batch_size=512,
        node_updates=100,
        joint_updates=100,
        polish_updates=1200,
        n_candidates=2,
        lesson="undecided",
        joint=True,
        patience=10,
        selection="best",
        thin=True,
    ):
        self.theta = theta
        self.l2 = l2
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.node_updates = node_updates
        self.joint_updates = joint_updates
        self.polish_updates = polish_updates
        self.n_candidates = n_candidates
        self.lesson = lesson
        self.joint = joint
        self.patience = patience
        self.selection = selection
        self.thin = thin

    def n_tasks(self, max_levels: int) -> int:
        """Count the tasks that `grow` reports at most: the levels, and the polish."""
        return max_levels + (self.polish_updates > 0)

    def grow(
        self,
        data: TrainingData,
        rules: Rules,
        architecture: Architecture,
        rng: np.random.Generator,
        progress: Progress = QUIET,
        start: Grown | None = None,
    ) -> Grown:
        """Grow while instances are undecided and it pays; keep the level that validation favours.

        See `Growth.grow`.
        """
        settings = self._settings(data, architecture, rng) if start is None else start.settings
        progress.settled(settings)
        unscaled, data = data, data.scaled(settings.scaling).prepared(self.batch_size)
        nodes = self._training_of_nodes(architecture.initialisation, settings)
        universe = Universe(data.train, rules)
        levels, networks = self._grow_levels(universe, data, rules, nodes, rng, progress, start)
        first = len(levels) - len(networks)
        costs = rules.costs if data.n_classes == 2 else None
        prices = rules.price_of_levels(first, len(levels))
        chosen = select_level(networks, data.validation, self.selection, costs, prices)
        network = rehearsal = networks[chosen]
        if self.polish_updates and not progress.stopped:
            progress.begin("polish")
            kept = [chosen]
            if self.selection == "best" and chosen < len(networks) - 1:
                kept.append(len(networks) - 1)
            value = None
            if costs is not None:
                of_kept = np.zeros(len(kept)) if prices is None else prices[kept]
                value = _cost(data.validation, costs, of_kept)
            polish = Polish(
                replace(nodes.training, updates=self.polish_updates),
                None if self.l2 == AUTO else nodes.l2,
            )
            found = polish([networks[i] for i in kept], data, rng, value, progress)
            chosen, network, rehearsal = kept[found.which], found.network, found.rehearsal
            progress.end()
            levels[first + chosen] = replace(levels[first + chosen], validation_score=-found.loss)
        if self.thin:
            network, scaling = thinned(network, settings.scaling, data)
            settings = settings._replace(scaling=scaling)
        best = first + chosen
        read_outs = None
        if data.n_classes == 2:
            some = unscaled.scaled(settings.scaling, at_most=STRICTNESS_ROWS)
            read_outs = fit_read_outs(network, some, rehearsal, data)
        return Grown(
            levels, best, network, settings, universe.settlement, universe.origin, read_outs
        )

    def _settings(
        self, data: TrainingData, architecture: Architecture, rng: np.random.Generator
    ) -> Settings:
        """Settle what was left open."""
        scale, activation, l2 = architecture.scale, architecture.activation, self.l2
        if l2 == AUTO:
            n_instances = len(data.train)
            l2 = L2_OF_ALL * min(self.batch_size, n_instances) / n_instances
        return Settings(
            data.fit_scaling(AUTO_SCALE if scale == AUTO else scale, rng),
            AUTO_ACTIVATION if activation == AUTO else activation,
            float(l2),
        )

    def _training_of_nodes(self, initialisation: str, settings: Settings) -> NodeTraining:
        training = Training(
            self.joint_updates,
            float(self.learning_rate),
            theta=float(self.theta),
            batch_size=self.batch_size,
        )
        return NodeTraining(
            settings.activation,
            initialisation,
            training,
            settings.l2,
            self.n_candidates,
            self.node_updates,
            self.lesson,
            self.joint,
        )

    def _grow_levels(
        self,
        universe: Universe,
        data: TrainingData,
        rules: Rules,
        nodes: NodeTraining,
        rng: np.random.Generator,
        progress: Progress,
        start: Grown | None,
    ) -> tuple[list[Level], list[Network]]:
        """Add levels while instances are undecided; return all levels, and the new networks.

        A network that has learned nothing yet decides nothing. A start counts as the first of the
        new networks, and its last level sorts anew.
        """
        part = data.train
        levels: list[Level] = []
        networks: list[Network] = []
        scores: list[float] = []
        chance = chance_loss(data.validation)
        # A node helps some of the classes, so that more classes need more of them.
        patience_if_learned = round(self.patience * np.log2(max(data.n_classes, 2)))
        if start is not None:
            levels = rules.repriced(start.levels[: start.best_level + 1])
            networks.append(start.network)
        if start is not None and len(levels) < rules.n_levels:
            last = levels.pop()
            wrong, unsure = Judged.by(start.network, part, rules.chain[len(levels)])
            verdict = universe.sort(wrong, len(levels), rng, unsure)
            levels.append(rules.record(levels, verdict, last.validation_score))
        while len(universe) and len(levels) < rules.n_levels:
            progress.begin("level")
            i, before = len(levels), networks[-1] if networks else None
            lesson = nodes.part_to_learn(part, universe.rows, before, rng)
            network = nodes.add(before, part, lesson, data.validation, rng, progress)
            del lesson  # Memory may be short.
            score = -float(mean_losses([network], data.validation)[0])
            networks.append(network)
            scores.append(score)
            ignorant = not pays(-max(scores), chance, data.validation)
            patience = patience_if_learned * (MORE_IF_IGNORANT if ignorant else 1)
            ends = len(scores) > patience and not _paid(scores, patience, data.validation)
            wrong, unsure = Judged.by(network, part.select(universe.rows), rules.chain[i])
            verdict = universe.sort(wrong, i, rng, unsure, ignorant=ignorant, last=ends)
            levels.append(rules.record(levels, verdict, score))
            if progress.end(levels[-1], network):
                break
        at_limit = len(levels) == rules.n_levels >= FAR
        if at_limit and _paid(scores, 1, data.validation):
            warnings.warn(
                f"Growth still paid when it reached max_levels={rules.n_levels}: raise it.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return levels, networks


def _cost(
    validation: Part, costs: CostMatrix, prices: NDArray[np.float64]
) -> Callable[[Network, int], float]:
    """Judge networks by what their decisions cost, and the prices of evaluating each."""

    def cost(network: Network, which: int) -> float:
        [spent] = validated_costs([network.logits(validation.X)], validation, costs)
        return float(spent + prices[which])

    return cost


def _paid(scores: Sequence[float], n_levels: int, validation: Part) -> bool:
    """Whether one of the last levels has lowered the validation loss notably."""
    losses = -np.array(scores)
    if len(losses) <= n_levels:
        return False
    return pays(losses[-n_levels:].min(), losses[:-n_levels].min(), validation)
