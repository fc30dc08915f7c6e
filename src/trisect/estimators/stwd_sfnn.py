"""Sequential three-way decisions with a single-hidden-layer feedforward network."""

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.callback import with_callbacks

from trisect._sklearn import Interval, StrOptions, fit_context, num_samples
from trisect.decisions import (
    ClassCosts,
    CostMatrix,
    as_cost_matrix,
    default_costs,
    is_one_matrix,
    leading_to,
    nested,
    positive_class,
    resolve_unit_costs,
    sample_cost_matrices,
    unit_costs,
)
from trisect.estimators.base import NetworkClassifier, all_or_nothing
from trisect.estimators.callback_progress import FitCallbacks, GrowthCallbacks
from trisect.estimators.decision_rule import costs_for_classes, refuse_pos_label
from trisect.estimators.level_walk import LevelWalkMixin
from trisect.estimators.one_thread import ALGEBRA_ON_ONE_THREAD
from trisect.growth import (
    AUTO,
    GRANULATIONS,
    GRANULES,
    Architecture,
    Grown,
    Growth,
    PaperGrowth,
    RefinedGrowth,
    Rules,
    Settings,
    TrainingData,
    levels_table,
)
from trisect.network import ACTIVATIONS, DISTRIBUTIONS, using_threads
from trisect.scaling import SCALES

__all__ = ["STWDSFNNClassifier"]

GROWTHS: dict[str, type[Growth]] = {"paper": PaperGrowth, "refined": RefinedGrowth}
"""The ways to grow that are known by name."""

LEADING_LEVELS = 10


class STWDSFNNClassifier(LevelWalkMixin, NetworkClassifier):
    """A classifier whose network grows node by node under three-way decisions.

    Growth starts with one hidden node and all training instances. Each level adds a node
    for the instances that are still undecided, and sorts these into accepted (POS), deferred
    (BND) and rejected (NEG) by thresholds that follow from the costs of the level. What is
    deferred is what the next level has to decide; growth ends when nothing is, or at the
    last level, which defers nothing.

    Parameters
    ----------
    growth : {"refined", "paper"} or Growth, default="refined"
        How the network grows. "paper" is a reading of Algorithm 1: each level trains one
        node alone, on the undecided instances. "refined" trains rivals for each new node on
        the undecided instances, then all nodes on all instances, and keeps the level that
        validation data favour. `trisect.growth.RefinedGrowth` and
        `trisect.growth.PaperGrowth` are the same with other parameters, such as the l2
        weight or the number of updates.
    max_levels : int, default=64
        Largest number of levels, and so of hidden nodes. Refined growth ends earlier when
        new nodes no longer pay, and warns if they still do at level 64 or beyond.
    activation : {"auto", "relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"}, default="auto"
        Activation function of the hidden nodes; "auto" is "relu" in the
        refined growth, "tanh" in the paper's.
    initialisation : {"uniform", "normal"}, default="uniform"
        Distribution of the initial weights.
    costs : CostMatrix, array-like of shape (2, 3), dict, a sequence of these, "random" or None
        What decisions cost, in any unit, see `trisect.decisions.as_costs`. The costs of the
        levels lead to them (see `trisect.decisions.leading_to`), so that early levels decide
        only what is clear, and refined growth keeps the level whose decisions cost least on
        validation data. By
        default a mistake costs 1 and a review 0.2, and the level is chosen by its loss. A
        sequence holds the first matrices of a chain; "random" draws a chain, as the paper
        does, for growth alone, which depends on `random_state` alone. With more than two
        classes `trisect.ClassCosts`, which count when decisions are made and not in growth.
    pos_label : label, default=None
        The positive of two classes, which it is right to accept; by default the one that
        the costs name, or the second in sorted order, with a warning if there are costs and
        the classes are texts.
    unit_test_costs, unit_delay_costs : array-like, default=None
        What testing an instance at each level costs, and letting it wait. Unit test costs
        in the unit of `costs` count when a level is chosen. By default
        ``linspace(1, 50, max_levels)`` in ``levels_``, as in the paper, and nothing in a
        walk.
    boundary_penalty : float, default=2
        Factor, at least one, on the cost of deferring in the result cost.
    granules : {"kmeans", "rows", "bins"} or callable, default="kmeans"
        Equivalence classes of the misclassified instances: clusters, identical rows,
        or equal bins; see `trisect.growth.granulate`.
    n_granules : int, default=5
        Number of clusters, or of bins per feature.
    granulation : {"anew", "inherited", "once"}, default="anew"
        Whether granules are made anew at each level, within those of the level before, or
        once for all levels.
    keep_sets : bool, default=False
        Whether each level keeps its sets of row numbers, see `trisect.growth.LevelSets`.
    scale : {"auto", "standard", "robust", "quantile", "curves", "none"}, default="auto"
        Scaling of the features, see `trisect.scaling.fit_scaling`. "auto" is "standard" in
        paper growth and "curves" in refined: each node has a curve of its own along each
        column.
    validation_fraction : float, default=1/9
        Share of each class that is held back when `fit` gets no validation data.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, in the loss and in the shares of classes in granules.
    warm_start : bool, default=False
        Whether a further call of `fit` keeps growing from the network that was kept, which
        sorts all instances anew.
    n_jobs : int or None, default=None
        Number of threads that share the work of a fit; None is one, -1 all processors. The
        result is the same, bit for bit.
    random_state : int, RandomState instance or None, default=None
        Seed of everything random; one seed fixes the fit bit for bit.

    Attributes
    ----------
    levels_ : list of Level
        The levels, with thresholds, counts, costs and score of each.
    best_level_ : int
        Index in ``levels_`` of the level that was kept.
    settlement_ : Settlement
        For each row of the training data the level that settled it, by which rule, and in
        which region.
    n_hidden_ : int
        Number of hidden nodes of the fitted network.
    network_ : Network
        The fitted network, which works on scaled features.
    read_outs_ : ReadOuts or None
        What the first nodes of the network say on their own, for two classes.
    scaling_ : Scaling
        The scaling in front of it.
    coefs_, intercepts_ : list of ndarray
        Weights and biases, as in `sklearn.neural_network.MLPClassifier`; of the inputs
        without curves. The curves are in ``network_.nodes``.
    costs_ : CostMatrix or ClassCosts
        Costs that decisions are made with: those given, or by default 1 for a mistake and
        0.2 for a review.
    cost_matrices_ : list of CostMatrix
        Costs of the levels.
    unit_test_costs_, unit_delay_costs_ : ndarray of shape (max_levels,)
        Unit costs of a walk through the levels, zeros if none were given.
    activation_ : str
        The activation function in use.
    l2_ : float
        The l2 weight in use.
    pos_label_ : label
        The positive class; with more than two classes the last, which has no meaning.
    fit_seconds_ : float
        Duration of the fit.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
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
    >>> model.n_hidden_ <= 20
    True
    >>> model.score(X_test, y_test) > 0.93
    True
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "growth": [StrOptions(set(GROWTHS)), Growth],
        "max_levels": [Interval(Integral, 1, None, closed="left")],
        "activation": [StrOptions({AUTO, *ACTIVATIONS})],
        "initialisation": [StrOptions(set(DISTRIBUTIONS))],
        "costs": [StrOptions({"random"}), CostMatrix, ClassCosts, dict, "array-like", None],
        "pos_label": [Real, str, "boolean", None],
        "unit_test_costs": ["array-like", None],
        "unit_delay_costs": ["array-like", None],
        "boundary_penalty": [Interval(Real, 1, None, closed="left")],
        "granules": [StrOptions(set(GRANULES)), callable],
        "n_granules": [Interval(Integral, 1, None, closed="left")],
        "granulation": [StrOptions(set(GRANULATIONS))],
        "keep_sets": ["boolean"],
        "scale": [StrOptions({AUTO, *SCALES})],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "warm_start": ["boolean"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        growth="refined",
        *,
        max_levels=64,
        activation="auto",
        initialisation="uniform",
        costs=None,
        pos_label=None,
        unit_test_costs=None,
        unit_delay_costs=None,
        boundary_penalty=2.0,
        granules="kmeans",
        n_granules=5,
        granulation="anew",
        keep_sets=False,
        scale="auto",
        validation_fraction=1 / 9,
        class_weight=None,
        warm_start=False,
        n_jobs=None,
        random_state=None,
    ):
        self.growth = growth
        self.max_levels = max_levels
        self.activation = activation
        self.initialisation = initialisation
        self.costs = costs
        self.pos_label = pos_label
        self.unit_test_costs = unit_test_costs
        self.unit_delay_costs = unit_delay_costs
        self.boundary_penalty = boundary_penalty
        self.granules = granules
        self.n_granules = n_granules
        self.granulation = granulation
        self.keep_sets = keep_sets
        self.scale = scale
        self.validation_fraction = validation_fraction
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state

    def set_params(self, **params: Any) -> Self:
        """Set parameters, those of the growth as ``growth__parameter``.

        Parameters
        ----------
        **params : dict
            Parameters and their values. A growth that is given by name becomes an object if
            parameters of its own are set.

        Returns
        -------
        STWDSFNNClassifier
        """
        growth = params.get("growth", self.growth)
        if isinstance(growth, str) and any(name.startswith("growth__") for name in params):
            params = {**params, "growth": GROWTHS[growth]()}
        return super().set_params(**params)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = getattr(self._growth(), "multi_class", True)
        return tags

    @all_or_nothing
    @with_callbacks
    @fit_context(prefer_skip_nested_validation=True)
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
            Their classes.
        sample_weight : array-like of shape (n_instances,), default=None
            Weights of the instances, in the loss and in the shares of classes in granules;
            only their ratios matter.
        X_val, y_val : array-like, default=None
            Validation data. Without them a share of the training data is held back.

        Returns
        -------
        STWDSFNNClassifier
            The fitted estimator.
        """
        growth = self._growth()
        growth._validate_params()
        callbacks = FitCallbacks(self, X, y, growth.n_tasks(self.max_levels))
        rng, start = self._generator(), self._start()
        # A generator of its own, so that the chain depends on the seed alone.
        [of_chain] = rng.spawn(1)
        rules = self._rules(start, of_chain)
        # The data are named nowhere here, so that growth can let go of all but a scaled copy.
        with using_threads(effective_n_jobs(self.n_jobs)), ALGEBRA_ON_ONE_THREAD:
            grown = growth.grow(
                self._data(growth, start, X, y, sample_weight, X_val, y_val, rng),
                rules,
                Architecture(self.scale, self.activation, self.initialisation),
                rng,
                GrowthCallbacks(
                    callbacks,
                    start.levels[: start.best_level + 1] if start else (),
                    self._accepts_first_class(),
                ),
                start,
            )
        self._keep_grown(grown, num_samples(X))
        callbacks.finish()
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

    def _growth(self) -> Growth:
        """Return the way to grow that `growth` names or is."""
        if isinstance(self.growth, str):
            return GROWTHS[self.growth]()
        return clone(self.growth)

    def _start(self) -> Grown | None:
        """Return what a warm start continues from."""
        if not (self.warm_start and hasattr(self, "levels_")):
            return None
        network = self.network_.swapped() if self._accepts_first_class() else self.network_
        settings = Settings(self.scaling_, self.activation_, self.l2_)
        none = np.empty(0, dtype=np.int32)
        return Grown(
            self.levels_,
            self.best_level_,
            network,
            settings,
            self.settlement_,
            none,
            self.read_outs_,
        )

    def _keep_grown(self, grown: Grown, n_rows: int) -> None:
        """Store the result of growth."""
        self.levels_, self.best_level_ = list(grown.levels), grown.best_level
        scaling, self.activation_, self.l2_ = grown.settings
        self.read_outs_ = grown.read_outs
        self.settlement_ = grown.settlement.scattered(grown.rows, n_rows)
        network = grown.network.swapped() if self._accepts_first_class() else grown.network
        self._keep(network, scaling)

    def _accepts_first_class(self) -> bool:
        """Whether the positive class is the first of two, so that growth exchanges them."""
        return len(self.classes_) == 2 and bool(self.pos_label_ == self.classes_[0])

    def _data(
        self, growth: Growth, start: Grown | None, X, y, sample_weight, X_val, y_val, rng
    ) -> TrainingData:
        """Return the data of a fit that this growth, from this start, can work on."""
        classes_before: NDArray = getattr(self, "classes_", np.empty(0))
        data = self._training_data(X, y, sample_weight, X_val, y_val, rng, growth.class_factors)
        if data.n_classes > 2 and not growth.multi_class:
            raise ValueError(
                f"{type(growth).__name__} decides between two classes. Only binary "
                f"classification is supported, but y has {data.n_classes} classes; use "
                "growth='refined' for more than two."
            )
        if start is not None:
            self._check_continuation(start, growth, classes_before)
        self.pos_label_ = self._positive_class()
        self.costs_ = self._costs_of_decisions()
        return data.swapped() if self._accepts_first_class() else data

    def _costs_of_decisions(self) -> CostMatrix | ClassCosts:
        """Return the costs that `decide` uses, or say why the given ones cannot be used."""
        if not self._gives_costs():
            return default_costs(len(self.classes_))
        if len(self.classes_) > 2:
            return costs_for_classes(self.costs, self.classes_)  # type: ignore[return-value]
        return as_cost_matrix(self._last_costs())

    def _last_costs(self) -> Any:
        """Return the given costs that the levels lead to."""
        return self.costs if is_one_matrix(self.costs) else self.cost_matrices_[-1]

    def _gives_costs(self) -> bool:
        """Whether the user gave costs, rather than none or a draw."""
        return self.costs is not None and not isinstance(self.costs, str)

    def _positive_class(self) -> Any:
        if len(self.classes_) > 2:
            refuse_pos_label(self.pos_label, len(self.classes_))
            return self.classes_[-1]
        # Without costs, decide says which class is accepted, if nobody has named it.
        if not self._gives_costs():
            return positive_class(self.classes_, self.pos_label, default=self.classes_[-1])
        return positive_class(self.classes_, self.pos_label, self._costs_of_decisions())

    def _rules(self, start: Grown | None, rng: np.random.Generator) -> Rules:
        self.cost_matrices_ = self._chain(start, rng)
        given = self._gives_costs() and not isinstance(self.costs, ClassCosts)
        for name in ("unit_test_costs", "unit_delay_costs"):
            none = np.zeros(self.max_levels)
            units = resolve_unit_costs(getattr(self, name), self.max_levels, name, none)
            setattr(self, f"{name}_", units)
        return Rules(
            chain=self.cost_matrices_,
            unit_test_costs=self._unit_costs_of_all_levels("unit_test_costs"),
            unit_delay_costs=self._unit_costs_of_all_levels("unit_delay_costs"),
            granules=self.granules,
            n_granules=self.n_granules,
            granulation=self.granulation,
            boundary_penalty=self.boundary_penalty,
            keep_sets=self.keep_sets,
            costs=as_cost_matrix(self._last_costs()) if given else None,
            priced=self.unit_test_costs is not None,
        )

    def _chain(self, start: Grown | None, rng: np.random.Generator) -> list[CostMatrix]:
        """Return the costs of all levels, or say why they cannot be."""
        costs: Any = self.costs
        if costs is None or isinstance(costs, ClassCosts):
            costs = default_costs()
        if isinstance(costs, str):
            if start is not None:
                return nested(self.cost_matrices_[: self.max_levels], self.max_levels)
            return sample_cost_matrices(self.max_levels, rng)
        if not is_one_matrix(costs):
            return nested(costs, self.max_levels)
        final = as_cost_matrix(costs)
        if start is None or self.cost_matrices_[-1] != final:
            # Networks that grow far decide by the given costs from some level on.
            n_leading = min(self.max_levels, LEADING_LEVELS)
            chain = leading_to(final, n_leading)
            return [*chain, *[final] * (self.max_levels - n_leading)]
        # The levels so far keep their costs, and those to come cannot be stricter again.
        kept = self.cost_matrices_[: start.best_level + 1]
        return [*kept, *[final] * (self.max_levels - len(kept))]

    def _unit_costs_of_all_levels(self, name: str) -> NDArray[np.float64]:
        n_levels = self.max_levels
        return resolve_unit_costs(getattr(self, name), n_levels, name, unit_costs(n_levels))

    def _check_continuation(self, start: Grown, growth: Growth, classes_before: NDArray) -> None:
        if not growth.can_continue:
            raise ValueError("warm_start keeps growing only with growth='refined'.")
        if self.max_levels < len(start.levels):
            raise ValueError(
                f"warm_start keeps the {len(start.levels)} levels of the fit before, which is "
                f"more than max_levels={self.max_levels}."
            )
        if not np.array_equal(self.classes_, classes_before):
            found, self.classes_ = self.classes_, classes_before
            raise ValueError(
                f"warm_start needs the classes of the fit before, {classes_before!r}, "
                f"got {found!r}."
            )
        if self._positive_class() != self.pos_label_:
            raise ValueError(
                f"warm_start needs the positive class of the fit before, {self.pos_label_!r}, "
                f"got pos_label={self.pos_label!r}."
            )
        activation = start.settings.activation if self.activation == AUTO else self.activation
        fixed = (start.settings.scaling.n_features, start.settings.activation)
        if (self.n_features_in_, activation) != fixed:
            raise ValueError(
                "warm_start needs the features and activation of the fit before "
                f"({fixed[0]} features, {fixed[1]}), got {self.n_features_in_} features and "
                f"{activation}."
            )
