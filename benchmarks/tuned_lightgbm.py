"""LightGBM with the best of thirty configurations: the upper mark of the comparisons."""

import lightgbm as lgb
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import train_test_split

SEARCH_ROWS = 10_000
"""Rows that the search trains on at most; the winner is trained on all of them again."""

MAX_TREES, PATIENCE = 300, 20


def sampled(rng):
    """Draw a configuration: the size of trees, their rate, and what holds them back."""
    return {
        "num_leaves": int(np.exp(rng.uniform(np.log(4), np.log(128)))),
        "learning_rate": float(np.exp(rng.uniform(np.log(0.05), np.log(0.2)))),
        "min_data_in_leaf": int(np.exp(rng.uniform(np.log(3), np.log(100)))),
        "feature_fraction": float(rng.uniform(0.3, 1)),
        "bagging_fraction": float(rng.uniform(0.5, 1)),
        "bagging_freq": 1,
        "lambda_l2": float(np.exp(rng.uniform(np.log(1e-3), np.log(10)))),
    }


class TunedLightGBM(ClassifierMixin, BaseEstimator):
    """The defaults and random configurations, each with as many trees as validation rows favour.

    The one with the lowest validation loss is fitted again on all training rows. Without
    validation rows a ninth of the training rows serves as such. Two classes, 0 and 1.
    """

    def __init__(self, n_configurations=30, random_state=0):
        self.n_configurations = n_configurations
        self.random_state = random_state

    def fit(self, X, y, X_val=None, y_val=None):
        rng = np.random.default_rng(self.random_state)
        self.classes_ = np.unique(y)
        fixed = {
            "objective": "binary", "metric": "binary_logloss", "num_threads": 1, "verbosity": -1,
            "deterministic": True, "seed": self.random_state, "feature_pre_filter": False,
        }  # fmt: skip
        rows = np.arange(len(X))
        if X_val is None:
            rows, held = train_test_split(
                rows, test_size=1 / 9, stratify=y, random_state=self.random_state
            )
            X_val, y_val = X[held], y[held]
        rows = rng.permutation(rows)[:SEARCH_ROWS]
        # The bins of the columns are made once for all configurations.
        searched = lgb.Dataset(X[rows], y[rows], params=fixed, free_raw_data=False)
        held_out = lgb.Dataset(X_val, y_val, reference=searched, params=fixed)
        best = np.inf
        for i in range(self.n_configurations):
            tried = fixed | (sampled(rng) if i else {})
            stop = lgb.early_stopping(PATIENCE, verbose=False)
            booster = lgb.train(tried, searched, MAX_TREES, [held_out], callbacks=[stop])
            loss = booster.best_score["valid_0"]["binary_logloss"]
            if loss < best:
                best, self.parameters_, self.n_trees_ = loss, tried, booster.best_iteration
        self.booster_ = lgb.train(self.parameters_, lgb.Dataset(X, y), self.n_trees_)
        return self

    def predict_proba(self, X):
        p = self.booster_.predict(X, num_threads=1)
        return np.column_stack([1 - p, p])
