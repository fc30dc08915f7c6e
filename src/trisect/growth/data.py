"""The data of a fit: which instances train, which validate, and how they are scaled."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.network import Part
from trisect.scaling import Scaling, fit_scaling

__all__ = ["TrainingData", "hold_out", "split"]

# Means and quantiles of more rows than these would not differ notably.
SCALING_ROWS = 200_000


def hold_out(
    y: NDArray[Any], share: float, rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Split row numbers, in random order, into training and validation rows by class.

    A class of two or more gives its share to the validation rows, at least one instance
    and never all. If that leaves nothing to validate on, the training rows validate too.

    Parameters
    ----------
    y : ndarray of int
        Classes.
    share : float
        Share of each class to hold back.
    rng : numpy.random.Generator
        Source of the order.

    Returns
    -------
    train, validation : ndarray of int
        Row numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.growth.data import hold_out
    >>> y = np.repeat([0, 1], [18, 9])
    >>> train, validation = hold_out(y, 1 / 9, np.random.default_rng(0))
    >>> np.bincount(y[validation]).tolist()
    [2, 1]
    """
    order = rng.permutation(len(y))
    held = np.zeros(len(y), dtype=bool)
    for label in np.unique(y):
        members = order[y[order] == label]
        n_held = min(max(round(share * len(members)), 1), len(members) - 1)
        held[members[:n_held]] = True
    train, validation = order[~held[order]], order[held[order]]
    return (train, validation) if len(validation) else (train, train)


@dataclass(frozen=True, eq=False)
class TrainingData:
    """What a network is trained on, and what it is validated by.

    Parameters
    ----------
    train, validation : Part
        The two parts, each in random order.
    """

    train: Part
    validation: Part

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return self.train.n_classes

    def swapped(self) -> "TrainingData":
        """Exchange the two classes, so that the other one is the positive one."""
        return TrainingData(
            replace(self.train, y=1 - self.train.y),
            replace(self.validation, y=1 - self.validation.y),
        )

    def together(self, rng: np.random.Generator) -> Part:
        """Put both parts of scaled data into one, in random order."""
        if self.train is self.validation:
            return self.train
        parts = (self.train, self.validation)
        order = rng.permutation(sum(map(len, parts)))
        place = np.argsort(order)
        X = np.empty((len(order), self.train.n_features), dtype=self.train.X.dtype)
        X[place[: len(self.train)]] = self.train.X
        X[place[len(self.train) :]] = self.validation.X
        y, weight = (
            np.concatenate([getattr(part, name) for part in parts])[order]
            for name in ("y", "weight")
        )
        part = Part(X, y, weight, self.n_classes, knots=self.train.knots)
        usual = self.train.deviations.usual
        return part.compressed(usual) if len(usual) else part

    def fit_scaling(self, kind: str, rng: np.random.Generator) -> Scaling:
        """Fit a scaling to the training part.

        Parameters
        ----------
        kind : str
            Kind of scaling.
        rng : numpy.random.Generator
            Chooses a sample of rows where one is enough; source of all randomness.

        Returns
        -------
        Scaling
            The fitted scaling.
        """
        part = self.train
        # A sample, because their order is random.
        rows = np.arange(len(part)) if part.rows is None else part.rows
        return fit_scaling(part.X, kind, rng, np.sort(rows[:SCALING_ROWS]))

    def scaled(self, scaling: Scaling, at_most: int | None = None) -> "TrainingData":
        """Scale both parts into arrays of their own.

        Parameters
        ----------
        scaling : Scaling
            The scaling.
        at_most : int, optional
            Take no more than this many rows of each part.

        Returns
        -------
        TrainingData
            The scaled parts.
        """
        train, validation = (
            part.with_inputs(scaling.transform(part.X, part.rows), scaling.positions)
            for part in (self.train.head(at_most), self.validation.head(at_most))
        )
        return TrainingData(train, validation)

    def prepared(self, batch_size: int) -> "TrainingData":
        """Write scaled data down in forms from which networks learn faster, where these pay."""
        train = self.train.compressed().in_runs(batch_size)
        if self.validation is self.train:
            return TrainingData(train, train)
        validation, usual = self.validation, train.deviations.usual
        return TrainingData(train, validation.compressed(usual) if len(usual) else validation)


def split(
    given: Part, share: float, rng: np.random.Generator, validation: Part | None = None
) -> TrainingData:
    """Choose which instances train and which validate, and shuffle both.

    Parameters
    ----------
    given : Part
        All instances to learn from.
    share : float
        Share of each class to hold back for validation, if no validation data are given.
    rng : numpy.random.Generator
        Source of the order.
    validation : Part, optional
        Validation data of the user's.

    Returns
    -------
    TrainingData
        The two parts, as selections.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.growth import split
    >>> from trisect.network import Part
    >>> given = Part(np.ones((18, 2)), np.repeat([0, 1], 9), np.ones(18), n_classes=2)
    >>> data = split(given, 1 / 9, np.random.default_rng(0))
    >>> len(data.train), len(data.validation)
    (16, 2)
    """
    if validation is not None:
        return TrainingData(
            given.select(rng.permutation(len(given))),
            validation.select(rng.permutation(len(validation))),
        )
    # Row numbers in 32 bits take half the memory, which on narrow tables is notable.
    train, held = hold_out(given.y, share, rng)
    return TrainingData(given.select(train), replace(given.select(held), mass=None))
