"""What is settled before growth: the scaling, the activation and the l2 weight.

A made-up probe returns a network that gives every instance the same probability, so that
its validation loss is whatever the test wants it to be.
"""

import numpy as np
import pytest

from trisect import STWDSFNNClassifier
from trisect.growth import Architecture, RefinedGrowth, TrainingData
from trisect.growth.settling import L2_GRID, settle
from trisect.network import Network, Part

N = 400
# Of 400 validation instances, a loss has to be lower by 2.5 % to count.
CLEARLY, HARDLY = 0.96, 0.98


def _data(n_columns=2, n=N, n_classes=2):
    """Columns of many values, and instances that are all of class 1 but one of each other."""
    X = np.random.default_rng(0).normal(size=(n, n_columns))
    y = np.ones(n, np.int32)
    weight = np.ones(n, np.float32)
    others = [label for label in range(n_classes) if label != 1]
    y[: len(others)] = others
    train = Part(X, y, weight, n_classes)
    return TrainingData(train, Part(X, np.ones(n, np.int32), weight, n_classes))


class MadeUpProbe:
    """Networks whose loss is a product of factors, and a list of what was asked for."""

    def __init__(self, data, scale=None, activation=None, l2=None):
        kinds = ("standard", "evidence" if data.n_classes == 2 else "quantile")
        rng = np.random.default_rng(0)
        self.inputs = {k: data.scaled(data.fit_scaling(k, rng)).train.X for k in kinds}
        self.factors = (scale or {}, activation or {}, l2 or {})
        self.asked = []

    def __call__(self, data, activation, l2, seed):
        choice = (self.kind(data), activation, l2)
        self.asked.append(choice)
        factors = [f.get(c, 1.0) for f, c in zip(self.factors, choice, strict=True)]
        return _constant(data.train.n_features, data.n_classes, np.log(2) * np.prod(factors))

    def kind(self, data):
        same = (k for k, X in self.inputs.items() if np.array_equal(X, data.train.X))
        return next(same, "learned")


def _constant(n_inputs, n_classes, loss):
    """A network of this loss on every instance of class 1."""
    b2 = np.zeros(n_classes)
    b2[1] = np.log(n_classes - 1) - np.log(np.expm1(loss))
    return Network(np.zeros((1, n_inputs)), np.zeros(1), np.zeros((1, n_classes)), b2, "tanh")


def _settle(probe, data, penalties=(0.3,), **fixed):
    fixed = {"scale": "standard", "activation": "tanh"} | fixed
    scaling, activation, l2 = settle(
        data, Architecture(**fixed), penalties, probe, np.random.default_rng(0)
    )
    return scaling.kind, activation, l2


def test_what_is_fixed_is_not_probed():
    data = _data()
    probe = MadeUpProbe(data)
    settled = _settle(probe, data, (0.7,), scale="robust", activation="relu")
    assert settled == ("robust", "relu", 0.7) and not probe.asked


@pytest.mark.parametrize(
    ("losses", "chosen", "walked"),
    [
        ({}, 0.3, {0.3, 3.0, 0.03}),
        ({3.0: 0.9}, 3.0, {0.3, 3.0, 10.0}),
        ({3.0: 0.9, 10.0: 0.8}, 10.0, {0.3, 3.0, 10.0}),
        ({10.0: 0.5}, 0.3, {0.3, 3.0, 0.03}),
        ({0.03: 0.9}, 0.03, {0.3, 3.0, 0.03, 0.003}),
        ({0.03: 0.9, 0.003: 0.8}, 0.003, {0.3, 3.0, 0.03, 0.003}),
        ({3.0: 0.9, 0.03: 0.5}, 3.0, {0.3, 3.0, 10.0}),
        ({3.0: CLEARLY}, 3.0, {0.3, 3.0, 10.0}),
        ({3.0: HARDLY}, 0.3, {0.3, 3.0, 0.03}),
    ],
)
def test_l2_weights_are_walked_up_or_else_down_while_the_loss_falls(losses, chosen, walked):
    data = _data()
    probe = MadeUpProbe(data, l2=losses)
    assert _settle(probe, data, L2_GRID)[2] == chosen
    assert {l2 for _, _, l2 in probe.asked} == walked


@pytest.mark.parametrize(("n_columns", "usual"), [(32, 0.3), (33, 3.0)])
def test_many_columns_start_from_a_larger_l2_weight(n_columns, usual):
    data = _data(n_columns)
    probe = MadeUpProbe(data)
    assert _settle(probe, data, L2_GRID)[2] == usual


def test_no_choice_is_probed_twice():
    data = _data()
    probe = MadeUpProbe(data, {"evidence": 0.9}, {"swish": 0.9}, {3.0: 0.9})
    settled = _settle(probe, data, L2_GRID, scale="auto", activation="auto")
    assert settled == ("evidence", "swish", 3.0)
    assert len(probe.asked) == len(set(probe.asked))


@pytest.mark.parametrize(("factor", "chosen"), [(CLEARLY, "swish"), (HARDLY, "tanh")])
def test_another_activation_has_to_be_notably_better(factor, chosen):
    data = _data()
    probe = MadeUpProbe(data, activation={"swish": factor})
    assert _settle(probe, data, activation="auto")[1] == chosen


@pytest.mark.parametrize(("factor", "chosen"), [(CLEARLY, "evidence"), (HARDLY, "standard")])
def test_another_scaling_has_to_be_notably_better(factor, chosen):
    data = _data()
    probe = MadeUpProbe(data, scale={"evidence": factor})
    assert _settle(probe, data, scale="auto")[0] == chosen


@pytest.mark.parametrize(
    ("n_columns", "offered"),
    [(16, {"standard", "evidence", "learned"}), (17, {"standard", "evidence"})],
)
def test_up_to_sixteen_columns_are_offered_learned_curves(n_columns, offered):
    data = _data(n_columns, n=100)
    probe = MadeUpProbe(data)
    _settle(probe, data, scale="auto")
    assert {kind for kind, _, _ in probe.asked} == offered


def test_learned_curves_that_are_not_chosen_do_not_shift_later_draws():
    draws = []
    for n_columns in (16, 17):
        data, rng = _data(n_columns, n=100), np.random.default_rng(0)
        settle(data, Architecture("auto", "tanh"), (0.3,), MadeUpProbe(data), rng)
        draws.append(rng.random())
    assert draws[0] == draws[1]


@pytest.mark.parametrize(
    ("right", "wrong", "clear"),
    [(20, 2, True), (20, 12, False), (500, 284, True), (500, 285, False)],
)
def test_learned_curves_have_to_gain_more_than_a_standard_error(right, wrong, clear):
    """A logit of one is right for some instances and wrong for others; the rest stay at zero."""
    moved = right + wrong
    labels = np.repeat(np.array([1, 0, 0], np.int32), [right, wrong, 1000 - moved])
    logit = np.arange(1000) < moved
    gains = np.log(2) - np.log1p(np.exp(np.where(labels == 1, -1.0, 1.0) * logit))
    assert (gains.mean() > gains.std() / np.sqrt(1000)) == clear
    # The second column says where: of two values, it stays two values under any curve.
    X = np.column_stack([np.random.default_rng(0).normal(size=1000), logit])
    part = Part(X, labels, np.ones(1000, np.float32), 2)
    data = TrainingData(part, part)
    made_up = MadeUpProbe(data)

    def probe(data, *choice):
        inputs, n_inputs = data.train.X, data.train.n_features
        if made_up.kind(data) != "learned":
            return _constant(n_inputs, 2, np.log(2))
        one, zero = inputs[[0, -1], 1].astype(float)
        steep = 100 / (one - zero)
        return Network(
            steep * np.eye(n_inputs)[[1]],
            np.array([-steep * (one + zero) / 2]),
            np.array([[0.0, 1.0]]),
            np.zeros(2),
            "sigmoid",
        )

    assert _settle(probe, data, scale="auto")[0] == ("learned" if clear else "standard")


def test_more_than_two_classes_choose_between_standard_and_quantile():
    data = _data(n_classes=3)
    probe = MadeUpProbe(data, scale={"quantile": CLEARLY})
    assert _settle(probe, data, scale="auto")[0] == "quantile"
    assert {kind for kind, _, _ in probe.asked} == {"standard", "quantile"}


def test_two_values_a_column_leave_no_scaling_to_choose():
    given = _data()
    X = (given.train.X > 0).astype(float)
    data = TrainingData(*(Part(X, p.y, p.weight, 2) for p in (given.train, given.validation)))
    probe = MadeUpProbe(data)
    assert _settle(probe, data, scale="auto")[0] == "standard" and not probe.asked


# What the probes of refined growth find on data with a known answer.
QUICK = {"growth": RefinedGrowth(polish_updates=0), "max_levels": 3}


def _heavy_tails(seed=0, n=1500):
    """The class depends on the ranks of two columns whose values span many decades."""
    Z = np.random.default_rng(seed).normal(size=(n, 4))
    return np.exp(4.0 * Z), (Z[:, 0] + Z[:, 1] > 0).astype(int)


def _waves(seed=0, n=3000):
    """The class depends on two columns that wind to and fro, and on how they go together."""
    X = np.random.default_rng(seed).uniform(-3, 3, size=(n, 4))
    return X, (np.sin(4 * X[:, 0]) * np.sin(4 * X[:, 1]) > 0).astype(int)


@pytest.mark.parametrize(
    ("problem", "chosen", "other", "gain"),
    [(_heavy_tails, "evidence", "standard", 0.05), (_waves, "learned", "evidence", 0.2)],
)
def test_the_scaling_chosen_predicts_better(problem, chosen, other, gain):
    auto, given = (
        STWDSFNNClassifier(scale=scale, random_state=0, **QUICK).fit(*problem())
        for scale in ("auto", other)
    )
    assert auto.scaling_.kind == chosen
    assert auto.score(*problem(1)) > given.score(*problem(1)) + gain


def test_a_straight_border_between_skewed_columns_gets_the_standard_scaling():
    # A scaling by ranks would bend the border.
    X = np.random.default_rng(0).exponential(size=(3000, 2))
    y = (X[:, 0] - 2 * X[:, 1] > 0.3).astype(int)
    model = STWDSFNNClassifier(random_state=0, **QUICK).fit(X, y)
    assert model.scaling_.kind == "standard"


def test_noise_gets_a_larger_l2_weight_than_a_clear_rule():
    rng = np.random.default_rng(0)
    X, noise = rng.normal(size=(300, 20)), rng.integers(0, 2, size=300)
    chosen = [
        [STWDSFNNClassifier(scale="standard", random_state=s, **QUICK).fit(X, y).l2_
         for s in range(3)]
        for y in (X[:, 0] > 0, noise)
    ]  # fmt: skip
    clear, unclear = np.median(chosen, axis=1)
    assert clear < unclear and {clear, unclear} <= set(L2_GRID)
