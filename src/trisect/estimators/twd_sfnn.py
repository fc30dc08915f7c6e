"""Three-way decisions with one fixed pair of thresholds: what a sequence is compared to."""

from dataclasses import replace
from typing import Any

import numpy as np

from trisect.decisions import ClassCosts, CostMatrix, as_cost_matrix, default_costs, is_one_matrix
from trisect.estimators.stwd_sfnn import STWDSFNNClassifier
from trisect.growth import Grown, Rules

__all__ = ["TWDSFNNClassifier", "draw_costs"]

DEAREST = 10


def draw_costs(rng: np.random.Generator) -> CostMatrix:
    """Draw thresholds, and costs that lead to them.

    Three uniform numbers in order are beta, gamma and alpha. The right action costs
    nothing, accepting a negative instance an integer from 1 to 10, and the other costs
    follow.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of the draw.

    Returns
    -------
    CostMatrix
        The costs.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.estimators.twd_sfnn import draw_costs
    >>> costs = draw_costs(np.random.default_rng(0))
    >>> 0 < costs.beta < costs.gamma < costs.alpha < 1
    True
    """
    beta, gamma, alpha = np.sort(rng.uniform(size=3))
    pn = float(rng.integers(1, DEAREST, endpoint=True))
    share = pn / (gamma * (alpha - beta))
    return CostMatrix.from_array(
        [
            [0.0, (1 - alpha) * (gamma - beta) * share, (1 - gamma) / gamma * pn],
            [pn, beta * (alpha - gamma) * share, 0.0],
        ]
    )


class TWDSFNNClassifier(STWDSFNNClassifier):
    """A network that grows under three-way decisions with thresholds that never change.

    It grows and is trained as `STWDSFNNClassifier` is, so that the two differ in their
    decisions only. One cost matrix serves all levels. A level decides three ways, with
    alpha and beta, while more instances are misclassified than there are granules, and
    two ways, with gamma, otherwise and at the last level. Growth ends when no instance
    is deferred; with more than two classes, of which the thresholds know nothing, it
    ends as that of `STWDSFNNClassifier`.

    Parameters
    ----------
    growth : {"refined", "paper"} or Growth, default="refined"
        How the network grows, see `STWDSFNNClassifier`, as for all parameters that
        are not listed here.
    costs : CostMatrix, array-like of shape (2, 3), dict, "random" or None, default=None
        Costs of all levels: given, drawn once, which `random_state` fixes, or by default 1
        for a mistake and 0.2 for a review. Where deferring is never worthwhile, the levels
        have the default costs, and the given ones count when a level is chosen and in
        `decide`.
    max_levels : int, default=10
        Largest number of levels, and so of hidden nodes.
    n_granules : int, default=5
        Number of clusters, or of bins per feature; with no more misclassified instances
        than these, a level decides two ways.

    Attributes
    ----------
    levels_ : list of Level
        The levels, with thresholds, counts, costs and score of each.
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
        Costs of the levels, all the same.
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
    >>> from trisect import TWDSFNNClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> model = TWDSFNNClassifier(random_state=0).fit(X_train, y_train)
    >>> len({(level.alpha, level.beta, level.gamma) for level in model.levels_})
    1
    >>> model.score(X_test, y_test) > 0.93
    True
    """

    def _rules(self, start: Grown | None, rng: np.random.Generator) -> Rules:
        return replace(super()._rules(start, rng), fixed=True)

    def _last_costs(self) -> Any:
        if is_one_matrix(self.costs):
            return self.costs
        if len(self.costs) != 1:
            raise ValueError(
                f"One cost matrix serves all levels, but {len(self.costs)} were given; "
                "STWDSFNNClassifier takes a chain of them."
            )
        return self.costs[0]

    def _chain(self, start: Grown | None, rng: np.random.Generator) -> list[CostMatrix]:
        if isinstance(self.costs, str):
            drawn = start.levels[0].costs if start is not None else draw_costs(rng)
            return [drawn] * self.max_levels
        matrix = default_costs()
        if self.costs is not None and not isinstance(self.costs, ClassCosts):
            given = as_cost_matrix(self._last_costs())
            # Where deferring is never worthwhile, nothing would reach the second level.
            matrix = given if given.defers or self.max_levels == 1 else matrix
        return [as_cost_matrix(matrix)] * self.max_levels
