"""The parameters of a network, as plain arrays."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from trisect.network.activations import ACTIVATIONS
from trisect.network.contract import Networks, Nodes

__all__ = ["Gates", "Knots", "Network", "evaluated_nodes", "pack", "softmax", "unpack"]

PARTS = ("W1", "b1", "W2", "b2", "node_gates", "gates", "bends")
"""The parameters that are trained, in the order of a flat vector."""

Floats = NDArray[np.float32]


NO_INTERVALS = np.zeros(1, dtype=np.int64)
_NONE = np.empty(0, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Knots:
    """Which inputs are positions between knots, and what nodes bend.

    Parameters
    ----------
    first : ndarray of int64 of shape (n_positions + 1,)
        Where the intervals of each position begin among all, and their number.
    line : ndarray of float32 of shape (n_intervals,)
        Rise of the common line in each interval; a node without bends follows it.
    center : ndarray of float32 of shape (n_intervals,)
        Mean share of each interval that training instances have behind them.
    """

    first: NDArray[np.int64] = field(default_factory=NO_INTERVALS.copy)
    line: Floats = field(default_factory=_NONE.copy)
    center: Floats = field(default_factory=_NONE.copy)

    @property
    def n_positions(self) -> int:
        """Number of inputs that are positions."""
        return len(self.first) - 1


@dataclass(frozen=True, eq=False)
class Gates:
    """What a gated network has beside its weights, see `trisect.network.contract.Networks`.

    Parameters
    ----------
    knots : Knots
        Which inputs are positions; the last ones.
    of_nodes : ndarray of shape (n_hidden, n_features)
        Gates of each node.
    of_all : ndarray of shape (n_features,)
        Gates that all nodes share.
    bends : ndarray of shape (n_hidden, n_intervals)
        What each interval adds to the rise of a node's curve.
    """

    knots: Knots
    of_nodes: Floats
    of_all: Floats
    bends: Floats

    def __post_init__(self) -> None:
        _in_single_precision(self, "of_nodes", "of_all", "bends")

    @classmethod
    def open(cls, knots: Knots, n_hidden: int, n_features: int) -> Self:
        """Return gates that are open, and no bends."""
        return cls(
            knots,
            np.ones((n_hidden, n_features), dtype=np.float32),
            np.ones(n_features, dtype=np.float32),
            np.zeros((n_hidden, len(knots.line)), dtype=np.float32),
        )

    def joined(self, other: "Gates") -> "Gates":
        """Put the nodes of another network after these."""
        of_all, of_nodes = self.of_all, [self.of_nodes, other.of_nodes]
        if not np.array_equal(of_all, other.of_all):
            # What is not shared becomes each node's own.
            of_nodes = [gates.of_nodes * gates.of_all for gates in (self, other)]
            of_all = np.ones_like(of_all)
        bends = np.concatenate([self.bends, other.bends])
        return Gates(self.knots, np.concatenate(of_nodes), of_all, bends)


@dataclass(frozen=True, eq=False)
class Network:
    """A network with one hidden layer.

    The logits of an instance x are ``W2.T @ activation(W1 @ x + b1) + b2``, where the weights
    of a gated network pass gates, and some of its inputs curves of each node's own.

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
    gates : Gates, optional
        Gates and curves.

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
    gates: Gates | None = None

    def __post_init__(self) -> None:
        _in_single_precision(self, "W1", "b1", "W2", "b2")

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

    @cached_property
    def nodes(self) -> Nodes:
        """The hidden nodes as they are evaluated, with gates and centres worked in."""
        code = ACTIVATIONS[self.activation].code
        if self.gates is None:
            none = np.empty((self.n_hidden, 0), dtype=np.float32)
            return Nodes(code, self.W1, self.b1, NO_INTERVALS, none, none)
        return evaluated_nodes(side_by_side([self]))

    def hidden(self, X: NDArray) -> NDArray:
        """Compute the values of the hidden nodes, of shape (n_instances, n_hidden)."""
        # An output for each node that is the node.
        W2 = np.eye(self.n_hidden, dtype=np.float32)
        return replace(self, W2=W2, b2=np.zeros(self.n_hidden, dtype=np.float32)).logits(X)

    def swapped(self) -> "Network":
        """Exchange the outputs of two classes."""
        return replace(self, W2=self.W2[:, ::-1], b2=self.b2[::-1])

    def behind_gates_of(self, other: "Network") -> "Network":
        """Put the gates that the nodes of another network share in front of these."""
        if self.gates is None or other.gates is None:
            return self
        return replace(self, gates=replace(self.gates, of_all=other.gates.of_all))

    def with_open_gates(self) -> "Network":
        """Work the gates into weights and bends, and open them."""
        if self.gates is None:
            return self
        knots, gates = self.gates.knots, self.gates.of_nodes * self.gates.of_all
        n_straight = self.n_features - knots.n_positions
        position = np.repeat(np.arange(n_straight, self.n_features), np.diff(knots.first))
        opened = Gates.open(knots, self.n_hidden, self.n_features)
        bends = self.gates.bends * gates[:, position]
        return replace(self, W1=self.W1 * gates, gates=replace(opened, bends=bends))

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
            None if self.gates is None or node.gates is None else self.gates.joined(node.gates),
        )

    def __getstate__(self) -> dict[str, Any]:
        # What is derived is not stored with a model.
        return {item.name: getattr(self, item.name) for item in fields(self)}


def _in_single_precision(holder: Any, *names: str) -> None:
    for name in names:
        part = np.ascontiguousarray(getattr(holder, name), dtype=np.float32)
        object.__setattr__(holder, name, part)


def evaluated_nodes(networks: Networks) -> Nodes:
    """Work gates and centres into weights, curves and biases."""
    W1, first = networks.W1.astype(np.float64), networks.first
    n_groups, (n_nodes, n_features) = len(networks.b2), W1.shape
    gates = np.repeat(networks.gates, n_nodes // n_groups, axis=0) * networks.node_gates
    n_straight = n_features - len(first) + 1
    position = np.repeat(np.arange(n_straight, n_features), np.diff(first))
    rises = gates[:, position] * (W1[:, position] * networks.line + networks.bends)
    # The curve of a position is zero on average: it starts below by its mean progress.
    total = np.cumsum(rises, axis=1)
    before = np.concatenate([np.zeros((n_nodes, 1)), total], axis=1)[:, first[:-1]]
    start = total - rises - np.repeat(before, np.diff(first), axis=1)
    progress = rises * networks.center
    mean = np.add.reduceat(progress, first[:-1], axis=1) if len(first) > 1 else before
    values = start - np.repeat(mean, np.diff(first), axis=1)
    # Rises are differences of rounded values, so that the values at the knots are all there is
    # to a curve: an interval ends with the bits that the next one starts with.
    starts, ends = values.astype(np.float32), (values + rises).astype(np.float32)
    inner = np.setdiff1d(np.arange(len(position)), first[1:] - 1)
    ends[:, inner] = starts[:, inner + 1]
    return Nodes(
        networks.activation,
        np.ascontiguousarray((gates * W1)[:, :n_straight], dtype=np.float32),
        networks.b1.astype(np.float32),
        first,
        starts,
        ends - starts,
    )


def pack(networks: Sequence[Network]) -> Floats:
    """Lay networks of the same shape side by side in one flat vector, as an optimiser has it."""
    together = side_by_side(networks)
    return np.concatenate([np.ravel(getattr(together, name)) for name in PARTS])


def parts_of(flat: Floats, like: Networks) -> Networks:
    """Return views of the parts of a flat vector, for networks of the shape of others."""
    shapes = [getattr(like, name).shape for name in PARTS]
    edges = np.cumsum([0, *(math.prod(shape) for shape in shapes)])
    views: dict[str, Any] = {
        name: flat[start:stop].reshape(shape)
        for name, shape, (start, stop) in zip(PARTS, shapes, pairwise(edges), strict=True)
    }
    return like._replace(**views)


def unpack(flat: Floats, like: Networks, networks: Sequence[Network]) -> list[Network]:
    """Copy networks out of a flat vector; undoes `pack`."""
    parts, n_groups = parts_of(flat.copy(), like), len(networks)
    n_hidden = len(parts.W1) // n_groups
    unpacked = []
    for group, before in enumerate(networks):
        own = slice(group * n_hidden, (group + 1) * n_hidden)
        gates = before.gates and replace(
            before.gates,
            of_nodes=parts.node_gates[own],
            of_all=parts.gates[group],
            bends=parts.bends[own],
        )
        unpacked.append(
            Network(
                parts.W1[own], parts.b1[own], parts.W2[own], parts.b2[group],
                before.activation, gates,
            )
        )  # fmt: skip
    return unpacked


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
    code = ACTIVATIONS[networks[0].activation].code
    plain = (
        np.concatenate([n.W1 for n in networks]),
        np.concatenate([n.b1 for n in networks]),
        np.concatenate([n.W2 for n in networks]),
        np.stack([n.b2 for n in networks]),
    )
    gates = [n.gates for n in networks if n.gates is not None]
    if not gates:
        none = np.empty((0, 0), dtype=np.float32)
        return Networks(code, *plain, none, none, none, NO_INTERVALS, _NONE, _NONE)
    knots = gates[0].knots
    return Networks(
        code,
        *plain,
        np.concatenate([g.of_nodes for g in gates]),
        np.stack([g.of_all for g in gates]),
        np.concatenate([g.bends for g in gates]),
        knots.first,
        knots.line,
        knots.center,
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
