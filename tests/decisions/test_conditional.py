"""Shares of positive instances in granules."""

import numpy as np
import pytest

from trisect.decisions import conditional_probability


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        (None, [2 / 3, 0, 2 / 3, 2 / 3, 0]),
        ([3, 1, 1, 0, 2], [3 / 4, 0, 3 / 4, 3 / 4, 0]),
        ([1, 0, 1, 2, 0], [3 / 4, np.nan, 3 / 4, 3 / 4, np.nan]),
    ],
)
def test_shares_of_granules_with_weights_as_repetitions(weight, expected):
    p = conditional_probability([2, 0, 2, 2, 0], [1, 0, 0, 1, 0], weight)
    np.testing.assert_allclose(p, expected)


def test_no_instances_have_no_probabilities():
    assert conditional_probability([], []).shape == (0,)


def test_lengths_that_differ():
    with pytest.raises(ValueError, match="equally long"):
        conditional_probability([0, 1], [True])


@pytest.mark.parametrize("weight", [[1], [1, -1]])
def test_impossible_weights(weight):
    with pytest.raises(ValueError, match="one non-negative weight for each of 2 instances"):
        conditional_probability([0, 1], [True, False], weight)
