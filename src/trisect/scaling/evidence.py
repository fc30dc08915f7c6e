"""The evidence of a column: how the log-odds of the positive class run along it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["evidence_curves"]

# Instances at the overall rate that are added to each knot, against chance.
PRIOR_INSTANCES = 50.0
FEWEST_VALUES = 3
LEAST_RATE = 1e-6
FLAT = 1e-9


def evidence_curves(
    X: NDArray[Any], positive: NDArray[np.bool_], weight: NDArray[Any] | None, max_knots: int
) -> dict[str, Any]:
    """Estimate the log-odds of the positive class at knots along each column.

    Knots are the values of a column if they are few, else quantiles; an instance counts
    for the two knots that it lies between. The result is centred and scaled like any
    other input. A column of one or two values gets none: a straight line says as much.

    Parameters
    ----------
    X : ndarray of shape (n_instances, n_features)
        Finite features.
    positive : ndarray of bool of shape (n_instances,)
        Whether each instance is positive.
    weight : ndarray of shape (n_instances,), optional
        Weights of the instances.
    max_knots : int
        Most knots of a column.

    Returns
    -------
    dict of str to ndarray
        The fields columns, knots, values and counts of a `Scaling`.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.scaling.evidence import evidence_curves
    >>> X = np.repeat([[0.0, 0], [1, 1], [2, 0]], 1000, axis=0)
    >>> curves = evidence_curves(X, X[:, 0] == 1, None, 32)
    >>> curves["columns"].tolist(), curves["values"][0, :3].round(2).tolist()
    ([0], [-0.71, 1.41, -0.71])
    """
    weight = np.ones(len(X)) if weight is None else np.asarray(weight, dtype=np.float64)
    rate = np.clip(weight @ positive / weight.sum(), LEAST_RATE, 1 - LEAST_RATE)
    prior = PRIOR_INSTANCES * weight.mean()
    picks = np.linspace(0, len(X) - 1, max_knots).astype(np.intp)
    columns, knots, values, counts = [], [], [], []
    for j in range(X.shape[1]):
        x = np.sort(X[:, j]).astype(np.float64)
        found = x[np.concatenate([[True], x[1:] != x[:-1]])]
        if len(found) > max_knots:
            found = np.unique(x[picks])
        if len(found) < FEWEST_VALUES:
            continue
        total, hits = _at_knots(X[:, j], found, weight, weight * positive)
        p = (hits + prior * rate) / (total + prior)
        p = np.clip(p, LEAST_RATE, 1 - LEAST_RATE)
        curve = np.log(p) - np.log1p(-p)
        center = total @ curve / total.sum()
        spread = np.sqrt(total @ np.square(curve - center) / total.sum())
        columns.append(j)
        counts.append(len(found))
        rest = max_knots - len(found)
        knots.append(np.pad(found, (0, rest)))
        values.append(np.pad((curve - center) / (spread if spread > FLAT else 1.0), (0, rest)))
    return {
        "columns": np.array(columns, dtype=np.int64),
        "knots": np.array(knots).reshape(len(columns), max_knots),
        "values": np.array(values).reshape(len(columns), max_knots),
        "counts": np.array(counts, dtype=np.int64),
    }


def _at_knots(x: NDArray, knots: NDArray, *masses: NDArray) -> list[NDArray]:
    """Divide the mass of each instance between the two knots that it lies between."""
    left = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
    share = (x - knots[left]) / (knots[left + 1] - knots[left])
    return [
        np.bincount(left, mass * (1 - share), len(knots))
        + np.bincount(left + 1, mass * share, len(knots))
        for mass in masses
    ]
