"""What every engine does, and the arrays in which it is asked.

An engine trains networks and evaluates them: arrays in, arrays out. Networks of the same
shape are carried side by side ("groups"), so that rival candidates for a new node share one
read of the data; an ordinary network is one group.

Two kinds of results differ in what is promised. What a fit computes (`train`,
`summed_losses`, `logits`) agrees between engines within single precision.
What decides about instances (`scale`, `probabilities`, `walk`) is the same in every bit,
whatever the engine and the number of rows: see `trisect.network.exact`.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "NO_DEVIATIONS",
    "NO_RUNS",
    "Batches",
    "Deviations",
    "Engine",
    "InputMap",
    "Levels",
    "Networks",
    "Nodes",
    "Optimiser",
    "Rows",
    "Runs",
]

Floats = NDArray[np.float32]
Reals = NDArray[np.floating]


class Networks(NamedTuple):
    """Networks of the same shape side by side; also the gradient by their parameters.

    A network may be gated: the weight of input j in node m is then the product of ``W1``,
    of a gate of the node and of a gate that all its nodes share, so that a penalty on
    squares drives whole inputs to zero. The last inputs of a gated network may be positions
    between knots, on which each node has a curve of its own. Its rise from one knot to the
    next is the product of the gates with ``W1`` times the rise of a common line, plus a bend.
    """

    activation: int
    """Code of the activation function."""
    W1: Reals
    """Weights of the inputs, (n_groups * n_hidden, n_features)."""
    b1: Reals
    """Biases of the hidden nodes, (n_groups * n_hidden,)."""
    W2: Reals
    """Weights of the outputs, (n_groups * n_hidden, n_classes)."""
    b2: Reals
    """Biases of the outputs, (n_groups, n_classes)."""
    node_gates: Reals
    """Gates of each node, (n_groups * n_hidden, n_features), or (0, 0) without gates."""
    gates: Reals
    """Gates of each network, (n_groups, n_features), or (0, 0)."""
    bends: Reals
    """What each interval adds to a node's curve, (n_groups * n_hidden, n_intervals)."""
    first: NDArray[np.int64]
    """Where the intervals of each position begin, and their number, (n_positions + 1,)."""
    line: Floats
    """Rise of the common line in each interval."""
    center: Floats
    """Mean share of each interval that instances have behind them; curves are centred."""


class Nodes(NamedTuple):
    """Hidden nodes as they are evaluated: straight inputs first, then positions."""

    activation: int
    W1: Floats
    """Weights of the straight inputs, (n_nodes, n_straight)."""
    b1: Floats
    first: NDArray[np.int64]
    """Where the intervals of each position begin, and their number, (n_positions + 1,)."""
    starts: Floats
    """Value of each node's curve at the left end of each interval, (n_nodes, n_intervals)."""
    rises: Floats
    """What it rises by from there to the right end."""


class Deviations(NamedTuple):
    """Straight inputs written as a usual row and what each row has different from it.

    Inputs are divided into ranges of the same width, a multiple of eight, of which the last may
    be shorter or empty. What deviates stands row by row, range by range, in order of the inputs.
    """

    usual: Floats
    """A value of each straight input that most rows have, (n_straight,)."""
    starts: NDArray[np.uint64]
    """Where the deviations of each row begin in each range, and where the last of them end,
    (n, n_ranges + 1); without a sign, so that none has to be checked."""
    inputs: NDArray[np.uint32]
    """Number of the input of each deviation."""
    amounts: Floats
    """How far its value lies above the usual one."""


NO_DEVIATIONS = Deviations(
    np.empty(0, dtype=np.float32),
    np.empty((0, 1), dtype=np.uint64),
    np.empty(0, dtype=np.uint32),
    np.empty(0, dtype=np.float32),
)
"""In place of deviations that nobody has written down."""


class Runs(NamedTuple):
    """The positions of each batch by interval: a run of rows for each, the longest run first.

    The gradient by an interval is then added up in one go, in the order of the rows.
    """

    order: NDArray[np.uint16]
    """Rows of each batch by run, counted from its first, (n_batches, n_positions, size)."""
    shares: Floats
    """How much of the interval lies behind each of them."""
    ends: NDArray[np.uint16]
    """Where each run ends in the order of its position, (n_batches, n_intervals)."""
    intervals: NDArray[np.uint32]
    """The interval of each run, (n_batches, n_intervals)."""

    @property
    def size(self) -> int:
        """Number of rows of a batch."""
        return self.order.shape[2]


NO_RUNS = Runs(
    np.empty((0, 0, 0), dtype=np.uint16),
    np.empty((0, 0, 0), dtype=np.float32),
    np.empty((0, 0), dtype=np.uint16),
    np.empty((0, 0), dtype=np.uint32),
)
"""In place of runs that nobody has looked for."""


class Rows(NamedTuple):
    """The instances that a fit works on."""

    X: Floats
    """Scaled features, (n, n_features)."""
    y: NDArray[np.int32]
    """Classes from 0, (n,)."""
    weight: Floats
    """Weights in the loss, (n,)."""
    rows: NDArray[np.int32]
    """The rows in use, in order, (r,)."""
    offset: Floats
    """Logits to which the networks add theirs, (r, n_classes), or (0, n_classes) for none."""
    deviations: Deviations = NO_DEVIATIONS
    """The straight inputs of X once more, or none; an engine reads what is faster."""
    runs: Runs = NO_RUNS
    """The positions of X once more, for batches of one size, or none."""


class Batches(NamedTuple):
    """The batches of some updates, in order of use."""

    starts: NDArray[np.int64]
    """Where each batch begins in the rows in use."""
    size: int
    """Number of rows of a batch; the last ones may be shorter."""
    rates: Floats
    """Learning rate of each batch."""
    step: int
    """Number of updates made before."""
    looks: NDArray[np.int64] = np.empty(0, dtype=np.int64)
    """After how many of these updates losses are wanted: rising, from 1, the last of them after all
    updates; empty for that one alone."""

    def looks_or_last(self) -> NDArray[np.int64]:
        """Return the looks, or the one at the end."""
        return self.looks if len(self.looks) else np.array([len(self.starts)])


class Optimiser(NamedTuple):
    """The flat vectors that Adam works on, all of which an update changes in place."""

    parameters: Floats
    gradient: Floats
    """Zero between two updates."""
    moment1: Floats
    moment2: Floats
    parts: NDArray[np.int64]
    """Beginning and end of the parts that have penalties of their own, (n_parts, 2): W1, b1, W2,
    b2, node_gates, gates and bends, each of the first network, the second and so on."""
    penalties: Floats
    """Weight of the parameters' squares in each part."""
    paces: Floats
    """Factor on the learning rate in each part, the same for all networks; a part whose factor is
    zero stays as it is."""


class InputMap(NamedTuple):
    """How raw columns become inputs: straight lines for all of them, then curves for some."""

    center: NDArray[np.float64]
    factor: NDArray[np.float64]
    limit: float
    """Where the straight lines are clipped, on both sides."""
    columns: NDArray[np.int64]
    """The column of each curve."""
    knots: NDArray[np.float64]
    """(n_curves, width), rising to infinity; the width is a power of two."""
    values: NDArray[np.float64]
    slopes: NDArray[np.float64]
    """Slope to the right of each knot; zero at the last in use."""

    @property
    def n_inputs(self) -> int:
        """Number of inputs."""
        return len(self.center) + len(self.columns)


class Levels(NamedTuple):
    """The read-outs and thresholds of the levels of a walk.

    Level i reads the first i nodes. Its margin is the logit of the positive class less that
    of the other.
    """

    weights: Floats
    """What each node adds to the margin of each level, (n_levels, n_nodes)."""
    biases: Floats
    """Where the margin of each level starts, (n_levels,)."""
    upper: Floats
    """Margin from which each level accepts."""
    lower: Floats
    """Margin up to which each level rejects."""


class Engine(Protocol):
    """The contract; `trisect.network.reference` and `trisect.network.fast` fulfil it."""

    def train(
        self,
        rows: Rows,
        batches: Batches,
        networks: Networks,
        optimiser: Optimiser,
        theta: float,
        watched: Rows | None = None,
        kept: Floats | None = None,
    ) -> NDArray[np.float64]:
        """Update the networks once for each batch.

        Parameters
        ----------
        rows : Rows
            Instances to train on.
        batches : Batches
            Where the batches begin, and their learning rates.
        networks : Networks
            Views of ``optimiser.parameters``.
        optimiser : Optimiser
            Changed in place.
        theta : float
            Exponent of the focal loss.
        watched : Rows, optional
            Rows to evaluate at every look, if they are not empty.
        kept : ndarray of shape (n_looks, n_parameters), optional
            Where to write the parameters as they are at each look; only if rows are watched.

        Returns
        -------
        ndarray of shape (n_looks, n_groups)
            Sum of the weighted losses of the rows watched, or without any, of those that
            the updates since the look before saw.
        """

    def summed_losses(self, rows: Rows, networks: Networks, theta: float) -> NDArray[np.float64]:
        """Sum the weighted focal losses of the rows, for each group."""

    def logits(self, X: Floats, rows: NDArray[np.int32], networks: Networks) -> Floats:
        """Compute logits of shape (n_groups, n_rows, n_classes)."""

    def scale(self, X: NDArray[Any], inputs: InputMap, out: Floats) -> None:
        """Write the inputs of raw rows into ``out``, (n_rows, n_inputs)."""

    def probabilities(
        self,
        X: NDArray[Any],
        inputs: InputMap,
        nodes: Nodes,
        scores: tuple[Floats, Floats],
        out: NDArray[np.float64],
    ) -> bool:
        """Write the class probabilities of raw rows; return False if a value is not finite.

        ``scores`` are W2 and b2 of one network.
        """

    def walk(
        self,
        X: NDArray[Any],
        inputs: InputMap,
        nodes: Nodes,
        levels: Levels,
        regions: NDArray[np.int8],
        decided_at: NDArray[np.intp],
        margins: Floats,
    ) -> None:
        """Decide every raw row at the first level that is sure of it.

        Writes the region (1, 0 or -1), the number of the level that decided (0 where none
        did), and the last margin of each row.
        """
