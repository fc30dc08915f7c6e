"""Monitors count, merge, travel as JSON, keep quiet in quiet times, and notice changes."""

import json
import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from trisect import ClassCosts, CostMatrix, InstanceCosts, ThreeWayClassifier
from trisect.desk import DecisionMonitor
from trisect.metrics import three_way_cost

# Which class is accepted is tested elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore:To accept means")

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1, unit="EUR")


def cases(rng, n, shape=(1, 3)):
    p = rng.beta(*shape, n)
    return p, rng.random(n) < p


def stream(seed, n_days, change, *, after=(1, 3), raised=1.0, n=200):
    """A monitor after some days; from one of them on, p and the classes may be different."""
    rng = np.random.default_rng(seed)
    p, y = cases(rng, 3000)
    monitor = DecisionMonitor(p, COSTS, y)
    for day in range(n_days):
        shape, factor = ((1, 3), 1.0) if day < change else (after, raised)
        p = rng.beta(*shape, n)
        monitor.update(p, rng.random(n) < factor * p, period=day)
    return monitor


def first_alarm(monitor):
    alarms = (np.array(list(monitor.evidence().values())) >= 0).any(axis=0)
    return int(alarms.argmax()) if alarms.any() else None


def test_counts_are_those_of_the_decisions():
    rng = np.random.default_rng(0)
    p, y = cases(rng, 1000)
    report = DecisionMonitor(p, COSTS, y).update(p, y).report()
    regions = COSTS.decide(p)
    for name, region in (("accepted", 1), ("deferred", 0), ("rejected", -1)):
        assert report[name].value == report[name].reference == np.mean(regions == region)
    assert report["positive"].value == y.mean()
    decided = regions != 0
    assert report["mistakes among the decided"].value == np.mean((regions == 1) != y, where=decided)
    assert report["cost of a case"].value == pytest.approx(COSTS.charge(y, regions).mean())
    assert (report.n, report.n_labelled) == (1000, 1000)
    cut = next(each for each in report.watched if each.name.startswith("p up to"))
    assert cut.value == pytest.approx(0.1)
    for each in report.watched:
        assert each.low <= each.value <= each.high
        assert each.reference_low <= each.reference <= each.reference_high
        assert not each.changed
    assert not report.recalibrate


def test_labels_may_come_later_and_thresholds_may_be_learned():
    rng = np.random.default_rng(0)
    p, y = cases(rng, 300)
    late = DecisionMonitor(p, COSTS, y).update(p, period=1).add_labels(p, y, period=1)
    assert late.to_json() == DecisionMonitor(p, COSTS, y).update(p, y, period=1).to_json()
    own = DecisionMonitor(p, COSTS, thresholds=(0.6, 0.2)).update(p)
    assert own.report()["accepted"].value == np.mean(p >= 0.6)
    assert own.report()["cost of a case"].reference is None


def test_merging_is_adding():
    rng = np.random.default_rng(0)
    reference = cases(rng, 500)
    one, other, both = (DecisionMonitor(reference[0], COSTS, reference[1]) for _ in range(3))
    for period in ("2025-03-14", "2025-03-15"):
        p, y = cases(rng, 100)
        one.update(p[:60], y[:60], period=period)
        other.update(p[60:], y[60:], period=period)
        both.update(p, y, period=period)
    before = one.to_json()
    assert one.merge(other).to_json() == other.merge(one).to_json() == both.to_json()
    assert one.to_json() == before
    with pytest.raises(ValueError, match="Monitors of different confidence"):
        one.merge(DecisionMonitor(reference[0], COSTS, reference[1], confidence=0.9))


@pytest.mark.parametrize("several", [False, True])
def test_json_keeps_everything_but_cases(several):
    rng = np.random.default_rng(0)
    if several:
        p = rng.dirichlet([1, 1, 1], 400)
        y = np.array(["a", "b", "c"])[p.argmax(axis=1)]
        costs = ClassCosts.uniform(3, mistake=4, defer=1)
        monitor = DecisionMonitor(p, costs, y, labels=["a", "b", "c"])
    else:
        p, y = cases(rng, 400)
        monitor = DecisionMonitor(p, COSTS, np.where(y, "yes", "no"), pos_label="yes")
        y = np.where(y, "yes", "no")
    monitor.update(p[:100], y[:100], period="Monday")
    text = monitor.to_json()
    again = DecisionMonitor.from_json(text)
    assert again.to_json() == text
    assert again.report() == monitor.report()
    assert again.update(p[100:], y[100:], period="Tuesday").report().n == 400
    numbers = json.loads(text)["periods"]
    assert all(isinstance(n, int) for n in numbers[0][1]["actions"])
    with pytest.raises(ValueError, match="not a document"):
        DecisionMonitor.from_json("{}")


def test_several_classes():
    rng = np.random.default_rng(0)
    p = rng.dirichlet([1, 1, 1], 2000)
    y = np.array([rng.choice(3, p=row) for row in p])
    costs = ClassCosts([[0, 4, 4], [1, 0, 1], [4, 4, 0]], defer=0.5)
    monitor = DecisionMonitor(p, costs, y).update(p, y)
    report = monitor.report()
    chosen = costs.decide(p)
    assert report["accepted as 1"].value == np.mean(chosen == 1)
    assert report["deferred"].value == np.mean(chosen == -1)
    decided = chosen >= 0
    assert report["mistakes among the decided"].value == np.mean(chosen != y, where=decided)
    assert report["cost of a case"].value == pytest.approx(costs.charge(y, chosen).mean())
    assert monitor.update(rng.dirichlet([4, 1, 1], 1000)).report().recalibrate
    with pytest.raises(ValueError, match="not among"):
        monitor.update(p[:1], ["z"])


def test_a_monitor_of_an_estimator_takes_instances(cancer):
    X, y = cancer
    model = make_pipeline(StandardScaler(), ThreeWayClassifier(LogisticRegression(), COSTS))
    model.fit(X[:200], y[:200])
    monitor = DecisionMonitor.from_estimator(model, X[200:400], y[200:400])
    p = model.predict_proba(X[400:])[:, 1]
    by_p = DecisionMonitor.from_json(monitor.to_json()).update(p, y[400:])
    assert monitor.update(X[400:], y[400:]).to_json() == by_p.to_json()


def test_a_quiet_stream_is_quiet_and_a_change_is_dated():
    assert not stream(0, 20, 20).report().recalibrate
    report = stream(0, 20, 12, after=(1.5, 2)).report()
    assert report["rejected"].changed
    assert report["rejected"].since in (11, 12, 13)
    assert report["rejected"].high < report["rejected"].reference_low
    text = str(report)
    assert "changed since 1" in text
    assert "the distribution of p" in text
    assert text.splitlines()[0] == "4,000 cases up to period 19; the class of 4,000 is known"
    assert report.to_dict()["recalibrate"] is True


@pytest.mark.slow
def test_false_alarms_over_a_thousand_quiet_streams():
    alarms = [first_alarm(stream(seed, 25, 25)) is not None for seed in range(1000)]
    assert np.mean(alarms) <= 0.05


CHANGES = {"much": {"after": (1.5, 2)}, "little": {"after": (1, 2.3)}, "classes": {"raised": 1.4}}


@pytest.mark.slow
def test_delay_over_a_thousand_streams_that_change_on_the_tenth_day():
    delays = {
        name: np.array(
            [
                np.inf if day is None else day - 9
                for day in (first_alarm(stream(seed, 25, 10, **change)) for seed in range(334))
            ]
        )
        for name, change in CHANGES.items()
    }
    assert np.mean(np.concatenate(list(delays.values())) <= 0) <= 0.05
    medians = {name: float(np.median(found)) for name, found in delays.items()}
    assert medians["much"] <= 2
    assert medians["little"] <= 8
    assert medians["classes"] <= 8


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.update([0.5], period=1.5), "Periods are numbers"),
        (lambda m: m.update([0.5], period=1).update([0.5], period="b"), "not both; got 'b'"),
        (lambda m: m.update([0.5], period="a").update([0.5]), "say which one"),
        (lambda m: m.update([1.5]), "Probabilities"),
        (lambda m: m.update([[0.5, 0.5]]), "one probability for each case"),
        (lambda m: m.update([0.5, 0.6], [1]), "1 labels were given for 2 cases"),
        (lambda m: m.report(), "nothing to report"),
        (lambda m: DecisionMonitor([], COSTS), "needs reference"),
        (lambda m: DecisionMonitor([0.5], COSTS, confidence=1), "confidence"),
        (
            lambda m: DecisionMonitor(
                [0.5], InstanceCosts.from_review(false_accept=[5], false_reject=10, review=1)
            ),
            "Expected one cost matrix",
        ),
        (
            lambda m: DecisionMonitor(
                [[0.2, 0.8]], ClassCosts.uniform(2, mistake=1, defer=0.1), thresholds=(0.8, 0.2)
            ),
            "thresholds are for two classes",
        ),
    ],
)
def test_bad_input_is_refused(call, message):
    monitor = DecisionMonitor([0.1, 0.5, 0.9], COSTS)
    with pytest.raises(ValueError, match=message):
        call(monitor)


def test_what_is_not_watched_is_named():
    report = DecisionMonitor([0.1, 0.5, 0.9], COSTS).update([0.5]).report()
    with pytest.raises(KeyError, match="is not watched"):
        report["weather"]


def test_the_class_that_the_costs_name_is_positive(cancer):
    X, y = cancer
    words = np.array(["sick", "benign"])[y]
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, words)
    p = model.predict_proba(X)[:, 0]
    costs = replace(COSTS, accept="benign")
    told = DecisionMonitor(p, COSTS, words, pos_label="benign").update(p, words).report()
    assert told["positive"].value == pytest.approx(np.mean(y == 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        monitors = [
            DecisionMonitor(p, costs, words).update(p, words),
            DecisionMonitor(p, replace(COSTS, reject="sick"), words).update(p, words),
            DecisionMonitor.from_estimator(model, X, words, costs).update(X, words),
            DecisionMonitor.from_json(DecisionMonitor(p, costs, words).to_json()).update(p, words),
        ]
        later = DecisionMonitor.from_json(DecisionMonitor(p, costs).to_json()).update(p, words)
    for monitor in monitors:
        assert monitor.report().watched == told.watched
    assert (
        later.report()["mistakes among the decided"].value
        == told["mistakes among the decided"].value
    )
    with pytest.raises(ValueError, match="'sick' is given, but the costs accept 'benign'"):
        DecisionMonitor(p, costs, words, pos_label="sick")


def test_named_confusions_come_in_the_order_of_the_classes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    kinds = np.array(["a", "b", "c"])[X.argmax(axis=1) + (X[:, 0] > 1)]
    costs = ClassCosts([[0, 9, 9], [1, 0, 1], [4, 1, 0]], 0.3, classes=["c", "a", "b"])
    model = ThreeWayClassifier(LogisticRegression()).fit(X, kinds)
    report = DecisionMonitor.from_estimator(model, X, kinds, costs).update(X, kinds).report()
    chosen = model.decide_classes(X, costs)
    for name in "abc":
        assert report[f"accepted as {name}"].value == pytest.approx(np.mean(chosen == name))
    expected = three_way_cost(kinds, chosen, costs, normalize=True)
    assert report["cost of a case"].value == pytest.approx(expected)
    p = model.predict_proba(X)[:, [2, 0, 1]]
    same = DecisionMonitor(p, costs, kinds).update(p, kinds).report()
    assert same["cost of a case"].value == pytest.approx(expected)
    with pytest.raises(ValueError, match="but the costs name"):
        DecisionMonitor(p, costs, kinds, labels=["a", "b", "c"])


def test_what_nothing_is_known_about_is_not_listed():
    rng = np.random.default_rng(0)
    text = str(DecisionMonitor(rng.beta(1, 3, 500), COSTS).update(rng.beta(1, 3, 50)).report())
    assert "deferred" in text
    assert "mistakes" not in text and "cost of a case" not in text
