"""Process costs: test costs add up, delay costs keep their maximum."""

import numpy as np
import pytest

from trisect import decisions


def test_costs_of_a_later_level_that_is_cheap():
    m, units = [10, 1, 4], [1, 2, 3]
    assert decisions.test_costs(m, units).tolist() == [10, 12, 24]
    assert decisions.delay_costs(m, units).tolist() == [10, 10, 12]


def test_unit_costs_of_ten_levels():
    units = decisions.unit_costs(10)
    assert (units[0], units[-1], len(units)) == (1, 50, 10)
    np.testing.assert_allclose(np.diff(units), 49 / 9)
    assert decisions.unit_costs(1).tolist() == [1]


@pytest.mark.parametrize("function", [decisions.test_costs, decisions.delay_costs])
@pytest.mark.parametrize(
    ("m", "units", "message"),
    [
        ([3, 2], [1], "Each level needs a unit cost"),
        ([-1], [1], "must not be negative"),
        ([1], [float("nan")], "must not be negative"),
    ],
)
def test_impossible_numbers_are_refused(function, m, units, message):
    with pytest.raises(ValueError, match=message):
        function(m, units)


def test_unit_costs_as_given_or_by_default():
    def resolve(given):
        return decisions.resolve_unit_costs(given, 2, "unit_test_costs", default=[7, 8])

    assert resolve(None).tolist() == [7, 8]
    assert resolve([0, 3]).tolist() == [0, 3]
    assert resolve(np.arange(5)).tolist() == [0, 1]


@pytest.mark.parametrize("given", [[1], [1, -1], [1, np.nan], [1, np.inf], [[1, 2]], 3.0])
def test_impossible_unit_costs_are_refused(given):
    with pytest.raises(ValueError, match="unit_test_costs must hold 2 numbers, one for each"):
        decisions.resolve_unit_costs(given, 2, "unit_test_costs", default=[1, 1])
