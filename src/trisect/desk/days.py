"""Days at the desk: cases that arrive, with what the model says and how they turn out."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import as_probabilities

__all__ = ["Day", "draw_days"]


class Day(NamedTuple):
    """The cases of one day.

    Parameters
    ----------
    p : array-like of shape (n_cases,) or (n_cases, n_classes)
        Probability of the positive class for each case, or of each class.
    truth : array-like of shape (n_cases,)
        Whether each case is positive, or the index of its class.
    """

    p: NDArray[np.float64]
    truth: NDArray[Any]


def draw_days(
    p: ArrayLike,
    truth: ArrayLike,
    volumes: ArrayLike,
    *,
    drift: float = 0.0,
    random_state: Any = 0,
) -> list[Day]:
    """Draw days of varying volume from cases of the past, perhaps with drift.

    Parameters
    ----------
    p : array-like of shape (n_cases,)
        Probability of the positive class for cases that the model was not fitted on.
    truth : array-like of bool of shape (n_cases,)
        Which of them are positive.
    volumes : array-like of int of shape (n_days,)
        Cases that arrive on each day, drawn with replacement.
    drift : float, default=0.0
        By how much the log-odds of a positive case rise from the first day to the last, which
        the model does not know of. Positive cases and negative ones stay what they are; only
        their shares change.
    random_state : int, Generator or None, default=0
        Seed of the draw.

    Returns
    -------
    list of Day

    Examples
    --------
    >>> from trisect.desk import draw_days
    >>> days = draw_days([0.1, 0.4, 0.8], [False, False, True], volumes=[100, 250])
    >>> [len(day.p) for day in days]
    [100, 250]
    """
    values, positive = as_probabilities(p), np.asarray(truth, dtype=bool)
    if values.ndim != 1 or not len(values) or values.shape != positive.shape:
        raise ValueError(
            "p and truth must hold one probability and one outcome for each case of the past, "
            f"got shapes {values.shape} and {positive.shape}."
        )
    numbers = np.asarray(volumes)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or (numbers < 0).any():
        raise ValueError("volumes must be a list of whole numbers from 0, one for each day.")
    if drift and (positive.all() or not positive.any()):
        raise ValueError("Shares of two classes cannot drift if all cases are of one class.")
    rng = np.random.default_rng(random_state)
    days = []
    for shift, volume in zip(np.linspace(0, drift, len(numbers)), numbers, strict=True):
        weight = np.where(positive, np.exp(shift), 1.0)
        rows = rng.choice(len(values), volume, p=weight / weight.sum())
        days.append(Day(values[rows], positive[rows]))
    return days
