"""Days at the desk, by hand and by what must hold in any case."""

import numpy as np
import pytest

from trisect import ClassCosts, CostMatrix
from trisect.desk import Day, Reviewer, draw_days, simulate_days
from trisect.metrics import three_way_cost

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")
WAYS = ("queue", "quota", "allocation")


def past(rng, n=5000):
    p = rng.beta(0.7, 1.5, n)
    return p, rng.random(n) < p


def test_a_queue_by_hand():
    """Two reviews a day. Deferred are 0.3 and 0.5; accepting costs 5 less p, rejecting 10 p."""
    team = Reviewer("Ana", cost=1, capacity=2)
    monday = Day(np.array([0.3, 0.5, 0.3, 0.9]), np.array([True, True, False, True]))
    tuesday = Day(np.array([0.5, 0.05]), np.array([False, True]))
    wednesday = Day(np.array([0.9]), np.array([False]))
    log = simulate_days([monday, tuesday, wednesday], COSTS, team, "queue", waiting=0.25)
    assert log.columns["arrived"].tolist() == [4, 2, 1]
    # On Monday the two with p of 0.3 go first: a review saves 2 on them, 1.5 on the other.
    assert log.columns["reviewed"].tolist() == [2, 2, 0]
    assert log.columns["backlog"].tolist() == [1, 0, 0]
    np.testing.assert_allclose(log.columns["cost"], [3 * 1 + 0.25 + 0, 1 + 10, 5])
    impatient = simulate_days([monday, tuesday], COSTS, team, "queue", patience=0)
    assert impatient.columns["gave_up"].tolist() == [1, 0]
    np.testing.assert_allclose(impatient.columns["cost"], [2 * 1 + 0 + 0, 1 + 10])


def test_a_quota_by_hand():
    team = Reviewer("Ana", cost=1, capacity=3)
    day = Day(np.array([0.02, 0.5, 0.3, 0.9]), np.array([False, True, False, True]))
    log = simulate_days([day], COSTS, team, "quota")
    assert log.columns["reviewed"].tolist() == [3]
    assert log.columns["pointless"].tolist() == [1]
    assert log.cost == 3
    assert log.share_reviewed == 0.75


def test_what_waits_in_the_end_is_decided():
    day = Day(np.array([0.3, 0.5]), np.array([True, True]))
    log = simulate_days([day], COSTS, Reviewer("Ana", capacity=0), "queue")
    assert log.columns["backlog"].tolist() == [2]
    assert log.cost == 10 + 0


def test_without_limits_queue_and_allocation_decide_as_decide():
    rng = np.random.default_rng(0)
    days = draw_days(*past(rng), volumes=[100, 300, 0, 50])
    expected = sum(three_way_cost(d.truth, COSTS.decide(d.p), COSTS) for d in days if len(d.p))
    for way in ("queue", "allocation"):
        log = simulate_days(days, COSTS, Reviewer("team"), way)
        assert log.cost == pytest.approx(expected)
        assert log.columns["backlog"].max() == log.columns["pointless"].max() == 0
    quota = simulate_days(days, COSTS, Reviewer("team"), "quota")
    assert quota.share_reviewed == 1


def test_on_overloaded_days_allocation_beats_thresholds_without_capacity():
    rng = np.random.default_rng(1)
    days = draw_days(*past(rng), volumes=[100, 100, 900, 900, 100, 900], random_state=1)
    team = [
        Reviewer("senior", cost=1.2, error=0.01, capacity=20),
        Reviewer("junior", cost=0.6, sensitivity=0.85, specificity=0.95, capacity=60),
    ]
    logs = {way: simulate_days(days, COSTS, team, way, waiting=0.1) for way in WAYS}
    impatient = simulate_days(days, COSTS, team, "queue", patience=0)
    rivals = [logs["queue"].cost, logs["quota"].cost, impatient.cost]
    assert logs["allocation"].cost < min(rivals)
    assert logs["queue"].columns["backlog"].max() > 100
    assert logs["quota"].columns["reviewed"].tolist() == [80] * 6


def test_reviewers_take_turns():
    team = [Reviewer("Ana", cost=0, capacity=1), Reviewer("Ben", cost=1, capacity=3)]
    day = Day(np.full(4, 0.4), np.zeros(4, dtype=bool))
    log = simulate_days([day], COSTS, team, "quota")
    assert log.cost == 0 + 3 * 1


def test_several_classes():
    rng = np.random.default_rng(0)
    costs = ClassCosts([[0, 4, 4], [1, 0, 1], [4, 4, 0]], defer=0.5, unit="EUR")
    p = rng.dirichlet([1, 1, 1], 200)
    day = Day(p, np.array([rng.choice(3, p=row) for row in p]))
    expected = costs.charge(day.truth, costs.decide(p)).sum()
    assert simulate_days([day], costs, Reviewer("team"), "queue").cost == pytest.approx(expected)
    limited = Reviewer("team", cost=0.3, error=0.05, capacity=20)
    (drawn,) = draw_days(p, day.truth, [300])
    assert drawn.p.shape == (300, 3)
    for way in WAYS:
        assert simulate_days([drawn], costs, limited, way).columns["reviewed"].tolist() == [20]


def test_days_are_drawn_from_the_past_and_drift():
    p, y = past(np.random.default_rng(0))
    days = draw_days(p, y, volumes=[20_000] * 3, drift=1.0)
    shares = [day.truth.mean() for day in days]
    odds = np.log(np.array(shares) / (1 - np.array(shares)))
    np.testing.assert_allclose(odds - odds[0], [0, 0.5, 1], atol=0.06)
    assert set(days[0].p) <= set(p)
    assert np.array_equal(draw_days(p, y, [5])[0].p, draw_days(p, y, [5])[0].p)


def test_the_log_reads_well():
    days = draw_days(*past(np.random.default_rng(0)), volumes=[40, 60])
    log = simulate_days(days, COSTS, [], "queue")
    assert log.to_frame().index.tolist() == [1, 2]
    assert str(log).startswith("queue: 100 cases in 2 days cost ")
    assert "cases in 1 day cost" in str(simulate_days(days[:1], COSTS, [], "queue"))
    assert len(simulate_days([], COSTS, [], "quota")) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: simulate_days([], COSTS, [], "chaos"), "one of"),
        (lambda: simulate_days([], COSTS, [], "queue", waiting=-1), "must not be negative"),
        (lambda: simulate_days([], COSTS, [], "queue", patience=-1), "must not be negative"),
        (lambda: draw_days([0.5], [True, False], [3]), "one outcome for each case"),
        (lambda: draw_days([0.5], [True], [1.5]), "whole numbers"),
        (lambda: draw_days([0.5], [True], [3], drift=1), "both of which occur"),
        (lambda: draw_days([0.5], ["pays"], [3]), "True and False"),
        (lambda: draw_days([[0.5, 0.5]], ["pays"], [3]), "index of its class, from 0 to 1"),
        (lambda: draw_days([[0.5, 0.5]], [2], [3]), "index of its class, from 0 to 1"),
        (lambda: simulate_days([Day([0.5], [-1])], COSTS, [], "queue"), "True and False"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
