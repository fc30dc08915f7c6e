"""Cheap models for the runner's tests; importable by worker processes."""

import time
from typing import ClassVar

from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from trisect_experiments.models import Model


def version() -> str:
    return "test 1"


def build_tree(configuration, seed):
    return DecisionTreeClassifier(**configuration, random_state=seed)


def depths(n_features):
    return [{"max_depth": depth} for depth in (1, 2, 3)]


def build_bayes(configuration, seed):
    return GaussianNB(**configuration)


def smoothings(n_features):
    return [{"var_smoothing": s} for s in (1e-9, 1e-6)]


def nothing(n_features):
    return [{}]


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
        self.levels_ = [{"alpha": 0.9, "network": "not a number"}, {"alpha": 0.8}]
        self.n_hidden_ = 2
        return super().fit(X, y)

    def staged_predict(self, X):
        yield self.predict(X)
        yield self.predict(X)


def build_counting(configuration, seed):
    return Counting()


TREE = Model("tree", build_tree, depths, ("test",), version)
CAPPED = Model("capped", build_tree, depths, ("test",), version, search_rows=100, fit_rows=200)
BAYES = Model("bayes", build_bayes, smoothings, ("test",), version)
BROKEN = Model("broken", build_broken, nothing, ("test",), version)
COUNTING = Model(
    "counting",
    build_counting,
    nothing,
    ("test",),
    version,
    uses_validation=True,
    network=True,
    warm_up=True,
)
SLOW = Model("slow", build_slow, nothing, ("test",), version)
