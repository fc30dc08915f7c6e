"""Cheap models for tests; importable by worker processes."""

import time
from typing import ClassVar

from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from trisect_experiments.models import Fixed, Model


def version() -> str:
    return "test 1"


def build_tree(configuration, seed):
    return DecisionTreeClassifier(**configuration, random_state=seed)


def build_bayes(configuration, seed):
    return GaussianNB(**configuration)


def build_broken(configuration, seed):
    raise RuntimeError("this model cannot be built")


class SlowDummy(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        time.sleep(0.1)
        return super().fit(X, y, sample_weight)


def build_slow(configuration, seed):
    return SlowDummy(strategy="stratified", random_state=seed)


class Counting(GaussianNB):
    """Counts its fits and the rows of each, and takes validation data."""

    fits: ClassVar[list[int]] = []

    def fit(self, X, y, X_val=None, y_val=None):
        assert X_val.shape[0] == y_val.shape[0] > 0
        Counting.fits.append(X.shape[0])
        self.n_hidden_ = 2
        return super().fit(X, y)


def build_counting(configuration, seed):
    return Counting()


DEPTHS = Fixed(*({"max_depth": depth} for depth in (1, 2, 3)))
TREE = Model("tree", build_tree, DEPTHS, version)
CAPPED = Model("capped", build_tree, DEPTHS, version, search_rows=100, fit_rows=200)
BAYES = Model(
    "bayes", build_bayes, Fixed({"var_smoothing": 1e-9}, {"var_smoothing": 1e-6}), version
)
BROKEN = Model("broken", build_broken, Fixed({}), version)
COUNTING = Model("counting", build_counting, Fixed({}), version, uses_validation=True)
SLOW = Model("slow", build_slow, Fixed({}), version)
