"""Evaluation: right to single precision, and the same in every bit on every engine."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trisect.network import ACTIVATIONS, InputMap, Levels, Network, fast, reference
from trisect.network.contract import Nodes
from trisect.network.exact import exp, knots_below

ENGINES = {"reference": reference, "fast": fast}


@pytest.fixture(params=ENGINES)
def engine(request):
    return ENGINES[request.param]


def _inputs(rng, n_columns, n_straight, n_curves, n_knots=32):
    """Straight lines for all columns or none, and curves for some columns."""
    width = 1 << max(n_knots - 1, 1).bit_length()
    knots, values = np.full((n_curves, width), np.inf), np.zeros((n_curves, width))
    slopes = np.zeros((n_curves, width))
    for k in range(n_curves):
        used = rng.integers(1, n_knots + 1)
        knots[k, :used] = np.cumsum(rng.uniform(0.01, 0.3, size=used)) - 2
        values[k, :used] = rng.normal(size=used)
        slopes[k, : used - 1] = np.diff(values[k, :used]) / np.diff(knots[k, :used])
    return InputMap(
        rng.normal(size=n_straight),
        rng.uniform(0.3, 3, size=n_straight),
        20.0,
        rng.integers(n_columns, size=n_curves),
        knots,
        values,
        slopes,
    )


def _network(rng, n_inputs, n_nodes, n_classes, activation):
    return Network(
        rng.normal(size=(n_nodes, n_inputs)) / np.sqrt(n_inputs),
        rng.normal(size=n_nodes),
        rng.normal(size=(n_nodes, n_classes)),
        rng.normal(size=n_classes),
        activation,
    )


def _with_curves(rng, nodes, inputs):
    """Turn the last input along a curve into a position, for curves of the nodes' own."""
    counts = [np.isfinite(knots).sum() for knots in inputs.knots]
    k = len(counts) - 1
    if k < 0 or counts[k] < 2:
        return nodes, inputs
    values, slopes = inputs.values.copy(), inputs.slopes.copy()
    values[k, : counts[k]] = np.arange(counts[k])
    values[k, counts[k] - 1] = np.nextafter(np.float32(counts[k] - 1), np.float32(0))
    own = slice(0, counts[k] - 1)
    slopes[k, own] = np.diff(values[k, : counts[k]]) / np.diff(inputs.knots[k, : counts[k]])
    shape = (len(nodes.b1), counts[k] - 1)
    bent = Nodes(
        nodes.activation,
        np.ascontiguousarray(nodes.W1[:, :-1]),
        nodes.b1,
        np.array([0, counts[k] - 1]),
        rng.normal(size=shape).astype(np.float32),
        rng.normal(size=shape).astype(np.float32),
    )
    return bent, inputs._replace(values=values, slopes=slopes)


def _levels(rng, n_levels=7):
    upper = rng.uniform(1.0, 3.0, size=n_levels).astype(np.float32)
    return Levels(
        np.tril(rng.normal(size=(n_levels, n_levels))).astype(np.float32),
        rng.normal(0, 0.2, size=n_levels).astype(np.float32),
        upper,
        -upper,
    )


def _scaled(engine, X, inputs):
    out = np.empty((len(X), inputs.n_inputs), np.float32)
    engine.scale(X, inputs, out)
    return out


def _probabilities(engine, X, inputs, network, nodes=None):
    out, scores = np.empty((len(X), network.n_classes)), (network.W2, network.b2)
    assert engine.probabilities(X, inputs, nodes or network.nodes, scores, out)
    return out


def _walk(engine, X, inputs, nodes, levels):
    out = np.zeros(len(X), np.int8), np.zeros(len(X), np.intp), np.zeros(len(X), np.float32)
    engine.walk(X, inputs, nodes, levels, *out)
    return np.column_stack(out)


shapes = st.tuples(
    st.integers(0, 2**32 - 1),
    st.sampled_from([1, 2, 3, 4, 5, 7, 8, 20, 48, 49, 130]),
    st.booleans(),
    st.integers(0, 9),
    st.sampled_from([1, 2, 3, 32]),
    st.integers(1, 7),
    st.sampled_from(sorted(ACTIVATIONS)),
)


def _case(shape, n=300):
    seed, n_columns, straight, n_curves, n_knots, n_nodes, activation = shape
    rng = np.random.default_rng(seed)
    n_curves = n_curves if straight else n_curves + 1
    inputs = _inputs(rng, n_columns, n_columns * straight, n_curves, n_knots)
    return rng, 2 * rng.standard_t(3, size=(n, n_columns)), inputs, n_nodes, activation


@settings(max_examples=60, deadline=None, derandomize=True)
@given(shape=shapes, n_classes=st.integers(2, 4), bent=st.booleans())
def test_engines_agree_in_every_bit(shape, n_classes, bent):
    rng, X, inputs, n_nodes, activation = _case(shape)
    network = _network(rng, inputs.n_inputs, n_nodes, n_classes, activation)
    walked = _network(rng, inputs.n_inputs, 7, 2, activation).nodes
    nodes, levels = network.nodes, _levels(rng)
    if bent:
        nodes, _ = _with_curves(rng, nodes, inputs)
        walked, inputs = _with_curves(rng, walked, inputs)
    evaluations = (
        (_scaled, ()),
        (_probabilities, (network, nodes)),
        (_walk, (walked, levels)),
    )
    for evaluate, what in evaluations:
        one, other = (evaluate(engine, X, inputs, *what) for engine in ENGINES.values())
        assert np.array_equal(one, other)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(shape=shapes)
def test_a_row_does_not_depend_on_its_batch(shape):
    rng, X, inputs, n_nodes, activation = _case(shape)
    network = _network(rng, inputs.n_inputs, n_nodes, 2, activation)
    nodes, levels = _network(rng, inputs.n_inputs, 7, 2, activation).nodes, _levels(rng)
    for engine in ENGINES.values():
        for evaluate, what in ((_probabilities, (network,)), (_walk, (nodes, levels))):
            together = evaluate(engine, X, inputs, *what)
            for part in (slice(0, 1), slice(17, 18), slice(100, 233), slice(299, 300)):
                assert np.array_equal(evaluate(engine, X[part], inputs, *what), together[part])


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_probabilities_are_those_of_double_precision(engine, activation, n_classes):
    rng = np.random.default_rng(0)
    inputs = _inputs(rng, 5, 5, 3)
    X, network = rng.normal(size=(400, 5)), _network(rng, 8, 6, n_classes, activation)
    hidden = _scaled(engine, X, inputs).astype(np.float64) @ network.W1.T + network.b1
    scores = ACTIVATIONS[activation].value(hidden) @ network.W2 + network.b2
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    found = _probabilities(engine, X, inputs, network)
    np.testing.assert_allclose(found, shares / shares.sum(axis=1, keepdims=True), atol=2e-6)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-12)


def test_inputs_are_lines_and_interpolation(engine):
    rng = np.random.default_rng(0)
    inputs = _inputs(rng, 4, 4, 6)
    X = rng.normal(scale=3, size=(500, 4))
    found = _scaled(engine, X, inputs)
    lines = ((X - inputs.center) * inputs.factor).clip(-20, 20)
    np.testing.assert_allclose(found[:, :4], lines, rtol=1e-6)
    for k, column in enumerate(inputs.columns):
        used = np.isfinite(inputs.knots[k])
        expected = np.interp(X[:, column], inputs.knots[k, used], inputs.values[k, used])
        np.testing.assert_allclose(found[:, 4 + k], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("n_knots", [1, 2, 3, 24, 32, 64, 100])
def test_any_number_of_knots(engine, n_knots):
    rng = np.random.default_rng(n_knots)
    inputs = _inputs(rng, 2, 0, 5, n_knots)
    X = np.concatenate([rng.normal(scale=5, size=(300, 2)), inputs.knots[:2, :1].T.repeat(2, 0)])
    found = _scaled(engine, X, inputs)
    for k, column in enumerate(inputs.columns):
        used = np.isfinite(inputs.knots[k])
        expected = np.interp(X[:, column], inputs.knots[k, used], inputs.values[k, used])
        np.testing.assert_allclose(found[:, k], expected, rtol=1e-5, atol=1e-6)


def test_the_knot_below():
    knots = np.array([[0.0, 1.0, 2.0, np.inf], [5.0, np.inf, np.inf, np.inf]])
    x = np.array([[-1.0, 0.0, 0.5, 1.0, 2.0, 9.0], [0.0, 5.0, 6.0, 7.0, 8.0, 9.0]])
    assert knots_below(x, knots).tolist() == [[0, 0, 0, 1, 2, 2], [0] * 6]


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
@pytest.mark.parametrize("layout", [np.ascontiguousarray, np.asfortranarray])
def test_precision_and_layout_of_raw_rows_do_not_matter(engine, dtype, layout):
    rng = np.random.default_rng(0)
    inputs = _inputs(rng, 3, 3, 4)
    X = (10 * rng.normal(size=(200, 3))).astype(dtype)
    network = _network(rng, 7, 3, 2, "tanh")
    expected = _probabilities(engine, X.astype(np.float64), inputs, network)
    given_so = layout(X)
    given_so.flags.writeable = False
    assert np.array_equal(_probabilities(engine, given_so, inputs, network), expected)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [0, 150, 299])
@pytest.mark.parametrize("straight", [0, 3])
def test_what_is_not_finite_is_noticed(engine, value, row, straight):
    rng = np.random.default_rng(0)
    inputs = _inputs(rng, 3, straight, 9)
    X, out = rng.normal(size=(300, 3)), np.empty((300, 2))
    X[row, inputs.columns[-1]] = value
    network = _network(rng, straight + 9, 2, 2, "tanh")
    assert not engine.probabilities(X, inputs, network.nodes, (network.W2, network.b2), out)


def test_what_is_not_finite_is_noticed_in_a_column_that_is_not_read(engine):
    rng = np.random.default_rng(0)
    inputs = _inputs(rng, 3, 0, 9)
    inputs = inputs._replace(columns=np.minimum(inputs.columns, 1))
    X, out = rng.normal(size=(300, 3)), np.empty((300, 2))
    network = _network(rng, 9, 2, 2, "tanh")
    scores = network.W2, network.b2
    assert engine.probabilities(X, inputs, network.nodes, scores, out)
    X[150, 2] = np.nan
    assert not engine.probabilities(X, inputs, network.nodes, scores, out)


def test_walk_decides_at_the_first_level_that_is_sure(engine):
    rng = np.random.default_rng(0)
    inputs, levels = _inputs(rng, 5, 5, 0), _levels(rng)
    X, nodes = rng.normal(size=(500, 5)), _network(rng, 5, 7, 2, "tanh").nodes
    regions, decided_at, margins = _walk(engine, X, inputs, nodes, levels).T
    scaled = _scaled(engine, X, inputs).astype(np.float64)
    waiting = np.ones(500, dtype=bool)
    hidden = np.tanh(scaled @ nodes.W1.T + nodes.b1)
    for number in range(7):
        margin = hidden @ levels.weights[number] + levels.biases[number]
        upper = levels.upper[number]
        for which, region in ((margin >= upper, 1), (margin <= -upper, -1)):
            assert (regions[waiting & which] == region).all()
            assert (decided_at[waiting & which] == number + 1).all()
            np.testing.assert_allclose(
                margins[waiting & which], margin[waiting & which], rtol=1e-4, atol=1e-5
            )
        waiting &= np.abs(margin) < upper
    assert waiting.any() and not regions[waiting].any() and not decided_at[waiting].any()


def test_exponential_over_its_whole_range():
    x = np.linspace(-87.0, 88.0, 500_001).astype(np.float32)
    assert np.abs(exp(x) / np.exp(x.astype(np.float64)) - 1.0).max() < 2e-7
    assert exp(np.float32([0.0, -0.0])).tolist() == [1.0, 1.0]
    assert np.isfinite(exp(np.float32([-1e30, 1e30]))).all()
