"""The compiled loops against the oracle in NumPy."""

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trisect.network.kernels import BLOCK, FEW_FEATURES, adam_step, train_epoch

from trisect.network import ACTIVATIONS, Network, group_logits
from trisect.network.parameters import pack, unpack


def _networks(rng, n_groups, n_features, n_nodes, n_classes, activation):
    return [
        Network(
            rng.normal(size=(n_nodes, n_features)) / np.sqrt(n_features),
            rng.normal(size=n_nodes),
            rng.normal(size=(n_nodes, n_classes)),
            rng.normal(size=n_classes),
            activation,
        )
        for _ in range(n_groups)
    ]


def _step(networks, X, y, weight, rows, offset, starts, batch, theta, l2, rates, step=0):
    """Run the compiled epoch from rest; return the networks and the summed losses."""
    shape = networks[0]
    flat = pack(networks)
    gradient, moment1, moment2 = (np.zeros_like(flat) for _ in range(3))
    if offset is None:
        offset = np.empty((0, shape.n_classes), np.float32)
    losses = train_epoch(
        X, y, weight, rows, offset, np.asarray(starts, np.int64), batch,
        ACTIVATIONS[shape.activation].code, np.float32(theta), np.asarray(l2, np.float32),
        np.asarray(rates, np.float32), len(networks), flat, gradient, moment1, moment2, step,
    )  # fmt: skip
    assert not gradient.any(), "every update clears its gradient"
    trained = unpack(flat, len(networks), shape.n_features, shape.n_classes, shape.activation)
    return trained, losses


def _compare(
    seed, n_features, n_nodes, n_classes, n_groups, activation, theta, n, batch, subset, shifted
):
    rng = np.random.default_rng(seed)
    networks = _networks(rng, n_groups, n_features, n_nodes, n_classes, activation)
    X = rng.normal(size=(n, n_features)).astype(np.float32)
    y = rng.integers(n_classes, size=n).astype(np.int32)
    weight = rng.uniform(0.1, 3.0, size=n).astype(np.float32)
    rows = np.arange(n, dtype=np.int32)
    if subset:
        rows = rng.choice(n, size=max(n // 2, 1), replace=False).astype(np.int32)
    offset = None
    if shifted:
        offset = rng.normal(size=(len(rows), n_classes)).astype(np.float32)
    l2 = rng.uniform(0.0, 5.0, size=n_groups).astype(np.float32)
    starts = rng.permutation(np.arange(0, len(rows), batch))
    # Small steps keep the comparison to the arithmetic; Adam's sign does not depend on them.
    rates = rng.uniform(1e-3, 1e-2, size=len(starts)).astype(np.float32)
    trained, losses = _step(networks, X, y, weight, rows, offset, starts, batch, theta, l2, rates)
    for network, found, total, penalty in zip(networks, trained, losses, l2, strict=True):
        expected = oracle.Parameters.of(network)
        adam, summed = oracle.Adam(expected), 0.0
        for start, rate in zip(starts, rates, strict=True):
            taken = slice(start, start + batch)
            chosen = rows[taken]
            arguments = (
                X[chosen].astype(np.float64), y[chosen], weight[chosen].astype(np.float64),
                activation, theta, float(penalty), 0.0 if offset is None else offset[taken],
            )  # fmt: skip
            summed += oracle.loss(expected, *arguments)[1]
            adam.update(expected, oracle.gradient(expected, *arguments), float(rate))
        assert total == pytest.approx(summed, rel=1e-4)
        moved = sum(float(rate) for rate in rates)
        for part, truth in zip(oracle.Parameters.of(found).parts(), expected.parts(), strict=True):
            # A gradient near zero has no reliable sign in single precision, and Adam
            # turns signs into whole steps; all but such parameters must agree closely.
            close = np.isclose(part, truth, rtol=1e-4, atol=1e-5)
            assert close.mean() >= 0.98 or close.size - close.sum() <= 1
            assert np.abs(part - truth).max() <= 2.0 * moved


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_features=st.one_of(
        st.integers(1, 9), st.integers(FEW_FEATURES - 1, FEW_FEATURES + 5), st.just(131)
    ),
    n_nodes=st.integers(1, 6),
    n_classes=st.integers(2, 5),
    n_groups=st.integers(1, 4),
    activation=st.sampled_from(sorted(ACTIVATIONS)),
    theta=st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    n=st.integers(1, 2 * BLOCK + 50),
    batch=st.sampled_from([1, 3, 33, BLOCK - 1, BLOCK, BLOCK + 1, 512]),
    subset=st.booleans(),
    shifted=st.booleans(),
)
def test_epoch_equals_the_oracle(
    seed, n_features, n_nodes, n_classes, n_groups, activation, theta, n, batch, subset, shifted
):
    n = min(n, 12 * batch)
    _compare(
        seed, n_features, n_nodes, n_classes, n_groups, activation, theta, n, batch, subset, shifted
    )


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_features", [FEW_FEATURES, FEW_FEATURES + 1])
def test_every_activation_on_both_sides_of_the_threshold(activation, n_classes, n_features):
    _compare(1, n_features, 3, n_classes, 2, activation, 2.0, 300, 200, True, True)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("theta", [0.0, 0.5, 1.0, 2.0, 3.5])
@pytest.mark.parametrize("n_features", [5, FEW_FEATURES + 6])
def test_the_gradient_itself(n_classes, theta, n_features):
    # The first moment after one step is a tenth of the gradient, whatever its size.
    rng = np.random.default_rng(3)
    network = _networks(rng, 1, n_features, 3, n_classes, "tanh")[0]
    n = 150
    X = rng.normal(size=(n, n_features)).astype(np.float32)
    y = rng.integers(n_classes, size=n).astype(np.int32)
    weight = rng.uniform(0.1, 3.0, size=n).astype(np.float32)
    flat = pack([network])
    gradient, moment1, moment2 = (np.zeros_like(flat) for _ in range(3))
    train_epoch(
        X, y, weight, np.arange(n, dtype=np.int32), np.empty((0, n_classes), np.float32),
        np.zeros(1, np.int64), n, ACTIVATIONS["tanh"].code, np.float32(theta),
        np.full(1, 0.5, np.float32), np.full(1, 1e-3, np.float32), 1,
        flat, gradient, moment1, moment2, 0,
    )  # fmt: skip
    expected = oracle.gradient(
        oracle.Parameters.of(network), X.astype(np.float64), y, weight, "tanh", theta, 0.5
    )
    expected = np.concatenate([part.ravel() for part in expected.parts()])
    np.testing.assert_allclose(10 * moment1, expected, rtol=2e-4, atol=2e-6)
    np.testing.assert_allclose(1000 * moment2, expected**2, rtol=4e-4, atol=1e-8)


def test_steps_made_before_enter_the_bias_correction():
    rng = np.random.default_rng(0)
    flat = rng.normal(size=4).astype(np.float32)
    gradient = rng.normal(size=4).astype(np.float32)
    start, slope = flat.astype(np.float64), gradient.astype(np.float64) / 8
    moment1, moment2 = np.zeros(4, np.float32), np.zeros(4, np.float32)
    adam_step(flat, gradient, moment1, moment2, 0, 4, 10, np.float32(0.1), np.float32(0), 8)
    m, v = 0.1 * slope / (1 - 0.9**10), 0.001 * slope**2 / (1 - 0.999**10)
    np.testing.assert_allclose(flat, start - 0.1 * m / (np.sqrt(v) + 1e-8), rtol=1e-5)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("n_features", [1, 7, FEW_FEATURES, FEW_FEATURES + 1, 200])
@pytest.mark.parametrize("n_rows", [1, BLOCK, 2 * BLOCK + 3])
def test_forward_equals_numpy(activation, n_features, n_rows):
    rng = np.random.default_rng(n_features)
    networks = _networks(rng, 3, n_features, 5, 4, activation)
    X = (3 * rng.normal(size=(n_rows, n_features))).astype(np.float32)
    rows = rng.integers(n_rows, size=n_rows)
    found = group_logits(networks, X, rows)
    for network, out in zip(networks, found, strict=True):
        expected = oracle.logits(
            oracle.Parameters.of(network), X[rows].astype(np.float64), activation
        )
        np.testing.assert_allclose(out, expected, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_extreme_inputs_stay_finite(activation):
    node = Network(np.ones((1, 1)), np.zeros(1), np.ones((1, 2)), np.zeros(2), activation)
    X = np.array([[-1e19], [-1e4], [-100], [0], [100], [1e4], [1e19]], dtype=np.float32)
    expected = oracle.logits(oracle.Parameters.of(node), X.astype(np.float64), activation)
    np.testing.assert_allclose(node.logits(X), expected, rtol=1e-5, atol=1e-15)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("theta", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("label", [0, 1])
def test_saturated_outputs_train_without_nan_or_denormals(n_classes, theta, label):
    # Weights so large that the probability of a class is exactly one, right or wrong.
    n = 64
    W2 = np.zeros((1, n_classes))
    W2[0, 1] = 1e4
    start = [Network(np.ones((1, 2)), np.zeros(1), W2, np.zeros(n_classes), "tanh")]
    X = np.ones((n, 2), np.float32)
    y = np.full(n, label, np.int32)
    weight = np.ones(n, np.float32)
    rows = np.arange(n, dtype=np.int32)
    trained, losses = _step(start, X, y, weight, rows, None, [0] * 50, n, theta, [0.0], [0.01] * 50)
    flat = pack(trained)
    assert np.isfinite(flat).all() and np.isfinite(losses).all()
    assert not ((flat != 0) & (np.abs(flat) < np.finfo(np.float32).tiny)).any()
    if label == 1:
        assert losses[0] < 1e-3
        np.testing.assert_allclose(flat, pack(start), rtol=1e-3, atol=0.5)
    else:
        assert losses[0] > 50 * n * 80
        assert trained[0].W2[0, 1] < 1e4


def test_fading_parameters_become_zero_and_never_denormal():
    # Nothing but l2 pulls, and the rate falls: parameters shrink towards zero.
    flat = np.full(3, 1e-20, np.float32)
    gradient, moment1, moment2 = (np.zeros_like(flat) for _ in range(3))
    for step in range(1, 4000):
        adam_step(flat, gradient, moment1, moment2, 0, 3, step, np.float32(1e-3), np.float32(1), 1)
        for vector in (flat, moment1, moment2):
            assert not ((vector != 0) & (np.abs(vector) < np.finfo(np.float32).tiny)).any()
    assert np.isfinite(flat).all()


@pytest.mark.parametrize("n_features", [6, FEW_FEATURES + 9])
def test_groups_share_the_data_and_nothing_else(n_features):
    rng = np.random.default_rng(5)
    networks = _networks(rng, 3, n_features, 2, 2, "swish")
    X = rng.normal(size=(200, n_features)).astype(np.float32)
    y = rng.integers(2, size=200).astype(np.int32)
    weight, rows = np.ones(200, np.float32), np.arange(200, dtype=np.int32)
    l2, common = [0.0, 1.0, 10.0], (X, y, weight, rows, None, [0, 100], 100, 0.0)
    together, losses = _step(networks, *common, l2, [0.01, 0.01])
    for k, network in enumerate(networks):
        alone, loss = _step([network], *common, l2[k : k + 1], [0.01, 0.01])
        np.testing.assert_allclose(pack([together[k]]), pack(alone), rtol=1e-4, atol=1e-5)
        assert losses[k] == pytest.approx(loss[0], rel=1e-5)


def test_rows_outside_the_subset_are_never_read():
    rng = np.random.default_rng(6)
    networks = _networks(rng, 1, 4, 2, 2, "tanh")
    X = rng.normal(size=(50, 4)).astype(np.float32)
    y, weight = rng.integers(2, size=50).astype(np.int32), np.ones(50, np.float32)
    rows = np.arange(0, 50, 2, dtype=np.int32)
    common = (rows, None, [0], 25, 0.0, [0.1], [0.01])
    clean, _ = _step(networks, X, y, weight, *common)
    X[1::2], weight[1::2] = np.nan, np.nan
    spoiled, _ = _step(networks, X, y, weight, *common)
    assert np.array_equal(pack(clean), pack(spoiled))


def test_a_weight_of_zero_is_an_absent_row():
    rng = np.random.default_rng(7)
    networks = _networks(rng, 1, 4, 2, 3, "relu")
    X = rng.normal(size=(40, 4)).astype(np.float32)
    y, weight = rng.integers(3, size=40).astype(np.int32), np.ones(40, np.float32)
    weight[20:] = 0
    rows = np.arange(40, dtype=np.int32)
    both = [
        _step(networks, X, labels, weight, rows, None, [0], 40, 2.0, [0.0], [0.01])
        for labels in (y, np.where(weight > 0, y, 0).astype(np.int32))
    ]
    assert np.array_equal(pack(both[0][0]), pack(both[1][0]))
    assert both[0][1] == both[1][1]
