"""The single-hidden-layer network: parameters, loss, training, and two engines.

`get_engine` and `engine_for` choose between the reference engine (NumPy) and the fast one
(compiled loops); see `trisect.network.contract` for what an engine does. Importing this
package does not load the compiler; a fit does.
"""

from trisect.network.activations import ACTIVATIONS
from trisect.network.contract import InputMap, Levels
from trisect.network.engine import engine_for, get_engine
from trisect.network.exact import positive_probabilities
from trisect.network.initialisation import DISTRIBUTIONS, initial_network
from trisect.network.loss import DELTAS, class_balance, focal_losses
from trisect.network.parameters import Gates, Knots, Network, softmax
from trisect.network.part import Part
from trisect.network.threads import using_threads
from trisect.network.training import Training, mean_losses, train

__all__ = [
    "ACTIVATIONS",
    "DELTAS",
    "DISTRIBUTIONS",
    "Gates",
    "InputMap",
    "Knots",
    "Levels",
    "Network",
    "Part",
    "Training",
    "class_balance",
    "engine_for",
    "focal_losses",
    "get_engine",
    "initial_network",
    "mean_losses",
    "positive_probabilities",
    "softmax",
    "train",
    "using_threads",
]
