"""Networks of a fixed size, trained from scratch: the static rivals of a grown one."""

import math
from abc import abstractmethod
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import _fit_context
from sklearn.callback import CallbackContext, with_callbacks
from sklearn.utils._param_validation import Interval, StrOptions

from trisect.estimators.base import NetworkClassifier, network_attributes, timed
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

__all__ = ["RULES", "SFNNClassifier", "SizedNetworkClassifier", "Trial", "hidden_nodes"]

CHECKS = 40
PATIENCE = 20

RULES: dict[str, Callable[[int, int], int]] = {
    "m1": lambda inputs, outputs: _root(inputs + outputs + 2),
    "m2": lambda inputs, outputs: (inputs - 1).bit_length(),
    "m3": lambda inputs, outputs: _root(inputs * outputs),
}
"""Rules of thumb for the number of hidden nodes, by name."""


def _root(n: int) -> int:
    """Round the square root up, without the errors of floating point."""
    return math.isqrt(n - 1) + 1


def hidden_nodes(rule: str, n_features: int, n_classes: int) -> int:
    """Compute the number of hidden nodes that a rule of thumb gives.

    Parameters
    ----------
    rule : {"m1", "m2", "m3"}
        With D inputs and C outputs, "m1" is sqrt(D + C + 2), "m2" is log2(D) and "m3"
        is sqrt(D C), each rounded up and at least 1.
    n_features, n_classes : int
        Number of inputs and of outputs.

    Returns
    -------
    int
        Number of nodes.

    Examples
    --------
    >>> from trisect.estimators.sfnn import hidden_nodes
    >>> [hidden_nodes(rule, n_features=58, n_classes=2) for rule in ("m1", "m2", "m3")]
    [8, 6, 11]
    """
    return max(RULES[rule](n_features, n_classes), 1)


class Trial(NamedTuple):
    """A network that was trained, its accuracy on validation data, and whether to stop."""

    network: Network
    accuracy: float
    stop: bool = False


class SizedNetworkClassifier(NetworkClassifier):
    """Base of the classifiers that train networks of given sizes from scratch.

    A subclass says which sizes it tries and which network it keeps; its parameters
    beyond those are the same for all.
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "activation": [StrOptions(set(ACTIVATIONS))],
        "initialisation": [StrOptions(set(DISTRIBUTIONS))],
        "theta": [Interval(Real, 0, None, closed="left")],
        "delta": [StrOptions(set(DELTAS)), "array-like", None],
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
        *,
        activation,
        initialisation,
        theta,
        delta,
        l2,
        learning_rate,
        batch_size,
        max_updates,
        scale,
        validation_fraction,
        class_weight,
        random_state,
    ):
        self.activation = activation
        self.initialisation = initialisation
        self.theta = theta
        self.delta = delta
        self.l2 = l2
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_updates = max_updates
        self.scale = scale
        self.validation_fraction = validation_fraction
        self.class_weight = class_weight
        self.random_state = random_state

    @abstractmethod
    def _choose(
        self, trial: Callable[[int], Trial], examples: Examples, rng: np.random.Generator
    ) -> Network:
        """Try sizes and return the network to keep.

        Parameters
        ----------
        trial : callable
            Trains a network with the number of hidden nodes that it is given. The same
            number gives the same network, whatever was tried before.
        examples : Examples
            Scaled training data.
        rng : numpy.random.Generator
            Source of randomness for the choice.

        Returns
        -------
        Network
            The network to keep.
        """

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
        """Train, with the best parameters on validation data kept.

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
        self
            The fitted estimator.
        """
        context = self._init_callback_context(max_subtasks=None)
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        rng = self._generator()
        instances = self._instances(
            X, y, sample_weight, X_val, y_val, rng, self.delta, self.validation_fraction
        )
        scaling = instances.fit_scaling(self.scale, rng)
        examples, validation = instances.scaled(scaling)
        seed = int(rng.integers(2**63))

        def trial(n_hidden: int) -> Trial:
            task = _NetworkTask(self, context, X, y)
            network = self._trained(n_hidden, examples, validation, seed, task.epoch)
            stop = task.end(network, scaling)
            return Trial(network, _accuracy(network, validation), stop)

        self._keep(self._choose(trial, examples, rng), scaling)
        context.call_on_fit_task_end(estimator=self, X=X, y=y, reconstruction_attributes=dict)
        return self

    def _trained(
        self,
        n_hidden: int,
        examples: Examples,
        validation: Examples,
        seed: int,
        monitor: Callable[[], bool],
    ) -> Network:
        rng = np.random.default_rng([seed, n_hidden])
        start = initial_network(
            examples.X.shape[1],
            n_hidden,
            examples.n_classes,
            self.activation,
            self.initialisation,
            rng,
        )
        training = Training(
            self.max_updates,
            self.learning_rate,
            theta=self.theta,
            batch_size=self.batch_size,
            checks=CHECKS,
            patience=PATIENCE,
        )
        (network,), _ = train(
            [start], examples, training, rng, l2=self.l2, validation=validation, monitor=monitor
        )
        return network


class SFNNClassifier(SizedNetworkClassifier):
    """A network with one hidden layer whose size is fixed beforehand.

    It is trained with Adam under a rate that warms up and then falls along a cosine,
    and ends with the parameters that had the lowest loss on validation data. The
    defaults are those of the grown network where it has such a parameter, so that the
    two differ in their topology: cross-entropy, a rate of 0.02, batches of 512; the l2
    weight of 0.1 and the standardised features are the paper's.

    Parameters
    ----------
    n_hidden : int or {"m1", "m2", "m3"}, default="m1"
        Number of hidden nodes, or a rule for it: with D features and C classes, "m1"
        is sqrt(D + C + 2), "m2" is log2(D) and "m3" is sqrt(D C), rounded up.
    activation : {"relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"}, default="tanh"
        Activation function of the hidden nodes.
    initialisation : {"uniform", "normal"}, default="uniform"
        Distribution of the initial weights.
    theta : float, default=0
        Exponent of the focal loss; 0 is the cross-entropy.
    delta : {"frequency", "inverse"}, array-like of shape (n_classes,) or None, default=None
        Weight of each class in the focal loss, see `trisect.network.class_balance`.
    l2 : float, default=0.1
        Weight of the squared weights and biases, per batch.
    learning_rate : float, default=0.02
        Highest learning rate of Adam.
    batch_size : int, default=512
        Instances per update.
    max_updates : int, default=3000
        Most updates. Training ends earlier when the validation loss has not fallen
        for half of them.
    scale : {"standard", "robust", "quantile", "evidence", "learned", "none"}
        Scaling of the features, "standard" by default; see `trisect.network.fit_scaling`.
        "evidence" and "learned" are for two classes.
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
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        **SizedNetworkClassifier._parameter_constraints,
        "n_hidden": [Interval(Integral, 1, None, closed="left"), StrOptions(set(RULES))],
    }

    def __init__(
        self,
        n_hidden="m1",
        *,
        activation="tanh",
        initialisation="uniform",
        theta=0.0,
        delta=None,
        l2=0.1,
        learning_rate=0.02,
        batch_size=512,
        max_updates=3000,
        scale="standard",
        validation_fraction=1 / 9,
        class_weight=None,
        random_state=None,
    ):
        super().__init__(
            activation=activation,
            initialisation=initialisation,
            theta=theta,
            delta=delta,
            l2=l2,
            learning_rate=learning_rate,
            batch_size=batch_size,
            max_updates=max_updates,
            scale=scale,
            validation_fraction=validation_fraction,
            class_weight=class_weight,
            random_state=random_state,
        )
        self.n_hidden = n_hidden

    def _choose(
        self, trial: Callable[[int], Trial], examples: Examples, rng: np.random.Generator
    ) -> Network:
        n_hidden = self.n_hidden
        if isinstance(n_hidden, str):
            n_hidden = hidden_nodes(n_hidden, examples.X.shape[1], examples.n_classes)
        return trial(n_hidden).network


def _accuracy(network: Network, validation: Examples) -> float:
    right = network.logits(validation.X).argmax(axis=1) == validation.y
    return float(np.average(right, weights=validation.weight))


class _NetworkTask:
    """Reports the training of one network to the callbacks: a task, and its epochs."""

    def __init__(self, estimator: Any, context: CallbackContext, X: Any, y: Any):
        self._told = {"estimator": estimator, "X": X, "y": y}
        self._listening = bool(getattr(estimator, "_skl_callbacks", ()))
        self._context = context.subcontext(task_name="network", max_subtasks=None)
        self._context.call_on_fit_task_begin(**self._told)

    def epoch(self) -> bool:
        if not self._listening:
            return False
        epoch = self._context.subcontext(task_name="epoch")
        epoch.call_on_fit_task_begin(**self._told)
        return bool(epoch.call_on_fit_task_end(**self._told))

    def end(self, network: Network, scaling: Scaling) -> bool:
        def attributes() -> dict[str, Any]:
            return {"scaling_": scaling, **network_attributes(network)}

        return bool(
            self._context.call_on_fit_task_end(**self._told, reconstruction_attributes=attributes)
        )
