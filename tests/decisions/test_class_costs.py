"""Several classes: the cheapest class, or deferring."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trisect.decisions import ClassCosts


@given(st.integers(2, 6), st.floats(0, 5), st.integers(0, 2**32 - 1))
def test_decisions_are_the_cheapest_by_brute_force(n_classes, defer, seed):
    rng = np.random.default_rng(seed)
    confusion = rng.uniform(1, 10, size=(n_classes, n_classes))
    np.fill_diagonal(confusion, rng.uniform(-5, 0.9, n_classes))
    costs = ClassCosts(confusion, defer)
    p = rng.dirichlet(np.ones(n_classes), size=50)
    for row, chosen in zip(p, costs.decide(p), strict=True):
        options = [
            sum(row[t] * confusion[t, a] for t in range(n_classes)) for a in range(n_classes)
        ]
        reviewed = defer + sum(row[t] * confusion[t, t] for t in range(n_classes))
        taken = reviewed if chosen == -1 else options[chosen]
        assert taken == pytest.approx(min([*options, reviewed]))


def test_equal_confusions_are_chows_rule():
    costs = ClassCosts.uniform(3, mistake=5, defer=1)
    p = np.random.default_rng(0).dirichlet(np.ones(3), size=200)
    np.testing.assert_array_equal(costs.decide(p) >= 0, p.max(axis=1) >= 0.8)


def test_charges_equal_a_calculation_by_hand():
    costs = ClassCosts([[0, 4, 5], [1, 0, 2], [7, 8, -3]], defer=0.5, unit="EUR")
    assert costs.charge([0, 0, 1, 2, 2], [0, 2, 0, -1, 1]).tolist() == [0, 5, 1, -2.5, 8]
    assert "defer 0.5 EUR" in str(costs)
    assert repr(costs) == (
        "ClassCosts([[0.0, 4.0, 5.0], [1.0, 0.0, 2.0], [7.0, 8.0, -3.0]], defer=0.5, unit='EUR')"
    )


def test_named_classes_may_come_in_any_order():
    costs = ClassCosts([[0, 4, 5], [1, 0, 2], [7, 8, 0]], 0.5, classes=["b", "c", "a"])
    ordered = costs.for_classes(np.array(["a", "b", "c"]))
    for true in "abc":
        for taken in "abc":
            found = ordered.confusion["abc".index(true), "abc".index(taken)]
            assert found == costs.confusion["bca".index(true), "bca".index(taken)]
    with pytest.raises(ValueError, match="name the classes"):
        costs.for_classes(["a", "b", "z"])
    with pytest.raises(ValueError, match="3 different classes"):
        ClassCosts([[0, 4, 5], [1, 0, 2], [7, 8, 0]], 0.5, classes=["b", "b", "a"])


def test_costs_of_two_classes_as_a_matrix_decide_alike():
    costs = ClassCosts([[-1, 6], [3, 0.5]], defer=0.7)
    p = np.random.default_rng(0).random(500)
    for positive in (0, 1):
        both = np.column_stack((p, 1 - p) if positive == 0 else (1 - p, p))
        regions = costs.of_two(positive).decide(p)
        chosen = np.where(regions == 0, -1, np.where(regions == 1, positive, 1 - positive))
        np.testing.assert_array_equal(chosen, costs.decide(both))


@pytest.mark.parametrize(
    ("confusion", "defer", "message"),
    [
        ([[0, 1]], 1, "at least two classes"),
        ([[0.0]], 1, "at least two classes"),
        ([[0, np.nan], [1, 0]], 1, "finite"),
        ([[0, 1], [1, 0]], np.nan, "finite"),
        ([[0, 1], [1, 0]], -1, "less than nothing"),
        ([[0, 1], [1, 1]], 1, "row 1"),
    ],
)
def test_impossible_costs_are_refused(confusion, defer, message):
    with pytest.raises(ValueError, match=message):
        ClassCosts(confusion, defer)


def test_wrong_probabilities_and_classes_are_refused():
    costs = ClassCosts.uniform(3, mistake=5, defer=1)
    with pytest.raises(ValueError, match="3 classes"):
        costs.decide([[0.5, 0.5]])
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        costs.decide([[0.5, 1.5, -1]])
    with pytest.raises(ValueError, match="numbered from 0"):
        costs.charge([3], [0])
    with pytest.raises(ValueError, match="differ in shape"):
        costs.charge([1, 2], [0])
