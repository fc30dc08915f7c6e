"""Sequential three-way decisions with a single-hidden-layer feedforward network."""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import _fit_context
from sklearn.callback import with_callbacks
from sklearn.utils._param_validation import Interval, StrOptions

from trisect.decisions import CostMatrix, nested, sample_cost_matrices, unit_costs
from trisect.estimators.base import NetworkClassifier, timed
from trisect.estimators.callback_progress import CallbackProgress
from trisect.estimators.level_walk import LevelWalkMixin
from trisect.growth import (
    GRANULES,
    L2_GRID,
    SELECTIONS,
    Deciding,
    Instances,
    Level,
    PaperGrowth,
    Progress,
    RefinedGrowth,
    levels_table,
    select_level,
    settle,
)
from trisect.network import (
    ACTIVATIONS,
    DELTAS,
    DISTRIBUTIONS,
    Examples,
    Network,
    Training,
    initial_network,
    train,
)
from trisect.scaling import SCALES, Scaling

__all__ = ["STWDSFNNClassifier"]

AUTO = "auto"
# What "auto" stands for, in the paper's growth and in the refined one.
THETA = {"paper": 2.0, "refined": 0.0}
LEARNING_RATE = {"paper": 0.1, "refined": 0.02}
PAPER_L2 = 0.1
AUTO_SCALES = ("standard", "evidence")
# The evidence scaling makes two inputs of a column, which large data have no room for.
EVIDENCE_CELLS = 20_000_000
# Curves of more columns take longer to learn, and gain little.
FEW_COLUMNS = 16
AUTO_ACTIVATIONS = ("tanh", "swish")
PROBE_ROWS = 20_000
PAPER_PATIENCE = 10


class STWDSFNNClassifier(LevelWalkMixin, NetworkClassifier):
    """A classifier whose network grows node by node under three-way decisions.

    Growth starts with one hidden node. At each level the training instances are
    sorted into accepted (POS), deferred (BND) and rejected (NEG) by thresholds that
    follow from the costs of the level, and a node is added for what is still
    unresolved. The levels, their decisions and their costs are kept in ``levels_``.

    Parameters
    ----------
    growth : {"refined", "paper"}, default="refined"
        "paper" is Algorithm 1 to the letter: each level trains one node alone on the
        boundary region of the level before, and growth ends when that is empty.
        "refined" keeps the levels, decisions and costs, trains rivals for each new
        node on the hard instances, then all nodes on all instances, and keeps the
        level that validation data favour.
    max_levels : int, default=10
        Most levels, and so most hidden nodes.
    activation : {"auto", "relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"}, default="auto"
        Activation function of the hidden nodes. "auto" is "tanh" in paper growth; in
        refined it chooses "tanh" or "swish" on validation data.
    initialisation : {"uniform", "normal"}, default="uniform"
        Distribution of the initial weights.
    costs : "random", CostMatrix, array-like of shape (2, 3), or a sequence, default="random"
        Costs of the levels: a random chain that `random_state` fixes, one matrix from
        which a narrowing chain is made, or the first several matrices of a chain.
    unit_test_costs, unit_delay_costs : array-like, default=None
        Unit costs of each level; by default ``linspace(1, 50, max_levels)``.
    boundary_penalty : float, default=2
        Factor, at least one, on the cost of deferring in the result cost.
    granules : {"kmeans", "rows", "bins"} or callable, default="kmeans"
        Equivalence classes of the misclassified instances: clusters, identical rows,
        or equal bins; see `trisect.decisions.granulate`.
    n_granules : int, default=5
        Number of clusters, or of bins per feature.
    theta : float or "auto", default="auto"
        Exponent of the focal loss; "auto" is 2 in paper growth and 0 in refined.
    delta : {"frequency", "inverse"}, array-like of shape (n_classes,) or None, default=None
        Weight of each class in the focal loss, see `trisect.network.class_balance`.
    l2 : float or "auto", default="auto"
        Weight of the squared weights and biases, per batch; "auto" is 0.1 in paper
        growth, and chosen on validation data in refined.
    learning_rate : float or "auto", default="auto"
        Highest learning rate of Adam; "auto" is 0.1 in paper growth, 0.02 in refined.
    batch_size : int, default=512
        Instances per update.
    max_epochs : int, default=200
        Most passes over the boundary region at each level of paper growth, which also
        ends when ten passes have not lowered the validation loss.
    node_updates, joint_updates, polish_updates : int, default=150, 600, 2000
        Updates of refined growth: for the rivals of a node, for all nodes together at
        each level, and for the network that is kept in the end.
    n_candidates : int, default=4
        Rivals for each new node in refined growth, trained side by side.
    hard_region : bool, default=True
        Whether rivals are trained on the hard instances only.
    joint : bool, default=True
        Whether all nodes are trained together after each new one.
    selection : {"one_se", "best", "last"}, default="best"
        Which level refined growth keeps: the smallest within one standard error of
        the best validation loss, the best, or the last.
    scale : {"auto", "standard", "robust", "quantile", "evidence", "learned", "none"}
        Scaling of the features, see `trisect.network.fit_scaling`; "evidence" and "learned"
        are for two classes. "auto", the default, is "standard" in paper growth. In refined
        it chooses on validation data between "standard", "evidence" and, with at most 16
        columns, "learned"; with more than two classes or more than 20 million cells between
        "standard" and "quantile".
    validation_fraction : float, default=1/9
        Share of each class that is held back when `fit` gets no validation data.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, in the loss and in the shares of classes in granules.
    warm_start : bool, default=False
        Whether a further call of `fit` keeps growing from the last level.
    random_state : int, RandomState instance or None, default=None
        Seed of everything random; one seed fixes the fit bit for bit.
    verbose : bool, default=False
        Whether to print a line for each level.

    Attributes
    ----------
    levels_ : list of Level
        The levels, with thresholds, regions, costs, score and network of each.
    best_level_ : int
        Index in ``levels_`` of the level that was kept.
    n_hidden_ : int
        Number of hidden nodes of the fitted network.
    network_ : Network
        The fitted network, which works on scaled features.
    scaling_ : Scaling
        The scaling in front of it.
    coefs_, intercepts_ : list of ndarray
        Weights and biases, as in `sklearn.neural_network.MLPClassifier`.
    cost_matrices_ : list of CostMatrix
        Costs of the levels.
    activation_ : str
        The activation function in use.
    l2_ : float
        The l2 weight in use.
    fit_seconds_ : float
        How long the fit took.
    classes_ : ndarray of shape (n_classes,)
        Class labels; the second of two is the positive class.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have any.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from trisect import STWDSFNNClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> model = STWDSFNNClassifier(random_state=0).fit(X_train, y_train)
    >>> model.n_hidden_ <= 10
    True
    >>> model.score(X_test, y_test) > 0.93
    True
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "growth": [StrOptions({"paper", "refined"})],
        "max_levels": [Interval(Integral, 1, None, closed="left")],
        "activation": [StrOptions({AUTO, *ACTIVATIONS})],
        "initialisation": [StrOptions(set(DISTRIBUTIONS))],
        "costs": [StrOptions({"random"}), CostMatrix, "array-like"],
        "unit_test_costs": ["array-like", None],
        "unit_delay_costs": ["array-like", None],
        "boundary_penalty": [Interval(Real, 1, None, closed="left")],
        "granules": [StrOptions(set(GRANULES)), callable],
        "n_granules": [Interval(Integral, 1, None, closed="left")],
        "theta": [Interval(Real, 0, None, closed="left"), StrOptions({AUTO})],
        "delta": [StrOptions(set(DELTAS)), "array-like", None],
        "l2": [Interval(Real, 0, None, closed="left"), StrOptions({AUTO})],
        "learning_rate": [Interval(Real, 0, None, closed="neither"), StrOptions({AUTO})],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "max_epochs": [Interval(Integral, 1, None, closed="left")],
        "node_updates": [Interval(Integral, 1, None, closed="left")],
        "joint_updates": [Interval(Integral, 1, None, closed="left")],
        "polish_updates": [Interval(Integral, 0, None, closed="left")],
        "n_candidates": [Interval(Integral, 1, None, closed="left")],
        "hard_region": ["boolean"],
        "joint": ["boolean"],
        "selection": [StrOptions(set(SELECTIONS))],
        "scale": [StrOptions({AUTO, *SCALES})],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "warm_start": ["boolean"],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        growth="refined",
        *,
        max_levels=10,
        activation="auto",
        initialisation="uniform",
        costs="random",
        unit_test_costs=None,
        unit_delay_costs=None,
        boundary_penalty=2.0,
        granules="kmeans",
        n_granules=5,
        theta="auto",
        delta=None,
        l2="auto",
        learning_rate="auto",
        batch_size=512,
        max_epochs=200,
        node_updates=150,
        joint_updates=600,
        polish_updates=2000,
        n_candidates=4,
        hard_region=True,
        joint=True,
        selection="best",
        scale="auto",
        validation_fraction=1 / 9,
        class_weight=None,
        warm_start=False,
        random_state=None,
        verbose=False,
    ):
        self.growth = growth
        self.max_levels = max_levels
        self.activation = activation
        self.initialisation = initialisation
        self.costs = costs
        self.unit_test_costs = unit_test_costs
        self.unit_delay_costs = unit_delay_costs
        self.boundary_penalty = boundary_penalty
        self.granules = granules
        self.n_granules = n_granules
        self.theta = theta
        self.delta = delta
        self.l2 = l2
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.node_updates = node_updates
        self.joint_updates = joint_updates
        self.polish_updates = polish_updates
        self.n_candidates = n_candidates
        self.hard_region = hard_region
        self.joint = joint
        self.selection = selection
        self.scale = scale
        self.validation_fraction = validation_fraction
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.growth != "paper"
        return tags

    @timed
    @with_callbacks
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        X_val: ArrayLike | None = None,
        y_val: ArrayLike | None = None,
    ) -> Self:
        """Grow the network.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Training instances.
        y : array-like of shape (n_instances,)
            Their classes. Of two classes, the second in sorted order is the positive.
        sample_weight : array-like of shape (n_instances,), default=None
            Weights of the instances, in the loss and in the shares of classes in granules;
            only their ratios matter. Up to 2,048 rows, an instance of weight two is learnt
            like an instance given twice.
        X_val, y_val : array-like, default=None
            Validation data. Without them a share of the training data is held back.

        Returns
        -------
        STWDSFNNClassifier
            The fitted estimator.
        """
        continuing = self.warm_start and hasattr(self, "levels_")
        polishes = self.growth == "refined" and self.polish_updates > 0
        context = self._init_callback_context(max_subtasks=self.max_levels + polishes)
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        rng = self._generator()
        classes_before = getattr(self, "classes_", np.empty(0))
        instances = self._instances(
            X, y, sample_weight, X_val, y_val, rng, self.delta, self.validation_fraction
        )
        grown: list[Level] = self.levels_ if continuing else []
        if self.growth == "paper" and instances.n_classes > 2:
            raise ValueError(
                "growth='paper' decides between two classes. Only binary classification "
                f"is supported, but y has {instances.n_classes} classes; use "
                "growth='refined' for more than two."
            )
        self._check_continuation(instances, grown, classes_before)
        self.cost_matrices_ = self._chain(rng, grown)
        if not continuing:
            self.scaling_, self.activation_, self.l2_ = self._settled(instances, rng)

        progress = CallbackProgress(self, context, X, y, grown, bool(self.verbose))
        training, validation = instances.scaled(self.scaling_)
        del instances  # Growth needs the scaled copy only, and memory may be short.
        grow = self._grow_paper if self.growth == "paper" else self._grow_refined
        network = grow(training, validation, rng, grown, progress)
        self._keep(network, self.scaling_)
        context.call_on_fit_task_end(estimator=self, X=X, y=y, reconstruction_attributes=dict)
        return self

    def levels_frame(self):
        """Return the levels as a pandas data frame, one row each.

        Returns
        -------
        pandas.DataFrame
            Nodes, thresholds, counts, costs and score of each level.
        """
        from pandas import DataFrame

        return DataFrame(levels_table(self.levels_)).set_index("level")

    def _chain(self, rng: np.random.Generator, grown: list[Level]) -> list[CostMatrix]:
        if grown:
            return nested(self.cost_matrices_[: self.max_levels], self.max_levels)
        if isinstance(self.costs, str):
            return sample_cost_matrices(self.max_levels, rng)
        return nested(self.costs, self.max_levels)

    def _check_continuation(
        self, instances: Instances, grown: list[Level], classes: NDArray
    ) -> None:
        if not grown:
            return
        if self.growth == "paper":
            raise ValueError("warm_start keeps growing only with growth='refined'.")
        if self.max_levels < len(grown):
            raise ValueError(
                f"warm_start keeps the {len(grown)} levels of the fit before, which is more "
                f"than max_levels={self.max_levels}."
            )
        if not np.array_equal(self.classes_, classes):
            found, self.classes_ = self.classes_, classes
            raise ValueError(
                f"warm_start needs the classes of the fit before, {classes!r}, got {found!r}."
            )
        network = grown[-1].network
        activation = self.activation_ if self.activation == AUTO else self.activation
        n_features = self.scaling_.n_features
        shape = (instances.X.shape[1], instances.n_classes, activation)
        if shape != (n_features, network.n_classes, network.activation):
            raise ValueError(
                "warm_start needs the features, classes and activation of the fit before "
                f"({n_features} features, {network.n_classes} classes, "
                f"{network.activation}), got {shape}."
            )

    def _settled(
        self, instances: Instances, rng: np.random.Generator
    ) -> tuple[Scaling, str, float]:
        """Choose the scaling, the activation and the l2 weight where they are left open."""

        def choices(value: Any, automatic: Sequence[Any]) -> tuple[Any, ...]:
            if value != AUTO:
                return (value,)
            return tuple(automatic[:1] if self.growth == "paper" else automatic)

        scales = choices(self.scale, AUTO_SCALES)
        if self.scale == AUTO and (instances.n_classes > 2 or instances.X.size > EVIDENCE_CELLS):
            scales = tuple("quantile" if kind == "evidence" else kind for kind in scales)
        activations = choices(self.activation, AUTO_ACTIVATIONS)
        paper_first = (PAPER_L2,) if self.growth == "paper" else L2_GRID
        penalties = tuple(float(value) for value in choices(self.l2, paper_first))
        scalings = {kind: instances.fit_scaling(kind, rng) for kind in scales}
        if len(scales) > 1 and scalings[scales[-1]].counts.max() <= 2:
            del scalings[scales[-1]]  # A straight line says all about two values.
        if len(scalings) == len(activations) == len(penalties) == 1:
            return scalings[scales[0]], activations[0], penalties[0]
        options = {kind: instances.scaled(s, PROBE_ROWS) for kind, s in scalings.items()}

        def learned() -> tuple[Examples, Examples]:
            # Draws of its own leave a fit as it is where the learned curves are not chosen.
            [apart] = rng.spawn(1)
            scalings["learned"] = instances.learn_curves(scalings["evidence"], apart)
            return instances.scaled(scalings["learned"], PROBE_ROWS)

        few = instances.X.shape[1] <= FEW_COLUMNS
        may_learn = self.scale == AUTO and "evidence" in scalings and few
        growth = self._refined(activations[0], penalties[0])
        chosen = settle(
            growth, options, activations, penalties, rng, learned if may_learn else None
        )
        return scalings[chosen.scale], chosen.activation, chosen.l2

    def _training(self, updates: int) -> Training:
        def choice(value: Any, automatic: dict[str, float]) -> float:
            return automatic[self.growth] if value == AUTO else float(value)

        return Training(
            updates,
            choice(self.learning_rate, LEARNING_RATE),
            theta=choice(self.theta, THETA),
            batch_size=self.batch_size,
        )

    def _common(self) -> dict[str, Any]:
        def units(given: ArrayLike | None, name: str) -> NDArray:
            if given is None:
                return unit_costs(self.max_levels)
            values = np.asarray(given, dtype=np.float64)
            if values.ndim != 1 or len(values) < self.max_levels or not (values > 0).all():
                raise ValueError(
                    f"{name} must hold {self.max_levels} positive numbers, one for each "
                    f"of the max_levels levels, got {given!r}."
                )
            return values

        return {
            "chain": self.cost_matrices_,
            "unit_test_costs": units(self.unit_test_costs, "unit_test_costs"),
            "unit_delay_costs": units(self.unit_delay_costs, "unit_delay_costs"),
            "deciding": self._deciding(),
        }

    def _deciding(self) -> Deciding:
        return Deciding(self.granules, self.n_granules, self.boundary_penalty)

    def _refined(self, activation: str, l2: float) -> RefinedGrowth:
        return RefinedGrowth(
            **self._common(),
            activation=activation,
            distribution=self.initialisation,
            training=self._training(self.joint_updates),
            l2=l2,
            n_candidates=self.n_candidates,
            node_updates=self.node_updates,
            hard_region=self.hard_region,
            joint=self.joint,
        )

    def _grow_paper(
        self,
        training: Examples,
        validation: Examples,
        rng: np.random.Generator,
        grown: list[Level],
        progress: Progress,
    ) -> Network:
        def train_node(rows: NDArray[np.int32]) -> Network:
            start = initial_network(
                training.X.shape[1], 1, 2, self.activation_, self.initialisation, rng
            )
            batches = -(-len(rows) // self.batch_size)
            schedule = replace(
                self._training(self.max_epochs * batches),
                decay=False,
                checks=self.max_epochs,
                patience=PAPER_PATIENCE,
            )
            return train(
                [start], training, schedule, rng,
                l2=self.l2_, rows=rows, validation=validation, monitor=progress.epoch,
            )[0][0]  # fmt: skip

        growth = PaperGrowth(**self._common())
        self.levels_ = growth.levels(training, validation, train_node, rng, progress)
        self.best_level_ = len(self.levels_) - 1
        return self.levels_[-1].network

    def _grow_refined(
        self,
        training: Examples,
        validation: Examples,
        rng: np.random.Generator,
        grown: list[Level],
        progress: Progress,
    ) -> Network:
        growth = self._refined(self.activation_, self.l2_)
        levels = growth.levels(training, validation, rng, grown, progress)
        best = select_level(levels, validation, self.selection)
        if self.polish_updates and not progress.stopped:
            progress.begin_polish()
            network = growth.polished(
                levels[best].network, training, validation, self.polish_updates, rng, progress
            )
            progress.end_polish()
            score = -float(validation.losses([network])[0])
            levels[best] = replace(levels[best], network=network, validation_score=score)
        self.levels_, self.best_level_ = levels, best
        return levels[best].network
