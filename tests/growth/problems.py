"""Small problems with a known answer."""

import numpy as np


def xor(n=2000, seed=0):
    """The product of two signs; a linear rule gets half of it."""
    X = np.random.default_rng(seed).uniform(-1, 1, size=(n, 2))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def ring(n=2000, seed=0):
    """A ring around a disc; one node can only cut off a side."""
    X = np.random.default_rng(seed).normal(size=(n, 2))
    radius = np.square(X).sum(axis=1)
    return X, (radius > np.median(radius)).astype(int)


def bands(n=1500, seed=0):
    """Three classes along an oblique direction."""
    X = np.random.default_rng(seed).normal(size=(n, 4))
    score = X[:, 0] + X[:, 1]
    return X, np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))
