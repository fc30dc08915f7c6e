"""Which instances train and which validate, and what a repeated instance means."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.network import Examples
from trisect.scaling import Scaling, fit_scaling, learn_curves

__all__ = ["Instances", "hold_out", "hold_out_merged", "merge_repeats", "whole_copies"]

SCALING_ROWS = 200_000
LEARNING_ROWS = 20_000
MOST_COPIES = 1e9
MOST_PARTS = 12
FEW_DISTINCT = 9


def hold_out(
    y: NDArray[Any], share: float, rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Split row numbers, in random order, into training and validation rows by class.

    A class of two or more gives its share to the validation rows, at least one instance
    and never all. Where that leaves nothing to validate on, the training rows validate.

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
    >>> from trisect.growth import hold_out
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


def hold_out_merged(
    y: NDArray[Any],
    weight: NDArray[np.float64],
    count: NDArray[np.int64],
    share: float,
    rng: np.random.Generator,
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Split distinct instances, of which some stand for several that were merged.

    As `hold_out` where each stands for one. Others give their share of copies, and what is
    less than a copy goes to some instances by lot; so an instance may train and validate
    both, as copies with rows of their own would. Where a class has fewer than nine different
    instances, too few for a share of whole ones, each gives its share.

    Only ratios of weights within a class matter here, so the smallest weight is one copy,
    or up to twelve if the others are multiples of a part of it. Weights that fit nowhere are
    something else than copies; then rows are counted.

    Parameters
    ----------
    y : ndarray of int
        Classes.
    weight, count : ndarray
        Their weights, and how many rows were merged into each, see `merge_repeats`.
    share : float
        Share of each class to hold back.
    rng : numpy.random.Generator
        Source of the order.

    Returns
    -------
    train, validation : ndarray of int
        Row numbers; an instance that is divided is in both.
    kept, held : ndarray
        The part of each instance that trains and that validates.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.growth import hold_out_merged
    >>> y, count = np.array([0, 0, 1]), np.array([60, 30, 10])
    >>> held = hold_out_merged(y, 1.0 * count, count, 0.1, np.random.default_rng(0))[3]
    >>> held * count
    array([6., 3., 1.])
    """
    order = rng.permutation(len(y))
    held = np.zeros(len(y))
    for label in np.unique(y):
        members = order[y[order] == label]
        held[members] = _parts_held_back(weight[members], count[members], share)
    kept = 1.0 - held
    return order[kept[order] > 0], order[held[order] > 0], kept, held


def _parts_held_back(
    weight: NDArray[np.float64], count: NDArray[np.int64], share: float
) -> NDArray[np.float64]:
    """Compute which part of each member of a class validates; the first ones come first."""
    if len(weight) < min(FEW_DISTINCT, 1 / share):
        return np.full(len(weight), share)
    copies = _copies(weight, count)
    due = share * copies
    held = np.floor(due)
    total = int(copies.sum())
    n_rest = min(max(round(share * total), 1), total - 1) - int(held.sum())
    # The larger the fraction of a copy, the further ahead in the queue.
    with np.errstate(divide="ignore"):
        place = np.arange(1, len(held) + 1) / (due - held)
    held[np.argsort(place, kind="stable")[:n_rest]] += 1
    return held / copies


def _copies(weight: NDArray[np.float64], count: NDArray[np.int64]) -> NDArray[np.float64]:
    """Tell for how many copies each member of a class stands."""
    with np.errstate(over="ignore"):
        ratio = weight / weight.min()
    if ratio.max() < MOST_COPIES:
        for parts in range(1, MOST_PARTS + 1):
            copies = np.rint(parts * ratio)
            if np.allclose(parts * ratio, copies, rtol=1e-9, atol=0.0):
                return copies
    return count.astype(np.float64)


def whole_copies(y: NDArray[Any], parts: NDArray[np.float64]) -> NDArray[np.int64]:
    """Round numbers of copies so that the sum of each class is right, if it can be.

    Parameters
    ----------
    y : ndarray of int
        Classes.
    parts : ndarray
        Copies, in fractions where some were held back.

    Returns
    -------
    ndarray of int
        Copies, at least one for what is not zero.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.growth import whole_copies
    >>> whole_copies(np.zeros(4, int), np.array([3.5, 3.6, 3.7, 0.2]))
    array([3, 3, 4, 1])
    """
    copies = np.where(parts > 0, np.maximum(np.floor(parts), 1), 0).astype(np.int64)
    for label in np.unique(y):
        own = np.flatnonzero(y == label)
        n_short = max(round(parts[own].sum()) - int(copies[own].sum()), 0)
        copies[own[np.argsort(copies[own] - parts[own], kind="stable")[:n_short]]] += 1
    return copies


def merge_repeats(
    X: NDArray[Any], y: NDArray[Any], weight: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.int64]]:
    """Find the distinct instances, and add up the weights of those that repeat.

    Afterwards an instance of weight two and an instance given twice are the same
    thing, wherever they stood, but for the count of rows.

    Parameters
    ----------
    X, y : ndarray
        Instances and classes.
    weight : ndarray
        Weights; instances of weight zero are left out.

    Returns
    -------
    rows : ndarray of int
        One row for each distinct instance, in the order of their values.
    weight : ndarray
        Their weights.
    count : ndarray of int
        How many rows were merged into each.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.growth import merge_repeats
    >>> X, y = np.array([[2.0], [1.0], [2.0]]), np.array([0, 1, 0])
    >>> merge_repeats(X, y, np.ones(3))
    (array([1, 0]), array([1., 2.]), array([1, 2]))
    """
    order = np.lexsort((y, *X.T[::-1]))
    order = order[weight[order] > 0]
    changed = np.any(X[order[1:]] != X[order[:-1]], axis=1) | (y[order[1:]] != y[order[:-1]])
    starts = np.flatnonzero(np.concatenate([[True], changed]))
    count = np.diff(np.append(starts, len(order)))
    return order[starts], np.add.reduceat(weight[order], starts), count


@dataclass(frozen=True, eq=False)
class Instances:
    """What a fit works on: features as given, and which rows train and validate.

    Parameters
    ----------
    X, y, weight : ndarray
        Features before scaling, classes from 0, and weights in the loss.
    rows : ndarray of int
        Rows to train on, in random order.
    X_val, y_val, weight_val, rows_val : ndarray
        The same for validation; often the same arrays with other rows.
    n_classes : int
        Number of classes.
    mass, copies : ndarray, optional
        Of the rows to train on, see `trisect.network.Examples`.
    """

    X: NDArray[Any]
    y: NDArray[np.int32]
    weight: NDArray[np.float32]
    rows: NDArray[np.integer]
    X_val: NDArray[Any]
    y_val: NDArray[np.int32]
    weight_val: NDArray[np.float32]
    rows_val: NDArray[np.integer]
    n_classes: int
    mass: NDArray[np.float64] | None = None
    copies: NDArray[np.int64] | None = None

    def fit_scaling(self, kind: str, rng: np.random.Generator) -> Scaling:
        """Fit a scaling to the training rows.

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
        if kind in ("evidence", "learned") and self.n_classes > 2:
            raise ValueError(f"scale='{kind}' weighs two classes; y has {self.n_classes}.")
        # Rows are in random order, so a beginning is a sample; means need no more.
        rows = np.sort(self.rows[:SCALING_ROWS])
        return fit_scaling(self.X[rows], kind, rng, self.y[rows] == 1, self.weight[rows])

    def learn_curves(self, scaling: Scaling, rng: np.random.Generator) -> Scaling:
        """Bend the curves of a scaling by what the training rows teach.

        Parameters
        ----------
        scaling : Scaling
            A scaling by knots, fitted to these rows.
        rng : numpy.random.Generator
            Source of all randomness.

        Returns
        -------
        Scaling
            The scaling with learned curves.
        """
        rows = self.rows[:LEARNING_ROWS]
        return learn_curves(scaling, self.X[rows], self.y[rows] == 1, self.weight[rows], rng)

    def scaled(self, scaling: Scaling, at_most: int | None = None) -> tuple[Examples, Examples]:
        """Scale the training and the validation rows.

        Parameters
        ----------
        scaling : Scaling
            The scaling.
        at_most : int, optional
            Take no more than so many rows of each.

        Returns
        -------
        training, validation : Examples
            Scaled instances.
        """
        rows, rows_val = self.rows[:at_most], self.rows_val[:at_most]
        return (
            Examples(
                scaling.transform(self.X, rows),
                self.y[rows],
                self.weight[rows],
                self.n_classes,
                None if self.mass is None else self.mass[rows],
                None if self.copies is None else self.copies[rows],
            ),
            Examples(
                scaling.transform(self.X_val, rows_val),
                self.y_val[rows_val],
                self.weight_val[rows_val],
                self.n_classes,
            ),
        )
