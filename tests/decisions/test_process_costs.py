"""Process costs: test costs add up, delay costs keep their maximum."""

import numpy as np
import pytest

from trisect.decisions import process


def test_costs_of_a_later_level_that_is_cheap():
    m, units = [10, 1, 4], [1, 2, 3]
    assert process.test_costs(m, units).tolist() == [10, 12, 24]
    assert process.delay_costs(m, units).tolist() == [10, 10, 12]


def test_unit_costs_of_ten_levels():
    units = process.unit_costs(10)
    assert (units[0], units[-1], len(units)) == (1, 50, 10)
    np.testing.assert_allclose(np.diff(units), 49 / 9)


def test_unit_cost_of_a_single_level():
    assert process.unit_costs(1).tolist() == [1]


@pytest.mark.parametrize("function", [process.test_costs, process.delay_costs])
def test_levels_without_unit_cost(function):
    with pytest.raises(ValueError, match="Each level needs a unit cost"):
        function([3, 2], [1])


@pytest.mark.parametrize("function", [process.test_costs, process.delay_costs])
@pytest.mark.parametrize(("m", "units"), [([-1], [1]), ([1], [-1]), ([1], [float("nan")])])
def test_negative_numbers(function, m, units):
    with pytest.raises(ValueError, match="must not be negative"):
        function(m, units)
