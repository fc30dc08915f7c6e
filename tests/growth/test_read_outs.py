"""Read-outs: what the first nodes say alone, and how strict that has to be."""

import numpy as np
import pytest
from problems import ring

from trisect.decisions import CostMatrix
from trisect.growth import TrainingData
from trisect.growth.read_outs import fit_read_outs, stacked_read_outs
from trisect.growth.selection import standard_error
from trisect.growth.strictness import REFERENCE_COSTS, STRICTNESS, Witness, choose_strictness
from trisect.network import Network, Part, Training, initial_network, train


def _part(n, seed, flipped=0.1):
    X, y = ring(n, seed)
    y = np.where(np.random.default_rng(seed).random(n) < flipped, 1 - y, y)
    return Part(X.astype(np.float32), y.astype(np.int32), np.ones(n, np.float32), 2)


@pytest.fixture(scope="module")
def data():
    return TrainingData(_part(1200, 0), _part(300, 1))


@pytest.fixture(scope="module")
def network(data):
    rng = np.random.default_rng(0)
    untrained = initial_network(2, 6, 2, "tanh", "uniform", rng)
    [trained], _ = train([untrained], data.train, Training(800, 0.05), rng)
    return trained


@pytest.fixture(scope="module")
def read_outs(network, data):
    return fit_read_outs(network, data, network, data)


def _log_loss(margin, y):
    return np.logaddexp(0, np.where(y == 1, -margin, margin)).mean()


def test_the_last_level_is_the_network(network, read_outs, data):
    margin = read_outs.margins(network.hidden(data.train.X))[-1]
    logits = network.logits(data.train.X)
    np.testing.assert_allclose(margin, logits[:, 1] - logits[:, 0], atol=1e-4)
    assert np.array_equal(read_outs.weights[-1], network.W2[:, 1] - network.W2[:, 0])
    assert read_outs.biases[-1] == network.b2[1] - network.b2[0]
    assert (read_outs.strictness[-1] == 0).all()


def test_a_level_reads_its_nodes_only(read_outs):
    assert read_outs.n_levels == 6
    assert (np.triu(read_outs.weights, 1) == 0).all()
    assert (np.tril(read_outs.weights) != 0).sum() == 21


def test_no_prefix_is_worse_than_chance_or_than_a_shorter_one(network, read_outs, data):
    y = data.train.y
    chance = _log_loss(np.full(len(y), np.log(y.mean() / (1 - y.mean()))), y)
    margins = read_outs.margins(network.hidden(data.train.X))
    losses = [_log_loss(margin, y) for margin in margins[:-1]]
    assert losses[0] < chance
    assert all(np.diff(losses) <= 1e-4) and losses[-1] < losses[0] - 0.05


def test_a_read_out_is_where_the_slope_vanishes(network, read_outs, data):
    """Each early level minimises the log loss with a ridge of 0.1 on its weights."""
    hidden, y = network.hidden(data.train.X).astype(np.float64), data.train.y
    for i in range(5):
        weights = read_outs.weights[i, : i + 1].astype(np.float64)
        p = 1 / (1 + np.exp(-(hidden[:, : i + 1] @ weights + read_outs.biases[i])))
        slope = hidden[:, : i + 1].T @ (p - y) + 0.1 * weights
        assert np.abs(slope).max() < 1e-2 and abs((p - y).sum()) < 1e-2


def _walk_costs(read_outs, costs, part, network):
    """What a walk costs on average, level by level, and the whole network's decisions."""
    margins = read_outs.margins(network.hidden(part.X)).astype(np.float64)
    alpha, beta = (np.log(p / (1 - p)) for p in costs.thresholds)
    regions = np.zeros(len(part), np.int8)
    for margin, (above, below) in zip(margins, read_outs.strictness, strict=True):
        undecided = regions == 0
        regions[undecided & (margin >= alpha + above)] = 1
        regions[undecided & (margin <= beta - below)] = -1
    whole = costs.decide(1 / (1 + np.exp(-margins[-1])))
    positive = part.y == 1
    return costs.charge(positive, regions).mean(), costs.charge(positive, whole).mean()


@pytest.mark.parametrize("costs", REFERENCE_COSTS)
def test_early_decisions_cost_next_to_nothing(network, read_outs, data, costs):
    parts = (data.train, data.validation)
    extra, whole = 0.0, 0.0
    for part in parts:
        walk, full = _walk_costs(read_outs, costs, part, network)
        extra, whole = extra + len(part) * (walk - full), whole + len(part) * full
    assert extra <= 0.01 * whole


def test_strictness_is_worth_something(network, read_outs, data):
    """Without it, early levels decide what they should not."""
    costs = CostMatrix.from_review(false_accept=3, false_reject=3, review=1)
    rash = read_outs._replace(strictness=np.zeros_like(read_outs.strictness))
    spent = [_walk_costs(each, costs, data.train, network)[0] for each in (rash, read_outs)]
    assert spent[0] > 1.5 * spent[1]


def _witnesses(network, read_outs, data):
    """All rows, and the validation rows alone."""
    margins = [read_outs.margins(network.hidden(p.X)) for p in (data.train, data.validation)]
    both = np.concatenate(margins, axis=1)
    y = np.concatenate([data.train.y, data.validation.y]) == 1
    validation = data.validation
    return [
        Witness(both, y, np.ones(len(y))),
        Witness(margins[1], validation.y == 1, validation.weight),
    ]


def test_strictness_is_the_least_that_every_witness_calls_harmless(network, read_outs, data):
    """The same choice, made by what each instance would cost."""
    walks = [
        (costs, witness, costs.charge(witness.positive, costs.decide(_probability(witness))))
        for witness in _witnesses(network, read_outs, data)
        for costs in REFERENCE_COSTS
    ]
    charges = [whole for _, _, whole in walks]
    for i in range(read_outs.n_levels - 2, -1, -1):
        for side in (1, 0):
            for candidate in STRICTNESS:
                trials = [
                    _deciding_first(w.margins[i], side, candidate, w.positive, costs, before)
                    for (costs, w, _), before in zip(walks, charges, strict=True)
                ]
                if all(_harmless(t, whole) for t, (*_, whole) in zip(trials, walks, strict=True)):
                    break
            assert read_outs.strictness[i, side] == candidate
            charges = trials


def _probability(witness):
    return 1 / (1 + np.exp(-witness.margins[-1]))


def test_a_rehearsal_on_new_rows_makes_levels_strict(network, read_outs, data):
    """What a network knows by heart says little about the walk of new instances."""
    known, new = _witnesses(network, read_outs, data)
    # New instances on which all levels but the last err where they are surest.
    shaken = np.where(np.abs(new.margins[:-1]) > 1.0, -new.margins[:-1], new.margins[:-1])
    shaken = new._replace(margins=np.vstack([shaken, new.margins[-1:]]))
    assert (choose_strictness([known, shaken])[:-1] == np.inf).any()
    assert (choose_strictness([known, shaken]) >= choose_strictness([known])).all()
    assert (choose_strictness([known])[-2] < np.inf).all()


def _deciding_first(margin, side, strictness, positive, costs, before):
    threshold = np.log(costs.thresholds[side] / (1 - costs.thresholds[side]))
    beyond = margin - threshold if side == 0 else threshold - margin
    region = np.full(len(margin), 1 if side == 0 else -1, np.int8)
    return np.where(beyond >= strictness, costs.charge(positive, region), before)


def _harmless(charges, whole):
    extra, share = charges - whole, np.full(len(whole), 1 / len(whole))
    return extra @ share + 3 * standard_error(extra, share) <= 0.01 * (whole @ share)


def test_nodes_that_say_nothing_decide_nothing():
    # The first node is constant; the second separates by its sign what there is to know.
    X = np.random.default_rng(0).normal(size=(600, 1)).astype(np.float32)
    part = Part(X, (X[:, 0] > 0).astype(np.int32), np.ones(600, np.float32), 2)
    network = Network([[0.0], [9.0]], [1.0, 0.0], [[0.0, 0.0], [-3.0, 3.0]], [0.0, 0.0], "tanh")
    both = TrainingData(part, part)
    first, last = fit_read_outs(network, both, network, both).margins(network.hidden(X))
    assert np.ptp(first) == 0 and abs(first[0]) < 0.5
    assert (np.sign(last) == np.sign(X[:, 0])).all()


def test_one_node_is_the_network():
    data = TrainingData(_part(200, 0), _part(100, 1))
    network = initial_network(2, 1, 2, "tanh", "uniform", np.random.default_rng(0))
    read_outs = fit_read_outs(network, data, network, data)
    assert read_outs.n_levels == 1 and (read_outs.strictness == 0).all()
    assert read_outs.weights[0, 0] == network.W2[0, 1] - network.W2[0, 0]


def test_a_stack_is_read_under_the_bias_of_each_level():
    rng = np.random.default_rng(0)
    nodes = [initial_network(2, 1, 2, "tanh", "uniform", rng) for _ in range(3)]
    network, stacks = nodes[0], [nodes[0]]
    for node in nodes[1:]:
        network = network.stacked(node, node.b2)
        stacks.append(network)
    X = rng.normal(size=(20, 2)).astype(np.float32)
    read_outs = stacked_read_outs(network, [node.b2 for node in nodes])
    for margin, stack in zip(read_outs.margins(network.hidden(X)), stacks, strict=True):
        logits = stack.logits(X)
        np.testing.assert_allclose(margin, logits[:, 1] - logits[:, 0], atol=1e-5)
    assert (read_outs.strictness == 0).all()
