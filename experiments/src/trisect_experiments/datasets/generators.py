"""Seeded problems of any size, each hard for a different reason.

Every generator returns ``(X, y)`` with ``X`` float64 and labels 0 and 1; the same arguments give
the same arrays. The figure that a problem is named after (the ring, the odd parity, the rare
cloud) has label 0 and its background label 1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Problem = tuple[NDArray[np.float64], NDArray[np.int64]]


def _labels(figure: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.where(figure, 0, 1).astype(np.int64)


def make_ring(n_samples: int = 5000, random_state: int = 0) -> Problem:
    """A ring of label 0 between a core and a surround of label 1, in the plane.

    Points are uniform on the square from -1 to 1; the ring has radii 0.4 and 0.8.
    """
    X = np.random.default_rng(random_state).uniform(-1, 1, (n_samples, 2))
    radius = np.hypot(X[:, 0], X[:, 1])
    return X, _labels((radius > 0.4) & (radius < 0.8))


def make_checkerboard(n_samples: int = 5000, random_state: int = 0, cells: int = 4) -> Problem:
    """A board of `cells` by `cells` squares in two colours, on the unit square."""
    X = np.random.default_rng(random_state).random((n_samples, 2))
    colour = np.floor(X * cells).astype(np.int64).sum(axis=1) % 2
    return X, _labels(colour == 0)


def make_xor(n_samples: int = 5000, random_state: int = 0) -> Problem:
    """Exclusive or of two signs: 0 where the two coordinates differ in sign."""
    return make_parity(n_samples, random_state, n_signs=2, n_noise=0)


def make_parity(
    n_samples: int = 5000, random_state: int = 0, n_signs: int = 3, n_noise: int = 5
) -> Problem:
    """Label 0 where an odd number of the first `n_signs` coordinates is negative.

    The other `n_noise` coordinates carry no information. All are uniform between -1 and 1, so
    that no group of fewer than `n_signs` columns carries any either.

    Examples
    --------
    >>> X, y = make_parity(1000, n_signs=3, n_noise=2)
    >>> X.shape, bool(np.all((y == 0) == (np.prod(X[:, :3], axis=1) < 0)))
    ((1000, 5), True)
    """
    X = np.random.default_rng(random_state).uniform(-1, 1, (n_samples, n_signs + n_noise))
    return X, _labels((X[:, :n_signs] < 0).sum(axis=1) % 2 == 1)


def make_imbalanced_overlap(
    n_samples: int = 5000, random_state: int = 0, rare: float = 0.1, distance: float = 2.0
) -> Problem:
    """Two round Gaussian clouds in the plane that overlap; a share `rare` has label 0.

    The centres lie `distance` standard deviations apart along the first coordinate, so the best
    possible AUC is the normal distribution's value at ``distance / sqrt(2)``.
    """
    rng = np.random.default_rng(random_state)
    few = np.zeros(n_samples, dtype=bool)
    few[: round(rare * n_samples)] = True
    rng.shuffle(few)
    X = rng.standard_normal((n_samples, 2))
    X[few, 0] += distance
    return X, _labels(few)


def make_letters(n_samples: int = 5000, random_state: int = 0) -> Problem:
    """Many small clouds, half of them of each label: like letters A to M against N to Z.

    Each of the 26 letters is a Gaussian cloud with standard deviation 0.35 around its own centre
    in a 16-dimensional cube of side 2.
    """
    rng = np.random.default_rng(random_state)
    centres = rng.uniform(-1, 1, (26, 16))
    letter = rng.integers(26, size=n_samples)
    X = centres[letter] + 0.35 * rng.standard_normal((n_samples, 16))
    return X, _labels(letter < 13)


GENERATORS: dict[str, Callable[..., Problem]] = {
    "ring": make_ring,
    "checkerboard": make_checkerboard,
    "xor": make_xor,
    "parity": make_parity,
    "imbalanced-overlap": make_imbalanced_overlap,
    "letters": make_letters,
}
