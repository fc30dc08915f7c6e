"""Shares of positive instances in granules."""

import numpy as np
import pytest

from trisect.decisions import conditional_probability, granule_probabilities


def test_probabilities_per_granule_and_per_instance():
    labels, positive = [2, 0, 2, 2, 0], [1, 0, 0, 1, 0]
    np.testing.assert_allclose(granule_probabilities(labels, positive), [0, np.nan, 2 / 3])
    np.testing.assert_allclose(
        conditional_probability(labels, positive), [2 / 3, 0, 2 / 3, 2 / 3, 0]
    )


def test_weights_count_as_repetitions():
    labels, positive, weight = [0, 0, 1, 1], [1, 0, 1, 0], [3, 1, 0, 2]
    np.testing.assert_allclose(granule_probabilities(labels, positive, weight), [0.75, 0])
    nothing = granule_probabilities(labels, positive, [1, 1, 0, 0])
    np.testing.assert_allclose(nothing, [0.5, np.nan])


def test_no_instances_have_no_probabilities():
    assert conditional_probability([], []).shape == (0,)


def test_lengths_that_differ():
    with pytest.raises(ValueError, match="equally long"):
        conditional_probability([0, 1], [True])


@pytest.mark.parametrize("weight", [[1], [1, -1]])
def test_impossible_weights(weight):
    with pytest.raises(ValueError, match="one non-negative weight for each of 2 instances"):
        conditional_probability([0, 1], [True, False], weight)
