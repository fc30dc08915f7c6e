"""Curves that are learned: the inputs of a network, bent to what a network can use."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trisect.network import (
    ACTIVATIONS,
    Batches,
    Curves,
    Training,
    adam_from_rest,
    batch_starts,
    get_engine,
    initial_network,
    knots_below,
    pack,
    parts_of,
)
from trisect.scaling.scaling import Scaling

__all__ = ["between_knots", "learn_curves"]

ACTIVATION = "tanh"
N_HIDDEN = 6
L2 = 0.3
STIFFNESS = 0.1
# A curve that is flat but for rare values must not throw these far out.
LEAST_SPREAD = 0.1
TRAINING = Training(updates=400, learning_rate=0.04)


def learn_curves(
    scaling: Scaling,
    X: NDArray[Any],
    positive: NDArray[np.bool_],
    weight: NDArray[Any] | None,
    rng: np.random.Generator,
) -> Scaling:
    """Bend the curves of a scaling to what a small network learns from.

    The values at the knots are trained together with a network of six nodes behind them,
    from the values given, to which l2 pulls them back. The network is thrown away; the
    curves are centred and scaled like any other input. The knots stay where they are, so
    that the result takes no more room than what it started from.

    Parameters
    ----------
    scaling : Scaling
        A scaling by knots.
    X : ndarray of shape (n_instances, n_features)
        Finite features.
    positive : ndarray of bool of shape (n_instances,)
        Whether each instance is positive.
    weight : ndarray of shape (n_instances,), optional
        Weights of the instances.
    rng : numpy.random.Generator
        Source of the initial weights and of the batches.

    Returns
    -------
    Scaling
        The scaling with other values at its knots, of the kind "learned".

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.scaling import fit_scaling
    >>> from trisect.scaling.learned_curves import learn_curves
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-3, 3, size=(4000, 1))
    >>> wave = np.sin(3 * X[:, 0])
    >>> given = fit_scaling(X, "quantile", rng)
    >>> learned = learn_curves(given, X, wave > 0, None, rng)
    >>> for scaling in (given, learned):
    ...     print(round(abs(np.corrcoef(scaling.transform(X)[:, 0], wave)[0, 1]), 1))
    0.3
    0.9
    """
    if not len(scaling.columns):
        raise ValueError(f"A scaling of the kind {scaling.kind!r} has no curves to learn.")
    X = np.asarray(X, dtype=np.float64)
    n_curves = len(scaling.columns)
    rows = rng.permutation(len(X))
    left, share = between_knots(scaling, X[rows])
    values = scaling.inputs.values
    weight = np.ones(len(X)) if weight is None else weight / weight.mean()
    network = initial_network(n_curves, N_HIDDEN, 2, ACTIVATION, "uniform", rng)
    parameters = np.concatenate([pack([network]), np.zeros(values.size, dtype=np.float32)])
    tail = parameters.size - values.size
    get_engine().train_curves(
        Curves(left, share, values.astype(np.float32)),
        positive[rows].astype(np.int32),
        weight[rows].astype(np.float32),
        Batches(batch_starts(len(X), TRAINING, rng), TRAINING.batch_size, TRAINING.rates(), 0),
        parts_of(parameters[:tail], 1, n_curves, 2, ACTIVATIONS[ACTIVATION].code),
        adam_from_rest(parameters, [(0, tail), (tail, parameters.size)], [L2, STIFFNESS]),
    )
    bends = parameters[len(parameters) - values.size :].reshape(values.shape)
    bends = bends[:, : scaling.values.shape[1]]
    bent = replace(scaling, kind="learned", values=scaling.values + bends)
    image = bent.transform(X).astype(np.float64)
    center, spread = image.mean(axis=0), np.maximum(image.std(axis=0), LEAST_SPREAD)
    return replace(bent, values=(bent.values - center[:, None]) / spread[:, None])


def between_knots(
    scaling: Scaling, X: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Find the two knots that each value lies between.

    Values beyond the outer knots count as those.

    Parameters
    ----------
    scaling : Scaling
        A scaling by knots.
    X : ndarray of shape (n_instances, n_features)
        Finite features.

    Returns
    -------
    left : ndarray of uint8 of shape (n_curves, n_instances)
        The knot to the left.
    share : ndarray of float32 of shape (n_curves, n_instances)
        How far the value is on its way to the next; 0 on a curve of one knot.
    """
    knots, curve = scaling.inputs.knots, np.arange(len(scaling.columns))[:, None]
    last = scaling.counts[:, None] - 1
    x = np.minimum(np.maximum(X.T[scaling.columns], knots[:, :1]), knots[curve, last])
    left = np.minimum(knots_below(x, knots), np.maximum(last - 1, 0))
    share = (x - knots[curve, left]) / (knots[curve, left + 1] - knots[curve, left])
    return left.astype(np.uint8), share.astype(np.float32)
