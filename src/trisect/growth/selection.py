"""Which level to keep."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import CostMatrix
from trisect.network import Network, Part, focal_losses, softmax

__all__ = [
    "SELECTIONS",
    "chance_loss",
    "least_gain",
    "notable",
    "pays",
    "select_level",
    "standard_error",
    "validated_costs",
]

SELECTIONS = ("best", "one_se", "last")
"""The rules by which a level may be kept."""


# What a gain has to be of the loss of knowing nothing: less is not worth a node.
LEAST_GAIN = 0.002


def notable(n_validation: int) -> float:
    """Return the share of a validation loss that a notably lower one stays below.

    Few instances prove little, so they ask for more.
    """
    return 1.0 - 0.5 / np.sqrt(n_validation)


def chance_loss(part: Part) -> float:
    """Return the loss of knowing nothing but how frequent the classes are."""
    shares = np.bincount(part.y, part.weight, part.n_classes)
    shares = shares[shares > 0] / shares.sum()
    return float(-np.sum(shares * np.log(shares)))


def least_gain(validation: Part) -> float:
    """Return what a validation loss has to fall by for the gain to matter.

    A problem without noise is learned ever better, so a share of the loss is no measure for it.
    This is a share of the loss of knowing nothing.
    """
    return LEAST_GAIN * chance_loss(validation)


def pays(loss: float, before: float, validation: Part) -> bool:
    """Whether a validation loss is notably lower than one before, by a gain that matters."""
    share = 1.0 - notable(len(validation))
    return bool(before - loss > max(share * before, least_gain(validation)))


def select_level(
    networks: Sequence[Network],
    validation: Part,
    rule: str = "best",
    costs: CostMatrix | None = None,
    prices: NDArray | None = None,
) -> int:
    """Choose a network by its loss on validation data, or by what its decisions cost.

    Parameters
    ----------
    networks : sequence of Network
        Networks in order of growth.
    validation : Part
        Scaled validation data.
    rule : {"best", "one_se", "last"}, default="best"
        "one_se" keeps the smallest network whose mean loss is within one standard
        error of the lowest; the error is that of the paired differences between
        the two, so the noise that both share does not enter. "best" keeps the lowest
        loss, "last" the last network.
    costs : CostMatrix, optional
        Costs of two classes. If given, the network whose decisions cost least is kept,
        unless the rule is "last".
    prices : ndarray, optional
        What evaluating each network costs per instance, in the unit of the costs.

    Returns
    -------
    int
        Index of the network.
    """
    if rule == "last":
        return len(networks) - 1
    share = validation.weight / validation.weight.sum()
    logits = [network.logits(validation.X) for network in networks]
    if costs is not None:
        spent = validated_costs(logits, validation, costs)
        return int(np.argmin(spent if prices is None else spent + prices))
    losses = np.stack([focal_losses(each, validation.y) for each in logits]).astype(np.float64)
    means = losses @ share
    best = int(np.argmin(means))
    if rule == "best":
        return best
    errors = [standard_error(row - losses[best], validation.weight) for row in losses]
    return int(np.argmax(means - means[best] <= np.array(errors)))


def validated_costs(
    logits: Sequence[NDArray],
    validation: Part,
    costs: CostMatrix,
) -> NDArray[np.float64]:
    """Compute what each network's decisions on validation data cost per instance.

    Parameters
    ----------
    logits : sequence of ndarray of shape (n_instances, 2)
        Outputs of each network for the validation data.
    validation : Part
        Validation data.
    costs : CostMatrix
        What decisions cost.

    Returns
    -------
    ndarray of shape (n_networks,)
        Mean cost, in the unit of the costs.
    """
    positive = validation.y == 1
    share = validation.weight / validation.weight.sum()
    return np.array(
        [
            costs.charge(positive, costs.decide(softmax(each.astype(np.float64))[:, 1])) @ share
            for each in logits
        ]
    )


def standard_error(differences: NDArray, weight: NDArray) -> float:
    """Compute the standard error of a weighted mean.

    Parameters
    ----------
    differences : ndarray of shape (n_instances,)
        Numbers, such as losses of one network less those of another.
    weight : ndarray of shape (n_instances,)
        Their weights.

    Returns
    -------
    float
        The standard error of their mean.
    """
    differences, share = differences.astype(np.float64), weight / weight.sum()
    return float(np.sqrt(np.square(differences - differences @ share) @ np.square(share)))
