"""Networks whose size is found by search: the dynamic rivals of a grown one."""

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from trisect.estimators.sfnn import SizedNetworkClassifier, Trial
from trisect.estimators.swarm import Swarm
from trisect.network import Examples, Network

__all__ = ["GridSFNNClassifier", "SwarmSFNNClassifier"]


class GridSFNNClassifier(SizedNetworkClassifier):
    """A network whose size is searched from one node upwards.

    A network is trained for one hidden node, for two, and so on, as long as the
    accuracy on validation data improves on that of the size before. The best of them is
    kept. Training and its defaults are those of `SFNNClassifier`.

    Parameters
    ----------
    max_hidden : int, default=10
        Most hidden nodes.
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
        Most updates of each network. Training ends earlier when the validation loss has
        not fallen for half of them.
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
    trials_ : dict of int to float
        Validation accuracy of each size that was tried, in the order of the search.
    n_hidden_ : int
        Number of hidden nodes of the network that was kept.
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
    >>> from trisect import GridSFNNClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> model = GridSFNNClassifier(random_state=0).fit(X_train, y_train)
    >>> model.trials_[model.n_hidden_] == max(model.trials_.values())
    True
    >>> model.score(X_test, y_test) > 0.93
    True
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        **SizedNetworkClassifier._parameter_constraints,
        "max_hidden": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        max_hidden=10,
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
        self.max_hidden = max_hidden

    def _choose(
        self, trial: Callable[[int], Trial], examples: Examples, rng: np.random.Generator
    ) -> Network:
        best = found = trial(1)
        self.trials_ = {1: best.accuracy}
        for n_hidden in range(2, self.max_hidden + 1):
            if found.stop:
                break
            found = trial(n_hidden)
            self.trials_[n_hidden] = found.accuracy
            if found.accuracy <= best.accuracy:
                break
            best = found
        return best.network


class SwarmSFNNClassifier(SizedNetworkClassifier):
    """A network whose size is searched by a particle swarm.

    The position of a particle is a number of hidden nodes, rounded and clipped to the
    range when it is judged; its value is the accuracy on validation data of a network
    of that size. Each size is trained once, however many particles come by. Training
    and its defaults are those of `SFNNClassifier`.

    Parameters
    ----------
    max_hidden : int, default=10
        Most hidden nodes.
    n_particles : int, default=5
        Number of particles.
    n_iterations : int, default=20
        Number of moves of each particle.
    inertia, cognitive, social : float, default=0.7298, 1.4962, 1.4962
        Share of its velocity that a particle keeps, and the pulls of its own best
        position and of the swarm's, see `trisect.estimators.swarm.Swarm`.
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
        Most updates of each network. Training ends earlier when the validation loss has
        not fallen for half of them.
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
    trials_ : dict of int to float
        Validation accuracy of each size that was tried, in the order of the search.
    n_hidden_ : int
        Number of hidden nodes of the network that was kept.
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
    >>> from trisect import SwarmSFNNClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> model = SwarmSFNNClassifier(random_state=0).fit(X_train, y_train)
    >>> 1 <= model.n_hidden_ <= 10
    True
    >>> model.score(X_test, y_test) > 0.93
    True
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        **SizedNetworkClassifier._parameter_constraints,
        "max_hidden": [Interval(Integral, 1, None, closed="left")],
        "n_particles": [Interval(Integral, 1, None, closed="left")],
        "n_iterations": [Interval(Integral, 0, None, closed="left")],
        "inertia": [Interval(Real, 0, None, closed="left")],
        "cognitive": [Interval(Real, 0, None, closed="left")],
        "social": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        max_hidden=10,
        *,
        n_particles=5,
        n_iterations=20,
        inertia=0.7298,
        cognitive=1.4962,
        social=1.4962,
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
        self.max_hidden = max_hidden
        self.n_particles = n_particles
        self.n_iterations = n_iterations
        self.inertia = inertia
        self.cognitive = cognitive
        self.social = social

    def _choose(
        self, trial: Callable[[int], Trial], examples: Examples, rng: np.random.Generator
    ) -> Network:
        trials: dict[int, Trial] = {}

        def size(position: NDArray[np.float64]) -> int:
            return int(np.clip(np.rint(position[0]), 1, self.max_hidden))

        def fitness(position: NDArray[np.float64]) -> float:
            n_hidden = size(position)
            if n_hidden not in trials:
                if any(found.stop for found in trials.values()):
                    return -np.inf
                trials[n_hidden] = trial(n_hidden)
            return trials[n_hidden].accuracy

        swarm = Swarm(
            self.n_particles, self.n_iterations, self.inertia, self.cognitive, self.social
        )
        # Half a node beyond either end, so that all sizes are equally likely at the start.
        result = swarm.maximise(fitness, [0.5], [self.max_hidden + 0.5], rng)
        self.trials_ = {n_hidden: found.accuracy for n_hidden, found in trials.items()}
        return trials[size(result.position)].network
