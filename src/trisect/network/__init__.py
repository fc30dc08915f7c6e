"""The single-hidden-layer network: parameters, loss, compiled kernels, training.

Importing this package does not load the compiler; the kernels do, when first used.
"""

from trisect.network.activations import ACTIVATIONS, Activation
from trisect.network.initialisation import DISTRIBUTIONS, initial_network
from trisect.network.learned_curves import learn_curves
from trisect.network.loss import DELTAS, class_balance, focal_losses
from trisect.network.parameters import Network, group_logits, softmax
from trisect.network.predicting import scaled_probabilities
from trisect.network.scaling import SCALES, Scaling, fit_scaling
from trisect.network.training import Examples, Training, train

__all__ = [
    "ACTIVATIONS",
    "DELTAS",
    "DISTRIBUTIONS",
    "SCALES",
    "Activation",
    "Examples",
    "Network",
    "Scaling",
    "Training",
    "class_balance",
    "fit_scaling",
    "focal_losses",
    "group_logits",
    "initial_network",
    "learn_curves",
    "scaled_probabilities",
    "softmax",
    "train",
]
