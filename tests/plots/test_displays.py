"""Displays: they hold their data, draw it, and say what they cannot draw."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect import (
    CostMatrix,
    InstanceCosts,
    SequentialThreeWayClassifier,
    STWDSFNNClassifier,
    ThreeWayClassifier,
    decide,
)
from trisect.decisions import Walk, leading_to, sample_cost_matrices
from trisect.growth import RefinedGrowth
from trisect.metrics import three_way_cost
from trisect.plots import (
    ExpectedLossesDisplay,
    FlowDisplay,
    ProcessCostDisplay,
    RegionsDisplay,
    ReviewCostDisplay,
    RiskCoverageDisplay,
    ThresholdsDisplay,
)

pytestmark = pytest.mark.usefixtures("pyplot")
COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")
GAINS = CostMatrix.from_review(
    false_accept=500, false_reject=0, review=20, true_accept=-80, unit="EUR"
)


@pytest.fixture(scope="module")
def data():
    return load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="module")
def model(data):
    classifier = ThreeWayClassifier(LogisticRegression(C=0.1), COSTS)
    return make_pipeline(StandardScaler(), classifier).fit(*data)


@pytest.fixture(scope="module")
def network(data):
    growth = RefinedGrowth(selection="last", joint_updates=40, polish_updates=40)
    return STWDSFNNClassifier(growth, max_levels=3, random_state=0).fit(*data)


def texts(ax):
    return " ".join(text.get_text() for text in ax.texts)


def test_expected_losses():
    display = ExpectedLossesDisplay.from_costs(COSTS)
    display.figure_.canvas.draw()
    assert display.costs is COSTS
    assert {"accept", "defer", "reject"} <= {text.get_text() for text in display.ax_.texts}
    assert r"$\alpha$ = 0.8" in texts(display.ax_)
    assert "EUR" in display.ax_.get_ylabel()


def test_expected_losses_without_deferral(pyplot):
    _, ax = pyplot.subplots()
    display = ExpectedLossesDisplay.from_costs([[0, 9, 10], [5, 9, 0]], ax=ax)
    assert display.ax_ is ax
    assert r"$\gamma$ = 0.333" in texts(ax)
    assert r"$\alpha$" not in texts(ax)


def test_regions(data, model):
    display = RegionsDisplay.from_estimator(model, *data)
    display.figure_.canvas.draw()
    p = model.predict_proba(data[0])[:, 1]
    regions = COSTS.decide(p)
    assert f"defer {np.mean(regions == 0):.1%}" in texts(display.ax_)
    cost = three_way_cost(data[1], regions, COSTS)
    title = display.ax_.get_title(loc="left")
    assert title.endswith(f"{(regions == 0).sum()} reviews; all decisions cost {cost:.0f} EUR")
    assert (display.alpha, display.beta) == (COSTS.alpha, COSTS.beta)


def test_regions_without_deferral_and_with_learned_thresholds(data, model):
    dear = CostMatrix.from_review(false_accept=5, false_reject=10, review=9)
    display = RegionsDisplay.from_estimator(model, *data, costs=dear)
    assert display.alpha == display.beta == dear.gamma
    assert "defer 0.0%" in texts(display.ax_)
    learner = ThreeWayClassifier(
        LogisticRegression(solver="newton-cholesky"), COSTS, thresholds="learned", cv=3
    ).fit(*data)
    learned = RegionsDisplay.from_estimator(learner, *data)
    assert learned.alpha == learner.thresholds_.alpha


def test_heights_of_bars_are_square_roots_of_counts():
    y, p = np.repeat([1, 0], [1, 400]), np.repeat([0.99, 0.01], [1, 400])
    display = RegionsDisplay.from_predictions(y, p, COSTS)
    heights = sorted(bar.get_height() for bar in display.ax_.patches if bar.get_width() < 0.03)
    assert (heights[0], heights[-1]) == (-20, 1)
    assert "square-root" in display.ax_.get_ylabel() and display.ax_.get_yscale() == "linear"
    labels = [display.ax_.yaxis.get_major_formatter()(v, 0) for v in display.ax_.get_yticks()]
    assert labels[0] == "400" and labels[-1] == "40"


@pytest.mark.parametrize(
    ("y", "p", "costs", "title"),
    [
        ([0, 1, 1], [0.9, 0.5, 0.9], COSTS, "1 mistake, 1 review; all decisions cost 6 EUR"),
        ([0, 1], [0.9, 0.01], COSTS, "2 mistakes, 0 reviews; all decisions cost 15 EUR"),
        ([0, 1], [0.01, 0.99], GAINS, "0 mistakes, 0 reviews; all decisions gain 80 EUR"),
    ],
)
def test_the_title_of_regions_counts_and_adds_up(y, p, costs, title):
    assert RegionsDisplay.from_predictions(y, p, costs).ax_.get_title(loc="left") == title


def test_names_in_costs_are_followed(data):
    X, y = data
    names = np.array(["malignant", "benign"])[y]
    fitted = make_pipeline(StandardScaler(), LogisticRegression(C=0.1)).fit(X, names)
    for accepted in ("malignant", "benign"):
        costs = replace(COSTS, accept=accepted)
        display = RegionsDisplay.from_estimator(fitted, X, names, costs)
        assert display.names[0] == accepted
        np.testing.assert_array_equal(display.positive, names == accepted)
        review = ReviewCostDisplay.from_estimator(fitted, X, names, costs)
        now = np.argmin(np.abs(review.review - 1))
        expected = three_way_cost(names, decide(fitted, X, costs), costs, normalize=True)
        assert review.three_way[now] == pytest.approx(expected)
    with pytest.raises(ValueError, match="LogisticRegression has no costs of its own"):
        RegionsDisplay.from_estimator(fitted, X, names)


def test_review_cost_with_gains():
    rng = np.random.default_rng(0)
    p = rng.random(400)
    display = ReviewCostDisplay.from_predictions(rng.random(400) < p, p, GAINS)
    assert display.current == 20 and display.three_way.min() < 0
    low, high = display.ax_.get_ylim()
    assert low <= display.three_way.min() and display.two_way.max() < high
    assert "EUR less than always deciding" in texts(display.ax_)
    losses = ExpectedLossesDisplay.from_costs(GAINS)
    assert losses.ax_.get_ylim()[0] == -80


def test_review_cost(data, model, pyplot):
    _, ax = pyplot.subplots()
    display = ReviewCostDisplay.from_estimator(model, *data, ax=ax)
    assert display.ax_ is ax
    assert display.break_even == pytest.approx(5 * 10 / 15)
    assert display.current == 1
    np.testing.assert_allclose(display.always_review, display.review)
    assert display.two_way.std() == pytest.approx(0)
    beyond = display.review > display.break_even
    np.testing.assert_allclose(display.three_way[beyond], display.two_way[beyond])
    assert display.three_way[0] == 0
    assert "EUR" in ax.get_ylabel()


def test_risk_coverage(data, model):
    display = RiskCoverageDisplay.from_estimator(model, *data)
    assert 0 < display.area < display.curve.risk[-1]
    coverage, risk = display.point
    assert coverage == pytest.approx(np.mean(model[-1].decide(model[0].transform(data[0])) != 0))
    assert 0 <= risk <= display.curve.risk[-1]
    other = RiskCoverageDisplay.from_predictions(
        data[1], model.predict_proba(data[0])[:, 1], name="again", ax=display.ax_
    )
    assert other.area == pytest.approx(display.area)
    lines = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert [line.split()[0] for line in lines] == ["ThreeWayClassifier", "decides", "again"]


def test_risk_coverage_of_several_classes():
    X, y = load_iris(return_X_y=True)
    plain = LogisticRegression(max_iter=500).fit(X, y)
    display = RiskCoverageDisplay.from_estimator(plain, X, y)
    assert display.point is None
    assert display.curve.coverage[-1] == 1


def test_thresholds(network):
    display = ThresholdsDisplay.from_estimator(network)
    assert display.alpha == [level.alpha for level in network.levels_]
    assert display.gamma == network.levels_[-1].gamma
    assert "accept" in texts(display.ax_)
    assert "defer" in texts(display.ax_) and "pass on" not in texts(display.ax_)
    one = ThresholdsDisplay.from_levels(sample_cost_matrices(1, 0))
    one.figure_.canvas.draw()
    assert {"accept", "reject"} <= {text.get_text() for text in one.ax_.texts}


@pytest.mark.parametrize(
    "chain",
    [
        leading_to(COSTS, 10),
        leading_to(COSTS, 2, strictness=4),
        *[sample_cost_matrices(n, seed) for n in (2, 4, 10) for seed in range(6)],
    ],
)
def test_words_on_thresholds_keep_clear_of_the_lines_and_of_each_other(chain):
    display = ThresholdsDisplay.from_levels(chain)
    display.figure_.canvas.draw()
    boxes = [text.get_window_extent() for text in display.ax_.texts]
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:i])
        for line in display.ax_.lines:
            level, value = line.get_data()
            steps = np.linspace(level[0], level[-1], 500) if len(level) > 1 else level
            points = np.column_stack([steps, np.interp(steps, level, value)])
            assert not any(box.contains(x, y) for x, y in display.ax_.transData.transform(points))


def test_process_costs(data, network, pyplot):
    display = ProcessCostDisplay.from_estimator(network)
    assert len(display.axes_) == 3
    heights = [bar.get_height() for bar in display.axes_[1].patches[: len(network.levels_)]]
    assert heights == [level.test_cost for level in network.levels_]
    assert display.kept == network.best_level_ + 1
    walk = network.decide_sequentially(data[0], COSTS)
    with pytest.raises(ValueError, match="no costs to draw: give the estimator unit_test_costs"):
        ProcessCostDisplay.from_walk(walk)
    priced = replace(walk, unit_test_costs=np.ones(3), unit_delay_costs=np.ones(3))
    assert len(ProcessCostDisplay.from_walk(priced, figure=pyplot.figure()).axes_) == 2


def test_flow(data, network):
    display = FlowDisplay.from_estimator(network, data[0], costs=COSTS, final="defer")
    assert f"{display.walk.n_seen[1]:,}" in texts(display.ax_)
    assert "569 instances" in display.ax_.get_title(loc="left")
    stages = [("look", LogisticRegression(), [0]), ("lab", LogisticRegression(), [0, 1])]
    cascade = SequentialThreeWayClassifier(stages, COSTS).fit(*data)
    named = FlowDisplay.from_estimator(cascade, data[0])
    assert "look" in texts(named.ax_)
    assert FlowDisplay.from_walk(display.walk).walk is display.walk
    scaled = make_pipeline(StandardScaler(), cascade).fit(*data)
    assert "look" in texts(FlowDisplay.from_estimator(scaled, data[0]).ax_)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([(20, 1968)], ["accept 20 (1.0%)", "defer 12 (0.6%)", "reject 1,968 (98.4%)"]),
        ([(3, 1960), (0, 28)], ["accept 3 (0.1%)", "defer 9 (0.4%)", "reject 1,988 (99.4%)"]),
        ([(1988, 3)], ["accept 1,988 (99.4%)", "defer 9 (0.4%)", "reject 3 (0.1%)"]),
        ([(1200, 800)], ["accept 1,200 (60.0%)", "defer 0 (0.0%)", "reject 800 (40.0%)"]),
    ],
)
def test_a_flow_names_all_three_outcomes_where_they_can_be_read(counts, expected):
    levels = [(level, region) for level, pair in enumerate(counts, 1)
              for region, n in zip((1, -1), pair, strict=True) for _ in range(n)]  # fmt: skip
    levels += [(0, 0)] * (2000 - len(levels))
    decided_at, regions = np.array(levels).T
    none = np.zeros(len(counts))
    walk = Walk(regions.astype(np.int8), decided_at, np.full(2000, 0.5), none, none, none)
    display = FlowDisplay.from_walk(walk)
    display.figure_.canvas.draw()
    named = [text for text in display.ax_.texts if text.get_text() in expected]
    assert [text.get_text() for text in named] == expected
    boxes = [text.get_window_extent() for text in named]
    assert not any(box.overlaps(other) for i, box in enumerate(boxes) for other in boxes[:i])
    one = "2,000 instances, one level for all"
    assert (display.ax_.get_title(loc="left") == one) == (len(counts) == 1)


def test_a_free_review_has_no_cost_to_vary():
    free = CostMatrix.from_review(false_accept=5, false_reject=10, review=0)
    with pytest.raises(ValueError, match="must cost something"):
        ReviewCostDisplay.from_predictions([0, 1], [0.1, 0.9], free)


@pytest.mark.parametrize("display", [RegionsDisplay, ReviewCostDisplay])
def test_what_cannot_be_drawn_is_refused(display):
    costs = InstanceCosts.from_review(false_accept=[5, 5], false_reject=10, review=1)
    with pytest.raises(ValueError, match="Expected one cost matrix"):
        display.from_predictions([0, 1], [0.1, 0.9], costs)
    with pytest.raises(ValueError, match="1 probabilities"):
        display.from_predictions([0, 1], [0.1], COSTS)


def test_the_counts_of_a_rare_class_can_be_read():
    rng = np.random.default_rng(0)
    p = rng.beta(0.4, 20, 4000)
    ax = RegionsDisplay.from_predictions((rng.random(4000) < p).astype(int), p, COSTS).ax_
    ax.figure.canvas.draw()
    labels = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert not any(a.overlaps(b) for a, b in pairwise(labels))


def test_a_review_that_is_never_worthwhile_saves_nothing_in_words(data, model):
    dear = CostMatrix.from_review(false_accept=5, false_reject=10, review=4)
    display = ReviewCostDisplay.from_estimator(model, *data, dear)
    assert "review at 4: nothing is deferred" in texts(display.ax_)


@pytest.mark.parametrize("gamma", [0.05, 0.3, 0.9])
def test_the_names_of_losses_keep_clear_of_each_other(gamma):
    costs = CostMatrix.from_review(false_accept=gamma, false_reject=1 - gamma, review=0.01)
    ax = ExpectedLossesDisplay.from_costs(costs).ax_
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
