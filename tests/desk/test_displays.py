"""Displays of the desk: they hold their data, draw it, and say what they cannot draw."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect import ClassCosts, CostMatrix, ThreeWayClassifier
from trisect.desk import (
    CapacityDisplay,
    DaysDisplay,
    DecisionMonitor,
    MonitorDisplay,
    Reviewer,
    allocate,
    draw_days,
    simulate_days,
)

pytestmark = pytest.mark.usefixtures("pyplot")
COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")
TEAM = [Reviewer("Ana", cost=1, capacity=20), Reviewer("Ben", cost=0.6, error=0.05, capacity=30)]


def texts(ax):
    return " ".join(text.get_text() for text in ax.texts)


@pytest.fixture(scope="module")
def past():
    rng = np.random.default_rng(0)
    p = rng.beta(0.7, 1.5, 2000)
    return p, rng.random(2000) < p


def test_capacity(past):
    p = past[0][:300]
    display = CapacityDisplay.from_probabilities(p, COSTS, TEAM, name="Ana")
    display.figure_.canvas.draw()
    today = allocate(p, COSTS, TEAM)
    assert display.cost[display.capacity.tolist().index(20)] == pytest.approx(today.cost)
    assert display.worth == today.worth[0]
    # One more review is the slope, and the curve flattens.
    slopes = -np.diff(display.cost) / np.diff(display.capacity)
    at = display.capacity.tolist().index(20)
    assert slopes[at - 1] >= display.worth >= slopes[at] - 1e-9
    assert (np.diff(slopes) <= 1e-9).all()
    assert f"one more review saves {display.worth:.2f} EUR" in texts(display.ax_)
    assert display.ax_.get_ylabel() == "expected cost of the day [EUR]"


def test_capacity_of_an_estimator_and_of_who_is_worth_most(cancer, pyplot):
    model = make_pipeline(StandardScaler(), ThreeWayClassifier(LogisticRegression(C=0.01), COSTS))
    model.fit(*cancer)
    _, ax = pyplot.subplots()
    team = [Reviewer("idle", cost=5, capacity=3), Reviewer("busy", cost=0.5, capacity=3)]
    display = CapacityDisplay.from_estimator(model, cancer[0], team, ax=ax)
    assert display.ax_ is ax
    assert display.name == "busy"
    endless = CapacityDisplay.from_estimator(model, cancer[0], Reviewer("Ana"), COSTS)
    assert f"no limit today: {endless.cost[-1]:.0f} EUR" in texts(endless.ax_)
    spare = CapacityDisplay.from_estimator(model, cancer[0], Reviewer("Ana", capacity=10_000))
    assert "saves nothing" in texts(spare.ax_)
    with pytest.raises(ValueError, match="no reviewer 'Eve', only idle, busy"):
        CapacityDisplay.from_estimator(model, cancer[0], team, name="Eve")
    plain = LogisticRegression(solver="newton-cholesky").fit(*cancer)
    with pytest.raises(ValueError, match="no costs of its own"):
        CapacityDisplay.from_estimator(plain, cancer[0], team)


def test_days(past, pyplot):
    days = draw_days(*past, volumes=[100, 300, 100])
    logs = [simulate_days(days, COSTS, TEAM, way) for way in ("queue", "quota", "allocation")]
    figure = pyplot.figure()
    display = DaysDisplay.from_logs(*logs, figure=figure)
    display.figure_.canvas.draw()
    assert display.figure_ is figure
    waiting = display.axes_[1].lines[0].get_ydata()
    assert waiting.tolist() == logs[0].columns["backlog"].tolist()
    best = min(logs, key=lambda log: log.cost)
    assert f"that of {best.way} [EUR]" in display.axes_[3].get_ylabel()
    more = [line.get_ydata()[-1] for line in display.axes_[3].lines]
    np.testing.assert_allclose(more, [log.cost - best.cost for log in logs])
    (legend,) = figure.legends
    assert [text.get_text().split()[0] for text in legend.get_texts()] == [log.way for log in logs]
    other = simulate_days(days[:2], COSTS, TEAM, "quota")
    with pytest.raises(ValueError, match="the same days"):
        DaysDisplay.from_logs(logs[0], other)
    with pytest.raises(ValueError, match="Give from one"):
        DaysDisplay.from_logs()


@pytest.mark.parametrize("changed", [False, True])
def test_monitor(past, changed):
    monitor = DecisionMonitor(past[0], COSTS, past[1])
    rng = np.random.default_rng(1)
    for day in range(12):
        shape = (2, 1) if changed and day > 3 else (0.7, 1.5)
        monitor.update(rng.beta(*shape, 150), period=f"2025-03-{day + 1:02}")
    display = MonitorDisplay.from_monitor(monitor)
    display.figure_.canvas.draw()
    strongest = np.max(list(monitor.evidence().values()), axis=0)
    drawn = display.axes_[1].lines[0].get_ydata()
    np.testing.assert_allclose(drawn, (strongest / np.log(10)).clip(-4, 6))
    assert display.first_alarm == ("2025-03-05" if changed else None)
    assert ("first alarm" in texts(display.axes_[1])) == changed
    assert len(display.axes_[0].lines) == 3 + changed


def test_monitor_of_several_classes():
    rng = np.random.default_rng(0)
    costs = ClassCosts.uniform(3, mistake=4, defer=1)
    monitor = DecisionMonitor(rng.dirichlet([1, 1, 1], 500), costs)
    for _ in range(3):
        monitor.update(rng.dirichlet([1, 1, 1], 100))
    display = MonitorDisplay.from_monitor(monitor)
    assert len(display.axes_[0].lines) == 1
    assert display.periods == [1, 2, 3]


def test_capacity_follows_the_names_in_the_costs(cancer):
    X, y = cancer
    model = LogisticRegression(C=0.01).fit(X, np.array(["sick", "benign"])[y])
    p = model.predict_proba(X)[:, 0]
    drawn = CapacityDisplay.from_estimator(model, X, TEAM, replace(COSTS, accept="benign"))
    expected = CapacityDisplay.from_probabilities(p, COSTS, TEAM)
    np.testing.assert_array_equal(drawn.cost, expected.cost)


@pytest.mark.parametrize("capacity", [0, 3, 20, np.inf])
def test_the_words_on_capacity_keep_clear_of_each_other(past, capacity):
    team = Reviewer("Ana", cost=1, capacity=capacity)
    ax = CapacityDisplay.from_probabilities(past[0][:300], COSTS, team).ax_
    ax.figure.canvas.draw()
    first, second = (text.get_window_extent() for text in ax.texts)
    assert not first.overlaps(second)


@pytest.mark.parametrize("volumes", [[40], [40, 60]])
def test_few_days_can_be_seen(past, volumes):
    days = draw_days(*past, volumes)
    display = DaysDisplay.from_logs(simulate_days(days, COSTS, TEAM, "queue"))
    assert all(line.get_marker() == "o" for ax in display.axes_[1:] for line in ax.lines)
    assert display.axes_[3].get_xticks().tolist() == list(range(1, len(volumes) + 1))
