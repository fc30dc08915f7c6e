"""The rows of the paper's fifteen datasets that a fit is made on."""

from functools import lru_cache
from itertools import islice

import numpy as np
from common import data_folder
from sklearn.model_selection import train_test_split

from trisect_experiments.datasets import load_dataset
from trisect_experiments.protocol import folds, impute_median

SMALL_TEST = 5_000
"""Test rows at most for fits on few rows."""

WHOLE = "nine folds train"
VALIDATED = "eight folds train, one validates"


@lru_cache(maxsize=2)
def loaded(name):
    return load_dataset(name, data_folder())


def rows_of_fold(key):
    """Training and test rows of a fold, and validation rows if the protocol has them.

    Fold k tests and fold k + 1 validates, or trains with the others.
    """
    data = loaded(key.dataset)
    train, validation, test = list(folds(data.y))[key.fold]
    if key.protocol == WHOLE:
        train, validation = np.sort(np.concatenate([train, validation])), validation[:0]
    X, y = impute_median(data.X, train), data.y
    parts = (train, test, validation) if validation.size else (train, test)
    return tuple(table[rows] for rows in parts for table in (X, y))


def each_fold(name, n_folds):
    """Yield the number of a fold and its training, validation and test rows, each X and y."""
    data = loaded(name)
    for k, fold in enumerate(islice(folds(data.y), n_folds)):
        X = impute_median(data.X, fold.train)
        yield k, *((X[rows], data.y[rows]) for rows in fold)


def rows_of_draw(key):
    """A few training rows and at most `SMALL_TEST` of the others; ``"300 rows"``, draw k.

    Both are stratified. Every class has at least two training rows.
    """
    data, n_train = loaded(key.dataset), int(key.protocol.split()[0])
    n_test = min(SMALL_TEST, len(data.y) - n_train)
    train, test = train_test_split(
        np.arange(len(data.y)), train_size=n_train, test_size=n_test, stratify=data.y,
        random_state=key.fold,
    )  # fmt: skip
    X, y = impute_median(data.X, train), data.y
    return X[train], y[train], X[test], y[test]
