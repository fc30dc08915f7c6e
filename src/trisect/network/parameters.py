"""The parameters of a network with one hidden layer: arrays, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from trisect.network.activations import ACTIVATIONS
from trisect.network.contract import Networks

__all__ = ["Network", "pack", "softmax", "unpack"]

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Network:
    """A network with one hidden layer, as it is used for prediction.

    The logits of an instance x are ``W2.T @ activation(W1 @ x + b1) + b2``.

    Parameters
    ----------
    W1 : ndarray of shape (n_hidden, n_features)
        Weights from the inputs to each hidden node.
    b1 : ndarray of shape (n_hidden,)
        Biases of the hidden nodes.
    W2 : ndarray of shape (n_hidden, n_classes)
        Weights from each hidden node to the outputs.
    b2 : ndarray of shape (n_classes,)
        Biases of the outputs.
    activation : str
        Name of the activation function.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect.network import Network
    >>> node = Network(np.ones((1, 2)), np.zeros(1), np.array([[0.0, 1.0]]), np.zeros(2), "relu")
    >>> node.logits(np.array([[1.0, 2.0]]))
    array([[0., 3.]], dtype=float32)
    """

    W1: Floats
    b1: Floats
    W2: Floats
    b2: Floats
    activation: str

    def __post_init__(self) -> None:
        for name in ("W1", "b1", "W2", "b2"):
            object.__setattr__(
                self, name, np.ascontiguousarray(getattr(self, name), dtype=np.float32)
            )

    @property
    def n_hidden(self) -> int:
        """Number of hidden nodes."""
        return len(self.b1)

    @property
    def n_features(self) -> int:
        """Number of inputs."""
        return self.W1.shape[1]

    @property
    def n_classes(self) -> int:
        """Number of outputs."""
        return len(self.b2)

    def logits(self, X: NDArray, rows: NDArray | None = None) -> Floats:
        """Compute the outputs before softmax for all rows of X, or for some.

        Parameters
        ----------
        X : ndarray of shape (n_instances, n_features)
            Scaled features.
        rows : ndarray of int, optional
            Rows of X to evaluate, all by default.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The logits.
        """
        return group_logits([self], X, rows)[0]

    def probabilities(self, X: NDArray, rows: NDArray | None = None) -> Floats:
        """Compute the class probabilities for all rows of X, or for some.

        Parameters
        ----------
        X : ndarray of shape (n_instances, n_features)
            Scaled features.
        rows : ndarray of int, optional
            Rows of X to evaluate, all by default.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Rows that sum to one.
        """
        return softmax(self.logits(X, rows))

    def hidden(self, X: NDArray) -> NDArray:
        """Compute the values of the hidden nodes, of shape (n_instances, n_hidden)."""
        return ACTIVATIONS[self.activation].value(X @ self.W1.T + self.b1)

    def swapped(self) -> "Network":
        """Exchange the outputs of two classes."""
        return Network(self.W1, self.b1, self.W2[:, ::-1], self.b2[::-1], self.activation)

    def with_node(self, node: Self) -> "Network":
        """Put the nodes of another network on top of these, and add up the biases b2."""
        return self.stacked(node, self.b2 + node.b2)

    def stacked(self, node: Self, b2: NDArray) -> "Network":
        """Stack the nodes of two networks under the output biases given."""
        return Network(
            np.concatenate([self.W1, node.W1]),
            np.concatenate([self.b1, node.b1]),
            np.concatenate([self.W2, node.W2]),
            b2,
            self.activation,
        )


def pack(networks: Sequence[Network]) -> Floats:
    """Lay networks of the same shape side by side in one flat vector, as an optimiser has it."""
    parts = [[getattr(n, name) for n in networks] for name in ("W1", "b1", "W2", "b2")]
    return np.concatenate([np.concatenate(part, axis=None) for part in parts])


def parts_of(
    flat: Floats, n_groups: int, n_features: int, n_classes: int, activation: int
) -> Networks:
    """Return views of the parts of a flat vector: W1, b1, W2 and b2 of all groups."""
    n_nodes = (flat.size - n_groups * n_classes) // (n_features + 1 + n_classes)
    a = n_nodes * n_features
    b = a + n_nodes
    c = b + n_nodes * n_classes
    return Networks(
        activation,
        flat[:a].reshape(n_nodes, n_features),
        flat[a:b],
        flat[b:c].reshape(n_nodes, n_classes),
        flat[c:].reshape(n_groups, n_classes),
    )


def unpack(
    flat: Floats, n_groups: int, n_features: int, n_classes: int, activation: str
) -> list[Network]:
    """Copy the networks out of a flat vector; undoes `pack`."""
    _, W1, b1, W2, b2 = parts_of(flat.copy(), n_groups, n_features, n_classes, 0)
    n_hidden = len(W1) // n_groups
    return [
        Network(W1[nodes], b1[nodes], W2[nodes], b2[group], activation)
        for group in range(n_groups)
        for nodes in [slice(group * n_hidden, (group + 1) * n_hidden)]
    ]


def group_logits(
    networks: Sequence[Network], X: NDArray, rows: NDArray | None = None
) -> NDArray[np.float32]:
    """Compute the logits of several networks of the same shape on one read of X."""
    from trisect.network.engine import get_engine

    # Kernels are compiled for arrays of this kind only.
    X = np.require(X, np.float32, ["C", "A", "W"])
    rows = np.arange(len(X), dtype=np.int32) if rows is None else rows
    rows = np.require(rows, np.int32, ["C", "A", "W"])
    return get_engine().logits(X, rows, side_by_side(networks))


def side_by_side(networks: Sequence[Network]) -> Networks:
    """Concatenate networks of the same shape, as engines read them."""
    return Networks(
        ACTIVATIONS[networks[0].activation].code,
        np.concatenate([n.W1 for n in networks]),
        np.concatenate([n.b1 for n in networks]),
        np.concatenate([n.W2 for n in networks]),
        np.stack([n.b2 for n in networks]),
    )


def softmax(logits: Floats) -> Floats:
    """Turn logits into probabilities along the last axis."""
    if logits.shape[-1] == 2:
        # Two classes need one exponential, and no sum along a short axis.
        margin = logits[..., 1] - logits[..., 0]
        probabilities = np.empty_like(logits)
        probabilities[..., 1] = 0.5 * (1.0 + np.tanh(0.5 * margin))
        probabilities[..., 0] = 1.0 - probabilities[..., 1]
        return probabilities
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
