"""The published illustrative example, end to end, with the weights that it gives.

Ten instances: x1 .. x6 train, x7 and x8 validate, x9 and x10 test. Label 1 is the
positive one, so it is class 1 here and label 2 is class 0, and the two outputs of the
publication change places. Training would not find the published weights again, so the
universe is sorted here by nodes that have them; decisions and records are the library's.

Two values differ from print. The output bias of the first level, printed as 1177, is
0.1177. And the second matrix, [[0, .4617, .5962], [.6740, .1344, 0]], has beta = .4998
by its own definition, not the printed .5016; p = .5 is then deferred instead of
rejected. `CHAIN` has a matrix that differs from it in the third decimal, has both printed
thresholds, and leaves every other printed value as it is; `PRINTED` is as printed, and
the example is consistent with it up to the decision about x4 and x5 at the second level.

At the second level the example still has x4 and x5 in one equivalence class, though
two clusters of two instances would part them: its classes are those that k-means++
found at the first level, and so they are here.
"""

from typing import NamedTuple

import numpy as np
import pytest

from trisect import STWDSFNNClassifier
from trisect.decisions import BND, NEG, POS, CostMatrix, nested
from trisect.growth import PaperGrowth, Rules, granulate
from trisect.growth.universe import Universe
from trisect.network import Network, Part, mean_losses

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
PRINTED = [CHAIN[0], CostMatrix.from_array([[0, 0.4617, 0.5962], [0.6740, 0.1344, 0]]), CHAIN[2]]
UNITS = np.array([1.0, 2.0, 3.0])
# w1, b1, and of the outputs for label 1 and label 2: w2, b2.
PUBLISHED = [
    ([0.8115, -1.0612, 0.3465, 0.1514], 0.1139, [0.2019, 0.0860], [0.1110, 0.1177]),
    ([-0.2338, -0.1741, 0.9333, 0.2477], 0.0818, [0.1343, 0.0133], [0.0768, 0.0821]),
]


def _node(w1, b1, w2, b2):
    return Network(np.array([w1]), np.array([b1]), np.array([w2[::-1]]), np.array(b2[::-1]), "selu")


NODES = [_node(*weights) for weights in PUBLISHED]


def _part(rows):
    y = (LABELS[rows] == 1).astype(np.int32)
    return Part(FEATURES[rows].astype(np.float32), y, np.ones(len(y), np.float32), 2)


def _first_clusters(X, level, parents, random_state):
    """Two clusters found by k-means++ at the first level, and kept."""
    return granulate(X, "kmeans", 2, random_state) if level == 1 else parents


class Walked(NamedTuple):
    """What happened at each level."""

    boundaries: list
    verdicts: list
    levels: list
    networks: list
    universe: Universe


def _walk(chain, seed):
    rules = Rules(
        chain, UNITS, UNITS, _first_clusters, n_granules=2, granulation="inherited",
        boundary_penalty=2.0, keep_sets=True,
    )  # fmt: skip
    part, validation = _part(np.arange(6)), _part(np.arange(6, 8))
    walked = Walked([], [], [], [], Universe(part, rules))
    rng = np.random.default_rng(seed)
    for i, node in enumerate(NODES):
        rows = walked.universe.rows
        walked.boundaries.append(rows)
        walked.networks.append(node if i == 0 else walked.networks[-1].stacked(node, node.b2))
        wrong = node.logits(part.X[rows]).argmax(axis=1) != part.y[rows]
        walked.verdicts.append(walked.universe.sort(wrong, i, rng))
        score = -float(mean_losses([walked.networks[-1]], validation)[0])
        walked.levels.append(rules.record(walked.levels, walked.verdicts[-1], score))
    return walked


@pytest.fixture(params=range(5))
def walked(request):
    """Both levels of Algorithm 1 under several seeds of the clusters."""
    return _walk(CHAIN, request.param)


def test_thresholds_of_the_first_two_levels():
    assert [round(CHAIN[0].alpha, 4), round(CHAIN[0].beta, 4)] == [0.6894, 0.1425]
    assert [round(CHAIN[1].alpha, 4), round(CHAIN[1].beta, 4)] == [0.5389, 0.5016]
    assert round(CHAIN[2].gamma, 4) == 0.5204


def test_the_second_matrix_as_printed_has_another_beta():
    # The paper prints beta_2 = .5016.
    assert [round(PRINTED[1].alpha, 4), round(PRINTED[1].beta, 4)] == [0.5389, 0.4998]


@pytest.mark.parametrize("chain", [CHAIN, PRINTED], ids=["consistent", "printed"])
def test_the_matrices_are_a_chain(chain):
    assert nested(chain, 3) == chain


def test_predictions_of_the_first_node():
    predicted = NODES[0].logits(FEATURES[:6]).argmax(axis=1)
    assert np.where(predicted == 1, 1, 2).tolist() == [1, 1, 1, 2, 1, 1]


def test_x4_and_x5_stay_wrong_by_the_second_node_alone_and_by_both():
    truth = LABELS[3:5] == 1
    both = NODES[0].stacked(NODES[1], NODES[1].b2)
    for network in (NODES[1], both):
        assert ((network.logits(FEATURES[3:5]).argmax(axis=1) == 1) != truth).all()


def test_two_levels_and_who_is_left_for_them(walked):
    assert [boundary.tolist() for boundary in walked.boundaries] == [[0, 1, 2, 3, 4, 5], [3, 4]]
    assert [level.n_instances for level in walked.levels] == [6, 2]
    assert len(walked.universe) == 0


def test_misclassified_instances_and_their_classes(walked):
    first, second = (level.sets for level in walked.levels)
    assert first.M_N.tolist() == [0, 3, 4] and first.p.tolist() == [0, 0.5, 0.5]
    assert first.granules[0] != first.granules[1] == first.granules[2]
    assert second.M_N.tolist() == [3, 4] and second.p.tolist() == [0.5, 0.5]
    assert second.granules[0] == second.granules[1]
    assert [level.n_misclassified for level in walked.levels] == [3, 2]


def test_regions(walked):
    assert walked.verdicts[0].regions.tolist() == [NEG, POS, POS, BND, BND, POS]
    assert walked.verdicts[1].regions.tolist() == [NEG, NEG]
    counts = [(level.n_pos, level.n_bnd, level.n_neg) for level in walked.levels]
    assert counts == [(3, 2, 1), (0, 0, 2)]


def test_the_sets_of_the_first_level(walked):
    sets = walked.levels[0].sets
    assert (sets.P_N.tolist(), sets.N_N.tolist()) == ([1, 2, 5], [])
    assert (sets.P_L.tolist(), sets.B_L.tolist(), sets.N_L.tolist()) == ([], [3, 4], [0])


def test_the_result(walked):
    settled = walked.universe.settlement
    assert np.flatnonzero(settled.regions == POS).tolist() == [1, 2, 5]
    assert np.flatnonzero(settled.regions == NEG).tolist() == [0, 3, 4]
    assert settled.levels.tolist() == [1, 1, 1, 2, 2, 1]


def test_costs(walked):
    assert [round(level.result_cost, 4) for level in walked.levels] == [0.5510, 0.5962]
    assert [level.test_cost for level in walked.levels] == [3, 7]
    assert [level.delay_cost for level in walked.levels] == [3, 4]


def test_with_the_matrix_as_printed_x4_and_x5_are_left_for_the_third_level():
    printed = _walk(PRINTED, seed=0)
    assert printed.levels[0].n_bnd == 2 and round(printed.levels[0].result_cost, 4) == 0.5510
    assert printed.verdicts[1].regions.tolist() == [BND, BND]
    assert [level.test_cost for level in printed.levels] == [3, 7]
    # The third level decides two ways: p = .5 is below gamma, so they are rejected there.
    verdict = printed.universe.sort(np.ones(2, bool), 2, np.random.default_rng(0))
    assert verdict.regions.tolist() == [NEG, NEG] and len(printed.universe) == 0


def test_the_final_network_stacks_the_nodes_under_the_last_bias(walked):
    network = walked.networks[-1]
    assert network.n_hidden == 2 and network.activation == "selu"
    np.testing.assert_allclose(network.W1, [weights[0] for weights in PUBLISHED], rtol=1e-6)
    np.testing.assert_allclose(network.b1, [weights[1] for weights in PUBLISHED], rtol=1e-6)
    np.testing.assert_allclose(network.W2, [weights[2][::-1] for weights in PUBLISHED], rtol=1e-6)
    np.testing.assert_allclose(network.b2, PUBLISHED[1][3][::-1], rtol=1e-6)


def test_the_validation_score_is_a_mean_log_likelihood(walked):
    validation = _part(np.arange(6, 8))
    for level, network in zip(walked.levels, walked.networks, strict=True):
        p = network.probabilities(validation.X)[np.arange(2), validation.y]
        assert level.validation_score == pytest.approx(np.log(p).mean(), rel=1e-5)


@pytest.mark.parametrize("node", ["alone", "stacked"])
def test_the_estimator_runs_the_example(node):
    """Its weights are its own; costs, classes and the shrinking universe are the paper's."""
    model = STWDSFNNClassifier(
        PaperGrowth(node=node, max_epochs=20), max_levels=3, activation="selu", costs=CHAIN,
        pos_label=1, unit_test_costs=UNITS, unit_delay_costs=UNITS, granules=_first_clusters,
        n_granules=2, granulation="inherited", scale="none", keep_sets=True, random_state=0,
    )  # fmt: skip
    model.fit(FEATURES[:6], LABELS[:6], X_val=FEATURES[6:8], y_val=LABELS[6:8])
    levels = model.levels_
    assert model.cost_matrices_ == CHAIN and model.pos_label_ == 1
    assert [level.n_instances for level in levels] == [6, *(n.n_bnd for n in levels[:-1])]
    assert levels[-1].n_bnd == 0 and (model.settlement_.levels > 0).all()
    assert levels[-1].test_cost == sum(
        units * level.n_misclassified for units, level in zip(UNITS, levels, strict=False)
    )
    by_network = ~model.settlement_.by_granule
    assert ((model.settlement_.regions == 1) == (LABELS[:6] == 1))[by_network].all()
    assert set(model.predict(FEATURES[8:])) <= {1, 2}
