"""The published illustrative example, end to end, with the weights that it gives.

Ten instances: x1 .. x6 train, x7 and x8 validate, x9 and x10 test. Label 1 is the
positive one, so it is class 1 here and label 2 is class 0, and the two outputs of the
publication change places. Growth asks for a trained node at each level and gets the
published weights.

Two values differ from print. The output bias of the first level, printed as 1177, is
0.1177. And the second matrix, [[0, .4617, .5962], [.6740, .1344, 0]], has beta = .4998
by its own definition, not the printed .5016; p = .5 would then be deferred instead of
rejected. The matrix below differs from it in the third decimal, has both printed
thresholds, and leaves every other printed value as it is.

At the second level the example still has x4 and x5 in one equivalence class, though
two clusters of two instances would part them: its classes are those that k-means++
found at the first level, and so they are here.
"""

import numpy as np
import pytest

from trisect.decisions import BND, NEG, POS, CostMatrix
from trisect.growth import Deciding, PaperGrowth, granulate
from trisect.network import Examples, Network

FEATURES = np.array(
    [
        [0.7415, 0.5407, 0.5795, 0.9009],
        [0.6844, 0.3210, 0.0471, 0.3700],
        [0.7718, 0.0912, 0.4874, 0.5308],
        [0.0818, 0.4263, 0.0354, 0.0621],
        [0.5596, 0.4643, 0.3585, 0.3189],
        [0.6397, 0.6535, 0.7739, 0.6809],
        [0.7425, 0.0989, 0.7429, 0.4131],
        [0.9419, 0.5958, 0.4474, 0.7536],
        [0.4992, 0.2212, 0.9525, 0.4176],
        [0.2990, 0.4796, 0.1559, 0.7456],
    ]
)
LABELS = np.array([2, 1, 1, 1, 2, 1, 1, 2, 1, 2])
CHAIN = [
    CostMatrix.from_array([[0, 0.1506, 0.9021], [0.4592, 0.1249, 0]]),
    CostMatrix.from_array([[0, 0.4617, 0.5962], [0.67496, 0.13536, 0]]),
    CostMatrix.from_array([[0, 0.3626, 0.7064], [0.7664, 0.3727, 0]]),
]
# w1, b1, and of the outputs for label 1 and label 2: w2, b2.
PUBLISHED = [
    ([0.8115, -1.0612, 0.3465, 0.1514], 0.1139, [0.2019, 0.0860], [0.1110, 0.1177]),
    ([-0.2338, -0.1741, 0.9333, 0.2477], 0.0818, [0.1343, 0.0133], [0.0768, 0.0821]),
]


def _node(w1, b1, w2, b2):
    return Network(np.array([w1]), np.array([b1]), np.array([w2[::-1]]), np.array(b2[::-1]), "selu")


NODES = [_node(*weights) for weights in PUBLISHED]


def _examples(rows):
    y = (LABELS[rows] == 1).astype(np.int32)
    return Examples(FEATURES[rows].astype(np.float32), y, np.ones(len(y), np.float32), 2)


class _FirstClusters:
    """Two clusters found by k-means++ at the first call, and kept."""

    def __init__(self):
        self.centres = None

    def __call__(self, X, random_state):
        if self.centres is None:
            labels = granulate(X, "kmeans", 2, random_state)
            self.centres = np.stack([X[labels == k].mean(axis=0) for k in range(2)])
        return np.linalg.norm(X[:, None] - self.centres, axis=2).argmin(axis=1)


class _Recording(Deciding):
    """Decides as usual, and remembers who was misclassified and where all ended up."""

    def __init__(self):
        super().__init__(_FirstClusters(), 2, 2.0)
        object.__setattr__(self, "wrong", [])
        object.__setattr__(self, "regions", [])

    def verdict(self, examples, wrong, *arguments):
        verdict = super().verdict(examples, wrong, *arguments)
        self.wrong.append(wrong)
        self.regions.append(verdict.regions)
        return verdict


@pytest.fixture(params=range(5))
def growth(request):
    """Levels, rows handed to each training, and decisions, under several seeds."""
    deciding, trained_on = _Recording(), []

    def train_node(rows):
        trained_on.append(rows.tolist())
        return NODES[len(trained_on) - 1]

    unit = np.array([1.0, 2.0, 3.0])
    levels = PaperGrowth(CHAIN, unit, unit, deciding).levels(
        _examples(slice(0, 6)),
        _examples(slice(6, 8)),
        train_node,
        np.random.default_rng(request.param),
    )
    return levels, trained_on, deciding


def test_thresholds_of_the_first_two_levels():
    assert [round(CHAIN[0].alpha, 4), round(CHAIN[0].beta, 4)] == [0.6894, 0.1425]
    assert [round(CHAIN[1].alpha, 4), round(CHAIN[1].beta, 4)] == [0.5389, 0.5016]
    assert round(CHAIN[2].gamma, 4) == 0.5204


def test_predictions_of_the_first_node():
    predicted = NODES[0].logits(FEATURES[:6]).argmax(axis=1)
    assert np.where(predicted == 1, 1, 2).tolist() == [1, 1, 1, 2, 1, 1]


def test_x4_and_x5_stay_wrong_by_the_second_node_alone_and_by_both():
    truth = LABELS[3:5] == 1
    both = NODES[0].stacked(NODES[1], NODES[1].b2)
    for network in (NODES[1], both):
        assert ((network.logits(FEATURES[3:5]).argmax(axis=1) == 1) != truth).all()


def test_two_levels_and_who_trained_them(growth):
    levels, trained_on, _ = growth
    assert len(levels) == 2
    assert trained_on == [[0, 1, 2, 3, 4, 5], [3, 4]]
    assert [level.n_instances for level in levels] == [6, 2]


def test_misclassified_instances(growth):
    levels, _, deciding = growth
    assert np.flatnonzero(deciding.wrong[0]).tolist() == [0, 3, 4]
    assert deciding.wrong[1].tolist() == [True, True]
    assert [level.n_misclassified for level in levels] == [3, 2]


def test_regions(growth):
    levels, _, deciding = growth
    assert deciding.regions[0].tolist() == [NEG, POS, POS, BND, BND, POS]
    assert deciding.regions[1].tolist() == [NEG, NEG]
    assert [(level.n_pos, level.n_bnd, level.n_neg) for level in levels] == [(3, 2, 1), (0, 0, 2)]


def test_costs(growth):
    levels, _, _ = growth
    assert [round(level.result_cost, 4) for level in levels] == [0.5510, 0.5962]
    assert [level.test_cost for level in levels] == [3, 7]
    assert [level.delay_cost for level in levels] == [3, 4]


def test_the_final_network_stacks_the_nodes_under_the_last_bias(growth):
    levels, _, _ = growth
    network = levels[-1].network
    assert network.n_hidden == 2 and network.activation == "selu"
    np.testing.assert_allclose(network.W1, [weights[0] for weights in PUBLISHED], rtol=1e-6)
    np.testing.assert_allclose(network.b1, [weights[1] for weights in PUBLISHED], rtol=1e-6)
    np.testing.assert_allclose(network.W2, [weights[2][::-1] for weights in PUBLISHED], rtol=1e-6)
    np.testing.assert_allclose(network.b2, PUBLISHED[1][3][::-1], rtol=1e-6)


def test_the_validation_score_is_a_mean_log_likelihood(growth):
    levels, _, _ = growth
    validation = _examples(slice(6, 8))
    for level in levels:
        p = level.network.probabilities(validation.X)[np.arange(2), validation.y]
        assert level.validation_score == pytest.approx(np.log(p).mean(), rel=1e-5)
