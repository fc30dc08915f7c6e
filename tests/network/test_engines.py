"""The contract of an engine, against the equations; every engine runs the same suite."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.network import ACTIVATIONS, Gates, Knots, Network, deviations, exact, fast, reference
from trisect.network.contract import NO_DEVIATIONS, Batches, Optimiser, Rows
from trisect.network.parameters import PARTS, pack, parts_of, side_by_side, unpack
from trisect.network.runs import first_rows, runs_of
from trisect.network.threads import using_threads

ENGINES = {"reference": reference, "fast": fast}
# Numbers of features on both sides of where the fast engine changes its loops.
WIDTHS = [1, 7, 48, 49, 131]
BLOCK = 128


@pytest.fixture(params=ENGINES)
def engine(request):
    return ENGINES[request.param]


def _networks(rng, n_groups, n_features, n_nodes, n_classes, activation, n_positions=None):
    """Draw networks: plain ones, or gated ones whose last inputs are positions."""
    counts = rng.integers(1, 20, size=n_positions or 0)
    knots = Knots(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        rng.random(counts.sum(), dtype=np.float32),
        rng.random(counts.sum(), dtype=np.float32),
    )

    def draw(*shape):
        return rng.normal(size=shape).astype(np.float32)

    return [
        Network(
            draw(n_nodes, n_features) / np.sqrt(n_features),
            draw(n_nodes),
            draw(n_nodes, n_classes),
            draw(n_classes),
            activation,
            None if n_positions is None else Gates(
                knots,
                1 + draw(n_nodes, n_features) / 4,
                1 + draw(n_features) / 4,
                draw(n_nodes, counts.sum()) / np.sqrt(n_features),
            ),
        )
        for _ in range(n_groups)
    ]  # fmt: skip


def _with_positions(rng, rows, networks):
    """Make the last features positions, where networks ask for them."""
    gates = networks[0].gates
    if gates is None or not gates.knots.n_positions:
        return rows
    counts = np.diff(gates.knots.first)
    n, X = len(rows.X), rows.X.copy()
    positions = rng.uniform(0, counts, size=(n, len(counts))).astype(np.float32)
    last = np.nextafter(counts.astype(np.float32), np.float32(0))
    X[:, -len(counts) :] = np.minimum(positions, last)
    return rows._replace(X=X)


def _rows(rng, n, n_features, n_classes, subset=False, shifted=False):
    order = np.arange(n, dtype=np.int32)
    if subset:
        order = rng.choice(n, size=max(n // 2, 1), replace=False).astype(np.int32)
    return Rows(
        rng.normal(size=(n, n_features)).astype(np.float32),
        rng.integers(n_classes, size=n).astype(np.int32),
        rng.uniform(0.1, 3.0, size=n).astype(np.float32),
        order,
        rng.normal(size=(len(order) if shifted else 0, n_classes)).astype(np.float32),
    )


def _much_alike(rng, rows, networks, share):
    """Make most straight inputs as usual, but for a row of each kind, and write down the others."""
    gates, X = networks[0].gates, rows.X.copy()
    straight = X[:, : X.shape[1] - (0 if gates is None else gates.knots.n_positions)]
    usual = rng.normal(size=straight.shape[1]).astype(np.float32)
    differs = rng.random(straight.shape) < share
    differs[::7], differs[3::7] = True, False
    straight[:] = np.where(differs, straight, usual)
    with patch.multiple(deviations, FEWEST_INPUTS=49, MOST_CELLS=1.0):
        return rows._replace(X=X, deviations=deviations.deviations_of(X, usual))


def _optimiser(networks, l2):
    """Set Adam up for networks, and return views of the parameters that it will change."""
    flat, like = pack(networks), side_by_side(networks)
    sizes = np.repeat([getattr(like, name).size // len(networks) for name in PARTS], len(networks))
    edges = np.cumsum([0, *sizes])
    parts = np.column_stack([edges[:-1], edges[1:]])
    rest = (np.zeros_like(flat) for _ in range(3))
    penalties = np.tile(l2, len(PARTS)).astype(np.float32)
    optimiser = Optimiser(flat, *rest, parts, penalties, np.ones(len(parts), np.float32))
    return optimiser, parts_of(flat, like)


def _train(engine, networks, rows, starts, batch, theta, l2, rates):
    """Train from rest; return the networks, the summed losses and Adam's memory."""
    optimiser, views = _optimiser(networks, l2)
    batches = Batches(np.asarray(starts, np.int64), batch, np.asarray(rates, np.float32), 0)
    [losses] = engine.train(rows, batches, views, optimiser, theta)
    assert not optimiser.gradient.any(), "every update clears its gradient"
    return unpack(optimiser.parameters, views, networks), losses, optimiser


def _by_the_equations(network, rows, starts, batch, theta, l2, rates):
    """Train one network with the equations alone, in double precision throughout."""
    [(_, now)] = reference.groups(side_by_side([network]))
    moments = {name: np.zeros((2, *getattr(now, name).shape)) for name in PARTS}
    total = 0.0
    for step, (start, rate) in enumerate(zip(starts, rates, strict=True), start=1):
        taken = slice(start, start + batch)
        chosen = rows.rows[taken]
        y, weight = rows.y[chosen], rows.weight[chosen]
        X = reference.encoded(now, rows.X[chosen].astype(np.float64))
        Z, A, scores = reference.forward(now, X)
        scores = scores + (rows.offset[taken] if len(rows.offset) else 0.0)
        total += reference.loss(scores, y, weight, theta)
        G = reference.loss_gradient(scores, y, weight, theta)
        slopes = reference.backward(now, X, Z, A, G)
        for name, (m, v) in moments.items():
            part = getattr(now, name)
            g = (getattr(slopes, name).reshape(part.shape) + l2 * part) / len(y)
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            spread = np.sqrt(v / (1 - 0.999**step)) + 1e-8
            part -= rate * m / (1 - 0.9**step) / spread
    return now, total


def _compare(engine, rng, networks, rows, batch, theta):
    l2 = rng.uniform(0.0, 5.0, size=len(networks)).astype(np.float32)
    starts = rng.permutation(np.arange(0, len(rows.rows), batch))
    # Small steps keep the comparison to the arithmetic; Adam's sign does not depend on them.
    rates = rng.uniform(1e-3, 1e-2, size=len(starts)).astype(np.float32)
    trained, losses, _ = _train(engine, networks, rows, starts, batch, theta, l2, rates)
    for network, found, total, penalty in zip(networks, trained, losses, l2, strict=True):
        truth, expected = _by_the_equations(
            network, rows, starts, batch, theta, float(penalty), rates.astype(np.float64)
        )
        assert total == pytest.approx(expected, rel=1e-4)
        for name in PARTS:
            part = getattr(side_by_side([found]), name).ravel()
            expected = getattr(truth, name).ravel()
            # A gradient near zero has no reliable sign in single precision, and Adam
            # turns signs into whole steps; all but such parameters must agree closely.
            far = ~np.isclose(part, expected, rtol=1e-4, atol=1e-5)
            assert far.sum() <= max(1, 0.02 * part.size)
            assert (np.abs(part - expected) <= 2.0 * rates.sum()).all()


@pytest.mark.parametrize("name", ENGINES)
@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_features=st.one_of(st.integers(1, 9), st.integers(47, 53), st.just(131)),
    n_nodes=st.integers(1, 9),
    n_classes=st.integers(2, 5),
    n_groups=st.integers(1, 4),
    activation=st.sampled_from(sorted(ACTIVATIONS)),
    theta=st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    n=st.integers(1, 2 * BLOCK + 50),
    batch=st.sampled_from([1, 3, 33, BLOCK - 1, BLOCK, BLOCK + 1, 512]),
    subset=st.booleans(),
    shifted=st.booleans(),
    n_positions=st.one_of(st.none(), st.integers(0, 9), st.integers(33, 50)),
)
def test_training_follows_the_equations(
    name, seed, n_features, n_nodes, n_classes, n_groups, activation, theta, n, batch, subset,
    shifted, n_positions,
):  # fmt: skip
    rng = np.random.default_rng(seed)
    n_positions = n_positions and min(n_positions, n_features)
    networks = _networks(rng, n_groups, n_features, n_nodes, n_classes, activation, n_positions)
    rows = _rows(rng, min(n, 12 * batch), n_features, n_classes, subset, shifted)
    rows = _with_positions(rng, rows, networks)
    _compare(ENGINES[name], rng, networks, rows, batch, theta)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_features", [48, 49])
def test_training_with_every_activation(engine, activation, n_classes, n_features):
    rng = np.random.default_rng(1)
    networks = _networks(rng, 2, n_features, 3, n_classes, activation)
    rows = _rows(rng, 300, n_features, n_classes, subset=True, shifted=True)
    _compare(engine, rng, networks, rows, 200, 2.0)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("theta", [0.0, 0.5, 1.0, 2.0, 3.5])
@pytest.mark.parametrize("n_features", [5, 54])
@pytest.mark.parametrize("n_positions", [None, 0, 3, 5])
def test_the_gradient_itself(engine, n_classes, theta, n_features, n_positions):
    # The first moment after one step is a tenth of the gradient, whatever its size.
    rng = np.random.default_rng(3)
    network = _networks(rng, 1, n_features, 3, n_classes, "tanh", n_positions)
    rows = _with_positions(rng, _rows(rng, 150, n_features, n_classes), network)
    optimiser = _train(engine, network, rows, [0], 150, theta, [0.5], [1e-3])[2]
    [(_, parameters)] = reference.groups(side_by_side(network))
    X = reference.encoded(parameters, rows.X)
    Z, A, scores = reference.forward(parameters, X)
    G = reference.loss_gradient(scores, rows.y, rows.weight, theta)
    slopes = reference.backward(parameters, X, Z, A, G)
    both = [(getattr(slopes, name), getattr(parameters, name)) for name in PARTS]
    expected = np.concatenate([((s.ravel() + 0.5 * p.ravel()) / 150) for s, p in both])
    np.testing.assert_allclose(10 * optimiser.moment1, expected, rtol=2e-4, atol=2e-6)
    np.testing.assert_allclose(1000 * optimiser.moment2, expected**2, rtol=4e-4, atol=1e-8)


def test_updates_made_before_enter_the_bias_correction(engine):
    rng = np.random.default_rng(0)
    [network] = _networks(rng, 1, 4, 2, 2, "tanh")
    rows = _rows(rng, 40, 4, 2)
    optimiser, views = _optimiser([network], [0.0])
    start, rate = optimiser.parameters.astype(np.float64), np.full(1, 0.1, np.float32)
    engine.train(rows, Batches(np.zeros(1, np.int64), 40, rate, 9), views, optimiser, 0.0)
    m, v = optimiser.moment1 / (1 - 0.9**10), optimiser.moment2 / (1 - 0.999**10)
    expected = start - 0.1 * m / (np.sqrt(v) + 1e-8)
    np.testing.assert_allclose(optimiser.parameters, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("theta", [0.0, 0.5, 2.0])
def test_saturated_outputs_train_without_nan(engine, n_classes, theta):
    # Weights so large that the probability of a class is exactly one, right or wrong.
    W2 = np.zeros((1, n_classes))
    W2[0, 1] = 1e4
    start = [Network(np.ones((1, 2)), np.zeros(1), W2, np.zeros(n_classes), "tanh")]
    ones, order = np.ones(64, np.float32), np.arange(64, dtype=np.int32)
    data = (np.ones((64, 2), np.float32), np.empty((0, n_classes), np.float32))
    settled = ([0] * 50, 64, theta, [0.0], [0.01] * 50)
    right = Rows(data[0], np.full(64, 1, np.int32), ones, order, data[1])
    trained, losses, _ = _train(engine, start, right, *settled)
    assert losses[0] < 1e-3
    np.testing.assert_allclose(pack(trained), pack(start), rtol=1e-3, atol=0.5)
    wrong = right._replace(y=np.zeros(64, np.int32))
    trained, losses, _ = _train(engine, start, wrong, *settled)
    assert losses[0] > 50 * 64 * 80
    assert np.isfinite(pack(trained)).all() and trained[0].W2[0, 1] < 1e4


def test_fading_parameters_become_zero_and_never_denormal_in_the_fast_engine():
    # Nothing but l2 pulls, and the rate falls: parameters shrink towards zero.
    network = [Network(np.full((1, 1), 1e-20), np.zeros(1), np.zeros((1, 2)), np.zeros(2), "relu")]
    rows = _rows(np.random.default_rng(0), 1, 1, 2)._replace(weight=np.zeros(1, np.float32))
    optimiser, views = _optimiser(network, [1.0])
    rate, start = np.full(1, 1e-3, np.float32), np.zeros(1, np.int64)
    for step in range(4000):
        fast.train(rows, Batches(start, 1, rate, step), views, optimiser, 0.0)
        for vector in (optimiser.parameters, optimiser.moment1, optimiser.moment2):
            assert not ((vector != 0) & (np.abs(vector) < np.finfo(np.float32).tiny)).any()
    assert np.isfinite(optimiser.parameters).all()


@pytest.mark.parametrize("n_features", [6, 57])
def test_groups_share_the_data_and_nothing_else(engine, n_features):
    rng = np.random.default_rng(5)
    networks = _networks(rng, 3, n_features, 2, 2, "swish")
    rows, l2 = _rows(rng, 200, n_features, 2), [0.0, 1.0, 10.0]
    together, losses, _ = _train(engine, networks, rows, [0, 100], 100, 0.0, l2, [0.01] * 2)
    for k, network in enumerate(networks):
        alone, loss, _ = _train(engine, [network], rows, [0, 100], 100, 0.0, [l2[k]], [0.01] * 2)
        np.testing.assert_allclose(pack([together[k]]), pack(alone), rtol=1e-4, atol=1e-5)
        assert losses[k] == pytest.approx(loss[0], rel=1e-5)


def test_rows_outside_the_subset_are_never_read(engine):
    rng = np.random.default_rng(6)
    networks = _networks(rng, 1, 4, 2, 2, "tanh")
    clean = _rows(rng, 50, 4, 2)._replace(rows=np.arange(0, 50, 2, dtype=np.int32))
    spoiled = clean._replace(X=clean.X.copy(), weight=clean.weight.copy())
    spoiled.X[1::2], spoiled.weight[1::2] = np.nan, np.nan
    found = [
        pack(_train(engine, networks, rows, [0], 25, 0.0, [0.1], [0.01])[0])
        for rows in (clean, spoiled)
    ]
    assert np.array_equal(*found)


def test_a_weight_of_zero_is_an_absent_row(engine):
    rng = np.random.default_rng(7)
    networks = _networks(rng, 1, 4, 2, 3, "relu")
    rows = _rows(rng, 40, 4, 3)
    rows.weight[20:] = 0
    relabelled = rows._replace(y=np.where(rows.weight > 0, rows.y, 0).astype(np.int32))
    (one, loss, _), (other, same, _) = (
        _train(engine, networks, data, [0], 40, 2.0, [0.0], [0.01]) for data in (rows, relabelled)
    )
    assert np.array_equal(pack(one), pack(other)) and loss == same


@pytest.mark.parametrize("n_classes", [2, 3])
def test_watched_rows_are_evaluated_after_the_updates(engine, n_classes):
    rng = np.random.default_rng(8)
    networks = _networks(rng, 2, 4, 2, n_classes, "tanh")
    rows, watched, found = _rows(rng, 60, 4, n_classes), _rows(rng, 300, 4, n_classes), []
    for looks in (None, watched):
        optimiser, views = _optimiser(networks, [0.1, 0.1])
        batches = Batches(np.array([0, 30]), 30, np.full(2, 0.01, np.float32), 0)
        [losses] = engine.train(rows, batches, views, optimiser, 0.0, looks)
        found.append(optimiser.parameters)
    assert np.array_equal(*found)
    assert np.array_equal(losses, engine.summed_losses(watched, views, 0.0))


@pytest.mark.parametrize("watches", [False, True])
@pytest.mark.parametrize("n_positions", [None, 3])
def test_looks_within_a_call_are_those_between_calls(engine, watches, n_positions):
    rng = np.random.default_rng(9)
    networks = _networks(rng, 2, 5, 9, 2, "tanh", n_positions)
    rows, watched = (
        _with_positions(rng, _rows(rng, n, 5, 2, shifted=n < 200), networks) for n in (120, 300)
    )
    watched = watched if watches else None
    starts, rates = np.array([0, 80, 40, 40, 0]), np.full(5, 0.01, np.float32)
    apart, views = _optimiser(networks, [0.1, 0.2])
    losses, kept = [], []
    for begin, end in ((0, 1), (1, 4), (4, 5)):
        batches = Batches(starts[begin:end], 40, rates[begin:end], begin)
        losses += [*engine.train(rows, batches, views, apart, 0.0, watched)]
        kept.append(apart.parameters.copy())
    together, views = _optimiser(networks, [0.1, 0.2])
    found = np.empty((3, len(together.parameters)), np.float32)
    batches = Batches(starts, 40, rates, 0, np.array([1, 4, 5]))
    at_looks = engine.train(
        rows, batches, views, together, 0.0, watched, found if watches else None
    )
    assert np.array_equal(at_looks, losses)
    assert np.array_equal(together.parameters, kept[-1])
    assert not watches or np.array_equal(found, kept)


@pytest.mark.parametrize("batch", [200, 1500])
@pytest.mark.parametrize("n_positions", [None, 0, 5])
def test_looks_do_not_depend_on_the_number_of_threads(batch, n_positions):
    rng = np.random.default_rng(10)
    networks = _networks(rng, 2, 60, 9, 2, "relu", n_positions)
    rows, watched = (_with_positions(rng, _rows(rng, n, 60, 2), networks) for n in (3000, 700))
    if n_positions:
        rows = rows._replace(runs=runs_of(rows.X, networks[0].gates.knots, batch))
        assert (rows.runs.size == batch) == (batch <= 1024)
    starts = np.tile(first_rows(3000, batch), 2)
    looks = np.array([1, 2, len(starts)])
    batches = Batches(starts, batch, np.full(len(starts), 0.01, np.float32), 0, looks)
    found = []
    for number in (1, 2, 3):
        optimiser, views = _optimiser(networks, [0.1, 0.2])
        kept = np.empty((3, len(optimiser.parameters)), np.float32)
        with using_threads(number):
            losses = fast.train(rows, batches, views, optimiser, 0.0, watched, kept)
        assert np.array_equal(kept[-1], optimiser.parameters)
        found.append(np.concatenate([*optimiser[:4], losses.ravel(), kept.ravel()]))
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


def test_nine_networks_of_several_nodes_follow_the_equations(engine):
    rng = np.random.default_rng(11)
    networks = _networks(rng, 9, 6, 3, 2, "tanh", 4)
    _compare(engine, rng, networks, _with_positions(rng, _rows(rng, 300, 6, 2), networks), 100, 0.0)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_features=st.sampled_from([1, 7, 70]),
    n_nodes=st.sampled_from([1, 8, 9, 17, 25, 33]),
    n_groups=st.sampled_from([1, 2, 9]),
    n=st.integers(1, 700),
    size=st.sampled_from([64, 200, 512]),
    threads=st.sampled_from([1, 2]),
)
def test_runs_change_no_bit(seed, n_features, n_nodes, n_groups, n, size, threads):
    rng = np.random.default_rng(seed)
    n_nodes = n_nodes if n_groups < 9 else min(n_nodes, 9)
    n_positions = int(rng.integers(1, n_features + 1))
    networks = _networks(rng, n_groups, n_features, n_nodes, 2, "relu", n_positions)
    rows = _with_positions(rng, _rows(rng, n, n_features, 2), networks)
    starts = np.tile(rng.permutation(first_rows(n, size)), 2)[:20]
    runs = runs_of(rows.X, networks[0].gates.knots, size)
    assert runs.size == size
    found = []
    for data in (rows, rows._replace(runs=runs)):
        with using_threads(threads):
            _, losses, optimiser = _train(
                fast, networks, data, starts, size, 0.0, [0.1] * n_groups, [0.01] * len(starts)
            )
        found.append(np.concatenate([*optimiser[:4], losses]))
    assert np.array_equal(*found)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_features=st.sampled_from([1, 7, 53, 70]),
    n_nodes=st.sampled_from([1, 3, 9]),
    n_classes=st.integers(2, 3),
    batch=st.sampled_from([1, 100, 512, 1500]),
    n_positions=st.one_of(st.none(), st.integers(0, 60)),
)
def test_results_do_not_depend_on_the_number_of_threads(
    seed, n_features, n_nodes, n_classes, batch, n_positions
):
    rng = np.random.default_rng(seed)
    n_positions = n_positions and min(n_positions, n_features)
    networks = _networks(rng, 2, n_features, n_nodes, n_classes, "tanh", n_positions)
    rows = _with_positions(rng, _rows(rng, 2000, n_features, n_classes, True, True), networks)
    found = []
    for number in (1, 2, 3):
        with using_threads(number):
            trained, losses, _ = _train(
                fast, networks, rows, np.arange(0, 1000, batch)[:20], batch, 0.0, [0.1, 0.2],
                [0.01] * 20,
            )  # fmt: skip
            logits = fast.logits(rows.X, rows.rows, side_by_side(trained))
        found.append(np.concatenate([pack(trained), losses, logits.ravel()]))
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


# Numbers of straight inputs that ranges divide into even and uneven parts, and of nodes on both
# sides of those that lanes hold.
many_inputs = st.sampled_from([49, 64, 65, 131])
many_nodes = st.sampled_from([1, 2, 5, 8, 16, 17])


@pytest.mark.parametrize("name", ENGINES)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_straight=many_inputs,
    n_nodes=many_nodes,
    n_classes=st.integers(2, 3),
    n_groups=st.integers(1, 3),
    theta=st.sampled_from([0.0, 2.0]),
    n=st.integers(1, 2 * BLOCK + 50),
    batch=st.sampled_from([1, 33, BLOCK, BLOCK + 1, 512]),
    subset=st.booleans(),
    shifted=st.booleans(),
    n_positions=st.one_of(st.none(), st.integers(0, 9)),
    share=st.sampled_from([0.0, 0.1, 1.0]),
)
def test_training_on_deviations_follows_the_equations(
    name, seed, n_straight, n_nodes, n_classes, n_groups, theta, n, batch, subset, shifted,
    n_positions, share,
):  # fmt: skip
    rng = np.random.default_rng(seed)
    n_features = n_straight + (n_positions or 0)
    networks = _networks(rng, n_groups, n_features, n_nodes, n_classes, "tanh", n_positions)
    rows = _rows(rng, min(n, 12 * batch), n_features, n_classes, subset, shifted)
    rows = _much_alike(rng, _with_positions(rng, rows, networks), networks, share)
    assert len(rows.deviations.usual) == n_straight
    _compare(ENGINES[name], rng, networks, rows, batch, theta)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_straight=many_inputs,
    n_nodes=many_nodes,
    n_positions=st.one_of(st.none(), st.integers(0, 9)),
    share=st.sampled_from([0.0, 0.1, 1.0]),
)
def test_deviations_say_the_same_as_the_inputs(seed, n_straight, n_nodes, n_positions, share):
    rng = np.random.default_rng(seed)
    n_features = n_straight + (n_positions or 0)
    networks = _networks(rng, 2, n_features, n_nodes, 2, "tanh", n_positions)
    rows = _with_positions(rng, _rows(rng, 300, n_features, 2, True, True), networks)
    rows = _much_alike(rng, rows, networks, share)
    found = []
    for data in (rows, rows._replace(deviations=NO_DEVIATIONS)):
        # The first moment after one step is a tenth of the gradient.
        _, losses, optimiser = _train(fast, networks, data, [0], 150, 0.0, [0.1, 0.2], [1e-3])
        before = fast.summed_losses(data, side_by_side(networks), 0.0)
        found.append((optimiser.moment1, losses, before))
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-6)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_straight=many_inputs,
    n_nodes=many_nodes,
    batch=st.sampled_from([1, 100, 512, 1500]),
    n_positions=st.one_of(st.none(), st.integers(0, 60)),
)
def test_results_on_deviations_do_not_depend_on_the_number_of_threads(
    seed, n_straight, n_nodes, batch, n_positions
):
    rng = np.random.default_rng(seed)
    n_features = n_straight + (n_positions or 0)
    networks = _networks(rng, 2, n_features, n_nodes, 2, "tanh", n_positions)
    rows = _with_positions(rng, _rows(rng, 2000, n_features, 2, True, True), networks)
    rows = _much_alike(rng, rows, networks, 0.1)
    found = []
    for number in (1, 2, 3):
        with using_threads(number):
            trained, losses, _ = _train(
                fast, networks, rows, np.arange(0, 1000, batch)[:20], batch, 0.0, [0.1, 0.2],
                [0.01] * 20,
            )  # fmt: skip
            after = fast.summed_losses(rows, side_by_side(trained), 0.0)
        found.append(np.concatenate([pack(trained), losses, after]))
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


@pytest.mark.parametrize("n_positions", [None, 3])
def test_watched_rows_may_come_in_another_form(engine, n_positions):
    rng = np.random.default_rng(0)
    networks = _networks(rng, 2, 70, 5, 2, "tanh", n_positions)
    rows, watched = (
        _much_alike(rng, _with_positions(rng, _rows(rng, n, 70, 2), networks), networks, 0.1)
        for n in (60, 300)
    )
    assert rows.deviations.usual is not watched.deviations.usual
    with patch.multiple(deviations, FEWEST_INPUTS=49, MOST_CELLS=1.0):
        same = deviations.deviations_of(watched.X, rows.deviations.usual)
    plain = rows._replace(deviations=NO_DEVIATIONS)
    found = []
    for data, looked_at in [
        (plain, watched._replace(deviations=NO_DEVIATIONS)),
        (plain, watched),
        (rows, watched._replace(deviations=NO_DEVIATIONS)),
        (rows, watched),
        (rows, watched._replace(deviations=same)),
    ]:
        optimiser, views = _optimiser(networks, [0.1, 0.1])
        batches = Batches(np.array([0, 30]), 30, np.full(2, 0.01, np.float32), 0)
        found.append(engine.train(data, batches, views, optimiser, 0.0, looked_at))
    np.testing.assert_allclose(found, [found[0]] * 5, rtol=1e-5)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("n_features", WIDTHS)
@pytest.mark.parametrize("n_rows", [1, BLOCK, 2 * BLOCK + 3])
def test_logits(engine, activation, n_features, n_rows):
    rng = np.random.default_rng(n_features)
    networks = _networks(rng, 3, n_features, 5, 4, activation)
    X = (3 * rng.normal(size=(n_rows, n_features))).astype(np.float32)
    rows = rng.integers(n_rows, size=n_rows).astype(np.int32)
    found = engine.logits(X, rows, side_by_side(networks))
    assert found.shape == (3, n_rows, 4) and found.dtype == np.float32
    for network, out in zip(networks, found, strict=True):
        hidden = X[rows].astype(np.float64) @ network.W1.T + network.b1
        expected = ACTIVATIONS[activation].value(hidden) @ network.W2 + network.b2
        np.testing.assert_allclose(out, expected, rtol=2e-5, atol=2e-5)


def test_no_rows_no_logits(engine):
    networks = _networks(np.random.default_rng(0), 2, 3, 2, 2, "tanh")
    none = np.empty(0, np.int32)
    assert engine.logits(np.empty((5, 3), np.float32), none, side_by_side(networks)).size == 0


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_extreme_inputs_have_finite_logits(engine, activation):
    node = Network(np.ones((1, 1)), np.zeros(1), np.ones((1, 2)), np.zeros(2), activation)
    X = np.array([[-1e19], [-1e4], [-100], [0], [100], [1e4], [1e19]], dtype=np.float32)
    expected = ACTIVATIONS[activation].value(X.astype(np.float64))
    found = engine.logits(X, np.arange(7, dtype=np.int32), side_by_side([node]))[0]
    np.testing.assert_allclose(found, np.repeat(expected, 2, axis=1), rtol=1e-5, atol=1e-15)


@pytest.mark.parametrize("n_features", [4, 60])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("theta", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("shifted", [False, True])
def test_summed_losses(engine, n_features, n_classes, theta, shifted):
    rng = np.random.default_rng(0)
    networks = _networks(rng, 3, n_features, 3, n_classes, "relu")
    rows = _rows(rng, 301, n_features, n_classes, subset=True, shifted=shifted)
    found = engine.summed_losses(rows, side_by_side(networks), theta)
    offset = rows.offset if shifted else 0.0
    for total, (_, network) in zip(found, reference.groups(side_by_side(networks)), strict=True):
        scores = reference.forward(network, rows.X[rows.rows])[2] + offset
        expected = reference.loss(scores, rows.y[rows.rows], rows.weight[rows.rows], theta)
        assert total == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("n_features", [4, 60])
@pytest.mark.parametrize("n_nodes", [1, 8, 11])
def test_logits_and_losses_of_gated_networks(engine, n_features, n_nodes):
    rng = np.random.default_rng(0)
    networks = _networks(rng, 2, n_features, n_nodes, 3, "tanh", n_positions=3)
    rows = _with_positions(rng, _rows(rng, 301, n_features, 3, subset=True), networks)
    together = side_by_side(networks)
    found = engine.logits(rows.X, rows.rows, together)
    losses = engine.summed_losses(rows, together, 0.0)
    y, weight = rows.y[rows.rows], rows.weight[rows.rows]
    for network, logits, total in zip(networks, found, losses, strict=True):
        hidden = exact.hidden(network.nodes, rows.X[rows.rows].T.copy()).T
        np.testing.assert_allclose(network.hidden(rows.X[rows.rows]), hidden, atol=1e-5)
        expected = hidden.astype(np.float64) @ network.W2 + network.b2
        np.testing.assert_allclose(logits, expected, rtol=1e-4, atol=5e-5)
        assert total == pytest.approx(reference.loss(expected, y, weight, 0.0), rel=1e-5)
