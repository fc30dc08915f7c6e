"""Settle what the data should decide before growth: the scaling and the l2 weight."""

from collections.abc import Mapping, Sequence

import numpy as np

from trisect.network import Examples, Training, initial_network, train

__all__ = ["L2_GRID", "settle"]

L2_GRID = (0.03, 0.3, 3.0)
PROBE_NODES = 4
PROBE_UPDATES = 400


def settle(
    options: Mapping[str, tuple[Examples, Examples]],
    penalties: Sequence[float],
    training: Training,
    activation: str,
    distribution: str,
    rng: np.random.Generator,
) -> tuple[str, float]:
    """Choose a scaling and an l2 weight by short training runs.

    Parameters
    ----------
    options : mapping of str to (Examples, Examples)
        Training and validation data under each scaling.
    penalties : sequence of float
        The l2 weights to choose from, tried side by side.
    training : Training
        Settings of the optimiser.
    activation, distribution : str
        Activation function, and distribution of the initial weights.
    rng : numpy.random.Generator
        Source of the initial weights, which are the same for all options.

    Returns
    -------
    scaling : str
        The scaling whose best run has the lowest validation loss.
    l2 : float
        The l2 weight of that run.
    """
    if len(options) == 1 and len(penalties) == 1:
        return next(iter(options)), float(penalties[0])
    first = next(iter(options.values()))[0]
    start = initial_network(
        first.X.shape[1], PROBE_NODES, first.n_classes, activation, distribution, rng
    )
    seed = int(rng.integers(2**63))
    runs = {}
    for name, (examples, validation) in options.items():
        _, losses = train(
            [start] * len(penalties), examples, training, np.random.default_rng(seed),
            l2=penalties, validation=validation,
        )  # fmt: skip
        for penalty, loss in zip(penalties, losses, strict=True):
            runs[name, float(penalty)] = loss
    return min(runs, key=lambda run: runs[run])
