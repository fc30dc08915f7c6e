"""Which class it is right to accept."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from trisect.decisions.costs_base import Costs


def positive_class(
    classes: ArrayLike, pos_label: Any = None, costs: Any = None, default: Any = None
) -> Any:
    """Return the class that it is right to accept, and warn if that is a guess.

    Parameters
    ----------
    classes : array-like of shape (2,)
        Labels of both classes, in sorted order.
    pos_label : label, optional
        The positive class, as the user names it.
    costs : Costs, optional
        Costs, which may name it too.
    default : label, optional
        What to return if neither does. Without it that is the last class, with a warning
        if the classes are texts: nobody knows that "decline" comes after "approve".

    Examples
    --------
    >>> from trisect.decisions import CostMatrix, positive_class
    >>> costs = CostMatrix.from_review(
    ...     false_accept=5, false_reject=1, review=0.5, accept="approve"
    ... )
    >>> positive_class(["approve", "decline"], costs=costs)
    'approve'
    """
    known = np.asarray(classes).tolist()
    named = costs.positive_class(known) if isinstance(costs, Costs) else None
    if pos_label is not None:
        if pos_label not in known:
            raise ValueError(f"pos_label={pos_label!r} is not one of {known}.")
        if named is not None and named != pos_label:
            raise ValueError(f"pos_label={pos_label!r} is given, but the costs accept {named!r}.")
        return pos_label
    if named is not None or default is not None:
        return default if named is None else named
    if any(isinstance(label, str) for label in known):
        _warn_of_guess(known[-1], known[0])
    return known[-1]


def _warn_of_guess(accepted: Any, rejected: Any) -> None:
    """Say which class is accepted where nobody has named it."""
    # The line that warns is always the same, so that Python says it once by default.
    warnings.warn(
        f"To accept means {accepted!r} here, and to reject {rejected!r}: the positive class is "
        f"the last in sorted order unless it is named. Name it with pos_label={accepted!r}, or in "
        f"the costs, as in CostMatrix.from_review(..., accept={accepted!r}).",
        UserWarning,
        stacklevel=2,
    )
