"""The published worked example: thresholds, granules, regions and costs.

Ten instances with four features and labels 1 (positive) and 2 (negative); the first
six train. The misclassified instances of each level are given, so no network is needed.
"""

import numpy as np
import pytest

from trisect import decisions
from trisect.decisions import (
    BND,
    NEG,
    CostMatrix,
    conditional_probability,
    nested,
    result_cost,
    three_way_regions,
)
from trisect.growth import granulate

FEATURES = np.array(
    [
        [0.7415, 0.5407, 0.5795, 0.9009],
        [0.6844, 0.3210, 0.0471, 0.3700],
        [0.7718, 0.0912, 0.4874, 0.5308],
        [0.0818, 0.4263, 0.0354, 0.0621],
        [0.5596, 0.4643, 0.3585, 0.3189],
        [0.6397, 0.6535, 0.7739, 0.6809],
    ]
)
POSITIVE = np.array([2, 1, 1, 1, 2, 1]) == 1
FIRST = CostMatrix.from_array([[0, 0.1506, 0.9021], [0.4592, 0.1249, 0]])
SECOND = CostMatrix.from_array([[0, 0.4617, 0.5962], [0.6740, 0.1344, 0]])
THIRD = CostMatrix.from_array([[0, 0.3626, 0.7064], [0.7664, 0.3727, 0]])
PRINTED_BETA_2 = 0.5016


def test_thresholds():
    assert round(FIRST.alpha, 4) == 0.6894
    assert round(FIRST.beta, 4) == 0.1425
    assert round(SECOND.alpha, 4) == 0.5389
    assert round(THIRD.gamma, 4) == 0.5204


def test_the_second_beta_is_not_the_printed_one():
    # The publication prints 0.5016, but its formula on its matrix gives 0.1344 / 0.2689.
    assert round(SECOND.beta, 4) == 0.4998


def test_the_three_matrices_are_a_chain():
    assert nested([FIRST, SECOND, THIRD]) == [FIRST, SECOND, THIRD]


@pytest.mark.parametrize("seed", range(20))
def test_first_level(seed):
    wrong = [0, 3, 4]
    labels = granulate(FEATURES[wrong], n_granules=2, random_state=seed)
    assert labels[1] == labels[2] != labels[0]
    p = conditional_probability(labels, POSITIVE[wrong])
    assert p.tolist() == [0, 0.5, 0.5]
    regions = three_way_regions(p, FIRST.alpha, FIRST.beta)
    assert regions.tolist() == [NEG, BND, BND]
    assert round(result_cost(p, regions, FIRST, boundary_penalty=2), 4) == 0.5510


def test_second_level():
    wrong = [3, 4]
    p = conditional_probability([0, 0], POSITIVE[wrong])
    assert p.tolist() == [0.5, 0.5]
    regions = three_way_regions(p, SECOND.alpha, PRINTED_BETA_2)
    assert regions.tolist() == [NEG, NEG]
    assert round(result_cost(p, regions, SECOND, boundary_penalty=2), 4) == 0.5962


def test_process_costs():
    assert decisions.test_costs([3, 2], [1, 2, 3]).tolist() == [3, 7]
    assert decisions.delay_costs([3, 2], [1, 2, 3]).tolist() == [3, 4]
