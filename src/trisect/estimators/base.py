"""What the classifiers of this package share: how they take data, and how they predict."""

from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.callback import CallbackSupportMixin
from sklearn.utils import check_random_state, compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from trisect._sklearn import check_sample_weight
from trisect.estimators.raw_columns import validated
from trisect.growth import TrainingData, split
from trisect.network import Network, Part, class_balance
from trisect.scaling import Scaling, scaled_probabilities

__all__ = ["NetworkClassifier", "all_or_nothing", "network_attributes"]

DTYPES = (np.float64, np.float32)

Fit = TypeVar("Fit", bound=Callable[..., Any])
ClassFactors = Callable[[NDArray, int, NDArray], NDArray]


def all_or_nothing(fit: Fit) -> Fit:
    """Make `fit` leave the estimator as it was if it fails; note how long it took."""

    @wraps(fit)
    def careful_fit(self: Any, *args: Any, **kwargs: Any) -> Any:
        before, start = dict(vars(self)), perf_counter()
        try:
            fitted = fit(self, *args, **kwargs)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise
        fitted.fit_seconds_ = perf_counter() - start
        return fitted

    return careful_fit  # type: ignore[return-value]


class NetworkClassifier(CallbackSupportMixin, ClassifierMixin, BaseEstimator):
    """Base of the classifiers that end in one network with a scaling in front."""

    def _training_data(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        X_val: Any,
        y_val: Any,
        rng: np.random.Generator,
        class_factors: ClassFactors | None = None,
    ) -> TrainingData:
        """Validate the arguments of fit, and choose the rows that train and validate."""
        X, y = validated(self, X, y, dtype=DTYPES, ensure_min_samples=2)
        check_classification_targets(y)
        weight = check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        self.classes_, encoded = np.unique(y, return_inverse=True)
        present = self.classes_[np.unique(encoded[weight > 0])]
        if len(present) < 2:
            raise ValueError(
                f"{type(self).__name__} needs instances of at least two classes, but "
                f"the data contains only one class: {present.tolist()!r}."
            )
        n_classes = len(self.classes_)
        origin = None
        if (weight == 0).any():
            origin = np.flatnonzero(weight > 0).astype(np.int32)
            X, encoded, weight = X[origin], encoded[origin], weight[origin]
        class_weights = self._class_weights(encoded, weight)
        factors = class_weights
        if class_factors is not None:
            factors = class_factors(encoded, n_classes, weight) * class_weights
        given = Part(
            X,
            encoded.astype(np.int32),
            _mean_one(weight * factors[encoded]),
            n_classes,
            mass=_mass(weight, class_weights, encoded),
            origin=origin,
        )
        if (X_val is None) != (y_val is None):
            raise ValueError("Give both X_val and y_val, or neither.")
        validation = None
        if X_val is not None:
            X_val, y_val = self._validation(X_val, y_val)
            validation = Part(X_val, y_val, _mean_one(factors[y_val]), n_classes)
        return split(given, self.validation_fraction, rng, validation)

    def _validation(self, X_val: Any, y_val: Any) -> tuple[NDArray, NDArray[np.int32]]:
        X_val, y_val = validated(self, X_val, y_val, dtype=DTYPES, reset=False)
        unknown = np.setdiff1d(y_val, self.classes_)
        if len(unknown):
            raise ValueError(
                f"y_val contains classes that y does not: {unknown.tolist()!r}. "
                f"The classes of y are {self.classes_.tolist()!r}."
            )
        return X_val, np.searchsorted(self.classes_, y_val).astype(np.int32)

    def _class_weights(self, encoded: NDArray, weight: NDArray) -> NDArray[np.float64]:
        class_weight = getattr(self, "class_weight", None)
        if class_weight is None:
            return np.ones(len(self.classes_))
        if isinstance(class_weight, str):
            return class_balance(encoded, len(self.classes_), "inverse", weight)
        return compute_class_weight(class_weight, classes=self.classes_, y=self.classes_)

    def _generator(self) -> np.random.Generator:
        return np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))

    def _keep(self, network: Network, scaling: Scaling) -> None:
        """Store the fitted network and the scaling in front of it."""
        self.scaling_ = scaling
        for name, value in network_attributes(network).items():
            setattr(self, name, value)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probability of each class.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.

        Returns
        -------
        ndarray of shape (n_instances, n_classes)
            Probabilities, in the order of ``classes_``.
        """
        check_is_fitted(self)
        checked = validated(self, X, dtype=DTYPES, reset=False, ensure_all_finite=False)
        probabilities = scaled_probabilities(self.network_, self.scaling_, checked)
        if probabilities is None:
            validated(self, X, dtype=DTYPES, reset=False)  # says what is not finite
        assert probabilities is not None
        return probabilities

    def predict(self, X: Any) -> NDArray:
        """Predict the class of each instance.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_features)
            Instances.

        Returns
        -------
        ndarray of shape (n_instances,)
            Class labels.
        """
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]


def network_attributes(network: Network) -> dict[str, Any]:
    """Return a network under the names that scikit-learn's users know.

    Parameters
    ----------
    network : Network
        The fitted network.

    Returns
    -------
    dict
        Fitted attributes of an estimator.
    """
    return {
        "network_": network,
        "n_hidden_": network.n_hidden,
        "coefs_": [network.nodes.W1.T, network.W2],
        "intercepts_": [network.b1, network.b2],
    }


def _mass(weight: NDArray, class_weights: NDArray, encoded: NDArray) -> NDArray[np.float64] | None:
    """Weigh instances for the class shares of granules; None if all weigh the same.

    Granule shares use sample and class weights; a class weight of zero counts as one.
    """
    mass = weight
    if (class_weights != 1).any():
        mass = weight * np.where(class_weights > 0, class_weights, 1.0)[encoded]
    return mass if mass.max() > mass.min() else None


def _mean_one(weight: NDArray) -> NDArray[np.float32]:
    if not weight.any():
        raise ValueError("The weights of the classes leave no instance a weight above zero.")
    return (weight / weight.mean()).astype(np.float32)
