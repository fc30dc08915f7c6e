"""Networks of a fixed or a searched size, trained from scratch: rivals of a grown one."""

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.callback import with_callbacks

from trisect._sklearn import Interval, StrOptions, fit_context
from trisect.estimators.base import NetworkClassifier, all_or_nothing, network_attributes
from trisect.estimators.callback_progress import FitCallbacks
from trisect.estimators.sizes import RULES, SEARCHES, SizeSearch, Trial, Trials, hidden_nodes
from trisect.growth import TrainingData
from trisect.network import (
    ACTIVATIONS,
    DISTRIBUTIONS,
    Network,
    Part,
    Training,
    initial_network,
    train,
)
from trisect.scaling import SCALES

__all__ = ["SFNNClassifier"]

# Looks at the validation loss, and how many of them without a lower one end training.
CHECKS, PATIENCE = 40, 20


class SFNNClassifier(NetworkClassifier):
    """A network with one hidden layer, of a fixed or a searched size.

    It is trained with Adam under a rate that warms up and then falls along a cosine,
    and ends with the parameters that had the lowest loss on validation data. The
    defaults are those of the grown network where it has such a parameter, so that the
    two differ in their topology: cross-entropy, a rate of 0.02, batches of 512; the l2
    weight of 0.1 and the standardised features are the paper's.

    Parameters
    ----------
    n_hidden : int, {"m1", "m2", "m3", "grid", "swarm"} or SizeSearch, default="m1"
        Number of hidden nodes, or how to find it. A rule of thumb for D features and C
        classes: "m1" is sqrt(D + C + 2), "m2" is log2(D) and "m3" is sqrt(D C), rounded
        up. Or a search by validation accuracy among at most ten nodes: "grid" tries every
        size, "swarm" lets a particle swarm look;
        `GridSizes` and `SwarmSizes` are the same with other parameters.
    activation : {"relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"}, default="tanh"
        Activation function of the hidden nodes.
    initialisation : {"uniform", "normal"}, default="uniform"
        Distribution of the initial weights.
    theta : float, default=0
        Exponent of the focal loss; 0 is the cross-entropy.
    l2 : float, default=0.1
        Weight of the squared weights and biases, per batch.
    learning_rate : float, default=0.02
        Highest learning rate of Adam.
    batch_size : int, default=512
        Instances per update.
    max_updates : int, default=3000
        Most updates. Training ends earlier when the validation loss has not fallen
        for half of them.
    scale : {"standard", "robust", "quantile", "curves", "none"}, default="standard"
        Scaling of the features, see `trisect.scaling.fit_scaling`.
    validation_fraction : float, default=1/9
        Share of each class that is held back when `fit` gets no validation data.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes.
    random_state : int, RandomState instance or None, default=None
        Seed of everything random; one seed fixes the fit bit for bit.

    Attributes
    ----------
    n_hidden_ : int
        Number of hidden nodes.
    trials_ : dict of int to float
        Validation accuracy of each size that was trained, in the order of the search.
    network_ : Network
        The fitted network, which works on scaled features.
    scaling_ : Scaling
        The scaling in front of it.
    coefs_, intercepts_ : list of ndarray
        Weights and biases, as in `sklearn.neural_network.MLPClassifier`.
    fit_seconds_ : float
        How long the fit took.
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
    >>> from trisect import SFNNClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> model = SFNNClassifier("m3", random_state=0).fit(X_train, y_train)
    >>> model.n_hidden_
    8
    >>> model.score(X_test, y_test) > 0.93
    True
    >>> searched = SFNNClassifier("grid", random_state=0).fit(X_train, y_train)
    >>> searched.n_hidden_ == max(searched.trials_, key=searched.trials_.get)
    True
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "n_hidden": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions({*RULES, *SEARCHES}),
            SizeSearch,
        ],
        "activation": [StrOptions(set(ACTIVATIONS))],
        "initialisation": [StrOptions(set(DISTRIBUTIONS))],
        "theta": [Interval(Real, 0, None, closed="left")],
        "l2": [Interval(Real, 0, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "max_updates": [Interval(Integral, 1, None, closed="left")],
        "scale": [StrOptions(set(SCALES))],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_hidden="m1",
        *,
        activation="tanh",
        initialisation="uniform",
        theta=0.0,
        l2=0.1,
        learning_rate=0.02,
        batch_size=512,
        max_updates=3000,
        scale="standard",
        validation_fraction=1 / 9,
        class_weight=None,
        random_state=None,
    ):
        self.n_hidden = n_hidden
        self.activation = activation
        self.initialisation = initialisation
        self.theta = theta
        self.l2 = l2
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_updates = max_updates
        self.scale = scale
        self.validation_fraction = validation_fraction
        self.class_weight = class_weight
        self.random_state = random_state

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
        """Train, and keep the parameters that are best on validation data.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Training instances.
        y : array-like of shape (n_instances,)
            Their classes.
        sample_weight : array-like of shape (n_instances,), default=None
            Weights of the instances; only their ratios matter.
        X_val, y_val : array-like, default=None
            Validation data. Without them a share of the training data is held back.

        Returns
        -------
        SFNNClassifier
            The fitted estimator.
        """
        callbacks = FitCallbacks(self, X, y, n_tasks=None)
        rng = self._generator()
        data = self._training_data(X, y, sample_weight, X_val, y_val, rng)
        scaling = data.fit_scaling(self.scale, rng)
        data = data.scaled(scaling).prepared(self.batch_size)
        seed = int(rng.integers(2**63))

        def trial(n_hidden: int) -> Trial:
            callbacks.begin("network")
            network = self._trained(n_hidden, data, seed, callbacks.epoch)
            stop = callbacks.end_task(lambda: {"scaling_": scaling, **network_attributes(network)})
            return Trial(network, _accuracy(network, data.validation), stop)

        trials = Trials(trial)
        n_hidden = self._choose(trials, data.train, rng)
        self._keep(trials.run(n_hidden).network, scaling)
        self.trials_ = {size: found.accuracy for size, found in trials.tried.items()}
        callbacks.finish()
        return self

    def _choose(self, trials: Trials, part: Part, rng: np.random.Generator) -> int:
        n_hidden = self.n_hidden
        if isinstance(n_hidden, str) and n_hidden in RULES:
            return hidden_nodes(n_hidden, part.n_features, part.n_classes)
        if isinstance(n_hidden, Integral):
            return int(n_hidden)
        search = SEARCHES[n_hidden]() if isinstance(n_hidden, str) else clone(n_hidden)
        search._validate_params()
        return search.choose(trials, rng)

    def _trained(self, n_hidden: int, data: TrainingData, seed: int, monitor: Any) -> Network:
        rng = np.random.default_rng([seed, n_hidden])
        start = initial_network(
            data.train.n_features,
            n_hidden,
            data.n_classes,
            self.activation,
            self.initialisation,
            rng,
            data.train.knots,
        )
        training = Training(
            self.max_updates,
            self.learning_rate,
            theta=self.theta,
            batch_size=self.batch_size,
            checks=CHECKS,
            patience=PATIENCE,
        )
        [network], _ = train(
            [start],
            data.train,
            training,
            rng,
            l2=self.l2,
            validation=data.validation,
            monitor=monitor,
        )
        return network


def _accuracy(network: Network, validation: Part) -> float:
    right = network.logits(validation.X).argmax(axis=1) == validation.y
    return float(np.average(right, weights=validation.weight))
