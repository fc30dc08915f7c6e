"""The numbers of a document as the arrays that evaluation reads."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.model_file.document import Document, ReadOutLevels
from trisect.network.activations import ACTIVATIONS
from trisect.network.contract import InputMap, Levels, Nodes

__all__ = ["Arrays", "arrays_of", "levels_of"]


class Arrays(NamedTuple):
    """What evaluation reads."""

    inputs: InputMap
    nodes: Nodes
    scores: tuple[NDArray[np.float32], NDArray[np.float32]]
    """Weights and biases of the outputs."""


def arrays_of(document: Document) -> Arrays:
    """Lay out the numbers of a document.

    Parameters
    ----------
    document : dict
        A document that has been checked.

    Returns
    -------
    Arrays
        The same bits that the fitted model evaluates with.
    """
    outputs = document["outputs"]
    return Arrays(
        _inputs(document),
        _nodes(document),
        (
            np.array(outputs["weights"], dtype=np.float32),
            np.array(outputs["biases"], dtype=np.float32),
        ),
    )


def levels_of(read_outs: ReadOutLevels, alpha: float, beta: float) -> Levels:
    """Lay out read-outs and thresholds; the last level is left to the costs.

    Parameters
    ----------
    read_outs : dict
        Read-outs of the document.
    alpha, beta : float
        Probabilities from which to accept and up to which to reject.

    Returns
    -------
    Levels
    """
    n_levels = len(read_outs["biases"])
    weights = np.zeros((n_levels, n_levels), dtype=np.float32)
    for i, row in enumerate(read_outs["weights"]):
        weights[i, : i + 1] = row
    strictness = np.array(
        [[np.inf if side is None else side for side in sides] for sides in read_outs["strictness"]],
        dtype=np.float32,
    )
    p = np.array([alpha, beta])
    with np.errstate(divide="ignore"):  # reviews that cost nothing have thresholds 1 and 0
        alpha, beta = np.log(p / (1 - p))
    upper, lower = alpha + strictness[:, 0], beta - strictness[:, 1]
    upper[-1], lower[-1] = np.inf, -np.inf
    return Levels(
        weights,
        np.array(read_outs["biases"], dtype=np.float32),
        upper.astype(np.float32),
        lower.astype(np.float32),
    )


def _inputs(document: Document) -> InputMap:
    straight, positions = document["inputs"]["straight"], document["inputs"]["positions"]
    linear: list[Any] = [one for one in straight if "center" in one]
    bent: list[Any] = [one for one in straight if "center" not in one]
    curves = [(one["feature"], one["knots"], one["values"]) for one in bent]
    curves += [(one["feature"], one["knots"], _position_values(one["knots"])) for one in positions]
    # A binary search needs a power of two, and a curve of one knot a second one.
    longest = max((len(knots) for _, knots, _ in curves), default=0)
    shape = (len(curves), 1 << max(longest - 1, 1).bit_length())
    knots, values, slopes = np.full(shape, np.inf), np.zeros(shape), np.zeros(shape)
    for k, (_, at, outputs) in enumerate(curves):
        knots[k, : len(at)], values[k, : len(at)] = at, outputs
        slopes[k, : len(at) - 1] = np.diff(values[k, : len(at)]) / np.diff(knots[k, : len(at)])
    return InputMap(
        np.array([one["center"] for one in linear]),
        np.array([one["factor"] for one in linear]),
        linear[0]["limit"] if linear else 1.0,
        np.array([feature for feature, _, _ in curves], dtype=np.int64),
        knots,
        values,
        slopes,
    )


def _position_values(knots: list[float]) -> NDArray[np.float64]:
    """Number the knots; the last stays just below, because it ends the last interval."""
    values = np.arange(len(knots), dtype=np.float64)
    values[-1] = np.nextafter(np.float32(values[-1]), np.float32(0.0))
    return values


def _nodes(document: Document) -> Nodes:
    network = document["network"]
    curves = [np.array(curve, dtype=np.float32) for curve in network["curves"]]
    n_nodes, counts = len(network["biases"]), [curve.shape[1] - 1 for curve in curves]
    none = [np.empty((n_nodes, 0), dtype=np.float32)]
    return Nodes(
        ACTIVATIONS[network["activation"]].code,
        np.array(network["weights"], dtype=np.float32).reshape(n_nodes, -1),
        np.array(network["biases"], dtype=np.float32),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.concatenate(none + [curve[:, :-1] for curve in curves], axis=1),
        np.concatenate(none + [np.diff(curve, axis=1) for curve in curves], axis=1),
    )
