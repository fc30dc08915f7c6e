"""Raw tables to decisions."""

from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from trisect._sklearn import HasMethods, fit_context
from trisect.decisions import ClassCosts, CostMatrix, Walk
from trisect.estimators.base import all_or_nothing
from trisect.estimators.stwd_sfnn import STWDSFNNClassifier
from trisect.estimators.three_way import ThreeWayClassifier
from trisect.tables.encoder import TableEncoder
from trisect.tables.report import ColumnReport

__all__ = ["TableClassifier"]


def _walks(self: "TableClassifier") -> bool:
    """Whether the classifier has levels; if not, an AttributeError says so."""
    return bool((getattr(self, "estimator_", None) or self._model()).decide_sequentially)


class TableClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Decide on the rows of a raw table: strings, dates and gaps as they are.

    A `TableEncoder` turns the table into numbers, from which the classifier learns.

    Parameters
    ----------
    estimator : estimator, default=None
        The classifier, by default `STWDSFNNClassifier`. One that does not decide by itself,
        such as a random forest, is wrapped in `ThreeWayClassifier`.
    costs : CostMatrix, array-like of shape (2, 3), dict or ClassCosts, default=None
        What decisions cost, instead of the costs of the classifier.
    pos_label : label, default=None
        The positive class, which it is right to accept; by default that of the classifier.
    kinds : dict of str to str, default=None
        What columns are, where they are not recognised rightly, see `TableEncoder`.
    random_state : int, RandomState instance or None, default=None
        Seed of the encoder and, if it is given, of the classifier.

    Attributes
    ----------
    encoder_ : TableEncoder
        The fitted encoder.
    estimator_ : estimator
        The fitted classifier, which takes numbers.
    report_columns_ : ColumnReport
        What was done to each column, as a table that can be printed.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    costs_ : CostMatrix or ClassCosts
        The costs in use.
    thresholds_ : LearnedThresholds or None
        The thresholds that the classifier has learned, if it is one that learns some.
    pos_label_ : label
        The positive class.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they have any.
    fit_seconds_ : float
        Duration of the fit.

    See Also
    --------
    TableEncoder : What is done to the columns, for a pipeline of your own.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from trisect import CostMatrix, TableClassifier
    >>> rng = np.random.default_rng(0)
    >>> jobs, ages = rng.choice(["nurse", "clerk", "cook"], 400), rng.integers(18, 90, 400)
    >>> X = pd.DataFrame({"job": jobs, "age": np.where(rng.random(400) < 0.1, np.nan, ages)})
    >>> y = np.where((jobs == "nurse") ^ (ages > 60), "pays", "owes")
    >>> costs = CostMatrix.from_review(
    ...     false_accept=5, false_reject=10, review=1, accept="pays"
    ... )
    >>> model = TableClassifier(costs=costs, random_state=0).fit(X[:300], y[:300])
    >>> model.score(X[300:], y[300:]) > 0.8
    True
    >>> sorted(set(model.decide(X[300:]).tolist()))
    [-1, 0, 1]
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "estimator": [
            HasMethods(["fit", "predict_proba"]),
            HasMethods(["fit", "decide"]),
            None,
        ],
        "costs": [CostMatrix, ClassCosts, dict, "array-like", None],
        "pos_label": [Real, str, "boolean", None],
        "kinds": [dict, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self, estimator=None, costs=None, *, pos_label=None, kinds=None, random_state=None
    ):
        self.estimator = estimator
        self.costs = costs
        self.pos_label = pos_label
        self.kinds = kinds
        self.random_state = random_state

    @all_or_nothing
    @fit_context(prefer_skip_nested_validation=False)
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, X_val: Any = None, y_val: Any = None
    ) -> Self:
        """Learn what to do to each column, and fit the classifier.

        Parameters
        ----------
        X : data frame, mapping of str to sequence, or array-like
            A table: a frame of pandas, polars or pyarrow, a dictionary of columns, or an
            array.
        y : array-like of shape (n_rows,)
            The class of each row.
        sample_weight : array-like of shape (n_rows,), default=None
            Weights of the rows, for classifiers that take some.
        X_val, y_val : table and array-like, default=None
            Validation data, for classifiers that take some.

        Returns
        -------
        TableClassifier
            The fitted estimator.
        """
        encoder = TableEncoder(self.kinds, random_state=self.random_state)
        numbers = encoder.fit_transform(X, y, sample_weight)
        given = {"sample_weight": sample_weight, "y_val": y_val}
        if X_val is not None:
            given["X_val"] = encoder.transform(X_val)
        given = {name: value for name, value in given.items() if value is not None}
        self.estimator_ = self._model().fit(numbers, y, **given)
        self.encoder_ = encoder
        self.classes_ = self.estimator_.classes_
        self.n_features_in_ = encoder.n_features_in_
        self.__dict__.pop("feature_names_in_", None)
        if hasattr(encoder, "feature_names_in_"):
            self.feature_names_in_ = encoder.feature_names_in_
        return self

    @property
    def report_columns_(self) -> ColumnReport:
        """What was done to each column."""
        return self.encoder_.report_columns_

    @property
    def costs_(self) -> Any:
        """The costs in use."""
        return self.estimator_.costs_

    @property
    def thresholds_(self) -> Any:
        """The thresholds that the classifier has learned; None if it has not."""
        return getattr(self.estimator_, "thresholds_", None)

    @property
    def pos_label_(self) -> Any:
        """The positive class."""
        return self.estimator_.pos_label_

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : table
            A table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_rows,)
            Class labels.
        """
        numbers = self._numbers(X)
        return self.estimator_.predict(numbers)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probability of each class.

        Parameters
        ----------
        X : table
            A table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Probabilities, in the order of ``classes_``.
        """
        numbers = self._numbers(X)
        return self.estimator_.predict_proba(numbers)

    def decide(self, X: Any, costs: Any = None, *, pos_label: Any = None) -> NDArray[np.int8]:
        """Accept, defer or reject each row, whichever has the least expected cost.

        Parameters
        ----------
        X : table
            A table with the columns of the training data.
        costs : CostMatrix, InstanceCosts, ClassCosts, array-like, dict or frame, optional
            Costs to use instead of ``costs_``, for all rows alike or one set per row.
        pos_label : label, optional
            The positive class, by default ``pos_label_``.

        Returns
        -------
        ndarray of int8
            1 accepts, 0 defers, -1 rejects.
        """
        numbers = self._numbers(X)
        return self.estimator_.decide(numbers, costs, pos_label=pos_label)

    def decide_classes(self, X: Any, costs: Any = None, *, pos_label: Any = None) -> NDArray[Any]:
        """Accept a class for each row, or defer.

        Parameters
        ----------
        X : table
            A table with the columns of the training data.
        costs : CostMatrix, InstanceCosts, ClassCosts, array-like, dict or frame, optional
            Costs to use instead of ``costs_``.
        pos_label : label, optional
            The positive class, by default ``pos_label_``.

        Returns
        -------
        ndarray of object of shape (n_rows,)
            The label of the accepted class, or None where the row is deferred.
        """
        numbers = self._numbers(X)
        return self.estimator_.decide_classes(numbers, costs, pos_label=pos_label)

    @available_if(_walks)
    def decide_sequentially(self, X: Any, costs: Any = None, **options: Any) -> Walk:
        """Decide level by level, if the classifier has levels.

        Parameters
        ----------
        X : table
            A table with the columns of the training data.
        costs : CostMatrix or array-like of shape (2, 3), optional
            Costs to use instead of ``costs_``.
        **options : dict
            Passed to the method of the classifier.

        Returns
        -------
        Walk
            Regions, and the level that decided each row.
        """
        numbers = self._numbers(X)
        return self.estimator_.decide_sequentially(numbers, costs, **options)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._model())
        if inner.classifier_tags is not None:
            tags.classifier_tags.multi_class = inner.classifier_tags.multi_class
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def _numbers(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        return self.encoder_.transform(X)

    def _model(self) -> Any:
        """Return the classifier to fit, with the costs and the seed given here."""
        model = STWDSFNNClassifier() if self.estimator is None else clone(self.estimator)
        if self.random_state is not None and "random_state" in model.get_params():
            model.set_params(random_state=self.random_state)
        if not hasattr(model, "decide"):
            model = ThreeWayClassifier(model)
        given = {"costs": self.costs, "pos_label": self.pos_label}
        return model.set_params(**{k: value for k, value in given.items() if value is not None})
