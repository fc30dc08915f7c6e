"""The levels that are worth walking through, judged by their records."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import expit

from trisect import CostMatrix
from trisect.decisions import BND
from trisect.estimators.worthwhile_levels import new_nodes, unsure_share, worthwhile_levels
from trisect.network import Network

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)


@dataclass
class Record:
    network: Network
    validation_score: float


def network(n_hidden, seed=0):
    rng = np.random.default_rng(seed)
    W1, W2 = rng.normal(size=(n_hidden, 3)), rng.normal(size=(n_hidden, 2))
    return Network(W1, np.zeros(n_hidden), W2, np.zeros(2), "tanh")


@pytest.mark.parametrize("spread", [0.3, 1.0, 3.0, 6.0])
def test_the_share_is_that_of_normal_margins(spread):
    rng = np.random.default_rng(0)
    truth = np.repeat([1, -1], 200_000)
    margin = truth * spread**2 / 2 + spread * rng.normal(size=truth.size)
    score = -np.logaddexp(0, -truth * margin).mean()
    share = np.mean(COSTS.decide(expit(margin)) == BND)
    assert unsure_share(score, COSTS) == pytest.approx(share, abs=0.01)


def test_shares_are_sensible_at_the_ends():
    assert unsure_share(-5.0, COSTS) == pytest.approx(1)
    assert unsure_share(0.0, COSTS) == pytest.approx(0, abs=1e-6)
    never = CostMatrix.from_review(false_accept=1, false_reject=1, review=2)
    assert unsure_share(-0.6, never) == 0


def test_nodes_that_were_evaluated_before_count_once():
    large = network(5)
    small = Network(large.W1[:3], large.b1[:3], large.W2[:3], large.b2, "tanh")
    assert new_nodes(large, None) == new_nodes(large, network(3, seed=1)) == 5
    assert new_nodes(large, small) == 2
    assert new_nodes(small, large) == 3


@pytest.mark.parametrize(
    ("scores", "chosen"),
    [
        ((-0.01, -0.01, -0.01), [0, 2]),  # One node is sure of nearly all.
        ((-0.69, -0.69, -0.69), [2]),  # Nobody is sure of anything.
        ((-0.69, -0.05, -0.01), [1, 2]),
    ],
)
def test_levels_that_save_work_are_chosen(scores, chosen):
    sizes = (1, 3, 10)
    # Networks that share nothing, as after joint training.
    levels = [Record(network(n, seed=n), score) for n, score in zip(sizes, scores, strict=True)]
    assert worthwhile_levels(levels, [COSTS] * 3) == chosen
