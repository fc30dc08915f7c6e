"""Days at the desk: cases that arrive, with what the model says and how they turn out."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import as_probabilities, as_truth

__all__ = ["Day", "checked_truth", "draw_days"]


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
    p : array-like of shape (n_cases,) or (n_cases, n_classes)
        Probability of the positive class, or of each class, for cases that the model was not
        fitted on.
    truth : array-like of shape (n_cases,)
        Which of them are positive, or the index of the class of each.
    volumes : array-like of int of shape (n_days,)
        Cases that arrive on each day, drawn with replacement.
    drift : float, default=0.0
        For two classes, by how much the log-odds of a positive case rise from the first day
        to the last, which the model does not know of. Positive cases and negative ones stay
        what they are; only their shares change.
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
    values, outcome = as_probabilities(p), np.asarray(truth)
    if values.ndim not in (1, 2) or not len(values) or outcome.shape != values.shape[:1]:
        raise ValueError(
            "p and truth must hold one probability (or one of each class) and one outcome for "
            f"each case of the past, got shapes {values.shape} and {outcome.shape}."
        )
    outcome = checked_truth(values, outcome)
    numbers = np.asarray(volumes)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or (numbers < 0).any():
        raise ValueError("volumes must be a list of whole numbers from 0, one for each day.")
    if drift and (values.ndim == 2 or outcome.all() or not outcome.any()):
        raise ValueError("drift is a change in the shares of two classes, both of which occur.")
    rng = np.random.default_rng(random_state)
    days = []
    for shift, volume in zip(np.linspace(0, drift, len(numbers)), numbers, strict=True):
        weight = np.where(outcome, np.exp(shift), 1.0) if drift else np.ones(len(outcome))
        rows = rng.choice(len(values), volume, p=weight / weight.sum())
        days.append(Day(values[rows], outcome[rows]))
    return days


def checked_truth(p: NDArray[np.float64], truth: ArrayLike) -> NDArray[Any]:
    """Return how cases turned out, as bool or as indices of classes, or say what else they are."""
    if p.ndim == 1:
        return as_truth(truth)
    values = np.asarray(truth)
    if values.dtype.kind not in "iu" or not np.isin(values, np.arange(p.shape[1])).all():
        raise ValueError(
            "With a probability of each class the truth of a case is the index of its class, from "
            f"0 to {p.shape[1] - 1}; got {sorted(set(values.tolist()), key=str)[:4]}."
        )
    return values
