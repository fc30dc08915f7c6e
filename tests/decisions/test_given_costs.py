"""The forms in which costs are given, and the costs in use where none are."""

from dataclasses import replace

import numpy as np
import pytest

from trisect.decisions import (
    ClassCosts,
    CostMatrix,
    InstanceCosts,
    as_cost_matrix,
    as_costs,
    default_costs,
    expected_losses,
    leading_to,
    level_costs,
    nested,
    result_cost,
)

AMOUNTS = [[0, 1, 10], [5, 1, 0]]
MATRIX = CostMatrix.from_array(AMOUNTS)


def test_one_matrix_in_any_unit():
    assert as_costs(AMOUNTS) == as_costs(np.array(AMOUNTS)) == MATRIX
    assert as_costs(MATRIX, n_instances=7) is MATRIX


def test_a_matrix_for_each_instance():
    costs = InstanceCosts(np.stack([np.array(AMOUNTS), 2 * np.array(AMOUNTS)]), unit="EUR")
    assert as_costs(costs) is costs
    for form in (costs.amounts, costs.amounts.tolist(), list(costs)):
        np.testing.assert_array_equal(as_costs(form, n_instances=2).amounts, costs.amounts)
    assert as_costs(list(costs)).unit == "EUR"
    with pytest.raises(ValueError, match="Costs of 2 instances were given for 3 instances"):
        as_costs(costs, n_instances=3)
    with pytest.raises(ValueError, match="Expected one cost matrix, got costs of 2 instances"):
        as_cost_matrix(costs)


def test_columns_of_a_frame():
    frame = pytest.importorskip("pandas").DataFrame(
        {"false_accept": [5.0, 6.0], "false_reject": 10.0, "review": 1.0}
    )
    np.testing.assert_array_equal(as_costs(frame, 2).amounts[1], [[0, 1, 10], [6, 1, 0]])


WORDS = {"false_accept": 5, "false_reject": 10, "review": 1}


def test_words_for_all_instances_or_for_each():
    assert as_costs(WORDS) == as_costs(WORDS | {"review": (1, 1)}) == MATRIX
    named = as_costs(WORDS | {"unit": "EUR", "accept": "b", "true_accept": -3})
    assert (named.unit, named.accept, named.pp, named.bp) == ("EUR", "b", -3, -2)
    each = as_costs(WORDS | {"false_accept": [5, 6]}, n_instances=2)
    np.testing.assert_array_equal(each.amounts[1], [[0, 1, 10], [6, 1, 0]])
    reviews = as_costs(WORDS | {"review": np.array([1, 2, 3])}, n_instances=3)
    np.testing.assert_array_equal(reviews.amounts[2], [[0, 3, 10], [5, 3, 0]])


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"review": 1}, r"lacks \['false_accept', 'false_reject'\]"),
        (WORDS | {"reveiw": 2}, r"has \['reveiw'\]"),
        (ClassCosts.uniform(3, mistake=1, defer=0.1), "got ClassCosts of 3 classes"),
        ([[0, 1], [1, 0]], r"three columns .* got an array of shape \(2, 2\)"),
    ],
)
def test_what_is_wrong_with_costs_is_named(costs, message):
    with pytest.raises(ValueError, match=message):
        as_costs(costs)


@pytest.mark.parametrize("costs", [None, "cheap", 3.0, [1, 2, 3], [], [[0, 1, 2], [3]]])
def test_anything_else_is_refused(costs):
    with pytest.raises(ValueError, match="costs must be a CostMatrix"):
        as_costs(costs)


FORMS = {
    "matrix": AMOUNTS,
    "array": np.array(AMOUNTS),
    "dict": WORDS,
    "CostMatrix": MATRIX,
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_taken_everywhere(form):
    costs = FORMS[form]
    assert as_costs(costs) == as_cost_matrix(costs) == MATRIX
    assert level_costs(costs, 2) == level_costs([costs, MATRIX], 2) == [MATRIX] * 2
    assert nested(costs)[0] == nested([costs, costs])[1] == MATRIX
    assert leading_to(costs, 3) == leading_to(MATRIX, 3)
    np.testing.assert_array_equal(expected_losses([0.3], costs), expected_losses([0.3], MATRIX))
    assert result_cost([0.3], [-1], costs) == 3
    np.testing.assert_array_equal(as_costs([costs, costs], 2).amounts, [AMOUNTS] * 2)


def test_default_costs():
    np.testing.assert_array_equal(default_costs().amounts, [[0, 0.2, 1], [1, 0.2, 0]])
    three = default_costs(3)
    assert isinstance(three, ClassCosts)
    assert (three.n_classes, three.defer, three.confusion.max()) == (3, 0.2, 1)


def test_costs_of_levels():
    assert level_costs(AMOUNTS, 3) == level_costs(MATRIX, 3) == [MATRIX] * 3
    assert level_costs(None, 2) == [default_costs()] * 2
    other = default_costs()
    assert level_costs([AMOUNTS, other], 2) == [MATRIX, other]
    each = InstanceCosts(np.stack([np.array(AMOUNTS)] * 2))
    assert level_costs(each, 3) == [each] * 3, "costs per instance are the same at all levels"
    with pytest.raises(ValueError, match="2 cost matrices were given for 3 levels"):
        level_costs([MATRIX, MATRIX], 3)


@pytest.mark.parametrize("change", [{"accept": "b"}, {"reject": "b"}, {"unit": "EUR"}])
@pytest.mark.parametrize("taken", [as_costs, nested, lambda costs: level_costs(costs, 2)])
def test_costs_that_belong_together_agree(taken, change):
    [name] = change
    with pytest.raises(ValueError, match=f"must agree in {name}, but these have"):
        taken([MATRIX, replace(MATRIX, **change)])
