"""Networks as arrays: packing, stacking, and what they compute."""

import numpy as np
import pytest

from trisect.network import Network
from trisect.network.parameters import group_logits, pack, side_by_side, unpack


def _network(rng, n_hidden, n_features=3, n_classes=2, activation="tanh"):
    return Network(
        rng.normal(size=(n_hidden, n_features)),
        rng.normal(size=n_hidden),
        rng.normal(size=(n_hidden, n_classes)),
        rng.normal(size=n_classes),
        activation,
    )


@pytest.mark.parametrize("n_groups", [1, 4])
@pytest.mark.parametrize("shape", [(1, 1, 2), (3, 5, 2), (2, 7, 4)])
def test_unpack_undoes_pack(n_groups, shape):
    n_hidden, n_features, n_classes = shape
    rng = np.random.default_rng(0)
    networks = [_network(rng, n_hidden, n_features, n_classes) for _ in range(n_groups)]
    again = unpack(pack(networks), side_by_side(networks), networks)
    for network, copy in zip(networks, again, strict=True):
        for name in ("W1", "b1", "W2", "b2"):
            assert np.array_equal(getattr(network, name), getattr(copy, name))


def test_unpacked_networks_are_copies():
    networks = [_network(np.random.default_rng(0), 2)]
    flat = pack(networks)
    [network] = unpack(flat, side_by_side(networks), networks)
    before = network.W1.copy()
    flat[:] = 0
    assert np.array_equal(network.W1, before)


def test_a_stacked_node_adds_its_logits():
    rng = np.random.default_rng(1)
    base, node, X = _network(rng, 3), _network(rng, 1), rng.normal(size=(20, 3))
    both = base.with_node(node)
    assert both.n_hidden == 4
    np.testing.assert_allclose(both.logits(X), base.logits(X) + node.logits(X), atol=1e-5)


def test_stacking_under_another_bias():
    rng = np.random.default_rng(2)
    base, node, X = _network(rng, 2), _network(rng, 1), rng.normal(size=(20, 3))
    stacked = base.stacked(node, node.b2)
    expected = base.logits(X) - base.b2 + node.logits(X)
    np.testing.assert_allclose(stacked.logits(X), expected, atol=1e-5)
    assert np.array_equal(stacked.b2, node.b2)


def test_probabilities_sum_to_one():
    rng = np.random.default_rng(3)
    network, X = _network(rng, 2, n_classes=4), rng.normal(size=(50, 3))
    p = network.probabilities(X)
    assert p.shape == (50, 4) and (p > 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-6)


def test_rows_and_layout_of_x_do_not_matter():
    rng = np.random.default_rng(4)
    networks = [_network(rng, 2), _network(rng, 2)]
    X, rows = rng.normal(size=(50, 3)), np.array([40, 3, 3, 0])
    expected = group_logits(networks, X)[:, rows]
    assert np.array_equal(group_logits(networks, X, rows), expected)
    assert np.array_equal(group_logits(networks, np.asfortranarray(X), rows), expected)
    assert np.array_equal(group_logits(networks, X.astype(np.float32), rows), expected)


def test_parameters_are_single_precision_and_contiguous():
    network = Network(np.ones((4, 3)).T, [1, 2, 3], np.ones((3, 2)), [0, 1], "relu")
    for name in ("W1", "b1", "W2", "b2"):
        part = getattr(network, name)
        assert part.dtype == np.float32 and part.flags.c_contiguous
