"""The single-hidden-layer network: parameters, loss, compiled kernels, training.

Importing this package does not load the compiler; the kernels do, when first used.
"""

from trisect.network.activations import ACTIVATIONS, Activation
from trisect.network.initialisation import DISTRIBUTIONS, initial_network
from trisect.network.loss import DELTAS, class_balance, focal_losses
from trisect.network.parameters import Network, group_logits, softmax
from trisect.network.part import Part
from trisect.network.training import Training, mean_losses, train

__all__ = [
    "ACTIVATIONS",
    "DELTAS",
    "DISTRIBUTIONS",
    "Activation",
    "Network",
    "Part",
    "Training",
    "class_balance",
    "focal_losses",
    "group_logits",
    "initial_network",
    "mean_losses",
    "softmax",
    "train",
]
